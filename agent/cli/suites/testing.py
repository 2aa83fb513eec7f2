"""Carries out `surehand test`: reads what was asked, runs the flows, writes what came of them."""

import asyncio
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.cli.asking import check_workspace, choose_settings, read_approved, read_pairs
from agent.cli.exits import BAD_INPUT, STEP_FAILED, STOPPED, SUCCEEDED
from agent.cli.screen.output import write_error, write_json, write_notes
from agent.cli.screen.stopping import stop_by_signals
from agent.cli.suites.flow_files import ReadFlow, choose_flows, gather_flows, read_flows, read_shard
from agent.cli.suites.junit import write_junit
from agent.cli.suites.running import EndedSuite, KeepRun, SuiteRunner, SuiteTerms, SuiteWatcher
from agent.cli.suites.screens import SuiteScreen, list_summary
from agent.cli.suites.wishes import SuiteRequest
from agent.cli.suites.workspaces import Workspaces
from agent.cli.telemetry import open_telemetry
from core.base.budgets import Budget
from core.base.errors import InputError, SurehandError

if TYPE_CHECKING:
    from agent.cli.suites.html_reports import HtmlReports

_MOST_WORKERS = 64
_MOST_RETRIES = 10


def run_tests(asked: SuiteRequest) -> int:
    """Run flows as tests, tell what came of them, and return the exit code.

    Raises:
        InputError: If an option makes no sense, there are no flows, or the settings or a file of rules can't be understood.
    """
    _check(asked)
    gathered = gather_flows(asked.flows)
    files = choose_flows(gathered, asked.only)[read_shard(asked.shard)]
    flows = read_flows(files, read_pairs(asked.variables), gathered)
    reports = _open_reports(asked.html)
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


def _open_reports(folder: Path | None) -> "HtmlReports | None":
    """Return what writes reports into a folder; it is imported only where one is wanted."""
    if folder is None:
        return None
    from agent.cli.suites.html_reports import HtmlReports

    return HtmlReports(folder)


async def _run(runner: SuiteRunner, flows: tuple[ReadFlow, ...]) -> EndedSuite:
    with stop_by_signals(runner.stop):
        return await runner.run(flows)


def _write_results(ended: EndedSuite, junit: Path | None, reports: "HtmlReports | None") -> list[Path]:
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
