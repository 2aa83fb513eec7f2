"""WorkspacePlanners: the host of a workspace's planners; it carries them out for sessions, and keeps what they share."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from actuators.verb_table import PLANNER_RULES
from agent.planners.backlog.backlog_rows import RowBacklog
from agent.planners.backlog.memory_backlog import MemoryBacklog
from agent.planners.backlog.sealed_rows import BACKLOG_SCHEMA
from agent.planners.backlog.sqlite_backlog import SqliteBacklog
from agent.planners.drift.program_shapes import STORES, describe_shapes
from agent.planners.drift.shape_file import ShapeFile, Shapes
from agent.planners.hands import NO_HANDS
from agent.planners.health.alert_file import VERSION as ALERTS_VERSION
from agent.planners.planner_runs import GOALS, OpenModel, PlannerCall, PlannerSteps, SessionHands, describe_planner
from agent.planners.planner_settings import (
    PlannerSettings,
    PlannerSettingsFiles,
    PrincipalSettings,
    find_value_faults,
    merge_settings,
)
from agent.planners.recall import WorkspaceRecall
from agent.planners.registry import PlannerRegistry, add_others, open_shipped
from agent.planners.templates.template_files import StepTemplates, TemplateFiles
from agent.planners.templates.template_sets import list_needs
from agent.requests.planner_wishes import PlannerWish
from agent.requests.run_archive import describe_run
from agent.sessions.live_runs import hold_run
from agent.sessions.planner_port import PlannerPlaces, PlannerRequest, SentenceRequest
from agent.sessions.request_runs import RequestRuns
from agent.sessions.session_parts import SessionParts
from agent.tool_schemas import describe_tool
from core.base.errors import ErrorInfo, InputError, ModelError, SurehandError
from core.base.late_dataclasses import dataclass, replace
from core.base.scope_paths import ScopePath, begin_scope, read_scope
from core.goals.meta_goals import MetaGoal
from core.goals.secret_values import NO_VAULT, Vault
from core.planning.context import ContextFrame
from core.planning.planners.backlog_moves import refuse_unknown
from core.planning.planners.context import CHECKPOINT, DONE_BEFORE, PlannerContextParts
from core.planning.planners.lifecycle.running import run_planner
from core.planning.planners.ports import Backlog, BacklogItem, BacklogState, PromptTemplate
from core.planning.planners.results import PlannerResult
from core.results.events import Event
from core.results.tool_results import RunResult
from core.tools.registry import ToolSpec

Frames = tuple[ContextFrame, ...]

_FAILED: Final = ErrorInfo("model_failed", "The model was of no help.")

_ENDS: Final[dict[str, BacklogState]] = {"success": "done", "cancelled": "pending"}
"""What becomes of an item by the outcome of who worked on it; failed otherwise."""


@dataclass(frozen=True, slots=True)
class _Shared:
    registry: PlannerRegistry
    templates: TemplateFiles
    backlog: RowBacklog
    settings: PlannerSettingsFiles | None
    recall: WorkspaceRecall | None


class WorkspacePlanners:
    """Carries planners out, each with its principal's settings and templates. Nothing is opened before one is wanted."""

    def __init__(
        self,
        specs: Callable[[], Sequence[ToolSpec]],
        places: PlannerPlaces | None = None,
        *,
        vault: Vault = NO_VAULT,
        registry: PlannerRegistry | None = None,
    ) -> None:
        """Open nothing yet.

        Args:
            places: Where things lie; None to keep nothing, as on a machine in memory.
            registry: Other planners than those that ship and that other packages have.
        """
        self._specs = specs
        self._places = places
        self._vault = vault
        self._registry = registry
        self._shared: _Shared | None = None
        self._opening = asyncio.Lock()
        self._notes: list[str] = []

    async def carry_out(self, wanted: PlannerRequest) -> tuple[RunResult | MetaGoal, Frames]:
        """Carry out the planner that is wanted as a run of its own; return what came of it, or the goals that its run is to carry out."""
        request, recorder = wanted.request, wanted.recorder
        runs: RequestRuns = wanted.runs
        parts, is_dry = runs.parts, request.mode == "plan"
        steps = PlannerSteps(runs, request, recorder, wanted.stop, wanted.frames)
        if wanted.found:
            steps.take_up(wanted.found)
        observe = runs.telemetry.watch_planner(parts.vault)

        def hear(event: Event) -> None:
            observe(event)
            steps.hear(event)

        try:
            is_new = not (is_dry or steps.is_resumed)
            kept = await parts.keeper.begin(describe_run(recorder.scope, request, steps.graph)) if is_new else ()
            call = PlannerCall(self, parts, request, recorder.scope, wanted.stop, recorder.note_exchange)
        except SurehandError as error:
            return recorder.refuse((error.info(),), ""), ()
        with hold_run(recorder.run_id, parts.executor.list_leftovers), parts.screen.tell(recorder):
            assert request.planner is not None
            result = await call.make(request.planner, None if is_dry else steps, hear)
            left = await steps.end(result.outcome)
        recorder.planner = describe_planner(result, steps)
        if result.outcome == "success" and isinstance(goals := result.artifacts.get(GOALS), MetaGoal):
            return goals, steps.frames
        told = (*kept, *left, *result.diagnostics)
        ended = recorder.finish(steps.graph, steps.logs, told, is_planners=True)
        return await parts.keeper.end(ended), steps.frames

    async def interpret(self, wanted: SentenceRequest) -> tuple[MetaGoal | None, Mapping[str, Any]]:
        """Return what the planner of goals takes a sentence to mean, None if it was stopped; and what is kept of that planner.

        Raises:
            ModelError: If it failed.
            PolicyError: If a folder of the policy can't be resolved.
        """
        request = wanted.request
        parts: SessionParts = wanted.parts
        scope = parts.scope_run(wanted.run_id, request.principal)
        call = PlannerCall(self, parts, request, scope, wanted.stop, wanted.tell)
        wish = PlannerWish(capability=GOALS, parameters={"text": request.utterance or ""})
        result = await call.make(wish, None, wanted.emit)
        if result.outcome == "failed":
            error = next(iter(result.errors), _FAILED)
            raise ModelError(error.message, code=error.code, hint=error.hint, evidence=error.evidence)
        return result.artifacts.get(GOALS), describe_planner(result)

    async def plan(
        self, wish: PlannerWish, steps: PlannerSteps | None, parts: PlannerContextParts, open_model: OpenModel
    ) -> PlannerResult:
        """Carry out the planner that is wanted, and keep what came of it for those who look at it later; a SurehandError where it can't begin."""
        shared = await self.open()
        principal = parts.scope.read_level("principal")
        settings = shared.settings.read(principal) if shared.settings else PrincipalSettings()
        scope = begin_scope(principal)
        item = await _find_item(shared.backlog, scope, wish.item) if wish.item else None
        wanted = wish.capability or (item.consumed_by if item else "")
        metadata = shared.registry.choose(wanted, settings.capabilities.get(wanted, ""))
        chosen = settings.planners.get(metadata.name) or PlannerSettings(values=metadata.settings)
        if faults := list(find_value_faults(metadata.settings, wish.settings, "settings")):
            raise InputError(f"Planner “{metadata.name}” can't begin: {'; '.join(faults)}.", code="bad_settings")
        values = merge_settings(chosen.values, wish.settings)
        given = wish.parameters or (item.data if item else {})
        context = replace(
            parts,
            settings=values,
            templates=StepTemplates(shared.templates, chosen.templates),
            backlog=shared.backlog,
            backlog_scope=scope,
            model=open_model(str(values.get("model", ""))),
            retrieval=shared.recall,
            checkpoint=await _read_checkpoint(shared.backlog, parts.scope, steps) if steps and steps.is_resumed else {},
        )
        if item and item.state != "active":
            await shared.backlog.flip(read_scope(item.scope), item.item_id, "active", str(parts.scope))
        hands = SessionHands(steps) if steps else NO_HANDS
        tools = [describe_tool(spec) for spec in self._specs()]
        began_at = context.clock.read_utc()
        result = await run_planner(shared.registry.make(metadata.name, hands, tools), given, context)
        told = await self._keep(
            shared.backlog, result, began_at, item or BacklogItem(item_id="", title="", consumed_by=wanted, data=given)
        )
        return replace(result, diagnostics=(*result.diagnostics, *told, *self._take_notes(shared)))

    async def describe_planners(self) -> list[dict[str, Any]]:
        """Return all planners as data."""
        return (await self.open()).registry.describe()

    async def close(self) -> None:
        """Let go of files; calling it again does nothing."""
        if self._shared:
            await self._shared.backlog.close()
        if self._shared and self._shared.recall:
            await self._shared.recall.close()

    async def open(self) -> _Shared:
        """Return what planners share, checked as a whole before one of them begins.

        Raises:
            TableError: If planners and templates disagree; all faults are named.
            InputError: If the person's own templates can't be used.
            SchemaError: If what is kept relies on rules, tools, templates or stores of another shape; names the migration.
        """
        async with self._opening:
            self._shared = self._shared or await asyncio.to_thread(self._open)
            return self._shared

    def _open(self) -> _Shared:
        places = self._places
        templates = TemplateFiles(places.templates if places else None)
        registry = self._registry or open_shipped()
        templates.check(registry.list_metadata())
        if self._registry is None:
            self._notes += _add_fitting(registry, templates)
        if places is None:
            return _Shared(registry, templates, MemoryBacklog(), None, None)
        self._notes += ShapeFile(places.state).hold(describe_program(self._specs(), templates.list_shipped()))
        settings = PlannerSettingsFiles(places.config, registry.list_metadata(), templates)
        backlog = SqliteBacklog(places.state, vault=self._vault)
        return _Shared(registry, templates, backlog, settings, WorkspaceRecall(places.state))

    async def _keep(
        self, backlog: RowBacklog, result: PlannerResult, began_at: datetime, item: BacklogItem
    ) -> tuple[str, ...]:
        try:
            await backlog.keep_run(result, began_at)
            await _flip(backlog, result, item)
        except (SurehandError, OSError) as error:
            return (f"What came of this planner could not be saved: {error}",)
        return ()

    def _take_notes(self, shared: _Shared) -> tuple[str, ...]:
        notes, self._notes = self._notes, []
        return (*notes, *shared.templates.take_notes(), *shared.backlog.take_notes())


