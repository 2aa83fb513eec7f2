"""`surehand look`: the outline of a page or a window, each line of which can be pasted into a flow."""

import asyncio
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from agent.assembly import make_session
from agent.cli.asking import choose_settings
from agent.cli.exits import SUCCEEDED, choose_exit_code
from agent.cli.kept_outlines import check_place, stamp_outline, write_outline
from agent.cli.limits import PolicyOptions
from agent.cli.looks import LookWish, Showing
from agent.cli.outline_changes import is_folded, tell_changes
from agent.cli.screen.output import show, write_error, write_notes
from agent.cli.screen.prompts import TerminalGate
from agent.cli.screen.reports import is_at_terminal
from agent.cli.screen.stopping import carry_out
from agent.cli.telemetry import open_telemetry
from agent.remote.finding import require_running
from agent.remote.http_exchange import ServiceClient
from agent.remote.remote import RemoteService
from agent.requests.requests import Request
from agent.service.callers import Caller
from agent.sessions.session import AgentSession
from agent.store.private_files import write_whole
from core.addresses.urls import judge_address
from core.approvals.approvals import ApprovalGate, ClassGate
from core.base.budgets import Budget
from core.base.errors import ActionError
from core.base.phrases import split_lines
from core.goals.meta_goals import ROOT, Goal
from core.results.records import to_data
from core.results.tool_results import RunResult
from core.rules.approval_classes import ApprovalClass

_RESTING = Goal("browser", "wait", {"load_state": "networkidle", "timeout": 3})
"""Pages go on building themselves when they have loaded; one that never rests is looked at as it is then."""

_AFTER = "after:g{}"


def look_at(look: LookWish, showing: Showing) -> int:
    """Print the outline of a page or window, and return the exit code."""
    look.check()
    before = showing.check(look)
    if look.inside:
        return _look_inside(look, showing, before)
    settings = choose_settings(look.workspace, headed=look.headed)
    goals = list_goals(look, picture=showing.picture is not None, whole=before is not None)
    request = _make_request(look, goals)
    session = make_session(settings, look.workspace)
    session.observe(open_telemetry(settings, look.workspace))
    wants_whole = showing.output is not None and before is None
    result, whole = asyncio.run(carry_out(session, _look(session, request, look, wants_whole=wants_whole)))
    if code := _report(result):
        return code
    seen = _describe(result, look)
    kept = {**seen, **to_data(_get_output(whole))} if whole else seen
    return _tell(look, showing, seen, before, kept)


def _look_inside(look: LookWish, showing: Showing, before: Mapping[str, Any] | None) -> int:
    """Print the outline of the page that a session of the running service has open; return the exit code."""
    remote, caller = RemoteService(ServiceClient(require_running(look.workspace))), Caller()

    async def ask() -> tuple[Mapping[str, Any], Mapping[str, Any] | None]:
        params = look.list_params(picture=showing.picture is not None, whole=before is not None)
        seen = await remote.look(caller, look.inside, params)
        if showing.output is None or before is not None or not is_folded(seen):
            return seen, None
        return seen, await remote.look(caller, look.inside, look.list_params(picture=False, whole=True))

    output, whole = asyncio.run(ask())
    seen = stamp_outline({"looked_at": look.inside, **look.part, **output})
    return _tell(look, showing, seen, before, {**seen, **whole} if whole else seen)


def _tell(
    look: LookWish,
    showing: Showing,
    seen: dict[str, Any],
    before: Mapping[str, Any] | None,
    kept: Mapping[str, Any],
) -> int:
    try:
        _keep(showing, seen, kept)
    except OSError as error:
        raise ActionError(str(error), code="file_not_written") from error
    _show(look, showing, seen, before)
    return SUCCEEDED


def _make_request(look: LookWish, goals: tuple[Goal, ...]) -> Request:
    policy = PolicyOptions(look.hosts).read_policy()
    return Request(goals=goals, policy=policy, budget=Budget(look.timeout_s), gate=_make_gate(look))


def _make_gate(look: LookWish) -> ApprovalGate:
    """Return who answers: naming a session is the yes to load it; all else is asked as ever."""
    given: Sequence[ApprovalClass] = ("apply_diff",) if look.session else ()
    return TerminalGate(given) if is_at_terminal() else ClassGate(given)


async def _look(
    session: AgentSession, request: Request, look: LookWish, *, wants_whole: bool
) -> tuple[RunResult, RunResult | None]:
    """Return what came of the look, and of a second one that folds nothing, where that is wanted and the first folded."""
    result = await session.run(request)
    if _is_restless(result):
        done = [log for log in result.step_logs if log.result.status == "ok"]
        seen = await _look_again(session, look, request.goals or ())
        result = replace(seen, step_logs=(*done, *seen.step_logs))
    if not wants_whole or not is_folded(_get_output(result)):
        return result, None
    return result, await _look_again(session, look, list_goals(look, picture=False, whole=True))


