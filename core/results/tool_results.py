"""ToolCall, ToolOutcome, ToolResult and RunResult: what was called and what came of it."""

from collections.abc import Mapping
from typing import Any, Literal

from core.base.errors import ErrorInfo
from core.base.late_dataclasses import dataclass, field
from core.results.provenance import Origin

Status = Literal["ok", "failed", "refused", "skipped", "cancelled"]
Effect = Literal["confirmed", "unverified", "none"]
FindingState = Literal["done", "not_done", "unknown"]
RunOutcome = Literal["success", "partial", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool by name and the parameters that it is called with.

    Attributes:
        scope: For whom and within what it is called: the scope path of its goal, written out; empty as long as it is only proposed.
    """

    tool: str
    params: Mapping[str, Any]
    scope: str = ""


@dataclass(frozen=True, slots=True)
class UndoRecord:
    """How an act is taken back.

    Attributes:
        domain: The family that can do it.
        operation: What it does: a verb of the domain, or an operation that the family names in its documents.
        params: What the operation needs; JSON-compatible.
        guard: What must still be so, such as ``{"sha256": …}``; where it isn't, going back would destroy later work.
    """

    domain: str
    operation: str
    params: Mapping[str, Any] = field(default_factory=dict[str, Any])
    guard: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What an actuator says after an act that succeeded; failure is an exception instead.

    Attributes:
        output: Typed values that later steps may refer to (``text``, ``url``, ``rows``, …).
        effect: ``confirmed`` only if ``evidence`` was read back from the world after the act; ``unverified`` if the act
            was done and nothing could be read back; ``none`` if the world was only observed.
        undo: How to take it back, or why that can't be done; for people.
        undo_record: How to take it back, for programs; None where it can't be.
    """

    output: Mapping[str, Any] = field(default_factory=dict[str, Any])
    effect: Effect = "none"
    evidence: Mapping[str, Any] = field(default_factory=dict[str, Any])
    undo: str = ""
    artifacts: tuple[str, ...] = ()
    undo_record: UndoRecord | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What the world says about an act that was begun.

    Attributes:
        state: ``done`` (all of it), ``not_done`` (nothing of it, so that it may be done now) or ``unknown``.
        evidence: What was read to say so, JSON-compatible.
        outcome: What the act would have said had it been seen to end; with ``done`` only, and its undo record with it.
    """

    state: FindingState
    evidence: Mapping[str, Any] = field(default_factory=dict[str, Any])
    outcome: ToolOutcome | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The receipt of one action.

    Attributes:
        effect: As in ToolOutcome; ``none`` where nothing was done.
        output: Typed values that later steps may refer to.
        undo: How to take it back, or why that can't be done; for people.
        undo_record: The same for programs; None where it can't be taken back.
        args_digest: Digest of the arguments that were executed; equal to the planned action's digest.
        tainted: Argument names whose value came from a page or another tool, with the step that it came from and where
            that read it; or that a model wrote, with which one.
        note: What else has to be known, such as that the outcome could not be written down; usually empty.
    """

    status: Status
    effect: Effect = "none"
    output: Mapping[str, Any] = field(default_factory=dict[str, Any])
    evidence: Mapping[str, Any] = field(default_factory=dict[str, Any])
    error: ErrorInfo | None = None
    undo: str = ""
    undo_record: UndoRecord | None = None
    args_digest: str = ""
    artifacts: tuple[str, ...] = ()
    tainted: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    note: str = ""
    started_ms: float = 0.0
    ms: float = 0.0


@dataclass(frozen=True, slots=True)
class StepLog:
    """One action of a run with its receipt.

    Attributes:
        tool: The tool that carried it out; empty where none was called.
        args: What the tool was called with, references replaced by their values; empty where none was called.
        dropped: Parameters that a resolver tried to set and may not; at most 20, and how many more.
        origins: Where its output was read, and where the values came from that it was done with.
        scope: For whom and within what it was done: the scope path of its goal, written out; empty in runs of before there was one.
    """

    action_id: str
    goal_id: str
    name: str
    description: str
    result: ToolResult
    tool: str = ""
    args: Mapping[str, Any] = field(default_factory=dict[str, Any])
    dropped: tuple[str, ...] = ()
    resolver: str = ""
    summary: str = ""
    origins: tuple[Origin, ...] = ()
    scope: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """What came of a whole request.

    Attributes:
        outcome: ``success``, ``partial`` (something was done and something wasn't), ``failed`` or ``cancelled``.
        required_approvals: One entry per action that needs an approval, or may once it is known what was read:
            ``approved`` is None as long as it was not asked for.
        metrics: Counts, and durations in milliseconds.
        diagnostics: What was wrong with scopes or the resolver's proposals.
        errors: Why nothing was executed, where that is so.
        reply: A sentence made from the step results only, fit to be spoken; there always is one.
        question: What the person should be asked, where one answer would do; empty otherwise.
        trace_id: What the run has in common with its log lines and spans: 32 hexadecimal digits; empty where nobody
            observed it.
        scope: For whom and within what it was: a scope path, written out.
        planner: What came of the planner that it carried out: name, outcome, steps with the ids of their actions, artifacts, transcript,
            metrics, diagnostics and errors; empty where it carried out none.
    """

    run_id: str
    outcome: RunOutcome
    reply: str
    step_logs: tuple[StepLog, ...] = ()
    intermediate_results: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    tool_calls: tuple[ToolCall, ...] = ()
    diff_preview: tuple[Mapping[str, Any], ...] = ()
    required_approvals: tuple[Mapping[str, Any], ...] = ()
    artifacts: tuple[str, ...] = ()
    transcript: tuple[Mapping[str, Any], ...] = ()
    metrics: Mapping[str, float] = field(default_factory=dict[str, float])
    diagnostics: tuple[str, ...] = ()
    errors: tuple[ErrorInfo, ...] = ()
    question: str = ""
    trace_id: str = ""
    scope: str = ""
    planner: Mapping[str, Any] = field(default_factory=dict[str, Any])
