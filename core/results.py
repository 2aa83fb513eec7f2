"""ToolCall, ToolOutcome, ToolResult and RunResult: what was called and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from core.errors import ErrorInfo

Status = Literal["ok", "failed", "refused", "skipped", "cancelled"]
Effect = Literal["confirmed", "unverified", "none"]
RunOutcome = Literal["success", "partial", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool by name and the parameters that it is called with."""

    tool: str
    params: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What an actuator says after an act that succeeded; failure is an exception instead.

    Attributes:
        output: Typed values that later steps may refer to (``text``, ``url``, ``rows``, …).
        effect: ``confirmed`` only if ``evidence`` was read back from the world after the act; ``unverified`` if the act
            was done and nothing could be read back; ``none`` if the world was only observed.
        evidence: What was read back, JSON-compatible.
        undo: How to take it back, or why that can't be done.
        artifacts: Files that were made, as absolute paths.
    """

    output: Mapping[str, Any] = field(default_factory=dict[str, Any])
    effect: Effect = "none"
    evidence: Mapping[str, Any] = field(default_factory=dict[str, Any])
    undo: str = ""
    artifacts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The receipt of one action.

    Attributes:
        status: ``ok``, ``failed``, ``refused``, ``skipped`` or ``cancelled``.
        effect: As in ToolOutcome; ``none`` where nothing was done.
        output: Typed values that later steps may refer to.
        evidence: What was read back to say so.
        error: What went wrong, where something did.
        undo: How to take it back, or why that can't be done.
        args_digest: Digest of the arguments that were executed; equal to the planned action's digest.
        artifacts: Files that were made, as absolute paths.
        tainted: Argument names whose value came from a page or another tool, with the step that it came from.
        started_ms: Start, in milliseconds since the run began.
        ms: Duration in milliseconds.
    """

    status: Status
    effect: Effect = "none"
    output: Mapping[str, Any] = field(default_factory=dict[str, Any])
    evidence: Mapping[str, Any] = field(default_factory=dict[str, Any])
    error: ErrorInfo | None = None
    undo: str = ""
    args_digest: str = ""
    artifacts: tuple[str, ...] = ()
    tainted: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    started_ms: float = 0.0
    ms: float = 0.0
