"""Carries out `surehand test`: reads what was asked, runs the flows, writes what came of them."""

import asyncio
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

from agent.cli.asking import read_approved, read_pairs
from agent.cli.exits import BAD_INPUT, STEP_FAILED, STOPPED, SUCCEEDED
from agent.cli.limits import PolicyOptions
from agent.cli.screen.output import write_error, write_json, write_notes
from agent.cli.screen.stopping import stop_by_signals
from agent.cli.suites.endings import EndedSuite
from agent.cli.suites.flow_files import choose_flows, gather_flows
from agent.cli.suites.html_reports import HtmlReports
from agent.cli.suites.junit import write_junit
from agent.cli.suites.progress import SilentSuite, SuiteScreen
from agent.cli.suites.reading import ReadFlow, read_flows
from agent.cli.suites.running import MOST_RETRIES, MOST_WORKERS, SuiteRunner, SuiteWish
from agent.cli.suites.shards import read_shard
from agent.cli.suites.summary import list_summary
from agent.cli.suites.trials import TrialTerms
from agent.cli.suites.workspaces import Workspaces
from agent.cli.telemetry import open_telemetry
from agent.reports.results import to_record
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings, TraceWish, load_settings
from core.base.budgets import Budget
from core.base.errors import InputError, SurehandError, UnsupportedError


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
        if not 1 <= self.workers <= MOST_WORKERS:
            raise InputError(f"-n takes 1 to {MOST_WORKERS}, not {self.workers}.", code="bad_usage")
        if not 0 <= self.retries <= MOST_RETRIES:
            raise InputError(f"--retries takes 0 to {MOST_RETRIES}, not {self.retries}.", code="bad_usage")
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
        files = read_shard(self.shard).choose(choose_flows(flows, self.only))
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
            prepare=partial(_observe, settings),
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
        reports = find_reports(asked.html) if asked.html else None
    except SurehandError as error:
        write_error(error)
        return BAD_INPUT
    wish = SuiteWish(workers=asked.workers, retries=asked.retries, updates=asked.updates, reports=reports)
    screen = SilentSuite() if asked.as_json else SuiteScreen(sys.stdout, flows)
    try:
        ended = asyncio.run(_run(SuiteRunner(terms, wish, Workspaces(asked.workspace, asked.keeps_all), screen), flows))
    finally:
        screen.close()
    written = write_results(ended, asked, reports)
    if asked.as_json:
        write_json(describe_suite(ended))
    else:
        screen.tell(list_summary(ended, written))
    return choose_code(ended)


def write_results(ended: EndedSuite, asked: SuiteRequest, reports: HtmlReports | None) -> tuple[Path, ...]:
    """Write the files that were asked for, and return where they are; what can't be written is a note.

    Args:
        reports: Writes reports for a browser; None where none is wanted.
    """
    written: list[Path] = []
    if asked.junit:
        try:
            write_junit(ended.result, asked.junit)
            written.append(asked.junit)
        except SurehandError as error:
            write_error(error)
    if reports:
        written += filter(None, [reports.end(ended.result)])
        write_notes(reports.faults)
    return tuple(written)


def choose_code(ended: EndedSuite) -> int:
    """Return the exit code of a suite."""
    if ended.was_stopped:
        return STOPPED
    outcomes = {flow.outcome for flow in ended.result.flows}
    if outcomes == {"error"}:  # nothing was executed
        return BAD_INPUT
    return SUCCEEDED if outcomes <= {"passed", "flaky"} else STEP_FAILED


def describe_suite(ended: EndedSuite) -> Mapping[str, Any]:
    """Return what came of a suite as data."""
    record = to_record(ended.result)
    pairs = zip(record["flows"], ended.flows, strict=True)
    flows = [
        flow
        | {"workspace": str(each.workspace) if each.workspace else ""}
        | ({"updated": list(each.update.diff), "not_updated": each.update.kept_because} if each.update else {})
        for flow, each in pairs
    ]
    return record | {"flows": flows, "counts": ended.result.count(), "stopped": ended.was_stopped}


def find_reports(folder: Path) -> HtmlReports:
    """Return what writes reports into a folder.

    Raises:
        UnsupportedError: If this installation can't write any.
    """
    try:
        run, suite = (import_module(f"agent.reports.{name}_report") for name in ("run", "suite"))
    except ModuleNotFoundError as error:
        raise UnsupportedError(f"Reports can't be written: {error.name} is not installed.") from None
    return HtmlReports(folder, run.write_run_report, suite.write_suite_report)


async def _run(runner: SuiteRunner, flows: tuple[ReadFlow, ...]) -> EndedSuite:
    with stop_by_signals(runner.stop):
        return await runner.run(flows)


def _observe(settings: Settings, session: AgentSession, workspace: Path) -> None:
    session.observe(open_telemetry(settings, workspace))
