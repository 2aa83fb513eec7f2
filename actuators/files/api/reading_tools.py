"""Tools that look at files and folders."""

from abc import abstractmethod
from typing import Annotated, Literal

from actuators.files.api.toolset import FileToolset
from core.results.tool_results import ToolOutcome
from core.rules.param_types import COUNT, FilePath, Limit, TimeLimit
from core.tools.ports import ActionContext


class FileReadingTools(FileToolset):
    """Looking at files and folders; nothing is changed."""

    @abstractmethod
    async def read(
        self,
        context: ActionContext,
        path: FilePath,
        encoding: str | None = None,
        offset: Annotated[int, COUNT] = 0,
        limit: Annotated[int, COUNT] | None = None,
    ) -> ToolOutcome:
        """Read a file as text.

        Args:
            path: The file.
            encoding: Name of its encoding; where absent, the one that its byte order mark names, else UTF-8.
            offset: Lines to leave out at the beginning.
            limit: Lines to read at most; all where absent.

        Returns:
            Output ``text``, ``encoding``, ``lines`` (read), ``total_lines``, ``size_bytes``, ``sha256`` (of the whole
            file) and ``truncated``.

        Raises:
            FileError: If there is no such file, or it is a folder, too large, or no text in that encoding.
        """

    @abstractmethod
    async def find(
        self,
        context: ActionContext,
        path: FilePath = ".",
        pattern: str | None = None,
        content: str | None = None,
        recursive: bool = True,
        newer: str | None = None,
        older: str | None = None,
        limit: Limit = 1000,
    ) -> ToolOutcome:
        """Find files and folders by name, content and age.

        Args:
            path: The folder to look in.
            pattern: Glob that the name matches, such as ``*.txt``; with a ``/`` it is matched against the path.
            content: Text that the file contains, in any case; files that are not text are passed over and counted.
            recursive: Whether to look into folders as well.
            newer: Changed after this: an ISO date or time, or an age such as ``2h``, ``3d``, ``1w``.
            older: Changed before this, likewise.
            limit: Entries at most, 1 to 100000.

        Returns:
            Output ``entries`` (path, name, type, size_bytes, modified), sorted by path; ``count``, ``truncated``,
            ``unreadable`` (what could not be looked into, and why) and ``text``: a line each.
        """

    @abstractmethod
    async def info(self, context: ActionContext, path: FilePath) -> ToolOutcome:
        """Tell what is known of a file or folder.

        Args:
            path: What to look at.

        Returns:
            Output ``exists``, ``type`` (file, folder, link, other), ``size_bytes``, ``modified``, ``mode``,
            ``read_only``, ``entries`` (of a folder), ``resolved``, ``anchor`` and ``text``.
        """

    @abstractmethod
    async def hash(
        self,
        context: ActionContext,
        path: FilePath,
        algorithm: Literal["sha256", "sha512", "sha1", "md5", "blake2b"] = "sha256",
    ) -> ToolOutcome:
        """Compute the digest of a file's content.

        Args:
            path: The file.
            algorithm: Which digest.

        Returns:
            Output ``digest`` (hexadecimal), ``algorithm``, ``size_bytes`` and ``text``, the digest.
        """

    @abstractmethod
    async def wait(
        self,
        context: ActionContext,
        path: FilePath,
        state: Literal["exists", "changed", "removed"] = "exists",
        timeout: TimeLimit = 30.0,
    ) -> ToolOutcome:
        """Wait until a file or folder is there, has changed, or is gone.

        Args:
            path: What to watch.
            state: What to wait for; a file that is still being written counts as there once it rests.
            timeout: Seconds to wait at most.

        Returns:
            Output ``state`` and ``waited_s``.

        Raises:
            DeadlineError: If it doesn't come about; says what was there instead.
        """

    @abstractmethod
    async def list(
        self,
        context: ActionContext,
        path: FilePath = ".",
        pattern: str | None = None,
        recursive: bool = False,
        limit: Limit = 1000,
    ) -> ToolOutcome:
        """List a folder.

        Args:
            path: The folder.
            pattern: Glob that names match.
            recursive: Whether to list folders in it as well.
            limit: Entries at most, 1 to 100000.

        Returns:
            As for ``find``.
        """
