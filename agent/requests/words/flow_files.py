"""Where a flow has its other files and the environment from: the disk beside it, or whoever sent it along with them."""

import posixpath
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from agent.requests.words.documents import MAX_BYTES
from core.base.errors import GoalError
from core.base.late_dataclasses import dataclass, field
from core.rules.params import suggest

_ABSOLUTE = re.compile(r"[/\\]|[A-Za-z]:[/\\]|~")
_WORKSPACE = "workspace:/"


class FlowFiles(Protocol):
    """Gives a flow what stands outside of its text."""

    @property
    def environment(self) -> Mapping[str, str] | None:
        """Variables of the environment; None where a flow may not look at them."""
        ...

    @property
    def taken(self) -> Mapping[str, str]:
        """Texts of the files that were read, by name."""
        ...

    def read(self, name: str) -> str:
        """Return the text of a file.

        Raises:
            GoalError: If it can't be read, or a flow may not read it.
        """
        ...

    def show(self, name: str) -> str:
        """Return what messages call a file."""
        ...


def join_name(beside: str, written: str) -> str:
    """Return the name of a file by how a flow writes it.

    Args:
        beside: Name of the file that it is written in; empty for the flow itself.
        written: Relative to that file, or from ``workspace:/``.

    Raises:
        GoalError: If it is neither.
    """
    if written.startswith(_WORKSPACE):
        return _WORKSPACE + posixpath.normpath(written.removeprefix(_WORKSPACE).replace("\\", "/"))
    if not written.strip() or _ABSOLUTE.match(written):
        text = f"“{written}” is not a file beside the flow."
        raise GoalError(text, hint="Write it relative to the file that it stands in, or from workspace:/.")
    return posixpath.normpath(posixpath.join(posixpath.dirname(beside), written.replace("\\", "/")))


@dataclass(slots=True)
class FilesOnDisk:
    """Files beside a flow, in its folder or in the workspace, and nowhere else.

    Attributes:
        environment: Variables of the environment; None where a flow may not look at them.
    """

    folder: Path
    workspace: Path | None = None
    environment: Mapping[str, str] | None = None
    taken: dict[str, str] = field(default_factory=dict[str, str])

    def read(self, name: str) -> str:
        """Return the text of a file."""
        path = self._find(name)
        shown = self.show(name)
        if not any(path.resolve().is_relative_to(each.resolve()) for each in (self.folder, self.workspace) if each):
            text = f"“{shown}” lies outside the folder of the flow and the workspace."
            raise GoalError(text, hint="Move it there.")
        try:
            with path.open("rb") as file:
                content = file.read(MAX_BYTES + 1)
            text = content.decode("utf-8-sig")
        except OSError as error:
            near = suggest(path.name, (each.name for each in path.parent.iterdir())) if path.parent.is_dir() else ""
            hint = near.strip(" ()").capitalize() if isinstance(error, FileNotFoundError) else ""
            raise GoalError(f"“{shown}” can't be read: {error.strerror}.", hint=hint) from None
        except UnicodeDecodeError:
            raise GoalError(f"“{shown}” is not UTF-8.", hint="Save it as UTF-8.") from None
        if len(content) > MAX_BYTES:
            raise GoalError(f"“{shown}” has more than {MAX_BYTES:,} bytes.", code="too_large")
        self.taken[name] = text
        return text

    def show(self, name: str) -> str:
        """Return what messages call a file."""
        return str(self._find(name))

    def _find(self, name: str) -> Path:
        if name.startswith(_WORKSPACE):
            return (self.workspace or self.folder) / name.removeprefix(_WORKSPACE)
        return self.folder / name


@dataclass(slots=True)
class SentFiles:
    """Files that came with a flow; nothing is read from the disk, and nothing from the environment.

    Attributes:
        environment: What came with it from the environment of whoever sent it; None for nothing. A flow that was sent may
            not look at the environment of whoever carries it out.
    """

    files: Mapping[str, str] = field(default_factory=dict[str, str])
    environment: Mapping[str, str] | None = None
    taken: dict[str, str] = field(default_factory=dict[str, str])

    def read(self, name: str) -> str:
        """Return the text of a file."""
        if name not in self.files:
            text = f"The file “{name}” did not come with the flow."
            raise GoalError(text, hint="Run the flow as a file, or send the files that it names along with it.")
        self.taken[name] = self.files[name]
        return self.files[name]

    def show(self, name: str) -> str:
        """Return what messages call a file."""
        return name
