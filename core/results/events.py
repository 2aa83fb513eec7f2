"""The events of a run: typed, ordered, in the past tense; one schema for every front end."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal

from core.base.errors import ErrorInfo
from core.base.late_dataclasses import dataclass, field, fields
from core.results.tool_results import Effect, RunOutcome, Status

QuestionKind = Literal["confirm", "slot", "disambiguate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What all events have in common: the position in the run, from 0, and the scope path that they happened in."""

    event_name: ClassVar[str] = "event"
    run_id: str = ""
    seq: int = 0
    at_ms: float = 0.0
    scope: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted(Event):
    """A request was planned; told again with the rounds in it when the rows of a loop were read.

    Attributes:
        plan: The graph as data: nodes, edges and layers.
    """

    event_name: ClassVar[str] = "accepted"
    plan: Mapping[str, Any]
    plan_digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected(Event):
    """A request, or a planner's run, was refused before anything ran.

    Attributes:
        planner_id: The planner; empty where a request was refused.
    """

    event_name: ClassVar[str] = "planner.rejected"
    errors: tuple[ErrorInfo, ...]
    question: str = ""
    planner_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Event):
    """A person was asked.

    Attributes:
        kind: ``confirm`` (may an action run?), ``slot`` (something is missing) or ``disambiguate`` (several things are
            meant).
        action_id: The action that waits; empty where nothing was planned.
        digest: Of the action that waits; empty likewise.
        approval: Class of the approval; empty likewise.
        choices: What can be answered, where it is one of a few things; empty otherwise.
        operation: What would change, as data, where the tool could say so; empty otherwise.
        diff: The change of a text as a unified diff; empty where there is none.
        target: What the act aims at, as it is now, as data; empty where the tool doesn't say.
        sources: The arguments whose value was read, or that a model wrote, each with where from.
        approval_id: Name of the question for whoever answers it from elsewhere; empty where nothing waits.
        approval_digest: What has to be sent back with the id: of the action, of what it aims at, and of all else that the
            answer is bound to; empty likewise.
        expires_at: Until when it can be answered, in UTC (ISO 8601); for people.
        expires_in_s: Seconds from the event on for which it can be answered; 0 where nothing waits.
    """

    event_name: ClassVar[str] = "question"
    kind: QuestionKind
    prompt: str
    action_id: str = ""
    digest: str = ""
    approval: str = ""
    choices: tuple[str, ...] = ()
    operation: Mapping[str, Any] = field(default_factory=dict[str, Any])
    diff: str = ""
    target: Mapping[str, Any] = field(default_factory=dict[str, Any])
    sources: Mapping[str, Any] = field(default_factory=dict[str, Any])
    approval_id: str = ""
    approval_digest: str = ""
    expires_at: str = ""
    expires_in_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(Event):
    """An action started or ended (``status``: ``started``, or the status of its result)."""

    event_name: ClassVar[str] = "step"
    action_id: str
    status: Literal["started"] | Status
    description: str
    effect: Effect = "none"
    output: Mapping[str, Any] = field(default_factory=dict[str, Any])
    evidence: Mapping[str, Any] = field(default_factory=dict[str, Any])
    error: ErrorInfo | None = None
    ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Intervened(Event):
    """A person took the pages of the run's session over, or gave them back.

    Attributes:
        held: Whether the person has them from now on; no step begins on them meanwhile.
        deeds: What the person did, in words, once they are given back: which elements, never which texts.
    """

    event_name: ClassVar[str] = "intervened"
    held: bool
    deeds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Say(Event):
    """Something was said to the person."""

    event_name: ClassVar[str] = "say"
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Final(Event):
    """The run ended (``targets``: what was acted on, in order, without repetition)."""

    event_name: ClassVar[str] = "final"
    outcome: RunOutcome
    reply: str
    steps: tuple[Mapping[str, Any], ...] = ()
    diff_preview: tuple[Mapping[str, Any], ...] = ()
    required_approvals: tuple[Mapping[str, Any], ...] = ()
    expects_reply: bool = False
    targets: tuple[str, ...] = ()


Emit = Callable[[Event], None]


def to_record(event: Event) -> dict[str, Any]:
    """Return an event as a mapping whose first key is ``event``, for JSON lines."""
    return {"event": event.event_name} | {each.name: getattr(event, each.name) for each in fields(event)}
