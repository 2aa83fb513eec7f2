"""Carries out `surehand test`: reads what was asked, runs the flows, writes what came of them."""

import asyncio
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from agent.cli.asking import read_approved, read_pairs
from agent.cli.exits import BAD_INPUT, STEP_FAILED, STOPPED, SUCCEEDED
from agent.cli.limits import PolicyOptions
from agent.cli.screen.output import write_error, write_json, write_notes
from agent.cli.screen.stopping import stop_by_signals
from agent.cli.suites.flow_files import ReadFlow, choose_flows, gather_flows, read_flows, read_shard
from agent.cli.suites.junit import write_junit
from agent.cli.suites.running import EndedSuite, SuiteRunner, SuiteWatcher, SuiteWish, TrialTerms
from agent.cli.suites.screens import SuiteScreen, list_summary
from agent.cli.suites.workspaces import Workspaces
from agent.cli.telemetry import open_telemetry
from agent.settings.settings import Settings, TraceWish, load_settings
from core.base.budgets import Budget
from core.base.errors import InputError, SurehandError

if TYPE_CHECKING:
    from agent.cli.suites.html_reports import HtmlReports


@dataclass(frozen=True, slots=True)
class SuiteRequest:
    """The arguments.

    Attributes:
        only: Parts of paths; empty for all flows.
        shard: Which part of the flows; empty for all.
        variables: ``NAME=VALUE`` for flows that declare it.
        workspace: Folder in which all flows run; None for a new one each.
        trace: Whether to record Playwright traces; None leaves it to the settings.
        junit: Where JUnit XML is written; None for nowhere.
        html: Folder for reports; None for nowhere.
        as_json: Whether the result is written as JSON.
    """

    flows: tuple[str, ...]
    only: tuple[str, ...] = ()
    shard: str = ""
    variables: tuple[str, ...] = ()
    limits: PolicyOptions = field(default_factory=PolicyOptions)
    workers: int = 1
    retries: int = 0
    updates: bool = False
    approved: str = ""
    timeout_s: float | None = None
    workspace: Path | None = None
    headed: bool = False
    trace: str | None = None
    keeps_all: bool = False
    junit: Path | None = None
    html: Path | None = None
    as_json: bool = False

    def check(self) -> None:
        """Check what no file says.

        Raises:
            InputError: If an option makes no sense.
        """
        if not 1 <= self.workers <= 64:
            raise InputError(f"-n takes 1 to 64, not {self.workers}.", code="bad_usage")
        if not 0 <= self.retries <= 10:
            raise InputError(f"--retries takes 0 to 10, not {self.retries}.", code="bad_usage")
        if self.updates and self.retries:
            raise InputError("Choose one of --update and --retries.", code="bad_usage")
        if self.timeout_s is not None and not self.timeout_s > 0:
            raise InputError("--timeout must be above 0 seconds.", code="bad_usage")
        if self.trace is not None and self.trace not in get_args(TraceWish):
            text = f'--trace takes {", ".join(get_args(TraceWish))}, not "{self.trace}".'
            raise InputError(text, code="bad_usage")
        if self.workspace is not None and not self.workspace.is_dir():
            hint = "Create it, or name another."
            raise InputError(f'The workspace "{self.workspace}" is not a folder.', hint=hint)

    def read_flows(self) -> tuple[ReadFlow, ...]:
        """Return the flows that are meant, read.

        Raises:
            InputError: If there are none, or an option makes no sense.
        """
        flows = gather_flows(self.flows)
        files = choose_flows(flows, self.only)[read_shard(self.shard)]
        return read_flows(files, read_pairs(self.variables), flows)

    def make_terms(self) -> TrialTerms:
        """Return what holds for all flows.

        Raises:
            InputError: If the settings or a file of rules can't be understood.
        """
        settings = self._override(load_settings(self.workspace or Path()))
        return TrialTerms(
            settings=settings,
            policy=self.limits.read_policy(),
            budget=Budget(self.timeout_s),
            approved=read_approved(self.approved),
            prepare=lambda session, workspace: session.observe(open_telemetry(settings, workspace)),
        )

    def _override(self, settings: Settings) -> Settings:
        chosen: dict[str, Any] = {"headed": self.headed or settings.headed}
        if self.trace is not None:
            chosen["trace"] = self.trace
        if self.html is not None:
            chosen["keep_pictures"] = True
        return settings.model_copy(update=chosen)


def run_tests(asked: SuiteRequest) -> int:
    """Run flows as tests, tell what came of them, and return the exit code."""
    try:
        asked.check()
        flows, terms = asked.read_flows(), asked.make_terms()
    except SurehandError as error:
        write_error(error)
        return BAD_INPUT
    reports = open_reports(asked.html)
    keep_run = reports.keep_run if reports else None
    wish = SuiteWish(workers=asked.workers, retries=asked.retries, updates=asked.updates, keep_run=keep_run)
    screen = None if asked.as_json else SuiteScreen(sys.stdout, flows)
    runner = SuiteRunner(terms, wish, Workspaces(asked.workspace, asked.keeps_all), screen or SuiteWatcher())
    try:
        ended = asyncio.run(_run(runner, flows))
    finally:
        if screen:
            screen.close()
    written = write_results(ended, asked.junit, reports)
    if screen:
        screen.tell(list_summary(ended, written))
    else:
        write_json(describe_suite(ended))
    return choose_code(ended)


def open_reports(folder: Path | None) -> "HtmlReports | None":
    """Return what writes reports into a folder; it is imported only where one is wanted."""
    if folder is None:
        return None
    from agent.cli.suites.html_reports import HtmlReports

    return HtmlReports(folder)


def write_results(ended: EndedSuite, junit: Path | None, reports: "HtmlReports | None") -> list[Path]:
    """Write the files that were asked for, and return where they are; what can't be written is a note."""
    written: list[Path] = []
    if junit:
        try:
            write_junit(ended.result, junit)
            written.append(junit)
        except SurehandError as error:
            write_error(error)
    if reports:
        written += reports.end(ended.result)
        write_notes(reports.faults)
    return written


def choose_code(ended: EndedSuite) -> int:
    """Return the exit code of a suite."""
    if ended.was_stopped:
        return STOPPED
    outcomes = {flow.outcome for flow in ended.result.flows}
    if outcomes == {"error"}:  # nothing was executed
        return BAD_INPUT
    return SUCCEEDED if outcomes <= {"passed", "flaky"} else STEP_FAILED


def describe_suite(ended: EndedSuite) -> dict[str, Any]:
    """Return what came of a suite as data."""
    flows = [
        asdict(each.result)
        | {"workspace": str(each.workspace) if each.workspace else ""}
        | ({"updated": list(each.update.diff), "not_updated": each.update.kept_because} if each.update else {})
        for each in ended.flows
    ]
    return asdict(ended.result) | {"flows": flows, "counts": ended.result.count(), "stopped": ended.was_stopped}


async def _run(runner: SuiteRunner, flows: tuple[ReadFlow, ...]) -> EndedSuite:
    with stop_by_signals(runner.stop):
        return await runner.run(flows)
