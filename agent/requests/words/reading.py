"""FlowReading: the goals of a flow so far, and how the entry that is read now hangs together with them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agent.requests.words.documents import TOO_LARGE, Document, DocumentPath
from agent.requests.words.word_parts import MAX_GOALS
from core.base.budgets import Budget
from core.base.errors import ErrorInfo, FlowError
from core.base.late_dataclasses import dataclass, field, replace
from core.goals.meta_goals import ROOT, Goal
from core.goals.scopes import ScopeBook
from core.goals.step_terms import PLAIN_TERMS, RowLoop, StepCondition, StepTerms
from core.policy.policy import Policy

if TYPE_CHECKING:
    from agent.requests.words.flow_files import FlowFiles
    from agent.requests.words.flow_values import FlowValues


@dataclass(frozen=True, slots=True)
class Waiting:
    """What a goal waits for."""

    scope: str = ROOT
    follows: tuple[str, ...] = ()


@dataclass(slots=True)
class FlowReading:
    """A flow while it is read, with all that it includes.

    Attributes:
        book: The goals by all that a scope can call them.
        policies: What it and all that it includes may touch; all of them hold.
        faults: Takes what is wrong with single entries, where all of it is wanted; None to refuse the flow at the first.
    """

    files: "FlowFiles"
    goals: list[Goal] = field(default_factory=list[Goal])
    places: list[DocumentPath] = field(default_factory=list[DocumentPath])
    documents: list[Document] = field(default_factory=list[Document])
    book: ScopeBook = field(default_factory=ScopeBook)
    waiting: Waiting = field(default_factory=Waiting)
    policies: list[Policy] = field(default_factory=list[Policy])
    budget: Budget = field(default_factory=Budget)
    secrets: tuple[str, ...] = ()
    included: int = 0
    faults: list[ErrorInfo] | None = None
    environment: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def next_id(self) -> str:
        """Id of the goal that comes next."""
        return f"g{len(self.goals)}"

    def note_environment(self, declared: Mapping[str, Any]) -> None:
        """Remember what the variables of a flow take from the environment."""
        known = self.files.environment or {}
        names = (str(each.get("env")) for each in declared.values() if isinstance(each, Mapping))
        self.environment |= {name: known[name] for name in names if name in known}

    def note_fault(self, error: FlowError) -> None:
        """Take what is wrong with an entry, and let reading go on.

        Raises:
            FlowError: The same, where the first fault refuses the flow.
        """
        if self.faults is None or error.code == TOO_LARGE:
            raise error
        self.faults.append(error.info())

    def add(self, goal: Goal, place: DocumentPath, document: Document) -> Goal:
        """Append a goal and where its params stand; what comes next waits for it.

        Raises:
            FlowError: ``too_large`` if there are too many.
        """
        if len(self.goals) >= MAX_GOALS:
            text = f"with its loops and all that it includes, the flow has more than {MAX_GOALS:,} goals."
            raise document.fail(place, text, hint="Split it into several flows.", code=TOO_LARGE)
        goal = replace(goal, goal_id=self.next_id)
        self.goals.append(goal)
        self.places.append(place)
        self.documents.append(document)
        self.book.add(goal)
        self.waiting = Waiting(f"after:{goal.goal_id}")
        return goal


@dataclass(frozen=True, slots=True)
class EntryFrame:
    """Within what an entry stands.

    Attributes:
        ends: The last goal of everything with a name.
        groups: Titles of the groups and rounds around it, the outermost first.
        loop: The loop around it whose rows are only read while the run goes on.
        conditions: What must be so for anything in it to be needed, as the blocks around it say.
        trail: Names of the files that it is included by, itself the last.
    """

    document: Document
    values: "FlowValues"
    ends: dict[str, str] = field(default_factory=dict[str, str])
    promised: Mapping[str, int] = field(default_factory=dict[str, int])
    groups: tuple[str, ...] = ()
    loop: RowLoop | None = None
    conditions: tuple[StepCondition, ...] = ()
    always: bool = False
    trail: tuple[str, ...] = ("",)

    def make_terms(self, *, conditions: tuple[StepCondition, ...] = (), **parts: Any) -> StepTerms:
        """Return the terms of a goal in it, which may have conditions of its own."""
        conditions = (*self.conditions, *conditions)
        terms = StepTerms(loop=self.loop, always=self.always, conditions=conditions, **parts)
        return PLAIN_TERMS if terms == PLAIN_TERMS else terms


class EntryReader:
    """Reads the parts of one entry."""

    def __init__(self, place: DocumentPath, frame: EntryFrame, reading: FlowReading) -> None:
        self.place = place
        self.frame = frame
        self.reading = reading

    def fill_params(self, data: Any, *keys: str | int) -> dict[str, Any]:
        """Return params with all that their texts refer to.

        Raises:
            FlowError: If they are no mapping, or refer to what isn't known.
        """
        place = (*self.place, *keys)
        if data is None:
            return {}
        if not isinstance(data, dict):
            raise self.frame.document.fail(place, "params must be a mapping, such as {selector: …}.")
        return self.frame.values.fill(data, place)

    def ask(self, name: str, data: Any, keys: tuple[str | int, ...], waiting: Waiting) -> Goal:
        """Add a goal that only asks whether something is so, and return it."""
        domain, _, verb = name.partition(".")
        frame = self.frame
        terms = frame.make_terms(is_question=True, follows=waiting.follows)
        params = self.fill_params(data, *keys)
        goal = Goal(domain, verb, params, scope=waiting.scope, groups=frame.groups, terms=terms)
        return self.reading.add(goal, (*self.place, *keys), frame.document)
