"""The bodies that routes take: closed, strict, and bounded."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    Tag,
)

from agent.requests.planner_wishes import PlannerWish
from agent.requests.session_wishes import SessionWishes
from agent.service.callers import SESSION_PATTERN
from agent.service.orders import RunOrder
from agent.web.bodies import ClosedBody

_MOST_GOALS = 1000
_LONGEST_TEXT = 100_000
_LONGEST_FLOW = 1_000_000
_MOST_FILES = 200


def _read_whole(value: object) -> object:
    """Return 2.0 as 2: JSON has one kind of number."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _refuse_said(said: object) -> object:
    if said:
        raise ValueError("only a text can be said, and in a session that is named")
    return said


ShortText = Annotated[str, Field(min_length=1, max_length=_LONGEST_TEXT)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
SessionName = Annotated[str, Field(pattern=SESSION_PATTERN)]
NotSaid = Annotated[bool, AfterValidator(_refuse_said), Field(json_schema_extra={"const": False})]
NoVariables = Annotated[dict[str, str], Field(max_length=0)]
FlowFiles = Annotated[dict[Name, Annotated[str, Field(max_length=_LONGEST_FLOW)]], Field(max_length=_MOST_FILES)]


class OrderTerms(ClosedBody):
    """What all orders may say.

    Attributes:
        request_id: The same id never executes twice, also beyond a restart.
        mode: ``plan`` stops before anything is done.
        policy: As in a flow file; narrows what is allowed anyway.
        seconds: Most seconds that it may take.
        actions: Most actions that it may take.
        changes: Ids of the changes that are to be made; null for all.
        secrets: Names of the secrets that it may use; null for all.
        attended: Whether somebody can answer; otherwise what is asked is refused at once.
        name: What its flow or goals are called in messages.
        model: Name of the model of the settings that may be asked.
    """

    request_id: Annotated[str, Field(max_length=200)] = ""
    mode: Literal["plan", "execute"] = "execute"
    approvals: Annotated[list[Literal["apply_diff", "run_job"]], Field(max_length=10)] = Field([])
    policy: dict[str, Any] | None = None
    seconds: Annotated[float, Field(gt=0, le=86400, allow_inf_nan=False)] | None = None
    actions: Annotated[int, Field(gt=0, le=1_000_000), BeforeValidator(_read_whole)] | None = None
    changes: list[Name] | None = None
    secrets: list[Name] | None = None
    attended: bool = True
    name: Annotated[str, Field(max_length=200)] = ""
    model: Annotated[str, Field(max_length=200)] = ""
    wait: bool = False

    def make_order(self) -> RunOrder:
        """Return it as an order."""
        given = {name: _freeze(value) for name, value in self if name != "wait" and value is not None}
        return RunOrder(**given)


class PlannerBody(ClosedBody):
    """A planner that is to be carried out.

    Attributes:
        capability: What it can do, such as ``explore``; or the name of a planner.
        tokens: Tokens of models that it may use.
        item: Id of the item of the backlog that it works on, whose data are what it is given where nothing is.
    """

    capability: Annotated[str, Field(max_length=100)] = ""
    parameters: dict[str, Any] = Field({})
    tokens: Annotated[int, Field(ge=0, le=1_000_000_000)] | None = None
    item: Annotated[str, Field(max_length=200)] = ""


class _Unsaid(OrderTerms):
    session: SessionName | Literal[""] = ""
    said: NotSaid = False
    variables: NoVariables = Field({})


class TextOrder(_Unsaid):
    """A sentence that stands alone.

    Attributes:
        session: Name of the session that it is for; absent for one that ends with the run.
    """

    text: ShortText
    goals: None = None
    flow: None = None


class SaidOrder(OrderTerms):
    """A sentence in a session's conversation: it may be an answer, a word to a run, or refer to what was said before."""

    text: ShortText
    goals: None = None
    flow: None = None
    session: SessionName
    said: Literal[True]
    variables: NoVariables = Field({})


class GoalsOrder(_Unsaid):
    """Goals.

    Attributes:
        session: Name of the session that they are for; absent for one that ends with the run.
    """

    goals: Annotated[list[dict[str, Any]], Field(min_length=1, max_length=_MOST_GOALS)]
    text: None = None
    flow: None = None


class FlowOrder(_Unsaid):
    """A flow.

    Attributes:
        session: Name of the session that it is for; absent for one that ends with the run.
        variables: Values of its ``vars``.
        files: Texts of the other files that it names, by name relative to the flow.
        environment: Values that it takes from the environment; the service's own is never looked at.
    """

    flow: Annotated[str, Field(min_length=1, max_length=_LONGEST_FLOW)]
    text: None = None
    goals: None = None
    variables: dict[str, str] = Field({})
    files: FlowFiles = Field({})
    environment: Annotated[dict[Name, str], Field(max_length=_MOST_GOALS)] = Field({})


class PlannerOrder(_Unsaid):
    """A planner, carried out as a run.

    Attributes:
        session: Name of the session that it is for; absent for one that ends with the run.
    """

    planner: PlannerBody
    text: None = None
    goals: None = None
    flow: None = None


def _name_kind(body: object) -> str:
    given: Mapping[str, Any] = body if isinstance(body, Mapping) else {}
    if given.get("goals") is not None:
        return "goals"
    if given.get("flow") is not None:
        return "flow"
    if given.get("planner") is not None:
        return "planner"
    return "said" if given.get("said") is True else "text"


OrderBody = Annotated[
    Annotated[TextOrder, Tag("text")]
    | Annotated[SaidOrder, Tag("said")]
    | Annotated[GoalsOrder, Tag("goals")]
    | Annotated[FlowOrder, Tag("flow")]
    | Annotated[PlannerOrder, Tag("planner")],
    Discriminator(_name_kind),
]
"""What is asked for: exactly one of ``text``, ``goals``, ``flow`` and ``planner``."""


class SayBody(ClosedBody):
    """A word to a session.

    Attributes:
        request_id: The same id never executes twice.
    """

    text: ShortText
    request_id: Annotated[str, Field(max_length=200)] = ""
    wait: bool = False


class SessionBody(ClosedBody):
    """What a session is to be like.

    Attributes:
        base_url: Address that relative ones in goals and flows hang below.
        attach: Address of the debugging port of a browser on this machine, whose page is acted on; for the person at this machine only.
    """

    base_url: Annotated[str, Field(max_length=2000)] = ""
    trace: bool = False
    video: bool = False
    attach: Annotated[str, Field(max_length=100)] = ""
    page: Annotated[str, Field(max_length=64)] = ""

    def make_wishes(self) -> SessionWishes:
        """Return it as wishes."""
        return SessionWishes(**dict(self))


class AnswerBody(ClosedBody):
    """An answer to a question.

    Attributes:
        answer: Yes or no for an approval; text for what is missing or chosen.
    """

    digest: Annotated[str, Field(max_length=200)]
    answer: bool | Annotated[str, Field(max_length=_LONGEST_TEXT)]


class UndoBody(ClosedBody):
    """How a run is taken back.

    Attributes:
        dry: Whether only to tell what would be taken back.
    """

    dry: bool = False


def _freeze(value: object) -> Any:
    """Return lists as tuples, as orders have them."""
    if isinstance(value, PlannerBody):
        return PlannerWish(**{name: each for name, each in value if each is not None})
    return tuple(value) if isinstance(value, list) else value
