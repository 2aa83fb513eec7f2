"""What planners need of the world: a clock, templates, a model, what was kept, a backlog; and what a model proposes."""

import string
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import import_module
from typing import Any, Literal, Protocol

from core.base.errors import TableError
from core.base.late_dataclasses import dataclass, field
from core.base.scope_paths import ScopePath


class SystemClock:
    """Tells the time of this machine, and waits by it."""

    def read_monotonic_s(self) -> float:
        """Return seconds that only ever grow."""
        return time.monotonic()

    def read_utc(self) -> datetime:
        """Return the time of day, aware, in UTC."""
        return datetime.now(UTC)

    async def sleep(self, delay_s: float) -> None:
        """Return after so many seconds."""
        await import_module("asyncio").sleep(delay_s)  # most who know these types never wait


SYSTEM_CLOCK = SystemClock()


QuestionKind = Literal["interpret", "propose", "extract", "critique"]


class Clock(Protocol):
    """Tells the time and waits."""

    def read_monotonic_s(self) -> float:
        """Return seconds that only ever grow."""
        ...

    def read_utc(self) -> datetime:
        """Return the time of day, aware, in UTC."""
        ...

    async def sleep(self, delay_s: float) -> None:
        """Return after so many seconds."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptTemplate:
    """A prompt by name.

    Attributes:
        version: From 1; a change of its placeholders or meaning has another.
        text: The text; ``{name}`` stands for a value, ``{{`` for a brace.
    """

    template_id: str
    version: int
    text: str
    placeholders: frozenset[str] = frozenset()


class Templates(Protocol):
    """A repository of prompt templates."""

    def read_template(self, template_id: str) -> PromptTemplate:
        """Return a template.

        Raises:
            TableError: If there is none.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelData:
    """Something that a model is shown beside its instructions; never an instruction itself.

    Attributes:
        source: Where it was read, such as a host.
        is_tainted: Whether a page, file, window or model wrote it.
    """

    label: str
    text: str
    source: str = ""
    is_tainted: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelQuestion:
    """What a model is asked.

    Attributes:
        schema: Closed JSON Schema of the answer.
        timeout_s: Seconds that it may take.
    """

    kind: QuestionKind
    instructions: str
    schema: Mapping[str, Any]
    scope: ScopePath
    data: tuple[ModelData, ...] = ()
    max_tokens: int = 1000
    timeout_s: float = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """What a model answered; checked against the schema of the question, and nothing else is believed of it.

    Attributes:
        cost_usd: What it cost; 0 where nobody says.
    """

    value: Mapping[str, Any]
    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float = 0.0
    ms: float = 0.0
    is_kept: bool = False


class Model(Protocol):
    """Answers questions in a closed schema."""

    @property
    def name(self) -> str:
        """Return its name, for transcripts."""
        ...

    async def ask(self, question: ModelQuestion) -> ModelAnswer:
        """Answer a question.

        Raises:
            ModelError: If it can't, doesn't in time, or answers something else; also where a budget is used up.
        """
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Something that was found for a query.

    Attributes:
        score: How well it fits, from 0 to 1.
        is_tainted: Whether a page, file, window or model wrote it.
    """

    text: str
    source: str
    score: float = 0.0
    is_tainted: bool = True


class Retrieval(Protocol):
    """Finds what was said or done before."""

    async def find(self, query: str, limit: int = 5) -> Sequence[Passage]:
        """Return what fits a query best, the best first."""
        ...


BacklogState = Literal["pending", "active", "blocked", "done", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BacklogItem:
    """Something that is to be done.

    Attributes:
        plan_id: The plan that it is a part of; empty where none.
        consumed_by: Capability of the planner that works on it; empty where it is a person's to do.
        produced_by: Scope path of the step that added it, written out; empty where a person did.
        changed_at: When it last changed, UTC, ISO 8601.
    """

    item_id: str
    title: str
    state: BacklogState = "pending"
    scope: str = ""
    plan_id: str = ""
    consumed_by: str = ""
    produced_by: str = ""
    changed_at: str = ""
    priority: int = 0
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """A change of an item's state.

    Attributes:
        before: Where it stood; empty where it was new.
        because: Why; a step's scope path, or a person's words.
        at: When, UTC, ISO 8601.
    """

    item_id: str
    before: BacklogState | Literal[""]
    after: BacklogState
    because: str
    at: str
    scope: str = ""


class Backlog(Protocol):
    """Items that planners consume and produce, and what became of them. Keyed by scope path.

    What an id stands for depends on where it is named: the item, checkpoint or plan of the nearest scope around that has one of
    that id, and where none has, the only item within. Nothing of another principal is ever meant.
    """

    async def list_items(self, scope: ScopePath, state: BacklogState | None = None) -> Sequence[BacklogItem]:
        """Return the items within a scope, the oldest first."""
        ...

    async def add(self, scope: ScopePath, item: BacklogItem) -> None:
        """Add an item.

        Raises:
            GoalError: If there is one of that id.
        """
        ...

    async def flip(self, scope: ScopePath, item_id: str, state: BacklogState, because: str) -> Transition:
        """Change an item's state.

        Raises:
            GoalError: If there is no such item, or it may not go there from where it is.
        """
        ...

    async def list_transitions(self, scope: ScopePath, since: datetime | None = None) -> Sequence[Transition]:
        """Return what changed within a scope, the oldest first."""
        ...

    async def keep_checkpoint(self, scope: ScopePath, plan_id: str, data: Mapping[str, Any]) -> None:
        """Keep where a plan stands, in place of what was kept of it before."""
        ...

    async def read_checkpoint(self, scope: ScopePath, plan_id: str) -> Mapping[str, Any] | None:
        """Return where a plan stood; None where nothing is kept."""
        ...

    async def find_coverage(self, scope: ScopePath, plan_id: str) -> float:
        """Return the share of a plan's items that are done, from 0 to 1; 1 where it has none."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedCall:
    """A tool call that a back end proposes: no more than a goal, which the table, policy, taint and approvals judge.

    Attributes:
        name: ``domain.verb``.
        scope: As in a goal; empty for behind the one before it.
    """

    name: str
    params: Mapping[str, Any]
    scope: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What a model proposes.

    Attributes:
        rationale: Why; for people.
    """

    calls: tuple[ProposedCall, ...] = ()
    rationale: str = ""
    is_done: bool = False


def name_placeholders(text: str) -> frozenset[str]:
    """Return the names that a template's text has in braces.

    Raises:
        ValueError: If its braces can't be read, or hold anything but a name: no part of a value, no format.
    """
    names: set[str] = set()
    for _, name, spec, conversion in string.Formatter().parse(text):
        if name is None:
            continue
        if not name.isidentifier() or spec or conversion:
            raise ValueError(f"“{{{name}}}” must be a name alone; write {{{{ for a brace")
        names.add(name)
    return frozenset(names)


def render_template(template: PromptTemplate, values: Mapping[str, object]) -> str:
    """Return the text of a template with its placeholders filled in.

    Raises:
        TableError: ``bad_template`` if a value is missing, or the braces of the text can't be read.
    """
    try:
        needed = name_placeholders(template.text)
    except ValueError as error:
        raise TableError(f"Template “{template.template_id}” can't be read: {error}.", code="bad_template") from None
    if missing := sorted(needed - values.keys()):
        named = ", ".join(f"“{name}”" for name in missing)
        text = f"Template “{template.template_id}” needs {named}, which its planner does not give."
        raise TableError(text, code="bad_template")
    return template.text.format_map({name: str(values[name]) for name in needed})
