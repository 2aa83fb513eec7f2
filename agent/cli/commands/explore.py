"""`surehand explore`: a model proposes steps towards a task; what may be done is done, and what worked is kept as a flow."""

import asyncio
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.assembly import list_families, make_registry, make_session
from agent.cli.commands.models import give_model
from agent.cli.commands.run import carry_out, write_line
from agent.cli.exits import APPROVAL_MISSING, BAD_INPUT, STEP_FAILED, STOPPED, SUCCEEDED
from agent.cli.kept_outlines import check_folder
from agent.cli.limits import PolicyOptions
from agent.cli.screen.exploration import ExplorationProgress
from agent.cli.screen.output import write_error, write_error_text, write_json, write_notes, write_result
from agent.cli.screen.prompts import TerminalGate
from agent.cli.screen.reports import choose_detail, is_at_terminal
from agent.cli.telemetry import open_telemetry
from agent.models.guarding import ModelExchange, Tell
from agent.models.serving.wishes import NO_MODEL, ModelWish
from agent.planners.explore.planner import ExplorePlanner
from agent.planners.registry import PlannerRegistry
from agent.planners.session_hands import HandsTerms, SessionHands
from agent.sessions.session import AgentSession
from agent.settings.folder_checks import locate_state
from agent.settings.settings import Settings, load_settings, locate_config_folder
from agent.store.private_files import write_whole
from agent.telemetry.observing import Telemetry
from agent.tool_schemas import describe_tool
from core.addresses.spelled_addresses import complete_address
from core.approvals.approvals import ApprovalGate, ClassGate
from core.base.budgets import Budget
from core.base.errors import InputError, SurehandError
from core.base.phrases import quote_text
from core.base.shortages import explain_system_error
from core.execution.run_context import make_run_id
from core.planning.planners.budgets import PlannerBudget
from core.planning.planners.context import PlannerContextParts
from core.planning.planners.results import PlannerResult
from core.results.records import to_data

if TYPE_CHECKING:
    from agent.planners.workspace_planners import WorkspacePlanners

_TRIES_A_ROUND = 6
_TRIES_BESIDE = 10
_MOST_SAID = 500


@dataclass(frozen=True, slots=True)
class ExplorePlace:
    """Where it is done: on pages from an address on, or in windows.

    Attributes:
        url: The address; empty where it is done in windows.
        windows: The main window first, then those that it may open; none where it is done on pages.
    """

    url: str = ""
    windows: tuple[str, ...] = ()

    @property
    def address(self) -> str | None:
        """The address in full; None where it is none."""
        return complete_address(self.url)

    def check(self) -> None:
        """Check that it is one place.

        Raises:
            InputError: If it is none or two, or can't be one.
        """
        if bool(self.url) == bool(self.windows):
            text = "An exploration is done on pages or in windows."
            hint = "Name the address where it begins, or windows with --window."
            raise InputError(text, code="bad_usage", hint=hint)
        if self.url and self.address is None:
            raise InputError(f"{quote_text(self.url)} is not an address.", hint="Write it with https://.")
        if not all(each.strip() for each in self.windows):
            raise InputError("--window needs a title.", code="bad_usage")


@dataclass(frozen=True, slots=True)
class ExploreWish:
    """What is wanted, and how far it may go.

    Attributes:
        rounds: Looks and proposals at most.
        tokens: Of the model, at most; None for as many as it takes.
        timeout_s: Seconds at most; None for no limit.
    """

    task: str
    place: ExplorePlace
    workspace: Path
    model: ModelWish = NO_MODEL
    limits: PolicyOptions = field(default_factory=PolicyOptions)
    rounds: int = 20
    tokens: int | None = None
    timeout_s: float | None = None

    def check(self) -> None:
        """Check what nobody else does.

        Raises:
            InputError: If something is missing or makes no sense.
        """
        if not self.task.strip():
            raise InputError("The task is empty.", code="bad_usage")
        if not self.workspace.is_dir():
            raise InputError(f'The workspace "{self.workspace}" is not a folder.', hint="Create it, or name another.")
        if not self.model:
            raise InputError(
                "Nobody is there to propose anything.", code="bad_usage", hint="Name a model with --model."
            )
        if self.timeout_s is not None and not self.timeout_s > 0:
            raise InputError("--timeout must be above 0 seconds.")
        self.place.check()

    @property
    def parameters(self) -> dict[str, Any]:
        """What the planner is given."""
        place = {"url": self.place.address or "", "windows": list(self.place.windows)}
        return {"task": self.task, **place, "rounds": self.rounds, "hosts": list(self.limits.hosts)}

    @property
    def budget(self) -> PlannerBudget:
        """What the planner may use."""
        tries = max(1, self.rounds) * _TRIES_A_ROUND + _TRIES_BESIDE
        return PlannerBudget(tokens=self.tokens, seconds=self.timeout_s, iterations=tries)


