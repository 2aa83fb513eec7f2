"""WorkspacePlanners: what the planners of a workspace share, checked as a whole before one of them begins."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from actuators.verb_table import PLANNER_RULES
from agent.planners.backlog.schema import BACKLOG_SCHEMA
from agent.planners.backlog.sqlite_backlog import SqliteBacklog
from agent.planners.catalog import list_shipped_planners
from agent.planners.drift.contracts import Shapes
from agent.planners.drift.program_shapes import STORES, describe_shapes
from agent.planners.drift.shape_file import ShapeFile
from agent.planners.health.alert_file import VERSION as ALERTS_VERSION
from agent.planners.registry import DispatcherParts, PlannerRegistry, ToolDispatcher
from agent.planners.settings import PlannerSettingsFiles
from agent.planners.templates.template_files import TemplateFiles
from core.goals.secret_values import NO_VAULT, Vault
from core.planning.planners.lifecycle.queueing import PlannerQueue
from core.planning.planners.ports import Clock, PromptTemplate
from core.tools.registry import ToolSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerPlaces:
    """Where what planners share lies.

    Attributes:
        templates: The person's own folder of templates; None for none.
    """

    state: Path
    config: Path
    templates: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspacePlanners:
    """What the planners of a workspace share.

    Attributes:
        dispatcher: Has what is asked for done by the planner that can.
        notes: What the person should know; the first result says it, too.
    """

    registry: PlannerRegistry
    templates: TemplateFiles
    settings: PlannerSettingsFiles
    backlog: SqliteBacklog
    dispatcher: ToolDispatcher
    notes: tuple[str, ...] = ()

    async def close(self) -> None:
        """Let go of files; calling it again does nothing."""
        await self.backlog.close()


def open_planners(
    registry: PlannerRegistry,
    places: PlannerPlaces,
    tools: Iterable[ToolSpec],
    *,
    vault: Vault = NO_VAULT,
    clock: Clock | None = None,
) -> WorkspacePlanners:
    """Put together what planners share. Blocks; nothing is started.

    Args:
        registry: The planners that may be asked for here; settings may name all that ship.
        clock: Dates what is written; the machine's where absent.

    Raises:
        TableError: If planners and templates disagree; all faults are named.
        InputError: If the person's own templates can't be used.
        SchemaError: If what is kept relies on rules, tools, templates or stores of another shape; names the migration.
        JournalError: If the key to what is kept can't be used.
        OSError: If the shapes can't be read or written.
    """
    templates = TemplateFiles(places.templates)
    backlog = SqliteBacklog(places.state, clock=clock, vault=vault)
    known = {each.name: each for each in (*list_shipped_planners(), *registry.list_metadata())}
    settings = PlannerSettingsFiles(places.config, tuple(known.values()), templates)
    notes = ShapeFile(places.state).hold(describe_program(tools, templates.list_shipped()))
    dispatcher = ToolDispatcher(
        DispatcherParts(
            registry=registry,
            templates=templates,
            settings=settings,
            runs=backlog,
            queue=PlannerQueue(),
            notes=notes,
            take_notes=(backlog.take_notes,),
        )
    )
    return WorkspacePlanners(
        registry=registry, templates=templates, settings=settings, backlog=backlog, dispatcher=dispatcher, notes=notes
    )


def describe_program(tools: Iterable[ToolSpec], templates: Iterable[PromptTemplate]) -> Shapes:
    """Return what may be relied on of this program."""
    return describe_shapes(
        PLANNER_RULES, tools, templates, {**STORES, "alerts": str(ALERTS_VERSION), "backlog": BACKLOG_SCHEMA.describe()}
    )
