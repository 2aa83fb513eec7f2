"""The one place that names concrete back ends and puts a session together."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from actuators.anchors import find_anchors, list_folders
from actuators.base import BackEnd, Environment, Family
from actuators.browser.ports.sessions import AttachedPage
from actuators.catalog import (
    BrowserShare,
    BrowserWishes,
    PlaywrightFamily,
    list_machine_families,
    list_programs,
    wrap_back_end,
)
from actuators.failure_files import PictureKeeping
from actuators.own_folders import list_own_folders, locate_config_folder
from actuators.verb_table import PLANNER_RULES
from agent.models.wishes import ModelWish
from agent.requests.run_archive import NO_ARCHIVE, RunArchive
from agent.requests.session_wishes import USUAL_SESSION, SessionWishes
from agent.sessions.planner_port import LatePlanners, PlannerPlaces, refuse_model
from agent.sessions.screens import SessionScreen
from agent.sessions.session_parts import OpenNamed, SessionParts
from agent.settings.folder_checks import locate_folder, locate_state
from agent.settings.surroundings import read_environment
from core.addresses.path_parts import STATE_FOLDER
from core.addresses.platforms import SEARCH_PLATFORMS, SearchPlatform
from core.base.late_dataclasses import dataclass, field, replace
from core.base.late_parts import import_late, make_late
from core.goals.secret_values import NO_VAULT, Vault
from core.goals.world import WorldState
from core.journal.journal import NO_JOURNAL, Journal
from core.language.interpreter import GrammarInterpreter
from core.language.talk.several_languages import SeveralLanguages
from core.planner_rules import VERB_ROWS
from core.planning.orchestrator import GoalOrchestrator
from core.planning.planner import GoalPlanner
from core.policy.policy import Policy
from core.rules.rule_types import list_destroyed
from core.tools.registry import ToolRegistry

if TYPE_CHECKING:
    from actuators.browser.ports.screens import ScreenOwner
    from actuators.simulation import SimulatedMachine
    from agent.sessions.session import AgentSession
    from agent.settings.settings import Settings


@dataclass(frozen=True, slots=True)
class SessionDefaults:
    """What holds for all requests of a session.

    Attributes:
        journal: Where acts are written down before they begin.
        language: Tag of the language in which requests are said, where they aren't clearly of another.
        base_url: Address that relative ones in goals hang below; empty for none.
        places: Where what planners share lies; None to keep nothing of it.
    """

    vault: Vault = NO_VAULT
    journal: Journal = NO_JOURNAL
    policy: Policy = field(default_factory=Policy)
    keeper: RunArchive = NO_ARCHIVE
    language: str = "en"
    base_url: str = ""
    places: PlannerPlaces | None = None
    open_model: OpenNamed = refuse_model


@dataclass(frozen=True, slots=True)
class SessionPages:
    """The pages of a session, where they are not the usual ones."""

    wishes: SessionWishes = USUAL_SESSION
    recordings: Path | None = None

    def locate_traces(self, settings: "Settings", state: Path) -> Path | None:
        """Return the folder for traces; None where none are recorded."""
        if self.wishes.trace:
            return self.recordings
        return state / "traces" if settings.trace != "off" else None

    def make_wishes(self, settings: "Settings") -> BrowserWishes:
        """Return how the browser is wanted.

        Raises:
            RefusedError: If what is to be attached to isn't on this machine.
        """
        wishes = self.wishes
        return BrowserWishes(
            executable=settings.browser_path,
            channel=settings.browser_channel,
            headed=settings.headed,
            platforms=read_platforms(settings),
            inner_hosts=tuple(settings.inner_hosts),
            attached=AttachedPage(wishes.attach, wishes.page) if wishes.attach else None,
            videos_dir=self.recordings if wishes.video else None,
        )


USUAL_PAGES = SessionPages()

# None of this is needed by a plan.
_find_lease = import_late("actuators.seat.lease", "find_lease")
_find_service = import_late("actuators.own_services", "find_service")
_make_context = import_late("agent.store.context_file", "ContextFile")
_make_journal = import_late("agent.store.journal.sqlite_journal", "SqliteJournal")
_make_keeper = import_late("agent.store.run_files", "FileKeeper")
_make_memory = import_late("actuators.memory.back_end", "MemoryBackEnd")
_make_executor = import_late("core.execution.executor", "PlanExecutor")
_make_performer = import_late("core.execution.steps", "StepPerformer")
_make_resolver = import_late("core.planning.authority", "RulesResolver")
_open_vault = import_late("agent.secrets.vaults", "open_vault")
_open_session = import_late("agent.sessions.session", "AgentSession")

_SCREENS = "actuators.browser.ports.screens"
_MODELS = "agent.models.serving.opening"
_PROJECT = "actuators.project.back_end"
_RULES = "agent.requests.words.policy_parts"


def make_session(
    settings: "Settings",
    workspace: Path,
    share: BrowserShare | None = None,
    pages: SessionPages = USUAL_PAGES,
    *,
    lent: Mapping[str, str] | None = None,
    principal: str = "",
) -> "AgentSession":
    """Put a session together; nothing is started before a tool is called. For what is given and raised see ``make_parts``."""
    return _open_session(make_parts(settings, workspace, share, pages, lent=lent, principal=principal))


def make_parts(
    settings: "Settings",
    workspace: Path,
    share: BrowserShare | None = None,
    pages: SessionPages = USUAL_PAGES,
    *,
    lent: Mapping[str, str] | None = None,
    principal: str = "",
) -> SessionParts:
    """Return what a session is put together from; a plan needs no more.

    Args:
        settings: What a person may set.
        share: The browser of several sessions, which outlives them; the session has one of its own where absent.
        pages: Its pages, where they are not the usual ones.
        lent: Values of secrets that a person gives for this session alone, by name.
        principal: Whose it is: what it keeps and recalls is theirs alone. Empty for the person at this machine.

    Raises:
        TableError: If the rules table and the tools disagree.
        RefusedError: If the folder for what is kept isn't what Surehand makes.
    """
    workspace = locate_folder(workspace)
    state = locate_state(workspace, principal)
    vault: Vault = make_late(lambda: _open_vault(lent))
    families = list_families(settings, workspace, share, pages, state)
    return put_parts_together(
        families,
        WorldState(platform=sys.platform, anchors=locate_anchors(workspace), own_folders=list_own_folders()),
        {**SEARCH_PLATFORMS, **read_platforms(settings)},
        lambda: list_programs(locate_environment(workspace)),
        SessionDefaults(
            vault,
            make_late(lambda: _make_journal(state)),
            read_rules(settings),
            make_late(lambda: _make_keeper(state, vault)),
            settings.language,
            pages.wishes.base_url,
            PlannerPlaces(state, locate_config_folder(), settings.templates_folder),
            _open_by_name(settings),
        ),
    )


def make_simulated_session(
    machine: "SimulatedMachine",
    environment: Environment,
    platforms: Mapping[str, SearchPlatform] = SEARCH_PLATFORMS,
    standing: SessionDefaults | None = None,
    registry: ToolRegistry | None = None,
) -> "AgentSession":
    """Put a session together on a machine in memory; nothing of the real one is touched.

    Args:
        standing: What holds for all requests; None for nothing.
        registry: Takes up the tools; None for an ordinary one.
    """
    world = WorldState(platform=environment.platform, anchors=environment.anchors)
    programs = [name for each in machine.system.programs for name in (each.name, *each.names) if name]
    families = machine.list_families(environment)
    return put_together(families, world, platforms, lambda: programs, standing, registry)


def put_together(
    families: tuple[Family, ...],
    world: WorldState,
    platforms: Mapping[str, SearchPlatform],
    list_programs: Callable[[], Iterable[str]] = tuple,
    standing: SessionDefaults | None = None,
    registry: ToolRegistry | None = None,
) -> "AgentSession":
    """Put a session together from its families. For what is given and raised see ``put_parts_together``."""
    return _open_session(put_parts_together(families, world, platforms, list_programs, standing, registry))


def put_parts_together(
    families: tuple[Family, ...],
    world: WorldState,
    platforms: Mapping[str, SearchPlatform],
    list_programs: Callable[[], Iterable[str]] = tuple,
    standing: SessionDefaults | None = None,
    registry: ToolRegistry | None = None,
) -> SessionParts:
    """Return what a session is put together from, by its families.

    Args:
        list_programs: Names the installed programs; asked when a sentence makes that necessary.
        standing: What holds for all requests; None for nothing.
        registry: Takes up the tools; None for an ordinary one.

    Raises:
        TableError: If the rules table and the tools disagree.
    """
    registry = make_registry(families, registry)
    standing = standing or SessionDefaults()
    hosts = {name: platform.host for name, platform in platforms.items()}
    world = replace(world, values={"platforms": tuple(sorted(platforms))}, meanings={"platforms": hosts})
    return SessionParts(
        interpreter=SeveralLanguages(
            lambda tag: GrammarInterpreter(tag, platforms, list_programs, list_destroyed(VERB_ROWS)),
            standing.language,
        ),
        orchestrator=GoalOrchestrator(GoalPlanner(PLANNER_RULES)),
        executor=make_late(lambda: _make_executor(_make_performer(registry, _make_resolver()))),
        families=families,
        world=world,
        vault=standing.vault,
        journal=standing.journal,
        keeper=standing.keeper,
        policy=standing.policy,
        base_url=standing.base_url,
        screen=make_late(lambda: _make_screen(families)),
        open_model=standing.open_model,
        planners=LatePlanners(registry.specs, standing.places, standing.vault),
    )


def _make_screen(families: tuple[Family, ...]) -> SessionScreen:
    owner: type[ScreenOwner] = import_module(_SCREENS).ScreenOwner
    return SessionScreen(*[family.open_screen for family in families if isinstance(family, owner)][:1])


def read_rules(settings: "Settings") -> Policy:
    """Return the policy that a person's rules make; what reads rules is imported where there are any.

    Raises:
        InputError: If one of them can't be.
    """
    return import_module(_RULES).read_standing_policy(settings.rules) if settings.rules else Policy()


def _open_by_name(settings: "Settings") -> OpenNamed:
    """Return what opens a model of the settings; what speaks to models is imported when one is opened."""
    return lambda name, vault: import_module(_MODELS).open_model(ModelWish(name), settings.models, vault)


def locate_anchors(workspace: Path) -> dict[str, str]:
    """Return the folders that people name, by anchor."""
    return dict(list_folders(find_anchors(workspace)))


def list_families(
    settings: "Settings",
    workspace: Path,
    share: BrowserShare | None = None,
    pages: SessionPages = USUAL_PAGES,
    state: Path | None = None,
) -> tuple[Family, ...]:
    """Return every actuator family with the back end that this machine uses.

    Args:
        settings: What a person may set.
        share: The browser of several sessions; the family has one of its own where absent.
        pages: The pages of the session, where they are not the usual ones.
        state: Where what is kept lies; where the person at this machine keeps it where absent.
    """
    environment = locate_environment(workspace, state)
    find_lease = cache(partial(_find_lease, environment.platform, environment.variables))
    pictures = {"failure_pictures": settings.failure_pictures, "step_pictures": settings.keep_pictures}
    environment = replace(environment, **pictures, find_lease=find_lease)
    browser = PlaywrightFamily(
        artifacts_dir=environment.state_dir / "artifacts",
        wishes=pages.make_wishes(settings),
        traces_dir=pages.locate_traces(settings, environment.state_dir),
        keeping=PictureKeeping(
            settings.failure_pictures,
            settings.keep_pictures,
            traces_only=settings.trace == "on-failure" and not pages.wishes.trace,
        ),
        environment=environment,
        share=share,
    )
    memory = wrap_back_end("memory", lambda: _make_memory(_make_context(environment.state_dir)))
    made = tuple(sorted(settings.model_fields_set))
    project = wrap_back_end("project", lambda: make_project(environment, browser.list_pages, made))
    return (browser, *list_machine_families(environment), memory, project)


def make_project(
    environment: Environment, list_pages: Callable[[], Sequence[str]], settings: tuple[str, ...]
) -> BackEnd:
    """Return what sums up a project."""
    memories, back_end = _make_context(environment.state_dir), import_module(_PROJECT)
    return back_end.ProjectBackEnd(
        back_end.ProjectSources(
            workspace=str(environment.workspace),
            platform=environment.platform,
            list_entries=lambda: back_end.list_folder(environment.workspace),
            list_pages=list_pages,
            read_memory=memories.read,
            settings=settings,
            close=memories.close,
        )
    )


def locate_environment(workspace: Path, state: Path | None = None) -> Environment:
    """Return what back ends may know of this process, its workspace and where what is kept lies."""
    state = state or workspace.absolute() / STATE_FOLDER
    return replace(read_environment(workspace, state, locate_anchors(workspace)), find_service=_find_service)


def make_registry(families: tuple[Family, ...], registry: ToolRegistry | None = None) -> ToolRegistry:
    """Return the tools of all families; those of a family are imported once one of them is asked for.

    Args:
        registry: Takes them up; None for an ordinary one.
    """
    registry = registry or ToolRegistry()
    for family in families:
        registry.register_family(family.domain, lambda family=family: family.toolsets, family.provide)
    return registry


def read_platforms(settings: "Settings") -> dict[str, SearchPlatform]:
    """Return the search platforms that a person added."""
    return {
        name.lower(): SearchPlatform(name.lower(), each.home_url, each.search_url)
        for name, each in settings.platforms.items()
    }