def _is_restless(result: RunResult) -> bool:
    """Tell whether nothing went wrong but that the page never came to rest."""
    troubles = [log for log in result.step_logs if log.result.status not in {"ok", "skipped"}]
    return [log.name for log in troubles] == [_RESTING.name] and troubles[0].result.status == "failed"


async def _look_again(session: AgentSession, look: LookWish, goals: Sequence[Goal]) -> RunResult:
    """Return what comes of the last goal alone, at the page that is open by now."""
    return await session.run(_make_request(look, (replace(goals[-1], scope=ROOT),)))


def _get_output(result: RunResult) -> Mapping[str, Any]:
    """Return what the last step gave."""
    return result.step_logs[-1].result.output if result.step_logs else {}


def _report(result: RunResult) -> int:
    """Write to stderr why nothing could be seen; return the exit code."""
    for error in result.errors[:1]:  # the others follow from it
        write_error(error)
    for log in result.step_logs:
        if log.result.error and log.result.status != "skipped":
            write_error(log.result.error)
    write_notes(result.diagnostics)
    return choose_exit_code(result)


def _describe(result: RunResult, look: LookWish) -> dict[str, Any]:
    """Return what was seen as data."""
    output: dict[str, Any] = to_data(_get_output(result))
    if not look.what:
        return output
    known = {"url": None, "title": None}
    for log in result.step_logs:
        known.update({name: log.result.output[name] for name in known if name in log.result.output})
    where = known if look.address else {"window": look.what}
    return stamp_outline({"looked_at": look.what, **where, **look.part, **output})


def _keep(showing: Showing, seen: dict[str, Any], whole: Mapping[str, Any]) -> None:
    if showing.picture:
        with showing.picture.open("xb") as target, Path(seen["picture"]).open("rb") as source:
            shutil.copyfileobj(source, target)
        seen["picture"] = str(showing.picture)
    if showing.output:
        check_place(showing.output)
        write_whole(showing.output, write_outline(whole))


def _show(look: LookWish, showing: Showing, seen: dict[str, Any], before: Mapping[str, Any] | None) -> None:
    text = str(seen.get("text", ""))
    if before is not None:
        changes = asyncio.run(tell_changes(before["lines"], seen["lines"], look.budget))
        seen["changes"] = [{"text": line.text, "selector": line.selector} for line in changes.lines]
        text = changes.text
    show(seen, split_lines(text), as_json=showing.as_json)
    write_notes(_list_notes(look, seen, before))


def _list_notes(look: LookWish, seen: Mapping[str, Any], before: Mapping[str, Any] | None) -> Iterator[str]:
    """Yield what a person should know of it besides."""
    if not (look.what or look.inside):
        yield 'surehand look "TITLE" outlines a window, surehand look https://… a page.'
        return
    if (url := seen.get("url")) and look.address and _is_elsewhere(look.address, url):
        yield f"The page led to {url}"
    if before is None and is_folded(seen) and not look.full:
        yield "Parts are folded: --scope opens one, --find looks for words, --full shows all."
    if before is not None and is_folded(before):
        yield "The earlier outline is folded: what was in a fold then may be told as new. --output keeps all of it."
    if before is not None and url and before.get("url") and _is_elsewhere(str(before["url"]), url):
        yield f"The earlier outline is of {before['url']}"


def _is_elsewhere(asked: str, url: str) -> bool:
    """Tell whether a page is another one than was asked for: at another host, or another path there."""
    one, other = urlsplit(judge_address(asked).href), urlsplit(url)
    return (one.hostname, one.path.rstrip("/")) != (other.hostname, other.path.rstrip("/"))


def list_goals(look: LookWish, *, picture: bool, whole: bool) -> tuple[Goal, ...]:
    """Return the goals that come to the outline.

    Args:
        whole: Whether nothing is folded.
    """
    if not look.what:
        return (Goal("desktop", "list_windows"),)
    params = look.list_params(picture=picture, whole=whole)
    address = look.address
    if address is None:
        return (Goal("desktop", "snapshot", {"window": look.what, **params}),)
    goals = [Goal("browser", "load_session", {"path": look.find_session()})] if look.session else []
    goals += [Goal("browser", "navigate", {"url": address}), _RESTING, Goal("browser", "snapshot", params)]
    return tuple(replace(each, scope=_AFTER.format(n - 1) if n else each.scope) for n, each in enumerate(goals))
