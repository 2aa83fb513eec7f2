"""`surehand flows`: flow files are checked, put in form and mended."""

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from actuators.failure_files import write_run_picture
from agent.assembly import make_session
from agent.cli.asking import Asked, choose_settings, read_approved
from agent.cli.declaring import command, make_group
from agent.cli.exits import BAD_INPUT, STEP_FAILED, SUCCEEDED, choose_exit_code
from agent.cli.flows.pages import write_page
from agent.cli.limits import Limits
from agent.cli.options import HERE, OUTPUT, AsJson, Headed, Option, Timeout, Vars, Workspace, Yes
from agent.cli.screen.output import is_at_terminal, report, show, write_error, write_json, write_lines, write_notes
from agent.cli.screen.progress import TerminalProgress
from agent.cli.screen.prompts import TerminalGate, ask_line, is_yes
from agent.cli.screen.stopping import carry_out
from agent.facts.flow_schema import describe_flow_schema
from agent.reports.misses import FlowMiss, LastTry, find_last_try, locate_misses, read_misses
from agent.requests.flow_mending import change_selector, check_flow, leave_done
from agent.requests.flows import Flow, collect_faults, load_flow
from agent.requests.requests import Request
from agent.requests.words.documents import read_text
from agent.requests.words.formatting import format_flow
from agent.sessions.session import AgentSession
from agent.settings.folder_checks import locate_state
from agent.settings.settings import load_settings
from agent.store.flow_files import ARTIFACTS_FOLDER, RememberedFlows
from agent.store.private_files import rewrite_file, write_whole
from agent.store.session_files import SessionFiles
from core.approvals.approvals import ClassGate
from core.base.errors import ErrorInfo, FlowError, InputError, SurehandError
from core.base.late_dataclasses import dataclass, field, replace
from core.results.records import to_data
from core.results.tool_results import RunResult

_OF_MACHINE = frozenset({"not_supported_here", "missing_secret"})
"""Codes of what a machine lacks, and no flow is at fault for."""

app = make_group(
    "Check, format and mend flow files, or get their schema for an editor.",
    "surehand flows check order.yaml",
    "surehand flows format order.yaml --check",
    "surehand flows mend order.yaml",
)

FlowFiles = Annotated[tuple[Path, ...], Option("FILES...", "Flow files, YAML or JSON.")]


@command(app, "schema", "surehand flows schema > flow.schema.json")
def show_schema() -> None:
    """Print the JSON Schema of flow files, with every word and every verb, for an editor."""
    write_json(describe_flow_schema())


@command(app, "check", "surehand flows check order.yaml", "surehand flows check *.yaml --json")
def check_flows(files: FlowFiles, as_json: AsJson = False, workspace: Workspace = HERE) -> int:
    """List every fault of flow files with file, line and column; nothing is done.

    The exit code is 2 if there is any. What only this machine lacks is no fault.
    """
    faults = [fault for file in files for fault in _find_faults(file, workspace)]
    lines = [line for each in faults for line in (f"{each.message} ({each.code})", each.hint and f"  {each.hint}")]
    count = f"{len(files)} {'flow' if len(files) == 1 else 'flows'}"
    told = f"{len(faults)} {'fault' if len(faults) == 1 else 'faults'}" if faults else "no faults"
    data = {"files": [str(file) for file in files], "faults": to_data(faults)}
    show(data, filter(None, (*lines, f"{count} checked: {told}.")), as_json=as_json)
    return BAD_INPUT if faults else SUCCEEDED


def _find_faults(file: Path, workspace: Path) -> list[ErrorInfo]:
    """Return every fault of a flow file: of its text, or else of its plan."""
    environment = dict(os.environ)
    if found := collect_faults(file, workspace=workspace, environment=environment):
        return found
    try:
        flow = load_flow(file, workspace=workspace, environment=environment)
        planned = make_session(load_settings(workspace), workspace).plan(Request(flow=flow, mode="plan"))
    except SurehandError as error:
        return [error.info()]
    return [error for error in planned.errors if error.code not in _OF_MACHINE]


