"""`surehand flows mend`: shows what became of elements that a flow's last run missed, and changes the flow where a person accepts."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from actuators.failure_files import write_run_picture
from agent.assembly import make_session
from agent.cli.asking import Asked
from agent.cli.commands.run import carry_out, make_gate
from agent.cli.exits import BAD_INPUT, STEP_FAILED, SUCCEEDED, choose_exit_code
from agent.cli.mending.misses import FlowMiss, LastTry, find_last_try, locate_misses, read_misses
from agent.cli.mending.pages import write_page
from agent.cli.mending.words import describe_miss, list_lines
from agent.cli.screen.output import write_error, write_error_text, write_json, write_notes, write_result
from agent.cli.screen.progress import TerminalProgress
from agent.cli.screen.prompts import ask_line, is_yes
from agent.cli.screen.reports import is_at_terminal, report
from agent.requests.flow_mending import change_selector, check_flow, leave_done
from agent.requests.flows import Flow, load_flow
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.settings.folder_checks import locate_state
from agent.settings.settings import load_settings
from agent.store.flow_files import ARTIFACTS_FOLDER, RememberedFlows
from agent.store.private_files import write_whole
from agent.store.session_files import SessionFiles
from core.base.errors import FlowError, InputError, SurehandError
from core.base.phrases import escape_text
from core.results.tool_results import RunResult

PAGE = "mend.html"
_OWN_RIGHTS = 0o7777


Offer = Callable[[Sequence[FlowMiss]], Awaitable[bool]]
"""Shows misses to a person and tells whether all of them were mended."""


@dataclass(frozen=True, slots=True)
class MendWish:
    """How a flow is to be mended.

    Attributes:
        as_json: Whether what was missed is printed as data; then nobody is asked.
        runs: Whether the flow is run now, and not the kept run taken.
        page: Where the page goes; None for beside the run's pictures.
    """

    as_json: bool = False
    runs: bool = False
    page: Path | None = None
    approved: str = ""
    headed: bool = False


def mend_flow(asked: Asked, wish: MendWish) -> int:
    """Show each miss beside then and now, ask for each proposal, and write what was accepted; return the exit code.

    Args:
        asked: The flow, and for a run what it may touch.
    """
    try:
        flow = asked.flow_file
        if flow is None or not flow.is_file():
            raise InputError(f"“{asked.what}” is not the path of a flow file.", code="bad_usage")
        if wish.runs and wish.as_json:
            raise InputError("--run asks you, and --json asks nobody: choose one.", code="bad_usage")
        mender = _Mender(flow.resolve(), locate_state(asked.workspace), wish)
        return asyncio.run(_run(mender, asked, wish)) if wish.runs else asyncio.run(mender.mend_last())
    except (SurehandError, OSError, UnicodeDecodeError) as error:
        if isinstance(error, SurehandError):
            write_error(error)
        else:
            write_error_text(f"error: {error}\n")
        return BAD_INPUT


async def _run(mender: "_Mender", asked: Asked, wish: MendWish) -> int:
    result = await run_and_mend(asked, wish.approved, mender.offer, headed=wish.headed)
    return choose_exit_code(result)


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
        if not last.misses:
            self._tell_none(last)
            return SUCCEEDED if last.status == "success" else STEP_FAILED
        return SUCCEEDED if await self.offer(last.misses) else STEP_FAILED

    async def offer(self, misses: Sequence[FlowMiss]) -> bool:
        """Show misses and ask for each proposal; return whether all were mended.

        Nothing is changed where no person is at the terminal.
        """
        page = self._write_page(misses)
        is_asking = is_at_terminal() and not self._wish.as_json
        mended = 0
        for number, each in enumerate(misses, 1):
            write_result("".join(f"{line}\n" for line in list_lines(each, number, len(misses))))
            if number == 1:
                write_result(f"    pictures of then and now: {escape_text(str(page))}\n")
            if each.proposal and is_asking and is_yes(await ask_line("  Change the flow? [y/N]")):
                self._write(each)
                mended += 1
        left = len(misses) - mended
        if mended:
            write_result(f"{escape_text(str(self._flow))}: {mended} changed, {left} left as they were.\n")
        else:
            write_notes(
                [
                    "Nothing was changed."
                    if is_asking
                    else "Nothing was changed: only a person at a terminal can accept."
                ]
            )
        return not left

    def _write(self, each: FlowMiss) -> None:
        """Write the flow with one selector in the place of another."""
        content = self._flow.read_bytes()
        changed = change_selector(content, each.miss.place, each.miss.selector, each.proposal)
        check_flow(changed, self._flow.name)
        rights = self._flow.stat().st_mode & _OWN_RIGHTS
        if self._flow.read_bytes() != content:
            raise FlowError("The flow was changed by another program. Nothing was written.", hint="Try again.")
        write_whole(self._flow, changed)
        self._flow.chmod(rights)

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
        write_json({**told, "misses": list(map(describe_miss, last.misses)), "other_faults": list(last.other_faults)})

    def _tell_none(self, last: LastTry) -> None:
        if last.status == "success":
            write_result("Nothing to mend: the last run of this flow went well.\n")
            return
        write_result(
            f"Nothing to mend: no step of run {last.run_id} ({last.status}) missed an element that is remembered.\n"
        )
        write_notes(last.other_faults)


async def run_and_mend(asked: Asked, approved: str, offer: Offer, *, headed: bool = False) -> RunResult:
    """Run a flow; at a miss ask, and go on from there with what was accepted. Nothing that was done is done again.

    Args:
        asked: The flow and what it may touch.

    Returns:
        What came of the last part.
    """
    progress = TerminalProgress(sys.stdout)
    settings = load_settings(asked.workspace)
    settings = settings.model_copy(update={"headed": headed or settings.headed})
    request = asked.make_request("execute", make_gate(approved, progress if is_at_terminal() else None))
    session = make_session(settings, asked.workspace)
    try:
        return await carry_out(session, _mend_on(session, asked, request, progress, offer))
    finally:
        progress.close()


async def _mend_on(
    session: AgentSession, asked: Asked, request: Request, progress: TerminalProgress, offer: Offer
) -> RunResult:
    done: set[str] = set()
    while True:
        result = await session.run(request, progress.show)
        report(result, "normal")
        flow, path = request.flow, asked.flow_file
        misses = read_misses(result.run_id, result.step_logs)
        if not (flow and path and misses):
            return result
        done |= _find_done(flow, result)
        if not await offer(list(locate_misses(misses, _read(path)))):
            return result
        rest = leave_done(load_flow(path, asked.read_variables()), done)
        if rest is None:
            text = "What is left of the flow can't be done by itself; run the flow again.\n"
            sys.stderr.write(text)
            return result
        request = replace(request, flow=rest, run_id="")


def _find_done(flow: Flow, result: RunResult) -> set[str]:
    """Return where the goals stand of which every step was done."""
    open_ids = {log.goal_id for log in result.step_logs if log.result.status != "ok"}
    seen = {log.goal_id for log in result.step_logs}
    return {place for goal_id, place in flow.places_of_goals.items() if goal_id in seen - open_ids}


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8")