@dataclass(frozen=True, slots=True)
class ExploreOptions:
    """What is shown and kept.

    Attributes:
        output: Where the flow is written; None for nowhere.
        quiet: Whether only the end is told.
    """

    output: Path | None = None
    headed: bool = False
    as_json: bool = False
    quiet: bool = False
    verbose: bool = False
    explain: bool = False

    def check(self) -> None:
        """Check that nothing would be overwritten.

        Raises:
            InputError: If the flow's folder is missing, or something is there already.
        """
        if self.output:
            check_folder(self.output)
            if self.output.exists():
                hint = "Choose another name; nothing is overwritten."
                raise InputError(f"{self.output} already exists.", code="file_exists", hint=hint)


def explore_task(wish: ExploreWish, options: ExploreOptions) -> int:
    """Explore a task, tell what came of it, and return the exit code."""
    stop = asyncio.Event()
    try:
        detail = choose_detail(quiet=options.quiet, verbose=options.verbose, as_json=options.as_json)
        wish.check()
        options.check()
        settings = load_settings(wish.workspace)
        settings = settings.model_copy(update={"headed": options.headed or settings.headed})
        session = make_session(settings, wish.workspace)
        give_model(session, wish.model, settings)
        telemetry = open_telemetry(settings, wish.workspace)
        session.observe(telemetry)
        progress = ExplorationProgress(detail)
        emit = write_line if options.as_json else progress.show
        hands = SessionHands(session, _make_terms(wish, options), emit)
        planners = _open_planners(hands, settings, session, wish.workspace)
        tell = write_exchange if options.explain else _tell_nobody
        parts = _make_parts(wish, session, telemetry, tell, stop)
    except (SurehandError, OSError) as error:
        write_error(error if isinstance(error, SurehandError) else explain_system_error(error))
        return BAD_INPUT

    def halt() -> None:
        stop.set()
        session.stop()

    result = asyncio.run(carry_out(session, _explore(planners, wish, parts), halt))
    return _report(result, options)


def write_exchange(exchange: ModelExchange) -> None:
    """Write to stderr what left to a model, and what came back."""
    write_error_text(f"{json.dumps(to_data(exchange.describe()), ensure_ascii=False)}\n")


def _tell_nobody(_: ModelExchange) -> None:
    """Write nothing."""


def _make_terms(wish: ExploreWish, options: ExploreOptions) -> HandsTerms:
    asks = is_at_terminal() and not options.as_json
    gate: ApprovalGate = TerminalGate(()) if asks else ClassGate()
    return HandsTerms(policy=wish.limits.read_policy(), gate=gate, budget=Budget(wish.timeout_s))


def _open_planners(
    hands: SessionHands, settings: Settings, session: AgentSession, workspace: Path
) -> "WorkspacePlanners":
    from agent.planners.workspace_planners import PlannerPlaces, open_planners

    specs = make_registry(list_families(settings, workspace)).specs()
    tools = [describe_tool(spec) for spec in specs]
    registry = PlannerRegistry()
    registry.register(ExplorePlanner, lambda: ExplorePlanner(hands, tools))
    places = PlannerPlaces(
        state=locate_state(workspace), config=locate_config_folder(), templates=settings.templates_folder
    )
    return open_planners(registry, places, specs, vault=session.vault)


def _make_parts(
    wish: ExploreWish, session: AgentSession, telemetry: Telemetry, tell: Tell, stop: asyncio.Event
) -> PlannerContextParts:
    return PlannerContextParts(
        scope=session.parts.scope_run("", "").child(make_run_id()),
        budget=wish.budget,
        model=session.guard_model(wish.limits.read_policy(), tell),
        redact=session.vault.redact,
        emit=telemetry.watch_planner(session.vault),
        stop=stop,
    )


async def _explore(planners: "WorkspacePlanners", wish: ExploreWish, parts: PlannerContextParts) -> PlannerResult:
    try:
        return await planners.dispatcher.plan(ExplorePlanner.metadata.capabilities[0], wish.parameters, parts)
    finally:
        await planners.close()


def _report(result: PlannerResult, options: ExploreOptions) -> int:
    """Tell what came of it, write the flow, and return the exit code."""
    flow, said = result.artifacts.get("flow", ""), result.artifacts.get("reply", "")
    if options.as_json:
        kept = {"outcome": result.outcome, **result.artifacts, "metrics": result.metrics}
        write_json(to_data({**kept, "errors": result.errors, "diagnostics": result.diagnostics}))
    elif said:
        write_result(f"The model says: {quote_text(said, _MOST_SAID)}\n")
    for error in result.errors:
        write_error(error)
    write_notes(result.diagnostics)
    if options.output and flow:
        try:
            write_whole(options.output, flow.encode("utf-8"))
        except OSError as error:
            write_error(explain_system_error(error))
            return STEP_FAILED
        write_notes([f"{options.output} does the same without a model. Read it before you run it."])
    return _choose_exit_code(result)


def _choose_exit_code(result: PlannerResult) -> int:
    if result.outcome == "success":
        return SUCCEEDED
    if result.outcome == "cancelled":
        return STOPPED
    deeds = result.artifacts.get("deeds", ())
    if any(deed["code"].startswith("approval_") for deed in deeds):
        return APPROVAL_MISSING
    return STEP_FAILED if deeds or result.completed else BAD_INPUT
