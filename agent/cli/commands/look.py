"""`surehand look`: the outline of a page or a window, each line of which can be pasted into a flow."""

import asyncio
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from agent.assembly import make_session
from agent.cli.asking import check_new_file, check_timeout, check_workspace, choose_settings, find_address
from agent.cli.declaring import command, make_group
from agent.cli.exits import SUCCEEDED, choose_exit_code
from agent.cli.kept_outlines import (
    check_place,
    check_same_look,
    is_folded,
    read_outline,
    stamp_outline,
    tell_changes,
    write_outline,
)
from agent.cli.limits import PolicyOptions
from agent.cli.options import HERE, LOOK, OUTPUT, SEEING, AsJson, Headed, Hosts, Option, Place, Timeout, Workspace
from agent.cli.screen.output import is_at_terminal, show, write_error, write_notes
from agent.cli.screen.prompts import TerminalGate
from agent.cli.screen.stopping import carry_out
from agent.cli.telemetry import open_telemetry
from agent.remote.http_exchange import ServiceClient
from agent.remote.remote import RemoteService
from agent.remote.service_file import require_running
from agent.requests.requests import Request
from agent.service.callers import Caller
from agent.sessions.session import AgentSession
from agent.store.private_files import write_whole
from core.addresses.urls import judge_address
from core.approvals.approvals import ApprovalGate, ClassGate
from core.base.budgets import Budget
from core.base.errors import ActionError, InputError
from core.base.late_dataclasses import dataclass, replace
from core.base.phrases import split_lines
from core.goals.meta_goals import ROOT, Goal
from core.results.records import to_data
from core.results.tool_results import RunResult
from core.rules.approval_classes import ApprovalClass

_RESTING = Goal("browser", "wait", {"load_state": "networkidle", "timeout": 3})
"""Pages go on building themselves when they have loaded; one that never rests is looked at as it is then."""

_AFTER = "after:g{}"
WHOLE = 200_000
"""The largest budget of an outline, in tokens."""

USUAL = 2000
"""The budget of what has changed, where none is given."""

_ENDING = ".json"


app = make_group()


@dataclass(frozen=True, slots=True)
class LookWish:
    """What to look at, and how.

    Attributes:
        what: An address, or the title of a window; empty to list the windows.
        session: Name or path of a saved session.
        max_tokens: Most tokens; None for the usual budget.
        inside: Name of a session of the running service, whose page is looked at as it is; empty for none.
    """

    what: Place = ""
    workspace: Workspace = HERE
    session: Annotated[
        str,
        Option(
            "--session NAME",
            "Load a saved session first, so that you are signed in: its file, or its name without .json.",
            LOOK,
        ),
    ] = ""
    inside: Annotated[
        str,
        Option(
            "--in NAME", 'Look at the page that this session of the running service has open, such as "main".', LOOK
        ),
    ] = ""
    scope: Annotated[str | None, Option("--scope SELECTOR", "Outline this part only: paste it from a fold.", LOOK)] = (
        None
    )
    depth: Annotated[int | None, Option("--depth N", "Go down so many levels.", LOOK)] = None
    find: Annotated[str | None, Option("--find WORDS", "Show the lines nearest to these words.", LOOK)] = None
    max_tokens: Annotated[
        int | None, Option("--max-tokens N", "Fold until it has at most so many tokens: 2000.", LOOK)
    ] = None
    full: Annotated[bool, Option("--full", "Fold nothing, however long it is.", LOOK)] = False
    hosts: Hosts = ()
    timeout_s: Timeout = None
    headed: Headed = False

    @property
    def address(self) -> str | None:
        """The address that is named; None where a window is."""
        return find_address(self.what)

    @property
    def budget(self) -> int:
        """Most tokens of what is shown."""
        return WHOLE if self.full else self.max_tokens or USUAL

    @property
    def part(self) -> dict[str, Any]:
        """Which part of it is looked at."""
        return {"scope": self.scope, "depth": self.depth, "find": self.find}

    def list_params(self, *, picture: bool, whole: bool) -> dict[str, Any]:
        """Return the params of the look itself."""
        params = {name: value for name, value in self.part.items() if value is not None}
        if whole or self.full or self.max_tokens is not None:
            params["max_tokens"] = WHOLE if whole or self.full else self.max_tokens
        return params | ({"picture": True} if picture else {})

    def check(self) -> None:
        """Check what no step would."""
        check_workspace(self.workspace)
        check_timeout(self.timeout_s)
        if self.full and self.max_tokens is not None:
            raise InputError("Choose one of --full and --max-tokens.", code="bad_usage")
        if self.inside and (self.what or self.session):
            raise InputError("--in looks at the page that is open; name no other.", code="bad_usage")
        if self.session and (not self.what or self.address is None):
            raise InputError("--session is for pages, but this is not an address.", code="bad_usage")

    def find_session(self) -> str:
        """Return the path of the saved session: as it was named, or with ``.json`` behind it."""
        for name in (self.session, f"{self.session}{_ENDING}"):
            if (self.workspace / Path(name).expanduser()).is_file():
                return name
        raise InputError(
            f"No saved session “{self.session}” in this workspace.",
            code="file_missing",
            hint="Save one at the end of a flow that signs in: browser.save_session: {path: NAME.json}.",
        )


@dataclass(frozen=True, slots=True)
class Showing:
    """Where what was seen goes."""

    as_json: AsJson = False
    since: Annotated[
        Path | None,
        Option("--since FILE", "Show only what was added, has changed or is gone since this outline.", LOOK),
    ] = None
    picture: Annotated[
        Path | None, Option("--picture FILE", "Write a screenshot with the numbers of the lines on it (PNG).", OUTPUT)
    ] = None
    output: Annotated[
        Path | None, Option("--output FILE", "Keep the outline as JSON, all of it, for --since.", OUTPUT)
    ] = None

    def check(self, look: LookWish) -> Mapping[str, Any] | None:
        """Check the files, and return the outline to compare with."""
        if not (look.what or look.inside) and (self.since or self.picture or self.output):
            raise InputError("Name a page or a window to look at.", code="bad_usage")
        if self.picture and self.since:
            raise InputError("Choose one of --picture and --since.", code="bad_usage")
        if self.picture:
            check_new_file(self.picture)
        if self.output:
            check_place(self.output)
        if self.since is None:
            return None
        before = read_outline(self.since)
        check_same_look(before, look.part, self.since)
        return before


@command(
    app,
    "look",
    "surehand look 127.0.0.1:8123/shop/",
    "surehand look https://shop.example/orders --session shop --find 'cancel order'",
    "surehand look Mousepad --picture editor.png",
    panel=SEEING,
)
def look_at(look: LookWish, showing: Showing) -> int:
    """Outline a page or a window; each line names something as flows do.

    Without a name, the open windows are listed.
    """
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
    """Return the goals that come to the outline."""
    if not look.what:
        return (Goal("desktop", "list_windows"),)
    params = look.list_params(picture=picture, whole=whole)
    address = look.address
    if address is None:
        return (Goal("desktop", "snapshot", {"window": look.what, **params}),)
    goals = [Goal("browser", "load_session", {"path": look.find_session()})] if look.session else []
    goals += [Goal("browser", "navigate", {"url": address}), _RESTING, Goal("browser", "snapshot", params)]
    return tuple(replace(each, scope=_AFTER.format(n - 1) if n else each.scope) for n, each in enumerate(goals))