@command(app, "format", "surehand flows format order.yaml", "surehand flows format order.yaml --check")
def format_flows(
    files: FlowFiles,
    dry: Annotated[bool, Option("--check", "Write nothing; exit with 1 if a file would change.")] = False,
) -> int:
    """Write flow files in their usual form: keys in order, one way of quoting. Comments and meaning stay."""
    changed = wrong = 0
    for file in files:
        try:
            before = read_text(file)
            after = format_flow(before, str(file))
        except FlowError as error:
            write_error(error)
            wrong += 1
            continue
        if after == before:
            continue
        changed += 1
        write_lines([f"{'Would change' if dry else 'Changed'} {file}"])
        if not dry:
            file.write_bytes(after.encode())
    same = len(files) - changed - wrong
    write_lines([f"{changed} {'would change' if dry else 'changed'}, {same} in form already."])
    if wrong:
        return BAD_INPUT
    return STEP_FAILED if dry and changed else SUCCEEDED


@dataclass(frozen=True, slots=True)
class MendWish:
    """Which flow is mended, and how; the page goes beside the run's pictures where it is None."""

    flow: Annotated[str, Option("FLOW", "The path of a flow file.")]
    runs: Annotated[bool, Option("--run", "Run the flow now, and go on past a miss with what you accept.")] = False
    page: Annotated[Path | None, Option("--page FILE", "Write the page with the pictures here.", OUTPUT)] = None
    as_json: AsJson = False
    variables: Vars = ()
    approved: Yes = ""
    workspace: Workspace = HERE
    limits: Limits = field(default_factory=Limits)
    timeout_s: Timeout = None
    headed: Headed = False

    @property
    def asked(self) -> Asked:
        """What a run of it may touch."""
        return Asked(self.flow, None, self.workspace, self.variables, self.limits, self.timeout_s)


PAGE = "mend.html"
_NOT_ALONE = "What is left of the flow can't be done by itself; run the flow again.\n"


@command(app, "mend", "surehand flows mend order.yaml", "surehand flows mend order.yaml --run")
def mend(wish: MendWish) -> int:
    """Mend a flow whose page has changed: see then and now, and accept each new selector.

    The last kept run of the flow is taken, so nothing is done to the page. Nothing is changed unless you say yes to it.
    """
    flow = wish.asked.flow_file
    if flow is None or not flow.is_file():
        raise InputError(f"“{wish.flow}” is not the path of a flow file.", code="bad_usage")
    if wish.runs and wish.as_json:
        raise InputError("--run asks you, and --json asks nobody: choose one.", code="bad_usage")
    mender = _Mender(flow.resolve(), locate_state(wish.workspace), wish)
    return asyncio.run(mender.run() if wish.runs else mender.mend_last())


