"""Carries out `surehand test`: reads what was asked, runs the flows, writes what came of them."""

import asyncio
import sys
from dataclasses import asdict, field
from pathlib import Path
from typing import Annotated, Any

from agent.cli.asking import check_workspace, choose_settings, read_approved, read_pairs
from agent.cli.declaring import command, make_group
from agent.cli.exits import BAD_INPUT, STEP_FAILED, STOPPED, SUCCEEDED
from agent.cli.limits import Limits
from agent.cli.options import (
    CHOOSING,
    DOING,
    LIMITS,
    OUTPUT,
    RUNNING,
    TASK,
    AsJson,
    Headed,
    Option,
    Texts,
    Timeout,
    Trace,
    Yes,
)
from agent.cli.screen.output import write_error, write_json, write_notes
from agent.cli.screen.stopping import stop_by_signals
from agent.cli.suites.junit import write_junit
from agent.cli.suites.screens import SuiteScreen, list_summary
from agent.cli.telemetry import open_telemetry
from agent.reports.results import SuiteResult
from agent.settings.folder_checks import locate_state
from agent.store.session_files import KeptRun
from agent.suites.flow_files import ReadFlow, choose_flows, gather_flows, read_flows, read_shard
from agent.suites.running import EndedSuite, KeepRun, SuiteRunner, SuiteTerms, SuiteWatcher, Workspaces
from core.base.budgets import Budget
from core.base.errors import InputError, SurehandError
from core.base.late_dataclasses import dataclass

_MOST_WORKERS = 64
_MOST_RETRIES = 10


app = make_group()


_FLOWS = Option("FLOWS...", "Flow files, folders (all *.flow.yaml, .yml and .json in them) and globs.", TASK)
_ONLY = Option("--only -k PART", "Run only flows whose path has this in it. Repeatable.", CHOOSING)
_SHARD = Option("--shard I/N", "Run the I-th of N parts; every flow is in exactly one.", CHOOSING)
_VARS = Option("--var NAME=VALUE", "Set a variable of all flows that declare it. Repeatable.", TASK)
_WORKERS = Option("--workers -n N", "Run so many flows at once: 1 to 64.", RUNNING)
_RETRIES = Option("--retries N", "Run a flow that failed again, at most N times: 0 to 10.", RUNNING)
_UPDATE = Option(
    "--update", "Update texts, values and titles that flows expect, where a flow passes with them.", RUNNING
)
_FOLDER = Option("--workspace DIR", "Run all flows in this folder; where absent, each in a new one of its own.", LIMITS)
_JUNIT = Option("--junit FILE", "Write JUnit XML, for CI systems.", OUTPUT)
_HTML = Option("--html DIR", "Write reports for a browser, with pictures of every step.", OUTPUT)
_KEEP = Option("--keep", "Keep the folders of flows that passed, too.", OUTPUT)


@dataclass(frozen=True, slots=True)
class SuiteRequest:
    """Which flows are run, and how; None leaves it to the settings, or to nowhere."""

    flows: Annotated[Texts, _FLOWS]
    only: Annotated[Texts, _ONLY] = ()
    shard: Annotated[str, _SHARD] = ""
    variables: Annotated[Texts, _VARS] = ()
    workers: Annotated[int, _WORKERS] = 1
    retries: Annotated[int, _RETRIES] = 0
    updates: Annotated[bool, _UPDATE] = False
    approved: Yes = ""
    workspace: Annotated[Path | None, _FOLDER] = None
    limits: Limits = field(default_factory=Limits)
    timeout_s: Timeout = None
    headed: Headed = False
    trace: Trace = None
    junit: Annotated[Path | None, _JUNIT] = None
    html: Annotated[Path | None, _HTML] = None
    keeps_all: Annotated[bool, _KEEP] = False
    as_json: AsJson = False


