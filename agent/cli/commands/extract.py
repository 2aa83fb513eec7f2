"""`surehand extract`: a page or window to records of a JSON Schema."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.assembly import list_families, make_registry, make_session
from agent.cli.commands.explore import write_exchange
from agent.cli.commands.models import give_model
from agent.cli.commands.run import carry_out
from agent.cli.exits import APPROVAL_MISSING, BAD_INPUT, STEP_FAILED, STOPPED, SUCCEEDED
from agent.cli.limits import PolicyOptions
from agent.cli.looks import LookWish
from agent.cli.record_files import check_records_place, read_schema, write_records
from agent.cli.screen.output import write_error, write_json, write_notes
from agent.cli.screen.prompts import TerminalGate
from agent.cli.screen.reports import is_at_terminal
from agent.cli.telemetry import open_telemetry
from agent.models.guarding import ModelExchange
from agent.models.serving.wishes import NO_MODEL, ModelWish
from agent.planners.extract.planner import ExtractPlanner
from agent.planners.extract.shapes import read_shape
from agent.planners.registry import PlannerRegistry
from agent.planners.session_hands import HandsTerms, SessionHands
from agent.sessions.session import AgentSession
from agent.settings.folder_checks import locate_state
from agent.settings.settings import Settings, load_settings, locate_config_folder
from agent.store.private_files import write_whole
from agent.telemetry.observing import Telemetry
from core.approvals.approvals import ApprovalGate, ClassGate
from core.base.budgets import Budget
from core.base.errors import InputError, SurehandError
from core.base.shortages import explain_system_error
from core.execution.run_context import make_run_id
from core.planning.planners.budgets import PlannerBudget
from core.planning.planners.context import PlannerContextParts
from core.planning.planners.results import PlannerResult
from core.results.records import to_data

if TYPE_CHECKING:
    from agent.planners.workspace_planners import WorkspacePlanners

_USUAL_PAGES = 10
_STEPS_A_PAGE = 4
_MOST_TOLD = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractWish:
    """What is to be read, and how far that may go.

    Attributes:
        what: An address, or the title of a window.
        schema: File with the JSON Schema.
        scope: Selector of the part to read; empty for all of it.
        following: Selector of what leads to the next page; empty for none.
        pages: Most pages; None for the usual number.
        tokens: Of the model, at most; None for as many as it takes.
        timeout_s: Seconds at most; None for no limit.
    """

    what: str
    schema: Path
    workspace: Path
    scope: str = ""
    following: str = ""
    pages: int | None = None
    model: ModelWish = NO_MODEL
    limits: PolicyOptions = field(default_factory=PolicyOptions)
    tokens: int | None = None
    timeout_s: float | None = None
    explain: bool = False

    @property
    def most_pages(self) -> int:
        """How many pages are read at most."""
        return self.pages if self.pages is not None else (_USUAL_PAGES if self.following else 1)

    def read_parameters(self) -> dict[str, Any]:
        """Return what the planner is given.

        Raises:
            InputError: If the schema can't be used.
        """
        schema = read_schema(self.schema)
        read_shape(schema)
        address = LookWish(self.what, self.workspace).address
        place = {"window": self.what} if address is None else {"url": address}
        return {"schema": schema, **place, "scope": self.scope, "next": self.following, "pages": self.most_pages}

    def check(self) -> None:
        """Check what nobody else does.

        Raises:
            InputError: If options make no sense.
        """
        if not self.workspace.is_dir():
            raise InputError(f'The workspace "{self.workspace}" is not a folder.', hint="Create it, or name another.")
        if self.timeout_s is not None and not self.timeout_s > 0:
            raise InputError("--timeout must be above 0 seconds.")
        if self.pages is not None and (self.pages < 1 or not self.following):
            raise InputError("--pages needs --next, and a number from 1.", code="bad_usage")


@dataclass(frozen=True, slots=True)
class Writing:
    """Where records go, and what is told.

    Attributes:
        output: The file; None for stdout.
        quiet: Whether nothing but the records is told.
    """

    output: Path | None = None
    headed: bool = False
    as_json: bool = False
    quiet: bool = False


def extract_records(wish: ExtractWish, writing: Writing) -> int:
    """Read the records, write them, and return the exit code."""
    stop = asyncio.Event()
    try:
        wish.check()
        parameters = wish.read_parameters()
        if writing.output:
            check_records_place(writing.output)
        settings = load_settings(wish.workspace)
        settings = settings.model_copy(update={"headed": writing.headed or settings.headed})
        session = make_session(settings, wish.workspace)
        give_model(session, wish.model, settings)
        telemetry = open_telemetry(settings, wish.workspace)
        session.observe(telemetry)
        planners = _open_planners(wish, settings, session)
        parts = _make_parts(wish, session, telemetry, stop)
    except (SurehandError, OSError) as error:
        write_error(error if isinstance(error, SurehandError) else explain_system_error(error))
        return BAD_INPUT

    def halt() -> None:
        stop.set()
        session.stop()

    result = asyncio.run(carry_out(session, _extract(planners, parameters, parts), halt))
    return _report(result, writing)


def _open_planners(wish: ExtractWish, settings: Settings, session: AgentSession) -> "WorkspacePlanners":
    from agent.planners.workspace_planners import PlannerPlaces, open_planners

    gate: ApprovalGate = TerminalGate(()) if is_at_terminal() else ClassGate()
    terms = HandsTerms(policy=wish.limits.read_policy(), gate=gate, budget=Budget(wish.timeout_s))
    registry = PlannerRegistry()
    registry.register(ExtractPlanner, lambda: ExtractPlanner(SessionHands(session, terms)))
    workspace = wish.workspace
    places = PlannerPlaces(
        state=locate_state(workspace), config=locate_config_folder(), templates=settings.templates_folder
    )
    specs = make_registry(list_families(settings, workspace)).specs()
    return open_planners(registry, places, specs, vault=session.vault)


def _make_parts(
    wish: ExtractWish, session: AgentSession, telemetry: Telemetry, stop: asyncio.Event
) -> PlannerContextParts:
    tell = write_exchange if wish.explain else _tell_nobody
    iterations = _STEPS_A_PAGE * max(1, wish.most_pages) + 1
    return PlannerContextParts(
        scope=session.parts.scope_run("", "").child(make_run_id()),
        budget=PlannerBudget(tokens=wish.tokens, seconds=wish.timeout_s, iterations=iterations),
        model=session.guard_model(wish.limits.read_policy(), tell),
        redact=session.vault.redact,
        emit=telemetry.watch_planner(session.vault),
        stop=stop,
    )


def _tell_nobody(_: ModelExchange) -> None:
    """Write nothing."""


async def _extract(
    planners: "WorkspacePlanners", parameters: Mapping[str, Any], parts: PlannerContextParts
) -> PlannerResult:
    try:
        return await planners.dispatcher.plan("extract", parameters, parts)
    finally:
        await planners.close()


def _report(result: PlannerResult, writing: Writing) -> int:
    """Write the records and what is to be known of them; return the exit code."""
    for error in result.errors:
        write_error(error)
    records = result.artifacts.get("records")
    if writing.as_json:
        told = ("records", "sources", "missing", "origins")
        data = {name: result.artifacts.get(name) for name in told}
        write_json(to_data({"outcome": result.outcome, **data, "notes": result.diagnostics, "metrics": result.metrics}))
    elif records and not writing.output:
        write_json(records)
    if writing.output and records:
        try:
            content, guarded = write_records(records, writing.output)
            write_whole(writing.output, content)
        except OSError as error:
            write_error(explain_system_error(error))
            return STEP_FAILED
        if not writing.quiet:
            write_notes(_tell_file(records, writing.output, guarded))
    if not writing.quiet:
        write_notes([*result.diagnostics, *_tell_missing(result.artifacts.get("missing", ()), records)])
    return _choose_exit_code(result)


def _tell_file(records: Any, path: Path, guarded: int) -> Iterator[str]:
    yield f"{len(records) if isinstance(records, list) else 1} records in {path}"
    if guarded:
        yield f"{guarded} texts begin like a formula; in {path} they stand behind an apostrophe."


def _tell_missing(missing: Sequence[Mapping[str, Any]], records: Any) -> Iterator[str]:
    """Yield what is missing, a line for each property and reason."""
    total = len(records) if isinstance(records, list) else 1
    counts = Counter((each["path"], each["why"] if not each["record"] else _shorten(each["why"])) for each in missing)
    for (path, why), count in counts.most_common(_MOST_TOLD):
        share = f" in {count} of {total} records" if isinstance(records, list) else ""
        yield f"“{path}” is missing{share}: {why}."
    if len(counts) > _MOST_TOLD:
        yield f"{len(counts) - _MOST_TOLD} more gaps; --json lists all."


def _shorten(why: str) -> str:
    """Return a reason without the text that it is about, so that like ones are told together."""
    return why.rsplit(": ", 1)[-1]


def _choose_exit_code(result: PlannerResult) -> int:
    codes = {error.code for error in result.errors}
    if result.outcome == "cancelled":
        return STOPPED
    if any(code.startswith("approval_") for code in codes):
        return APPROVAL_MISSING
    if result.outcome == "success":
        return SUCCEEDED
    return STEP_FAILED if result.completed or result.failed else BAD_INPUT
