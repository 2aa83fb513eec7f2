"""What a service tells beside runs: files, sessions, outlines, what an undo did."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .reports import HandError, Problem
from .told import Record, Told, told, told_each


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFile(Told):
    """A file that a run made: a picture, a download, a trace.

    Attributes:
        media_type: Such as ``image/png``.
        size: Bytes.
        sha256: Of its bytes.
        action_id: The step; empty where it is of the run as a whole.
    """

    file_id: str = told("artifact_id")
    name: str
    media_type: str = ""
    size: int = 0
    sha256: str = ""
    run_id: str = ""
    action_id: str = ""

    def check(self, data: bytes) -> bytes:
        """Return the bytes of the file.

        Raises:
            HandError: If they are others.
        """
        if self.sha256 and hashlib.sha256(data).hexdigest() != self.sha256:
            text = f"{self.name} did not arrive as it was made."
            raise HandError(Problem("changed_on_the_way", text, "Fetch it again."))
        return data


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionState(Told):
    """A session."""

    name: str
    running: tuple[str, ...] = ()
    questions: int = 0
    pages: tuple[str, ...] = ()
    idle_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenOutline(Told):
    """What is on a page or in a window, in lines that can be acted on.

    Attributes:
        text: The lines as one text.
        lines: The same one by one, each with its ``selector`` where it can be named.
    """

    text: str
    lines: Sequence[Record] = ()
    is_folded: bool = told("truncated", usual=False)
    record: Record = field(default_factory=dict[str, Any], repr=False)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoReport(Told):
    """What became of undoing a run.

    Attributes:
        steps: One per act, in the order of going back: ``action_id``, ``description``, ``status``, ``how`` and so on.
        problems: Why nothing could be done, where that is so.
    """

    run_id: str
    reply: str
    steps: Sequence[Record] = ()
    problems: tuple[Problem, ...] = told_each("errors", Problem.read)
    record: Record = field(default_factory=dict[str, Any], repr=False)

    @property
    def is_complete(self) -> bool:
        """Whether all of it is undone, now or before."""
        return not self.problems and all(each.get("status") in {"taken_back", "already"} for each in self.steps)
