"""PlannerRegistry and ToolDispatcher: the planners that exist, and how the one for a capability is chosen and carried out."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from agent.planners.metadata_checks import find_metadata_faults
from agent.planners.planner_settings import PlannerSettings, PrincipalSettings, list_defaults
from agent.planners.templates.step_templates import StepTemplates
from agent.planners.templates.template_files import TemplateFiles
from core.base.errors import GoalError, SurehandError, TableError
from core.base.scope_paths import read_scope
from core.planning.planners.backlog_moves import take_next
from core.planning.planners.base import PlannerBase
from core.planning.planners.context import PlannerContextParts
from core.planning.planners.lifecycle.queueing import PlannerQueue
from core.planning.planners.lifecycle.running import run_planner
from core.planning.planners.metadata import PlannerMetadata
from core.planning.planners.planner_runs import PlannerRuns
from core.planning.planners.ports import BacklogState
from core.planning.planners.results import PlannerResult
from core.rules.params import suggest

if TYPE_CHECKING:
    from agent.planners.settings import PlannerSettingsFiles

MakePlanner = Callable[[], PlannerBase]
TakeNotes = Callable[[], tuple[str, ...]]


class PlannerRegistry:
    """All planners, by name and capability. Nothing of a planner is made before it is to be carried out."""

    def __init__(self) -> None:
        """Begin without planners."""
        self._planners: dict[str, tuple[PlannerMetadata, MakePlanner]] = {}

    def register(self, planner: type[PlannerBase], make: MakePlanner | None = None) -> None:
        """Add a planner.

        Args:
            planner: Its class; its metadata says what it can do.
            make: Makes one for each run; the class itself where absent.

        Raises:
            TableError: If its name is taken, or its metadata makes no sense; all faults are named.
        """
        metadata = planner.metadata
        faults = find_metadata_faults(metadata)
        if metadata.name in self._planners:
            faults.insert(0, f"two planners are called “{metadata.name}”")
        if faults:
            raise TableError(f"A planner can't be registered: {'; '.join(faults)}.", code="bad_planner")
        self._planners[metadata.name] = (metadata, make or planner)

    def list_metadata(self) -> tuple[PlannerMetadata, ...]:
        """Return what every planner says of itself, by name."""
        return tuple(self._planners[name][0] for name in sorted(self._planners))

    def make(self, name: str) -> PlannerBase:
        """Return a planner of that name, for one run."""
        return self._planners[name][1]()

    def choose(self, capability: str, chosen: str = "") -> PlannerMetadata:
        """Return the planner that has a capability.

        Args:
            chosen: The planner that a person chose for it; empty for none.

        Raises:
            GoalError: If none has it, or several have and none is chosen; names them.
        """
        able = {each.name: each for each in self.list_metadata() if capability in each.capabilities}
        if chosen in able:
            return able[chosen]
        if len(able) > 1:
            raise GoalError(
                f"{len(able)} planners can {capability}: {', '.join(able)}.",
                code="planner_ambiguous",
                hint=f"Choose one in your settings of planners, as capabilities.{capability}.",
                evidence={"capability": capability, "planners": list(able)},
            )
        if not able:
            known = sorted({tag for each in self.list_metadata() for tag in each.capabilities})
            raise GoalError(
                f"No planner can {capability}{suggest(capability, known)}.",
                code="planner_missing",
                hint=f"There are planners that can {', '.join(known)}." if known else "",
                evidence={"capability": capability},
            )
        return next(iter(able.values()))


@dataclass(frozen=True, slots=True, kw_only=True)
class DispatcherParts:
    """What a dispatcher is put together from.

    Attributes:
        settings: What principals set; None for the defaults.
        runs: Keeps what came of runs; None to keep nothing.
        queue: Says when a run may begin; None for at once.
        notes: What the person should know from the start; told with the first result.
        take_notes: Give what else they should know, once; told with the next result.
    """

    registry: PlannerRegistry
    templates: TemplateFiles
    settings: "PlannerSettingsFiles | None" = None
    runs: PlannerRuns | None = None
    queue: PlannerQueue | None = None
    notes: tuple[str, ...] = ()
    take_notes: tuple[TakeNotes, ...] = ()


_ENDS: Mapping[str, BacklogState] = {"success": "done", "cancelled": "pending"}
"""What becomes of an item by the outcome of who worked on it; failed otherwise."""


class ToolDispatcher:
    """Has what is asked for done by the planner that can."""

    def __init__(self, parts: DispatcherParts) -> None:
        """Check that planners and templates fit together.

        Raises:
            TableError: If a template is missing, or needs what its planner doesn't give; all faults are named.
            InputError: If the person's own templates can't be used.
        """
        self._parts = parts
        self._notes = parts.notes
        parts.templates.check(parts.registry.list_metadata())

    async def plan(
        self, capability: str, parameters: Mapping[str, Any], context_parts: PlannerContextParts
    ) -> PlannerResult:
        """Carry out the planner that has a capability, with the principal's settings and templates.

        Args:
            capability: What is wanted, such as ``explore``.
            context_parts: What its run is made from; settings that it names count more than the principal's, and templates that it
                names are used in place of all.

        Returns:
            What came of it, with its transcript and metrics; it is kept for those who look at it later.

        Raises:
            GoalError: If no planner has the capability, or several have and none is chosen.
            InputError: If the principal's settings can't be used.
            CancelledError: If the task that waits for it is cancelled; the planner has ended then.
        """
        principal = self._read_settings(context_parts)
        metadata = self._parts.registry.choose(capability, principal.capabilities.get(capability, ""))
        settings = principal.planners.get(metadata.name) or PlannerSettings(values=list_defaults(metadata))
        fitted = replace(
            context_parts,
            settings={**settings.values, **context_parts.settings},
            templates=context_parts.templates or StepTemplates(self._parts.templates, settings.templates),
        )
        began_at = fitted.clock.read_utc()
        carry_out = self._parts.queue.run if self._parts.queue else run_planner
        result = await carry_out(self._parts.registry.make(metadata.name), parameters, fitted)
        failed = await self._keep(result, began_at)
        notes = (*failed, *self._take_notes())
        return replace(result, diagnostics=(*result.diagnostics, *notes)) if notes else result

    async def take_up(self, capability: str, context_parts: PlannerContextParts) -> PlannerResult | None:
        """Carry out the planner that has a capability on the oldest item that waits for it, and flip that by what came of it.

        Args:
            capability: What is wanted; the item's data are what the planner is given.
            context_parts: What its run is made from; has the backlog.

        Returns:
            What came of it; None where nothing waits.

        Raises:
            SurehandError: As ``plan``, and if the backlog can't be read or written. The item has failed then.
        """
        backlog, scope = context_parts.backlog, context_parts.backlog_scope or context_parts.scope
        if backlog is None or (item := await take_next(backlog, scope, capability, "its turn has come")) is None:
            return None
        outcome = "failed"
        try:
            result = await self.plan(capability, item.data, context_parts)
            outcome = result.outcome
            return result
        finally:
            # A step of the planner may have flipped it already, and knows better.
            with suppress(GoalError):
                await backlog.flip(
                    read_scope(item.scope), item.item_id, _ENDS.get(outcome, "failed"), str(context_parts.scope)
                )

    async def _keep(self, result: PlannerResult, began_at: datetime) -> tuple[str, ...]:
        """Keep what came of a run; return why that could not be."""
        try:
            if self._parts.runs is not None:
                await self._parts.runs.keep_run(result, began_at)
        except SurehandError as error:
            return (f"What came of this planner could not be saved: {error}",)
        return ()

    def _take_notes(self) -> tuple[str, ...]:
        notes, self._notes = self._notes, ()
        sources = (self._parts.templates.take_notes, *self._parts.take_notes)
        return (*notes, *(note for take in sources for note in take()))

    def _read_settings(self, context_parts: PlannerContextParts) -> PrincipalSettings:
        if self._parts.settings is None:
            return PrincipalSettings()
        return self._parts.settings.read(context_parts.scope.read_level("principal"))