@command(
    app,
    "test",
    "surehand test flows/",
    "surehand test flows/ -n 4 --retries 1 --junit results.xml --html report",
    "surehand test 'flows/**/*.yaml' -k checkout --shard 2/5 --var site=http://127.0.0.1:8123",
    panel=DOING,
)
def run_tests(asked: SuiteRequest) -> int:
    """Run flows as tests: each in a session and a folder of its own.

    Nobody is asked anything: what needs an approval that --yes doesn't give fails.
    """
    _check(asked)
    gathered = gather_flows(asked.flows)
    files = choose_flows(gathered, asked.only)[read_shard(asked.shard)]
    flows = read_flows(files, read_pairs(asked.variables), gathered)
    reports = _HtmlReports(asked.html) if asked.html else None
    terms = _make_terms(asked, reports.keep_run if reports else None)
    screen = None if asked.as_json else SuiteScreen(sys.stdout, flows)
    runner = SuiteRunner(terms, Workspaces(asked.workspace, asked.keeps_all), screen or SuiteWatcher())
    try:
        ended = asyncio.run(_run(runner, flows))
    finally:
        if screen:
            screen.close()
    written = _write_results(ended, asked.junit, reports)
    if screen:
        screen.tell(list_summary(ended, written))
    else:
        write_json(_describe(ended))
    return _choose_code(ended)


def _check(asked: SuiteRequest) -> None:
    for name, given, least, most in (
        ("-n", asked.workers, 1, _MOST_WORKERS),
        ("--retries", asked.retries, 0, _MOST_RETRIES),
    ):
        if not least <= given <= most:
            raise InputError(f"{name} takes {least} to {most}, not {given}.", code="bad_usage")
    if asked.updates and asked.retries:
        raise InputError("Choose one of --update and --retries.", code="bad_usage")
    if asked.timeout_s is not None and not asked.timeout_s > 0:
        raise InputError("--timeout must be above 0 seconds.", code="bad_usage")
    if asked.workspace is not None:
        check_workspace(asked.workspace)


def _make_terms(asked: SuiteRequest, keep_run: KeepRun | None) -> SuiteTerms:
    settings = choose_settings(
        asked.workspace or Path(), headed=asked.headed, keep_pictures=asked.html is not None, trace=asked.trace
    )
    return SuiteTerms(
        settings=settings,
        policy=asked.limits.read_policy(),
        budget=Budget(asked.timeout_s),
        approved=read_approved(asked.approved),
        prepare=lambda session, workspace: session.observe(open_telemetry(settings, workspace)),
        workers=asked.workers,
        retries=asked.retries,
        updates=asked.updates,
        keep_run=keep_run,
    )


async def _run(runner: SuiteRunner, flows: tuple[ReadFlow, ...]) -> EndedSuite:
    with stop_by_signals(runner.stop):
        return await runner.run(flows)


def _write_results(ended: EndedSuite, junit: Path | None, reports: "_HtmlReports | None") -> list[Path]:
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


def _choose_code(ended: EndedSuite) -> int:
    if ended.was_stopped:
        return STOPPED
    outcomes = {flow.outcome for flow in ended.result.flows}
    if outcomes == {"error"}:  # nothing was executed
        return BAD_INPUT
    return SUCCEEDED if outcomes <= {"passed", "flaky"} else STEP_FAILED


def _describe(ended: EndedSuite) -> dict[str, Any]:
    """Return what came of a suite as data."""
    flows = [
        asdict(each.result)
        | {"workspace": str(each.workspace) if each.workspace else ""}
        | ({"updated": list(each.update.diff), "not_updated": each.update.kept_because} if each.update else {})
        for each in ended.flows
    ]
    return asdict(ended.result) | {"flows": flows, "counts": ended.result.count(), "stopped": ended.was_stopped}


_SUITE_FILE = "index.html"


@dataclass(slots=True)
class _HtmlReports:
    """Writes reports into a folder, which is made with the first.

    Attributes:
        faults: What could not be written, and why.
    """

    folder: Path
    faults: list[str] = field(default_factory=list[str])
    _states: dict[str, Path] = field(default_factory=dict[str, Path])

    def keep_run(self, run: KeptRun, workspace: Path, flow: ReadFlow) -> None:
        """Write the report of a run, as long as its pictures are there."""
        from agent.reports.run_report import write_run_report

        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            state = locate_state(workspace)
            write_run_report(run, state, self.folder / f"{run.run_id}.html", flow.list_lines())
            self._states[run.run_id] = state
        except (SurehandError, OSError) as error:
            self.faults.append(f"The report of {flow.file.name} was not written: {error}")

    def end(self, suite: SuiteResult) -> list[Path]:
        """Write the report of the suite, and return where it is; nothing where it could not be written."""
        from agent.reports.suite_report import write_suite_report

        path = self.folder / _SUITE_FILE
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_suite_report(suite, path, self._states)
        except (SurehandError, OSError) as error:
            self.faults.append(f"The report of the tests was not written: {error}")
            return []
        return [path]