class _Mender:
    """Shows the misses of one flow, and asks."""

    def __init__(self, flow: Path, state: Path, wish: MendWish) -> None:
        self._flow = flow
        self._state = state
        self._wish = wish

    async def mend_last(self) -> int:
        """Mend by the last run that is kept; return the exit code."""
        last = find_last_try(SessionFiles(self._state), self._flow)
        if self._wish.as_json:
            self._write_json(last)
            return STEP_FAILED if last.misses else SUCCEEDED
        if last.misses:
            return SUCCEEDED if await self._offer(last.misses) else STEP_FAILED
        if last.status == "success":
            write_lines(["Nothing to mend: the last run of this flow went well."])
            return SUCCEEDED
        ended = f"no step of run {last.run_id} ({last.status}) missed an element that is remembered"
        write_lines([f"Nothing to mend: {ended}."])
        write_notes(last.other_faults)
        return STEP_FAILED

    async def run(self) -> int:
        """Run the flow; at a miss ask, and go on from there with what was accepted; return the exit code.

        Nothing that was done is done again.
        """
        progress, workspace = TerminalProgress(sys.stdout), self._wish.workspace
        settings = choose_settings(workspace, headed=self._wish.headed)
        classes = read_approved(self._wish.approved)
        gate = TerminalGate(classes, progress.hold) if is_at_terminal() else ClassGate(classes)
        request = self._wish.asked.make_request("execute", gate)
        session = make_session(settings, workspace)
        try:
            result = await carry_out(session, self._mend_on(session, request, progress))
        finally:
            progress.close()
        return choose_exit_code(result)

    async def _mend_on(self, session: AgentSession, request: Request, progress: TerminalProgress) -> RunResult:
        """Return what came of the last part."""
        done: set[str] = set()
        while True:
            result = await session.run(request, progress.show)
            report(result, "normal")
            misses = list(read_misses(result.run_id, to_data(result.step_logs)))
            if not (request.flow and misses):
                return result
            done |= _find_done(request.flow, result)
            if not await self._offer(list(locate_misses(misses, self._flow))):
                return result
            rest = leave_done(load_flow(self._flow, self._wish.asked.read_variables()), done)
            if rest is None:
                sys.stderr.write(_NOT_ALONE)
                return result
            request = replace(request, flow=rest, run_id="")

    async def _offer(self, misses: Sequence[FlowMiss]) -> bool:
        """Show misses and ask for each proposal; return whether all were mended.

        Nothing is changed where no person is at the terminal.
        """
        page = self._write_page(misses)
        is_asking = is_at_terminal()
        mended = 0
        for number, each in enumerate(misses, 1):
            write_lines(each.list_lines(number, len(misses)))
            if number == 1:
                write_lines([f"    pictures of then and now: {page}"])
            if each.proposal and is_asking and is_yes(await ask_line("  Change the flow? [y/N]")):
                self._change(each)
                mended += 1
        left = len(misses) - mended
        if mended:
            write_lines([f"{self._flow}: {mended} changed, {left} left as they were."])
        else:
            write_notes([f"Nothing was changed{'' if is_asking else ': only a person at a terminal can accept'}."])
        return not left

    def _change(self, each: FlowMiss) -> None:
        """Write the flow with one selector in the place of another."""
        content = self._flow.read_bytes()
        changed = change_selector(content, each.miss.place, each.miss.selector, each.proposal)
        check_flow(changed, self._flow.name)
        if not rewrite_file(self._flow, content, changed):
            raise FlowError("The flow was changed by another program. Nothing was written.", hint="Try again.")

    def _write_page(self, misses: Sequence[FlowMiss]) -> Path:
        files, run_id = RememberedFlows(self._state), misses[0].run_id
        page = write_page(
            self._flow,
            misses,
            lambda name: files.find_picture(str(self._flow), name),
            lambda name: files.find_run_picture(run_id, name),
        ).encode("utf-8", "backslashreplace")
        if self._wish.page:
            write_whole(self._wish.page, page)
            return self._wish.page
        return write_run_picture(self._state / ARTIFACTS_FOLDER, run_id, PAGE, page)

    def _write_json(self, last: LastTry) -> None:
        page = str(self._write_page(last.misses)) if last.misses else ""
        told = {"flow": str(self._flow), "run_id": last.run_id, "status": last.status, "page": page}
        misses = [each.describe() for each in last.misses]
        write_json({**told, "misses": misses, "other_faults": list(last.other_faults)})


def _find_done(flow: Flow, result: RunResult) -> set[str]:
    """Return where the goals stand of which every step was done."""
    open_ids = {log.goal_id for log in result.step_logs if log.result.status != "ok"}
    seen = {log.goal_id for log in result.step_logs}
    return {place for goal_id, place in flow.places_of_goals.items() if goal_id in seen - open_ids}