def _add_fitting(registry: PlannerRegistry, templates: TemplateFiles) -> list[str]:
    shipped = {each.name for each in registry.list_metadata()}
    notes = add_others(registry)
    for each in registry.list_metadata():
        if each.name not in shipped and (faults := templates.require(list_needs(each))):
            registry.forget(each.name)
            notes.append(f"The planner “{each.name}” is left out: {'; '.join(faults)}.")
    return notes


async def _find_item(backlog: Backlog, scope: ScopePath, item_id: str) -> BacklogItem:
    for item in await backlog.list_items(scope):
        if item.item_id == item_id:
            return item
    raise refuse_unknown(item_id, scope)


async def _read_checkpoint(backlog: Backlog, scope: ScopePath, steps: PlannerSteps) -> dict[str, Any]:
    kept = await backlog.read_checkpoint(scope, CHECKPOINT)
    done = [log.description for log in steps.logs if log.result.status == "ok"]
    return {**kept, DONE_BEFORE: done} if kept else {}


async def _flip(backlog: Backlog, result: PlannerResult, item: BacklogItem) -> None:
    """Let the item that was worked on follow its run; what was asked for without one, and was pending, is done as well."""
    if item.item_id:
        state = _ENDS.get(result.outcome, "failed")
        await backlog.flip(read_scope(item.scope), item.item_id, state, result.scope)
        return
    if result.outcome != "success":
        return
    scope = begin_scope(read_scope(result.scope).read_level("principal"))
    for each in await backlog.list_items(scope, "pending"):
        if each.consumed_by == item.consumed_by and each.data and dict(each.data) == dict(item.data):
            await backlog.flip(read_scope(each.scope), each.item_id, "done", result.scope)


def describe_program(tools: Iterable[ToolSpec], templates: Iterable[PromptTemplate]) -> Shapes:
    """Return what may be relied on of this program."""
    stores = {**STORES, "alerts": str(ALERTS_VERSION), "backlog": BACKLOG_SCHEMA.describe()}
    return describe_shapes(PLANNER_RULES, tools, templates, stores)
