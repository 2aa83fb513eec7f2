"""PlannerTestHost: runs planners with fakes, and keeps what they told and left."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agent.planners.backlog.memory_backlog import MemoryBacklog
from agent.planners.planner_runs import PlannerDesk
from agent.planners.recall import rank_passages
from agent.requests.planner_wishes import PlannerWish
from agent.testing.clocks import FakeClock
from agent.testing.scripted_models import ScriptedModel
from agent.testing.snapshots import describe_transcript
from core.base.errors import TableError
from core.base.late_dataclasses import dataclass, field
from core.base.phrases import quote_text
from core.base.scope_paths import ScopePath, begin_scope
from core.planning.planners.base import PlannerBase
from core.planning.planners.budgets import PlannerBudget
from core.planning.planners.context import PlannerContextParts
from core.planning.planners.lifecycle.running import run_planner
from core.planning.planners.ports import Backlog, Clock, Model, Passage, PromptTemplate, Templates, name_placeholders
from core.planning.planners.results import PlannerResult
from core.results.events import Event


class InMemoryTemplates:
    """A `Templates` for tests."""

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        """Take prompts by name; what stands in braces is what they need."""
        self._templates = {name: _make_template(name, text) for name, text in (texts or {}).items()}

    def read_template(self, template_id: str) -> PromptTemplate:
        """Return a template."""
        if template_id not in self._templates:
            message = f"Prompt template {quote_text(template_id)} does not exist."
            raise TableError(message, code="template_missing", hint="Give it to InMemoryTemplates.")
        return self._templates[template_id]


def _make_template(template_id: str, text: str) -> PromptTemplate:
    return PromptTemplate(template_id=template_id, version=1, text=text, placeholders=name_placeholders(text))


class InMemoryRetrieval:
    """A `Retrieval` for tests: word by word, however they are ordered."""

    def __init__(self, passages: Iterable[Passage | str] = ()) -> None:
        self._passages = tuple(
            Passage(text=each, source="test", is_tainted=False) if isinstance(each, str) else each for each in passages
        )
        self.asked: list[str] = []

    async def find(self, query: str, limit: int = 5) -> Sequence[Passage]:
        """Return what fits a query best, the best first; what was given first where two fit as well."""
        self.asked.append(query)
        return rank_passages(self._passages, query, limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostParts:
    """What planners find when a host runs them; what isn't given is a fake that knows nothing.

    Attributes:
        templates: Prompts, or texts by name; None to leave them to a dispatcher.
        clock: Tells the time; moves by itself where none is given.
    """

    model: Model | None = None
    templates: Templates | Mapping[str, str] | None = field(default_factory=dict[str, str])
    backlog: Backlog | None = None
    clock: Clock = field(default_factory=lambda: FakeClock(moves_by_itself=True))
    passages: tuple[Passage | str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    environment: Mapping[str, Any] = field(default_factory=dict[str, Any])
    budget: PlannerBudget = field(default_factory=PlannerBudget)
    principal: str = "tester"


class PlannerTestHost:
    """Runs planners one after another in one session, each in a run of its own.

    Attributes:
        session: Scope of all runs; the backlog's items belong to it.
    """

    def __init__(self, parts: HostParts | None = None) -> None:
        self._parts = parts or HostParts()
        self.session: ScopePath = begin_scope(self._parts.principal).child("session")
        self.model: Model | None = self._parts.model
        self.clock: Clock = self._parts.clock
        self.backlog: Backlog = self._parts.backlog or MemoryBacklog(self.clock)
        self.retrieval = InMemoryRetrieval(self._parts.passages)
        self.events: list[Event] = []
        self.results: list[PlannerResult] = []

    async def run(self, planner: PlannerBase, **parameters: Any) -> PlannerResult:
        """Run a planner and return what came of it."""
        result = await run_planner(planner, parameters, self.make_parts())
        self.results.append(result)
        return result

    async def dispatch(self, planners: PlannerDesk, capability: str, **parameters: Any) -> PlannerResult:
        """Have the planner run that a host of planners chooses for a capability.

        Args:
            planners: Such as ``agent.planners.host.WorkspacePlanners``; merges settings.
        """
        wish = PlannerWish(capability=capability, parameters=parameters)
        result = await planners.plan(wish, None, self.make_parts(), lambda _: self.model)
        self.results.append(result)
        return result

    def make_parts(self) -> PlannerContextParts:
        """Return what the next run is made from, for a test that runs it in its own way."""
        given = self._parts
        templates = given.templates
        return PlannerContextParts(
            scope=self.session.child(f"run-{len(self.results) + 1}"),
            settings=given.settings,
            budget=given.budget,
            environment=given.environment,
            model=self.model,
            templates=InMemoryTemplates(templates) if isinstance(templates, Mapping) else templates,
            backlog=self.backlog,
            backlog_scope=self.session,
            retrieval=self.retrieval,
            clock=self.clock,
            emit=self.events.append,
        )

    def list_event_names(self) -> list[str]:
        """Return the names of all events, in order."""
        return [event.event_name for event in self.events]

    def describe_transcripts(self) -> str:
        """Return the transcripts of all runs as text, for a snapshot."""
        return "".join(
            f"== {result.planner_id} ({result.scope})\n{describe_transcript(result.transcript)}"
            for result in self.results
        )


def make_scripted_host(answers: Iterable[Mapping[str, Any]] = (), **parts: Any) -> PlannerTestHost:
    """Return a host with a scripted model.

    Args:
        **parts: As of ``HostParts``.
    """
    return PlannerTestHost(HostParts(model=ScriptedModel(*answers), **parts))
