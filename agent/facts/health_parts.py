"""What a look at planners is made of: where facts are read, and the channels that the person set."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path

from actuators.base import Environment
from actuators.browser.egress.networks import SystemNetwork
from actuators.catalog import list_machine_families
from actuators.system.tools.controlling import MachineTools
from agent.planners.backlog.sqlite_backlog import SqliteBacklog
from agent.planners.health.alert_desk import AlertDesk
from agent.planners.health.alert_file import AlertFile, locate_alerts
from agent.planners.health.channels.opening import ChannelParts, Urgency, open_channels
from agent.planners.health.checks import check_health
from agent.planners.health.facts import HealthSources
from agent.planners.planner_settings import PlannerSettingsFiles
from agent.planners.templates.template_files import TemplateFiles
from agent.secrets.vaults import SecretSources, SessionVault
from agent.settings.folder_checks import locate_folder, locate_state
from agent.settings.settings import Settings, locate_config_folder
from agent.telemetry.log_files import LogFile
from agent.telemetry.log_levels import LOG_FILE
from agent.telemetry.logs import LogBook, Outlets
from core.base.errors import ActionError, DeviceError, SurehandError
from core.base.late_dataclasses import dataclass
from core.base.scope_paths import begin_scope
from core.goals.secret_values import Vault
from core.planning.planners.alerts import Severity
from core.planning.planners.metadata import PlannerMetadata
from core.planning.planners.ports import SYSTEM_CLOCK, Clock
from core.results.redaction import Redactor
from core.tools.ports import ActionContext


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthPlace:
    """Whose planners are looked at, and with what.

    Attributes:
        environment: What back ends may know of this process, for notifications.
        principal: Whose planners; empty for the person at this machine.
    """

    settings: Settings
    workspace: Path
    environment: Environment
    secrets: SecretSources
    planners: Sequence[PlannerMetadata]
    principal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthParts:
    """What a look at planners takes."""

    sources: HealthSources
    desk: AlertDesk
    backlog: SqliteBacklog
    file: AlertFile
    vault: Vault

    def take_notes(self) -> tuple[str, ...]:
        """Return what a person should know of what is kept."""
        return (*self.backlog.take_notes(), *self.file.notes)


@asynccontextmanager
async def open_health(place: HealthPlace, clock: Clock = SYSTEM_CLOCK) -> AsyncGenerator[HealthParts]:
    """Put together what a look at planners takes, and let go of it afterwards; connects to nothing by itself.

    Raises:
        SurehandError: If the folder of the workspace, or the templates that ship, can't be used.
    """
    workspace, settings = locate_folder(place.workspace), place.settings
    state = locate_state(workspace, place.principal)
    vault = open_vault(place.secrets)
    file = AlertFile(locate_alerts(state if place.principal else workspace))
    backlog = SqliteBacklog(state, clock=clock, vault=vault)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(backlog.close)
        stack.push_async_callback(file.close)
        write = partial(write_alert, state / LOG_FILE, vault)
        show = partial(show_notification, place.environment)
        parts = ChannelParts(network=SystemNetwork(), vault=vault, show=show, write=write)
        channels = open_channels(settings.health.channels, parts)
        desk = AlertDesk(settings.health, channels, file, clock=clock, source=workspace.name, redact=vault.redact)
        sources = open_sources(place, backlog, clock)
        yield HealthParts(sources=sources, desk=desk, backlog=backlog, file=file, vault=vault)


def open_vault(sources: SecretSources) -> SessionVault:
    """Return a vault that keeps out of all alerts what can be known without asking a keyring.

    Raises:
        SurehandError: If the file of secrets can't be used.
    """
    redactor = Redactor()
    for name, (source, entry) in sources.list_names().items():
        value = sources.variables.get(name) if source == "environment" else entry.value
        if value:
            redactor.add(value)
    return SessionVault(sources, redactor=redactor)


async def show_notification(environment: Environment, title: str, text: str, urgency: Urgency) -> None:
    """Show a notification by the tools of the system."""
    family = next(each for each in list_machine_families(environment) if each.domain == MachineTools.domain)
    found = family.assess("notifications")
    if not found.available:
        text = f"Notifications can't be shown: {found.reason}."
        raise DeviceError(text, code="server_missing", hint=found.remedy)
    try:
        tools = await family.provide(MachineTools)
        assert isinstance(tools, MachineTools)
        await tools.notify(ActionContext("alert"), title, text, urgency)
    finally:
        await family.close()


async def write_alert(path: Path, vault: Vault, event: str, severity: Severity, facts: Mapping[str, str]) -> None:
    """Write an alert into the log file of a workspace, whatever else is logged.

    Raises:
        ActionError: ``alert_not_sent`` if the disk doesn't take it.
    """
    file = LogFile(path)
    LogBook(Outlets([("debug", file.write)])).note_alert(event, severity, vault.redact(facts))
    await asyncio.to_thread(file.close)
    if file.dropped:
        raise ActionError(f"The log {path} could not be written.", code="alert_not_sent", hint="Check the disk.")


def open_sources(place: HealthPlace, backlog: SqliteBacklog, clock: Clock) -> HealthSources:
    """Return where facts are read: all planners of one principal."""
    templates, scope = TemplateFiles(place.settings.templates_folder), begin_scope(place.principal)
    settings = PlannerSettingsFiles(locate_config_folder(), place.planners, templates)
    return HealthSources(
        scope=scope,
        planners=place.planners,
        templates=templates,
        checks={
            "templates": partial(templates.check, place.planners),
            "settings": partial(settings.read, scope.read_level("principal")),
        },
        backlog=backlog,
        runs=backlog,
        clock=clock,
    )


NoteFault = Callable[[str, str], None]


@asynccontextmanager
async def watch_health(place: HealthPlace, note: NoteFault, clock: Clock = SYSTEM_CLOCK) -> AsyncGenerator[None]:
    """Look at planners every ``check_every_s`` of the settings while this is open."""
    watching = asyncio.create_task(_look_again_and_again(place, note, clock), name="health")
    try:
        yield
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


async def _look_again_and_again(place: HealthPlace, note: NoteFault, clock: Clock) -> None:
    health = place.settings.health
    while True:
        await clock.sleep(health.check_every_s)
        try:
            async with open_health(place, clock) as parts:
                check = await check_health(parts.sources, health, parts.desk)
        except SurehandError as error:
            note("health.unread", error.message)
            continue
        if check.fault:
            note("health.not_told", check.fault.message)
