"""The tools that make files and folders and change what is in them, over any store."""

from collections.abc import Callable, Mapping
from typing import Annotated, ClassVar, Literal

from actuators.files.jobs.jobs import PlannedChange
from actuators.files.jobs.recovery import StateReader
from actuators.files.verbs.creating import find_created, plan_create
from actuators.files.verbs.toolset import FileChangingTools
from actuators.files.verbs.undo import show_back
from actuators.files.verbs.writing_plans import find_written, plan_append, plan_edit, plan_write
from core.results.tool_results import ToolOutcome, UndoRecord
from core.rules.param_types import NEW_PATH, LongText, NewFilePath, PlainText, Sha256
from core.rules.type_makers import beside, integer
from core.tools.ports import ActionContext
from core.tools.previews import Preview


class FileWritingTools(FileChangingTools):
    """Making files and folders, and changing their content; every change is atomic and has an undo record."""

    plans: ClassVar[Mapping[str, Callable[..., PlannedChange]]] = {
        "create": plan_create,
        "write": plan_write,
        "append": plan_append,
        "edit": plan_edit,
    }
    findings: ClassVar[Mapping[str, StateReader]] = {
        "create": find_created,
        "write": find_written,
        "append": find_written,
        "edit": find_written,
    }

    async def preview_back(self, context: ActionContext, record: UndoRecord) -> Preview | None:
        """Say what taking a change of files back would change, whichever tool made it."""
        return await show_back(self._runner, context, record)

    async def create(
        self,
        context: ActionContext,
        object_type: Literal["file", "folder"],
        name: Annotated[str, beside(NEW_PATH)],
        content: PlainText | None = None,
        exist_ok: bool = False,
        whole_lines: bool | None = None,
    ) -> ToolOutcome:
        """Make a file or folder, with the folders above it.

        Args:
            object_type: Which of the two.
            name: Its path.
            content: Text of a file; empty where absent.
            exist_ok: Whether one that is there already is left as it is.
            whole_lines: Whether a line break ends the text.

        Returns:
            Output ``path``, ``created`` (everything that was made, the outermost first), ``sha256`` of a file.

        Raises:
            FileError: If it is there already (``already_exists``), or is of the other type.
        """
        return await self._change(
            context,
            "create",
            object_type=object_type,
            name=name,
            content=content,
            exist_ok=exist_ok,
            whole_lines=bool(whole_lines),
        )

    async def write(
        self,
        context: ActionContext,
        path: NewFilePath,
        content: PlainText,
        encoding: str | None = None,
        expected_sha256: Sha256 | None = None,
        whole_lines: bool | None = None,
    ) -> ToolOutcome:
        """Replace the content of a file, or make it.

        Byte order mark, newline style and mode of a file that is there are kept.

        Args:
            path: The file.
            content: The new text; a line feed becomes the file's own newline.
            encoding: Name of the encoding; where absent the file's own, UTF-8 for a new one.
            expected_sha256: Refuse unless the present content has this digest.
            whole_lines: Whether a line break ends the text.

        Returns:
            Output ``path``, ``sha256``, ``size_bytes`` and ``created``.

        Raises:
            FileError: If the content is another one than was expected or shown (``changed_since``), or the text can't
                be written in that encoding.
        """
        return await self._change(
            context,
            "write",
            path=path,
            content=content,
            encoding=encoding,
            expected_sha256=expected_sha256,
            whole_lines=bool(whole_lines),
        )

    async def append(
        self,
        context: ActionContext,
        path: NewFilePath,
        content: PlainText,
        encoding: str | None = None,
        expected_sha256: Sha256 | None = None,
        whole_lines: bool | None = None,
    ) -> ToolOutcome:
        """Add text at the end of a file, or make it.

        Args:
            path: The file.
            content: The text, as it is; a line feed becomes the file's own newline.
            encoding: As for ``write``.
            expected_sha256: As for ``write``.
            whole_lines: Whether the text stands on lines of its own: a line break ends it, and one goes in front where the
                file's last line has none.

        Returns:
            Output ``path``, ``sha256``, ``size_bytes`` and ``created``.
        """
        return await self._change(
            context,
            "append",
            path=path,
            content=content,
            encoding=encoding,
            expected_sha256=expected_sha256,
            whole_lines=bool(whole_lines),
        )

    async def edit(
        self,
        context: ActionContext,
        path: NewFilePath,
        find: LongText,
        replace: PlainText,
        count: Annotated[int, integer(1, 100000)] = 1,
        expected_sha256: Sha256 | None = None,
        whole_lines: bool | None = None,
    ) -> ToolOutcome:
        """Replace exact text in a file.

        Args:
            path: The file.
            find: The text to replace, character for character; a line feed stands for the file's own newline.
            replace: What takes its place.
            count: How often it must be there; another number is refused.
            expected_sha256: As for ``write``.
            whole_lines: Whether only whole lines count; a part of a longer line is none.

        Returns:
            Output ``path``, ``replaced``, ``lines`` (where, from 1) and ``sha256``.

        Raises:
            FileError: If it is there more or less often (``count_differs``); names the lines, or the nearest text.
        """
        return await self._change(
            context,
            "edit",
            path=path,
            find=find,
            replace=replace,
            count=count,
            expected_sha256=expected_sha256,
            whole_lines=bool(whole_lines),
        )
