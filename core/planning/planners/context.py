"""PlannerContext: what a planner knows and may use while it is carried out; PlannerContextParts: what that is made from."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from core.base.errors import ModelError, SurehandError, TableError
from core.base.late_dataclasses import dataclass, field, replace
from core.base.scope_paths import ScopePath
from core.planning.planners.budgets import BudgetMeter, MeteredModel, PlannerBudget
from core.planning.planners.ports import (
    SYSTEM_CLOCK,
    Backlog,
    Clock,
    Model,
    ModelAnswer,
    ModelQuestion,
    Passage,
    Retrieval,
    Templates,
    render_template,
)
from core.planning.planners.transcripts import EntryKind, TranscriptLog
from core.results.events import Emit

Redact = Callable[[Any], Any]

CHECKPOINT: Final = "run"
"""The plan id under which a run keeps how far it is, in its own scope."""

DONE_BEFORE: Final = "done_before"
"""What of a checkpoint has what the journal says was done before the run was cut short, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerContextParts:
    """What a planner's run is made from.

    Attributes:
        scope: For whom and within what; the steps are scopes directly within it.
        settings: The principal's settings; merged over the defaults of the planner.
        budget: How much it may use.
        environment: Facts about where it runs, such as the system and the workspace.
        model: Who may be asked; None where nobody may. Whoever opened it closes it.
        templates: The prompts; None where there are none.
        backlog: What its steps add to, and where it keeps how far it is; None where there is none.
        backlog_scope: Scope that the items belong to; that of the run where nothing is said.
        retrieval: Finds what was said or done before; None where nothing does.
        checkpoint: What an earlier process kept of this run, where it is gone on with; empty for a new one.
        stop: Set to stop the run; it ends within 200 ms.
    """

    scope: ScopePath
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    budget: PlannerBudget = field(default_factory=PlannerBudget)
    environment: Mapping[str, Any] = field(default_factory=dict[str, Any])
    model: Model | None = None
    templates: Templates | None = None
    backlog: Backlog | None = None
    backlog_scope: ScopePath | None = None
    retrieval: Retrieval | None = None
    checkpoint: Mapping[str, Any] = field(default_factory=dict[str, Any])
    clock: Clock = SYSTEM_CLOCK
    emit: Emit = lambda _: None
    redact: Redact = lambda value: value
    stop: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerContext:
    """What a planner knows and may use. Each step has one of its own, whose scope and transcript are the step's."""

    parts: PlannerContextParts
    scope: ScopePath
    parameters: Mapping[str, Any]
    settings: Mapping[str, Any]
    environment: Mapping[str, Any]
    values: Mapping[str, Any]
    log: TranscriptLog
    meter: BudgetMeter

    @property
    def model(self) -> Model | None:
        """Who may be asked, within the run's budget and noted in its transcript; None where nobody may."""
        if self.parts.model is None:
            return None
        return MeteredModel(
            inner=self.parts.model, meter=self.meter, redact=self.parts.redact, scope=self.scope, log=self.log
        )

    @property
    def templates(self) -> Templates | None:
        """The prompts; None where there are none."""
        return self.parts.templates

    @property
    def backlog(self) -> Backlog | None:
        """What steps add to; None where there is none."""
        return self.parts.backlog

    @property
    def backlog_scope(self) -> ScopePath:
        """Scope that the items of the backlog belong to."""
        return self.parts.backlog_scope or self.parts.scope

    @property
    def clock(self) -> Clock:
        """Tells the time."""
        return self.parts.clock

    def render(self, template_id: str, **values: str | float) -> str:
        """Return a prompt; what was read from a page, file or window belongs in ModelData, never in here.

        Raises:
            TableError: If there is no such template, or it needs values that aren't given.
        """
        if self.parts.templates is None:
            raise TableError(f"Prompt “{template_id}” can't be read: there are no templates here.", code="no_template")
        return render_template(self.parts.templates.read_template(template_id), values)

    async def recall(self, query: str) -> Sequence[Passage]:
        """Return what was said or done before that fits, the best first; as many as the setting ``recall`` says, none without it."""
        most = int(self.settings.get("recall", 0))
        return await self.parts.retrieval.find(query, most) if self.parts.retrieval and most > 0 else ()

    async def keep_checkpoint(self, data: Mapping[str, Any]) -> None:
        """Keep how far the run is, so that a later process can go on with it; what can't be kept is noted."""
        if self.backlog is None:
            return
        try:
            await self.backlog.keep_checkpoint(self.parts.scope, CHECKPOINT, self.parts.redact(data))
        except (SurehandError, OSError) as error:
            self.note("note", f"How far this run is could not be saved: {error}")

    async def ask(self, question: ModelQuestion) -> ModelAnswer:
        """Ask the model within the budget of the run; question and answer are kept in the transcript.

        Raises:
            ModelError: If there is no model, or it can't answer.
            BudgetError: If the run has used up its tokens or its time.
        """
        if (model := self.model) is None:
            raise ModelError("No model is set for this planner.", code="no_model", hint="Name one with --model.")
        return await model.ask(question)

    def note(self, kind: EntryKind, text: str, *, is_tainted: bool = False) -> None:
        """Write into the transcript."""
        self.log.open(kind, self.parts.redact(text), is_tainted=is_tainted)

    def enter(self, name: str, kind: EntryKind, text: str) -> "PlannerContext":
        """Return the same for something within this scope, with a place of its own in the transcript."""
        scope = self.scope.child(name)
        return replace(self, scope=scope, log=self.log.open(kind, self.parts.redact(text), scope=str(scope)))
