"""What is done around a step on a session's pages and is no part of its time.

A person who has them, their opening and their rest, and what pages say and miss meanwhile, for people who read a report.
"""

import asyncio
import itertools
import json
import math
import time
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Literal

from playwright.async_api import BrowserContext, ConsoleMessage, Page, Request, Response
from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.engine.scripts import RECEIPT_MARK, SETTLING_MS
from actuators.browser.playwright.finding.causes import answer_or, explain_trouble, read_failure
from actuators.browser.playwright.finding.failure_snapshots import cut_redacted, keep_picture
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import await_settled
from actuators.browser.playwright.session.browser_session import PlaywrightSession, make_gone_error
from actuators.browser.playwright.session.loading import loads_of
from actuators.browser.playwright.session.resting import PageRest
from actuators.browser.playwright.session.sharing import is_alive
from actuators.deadlines import Deadline, allow_s, finish_within, pause
from actuators.failure_files import PAGES_FILE, read_page_logs, write_run_picture
from core.base.errors import ActionError, RefusedError, SurehandError, UnknownOutcomeError
from core.goals.secret_values import Vault
from core.results.attendance import FAILED, INCOMPLETE, SAID, UNSENT
from core.tools.ports import ActionContext

PAGE_LOG = "page_log"
"""Key of that file in a step's evidence: its path."""

LONGEST_LINE = 500
MOST_OF_A_STEP = 50
"""Lines of each kind that are kept of one step; how many more there were is told."""

_MOST_STEPS = 2000
_MOST_WAITING = 2000
_LOWEST_FAULT = 400

LineKind = Literal["console", "errors", "requests"]


@dataclass(frozen=True, slots=True)
class _PageLine:
    number: int
    kind: LineKind
    lane: str
    told: dict[str, Any]


class PageLogs:
    """Collects what the pages of a session say, and gives each step what came since the one before it on its lane."""

    def __init__(self, session: PlaywrightSession) -> None:
        """Listen to all contexts that this session opens from now on."""
        self._session = session
        self._lines: deque[_PageLine] = deque(maxlen=_MOST_WAITING)
        self._numbers = itertools.count(1)
        self._told: dict[str, int] = {}
        self._runs: dict[str, dict[str, Any]] = {}
        self._writing = asyncio.Lock()
        session.listener.openers.append(self._listen)

    async def keep(self, context: ActionContext) -> str:
        """Write down what the pages of a step's lane said and missed until now; return the file, empty where it couldn't be written."""
        folder, file = self._session.settings.artifacts_dir, ""
        tab = self._session.tabs.current(context.lane)
        told = ({} if tab is None else {"url": cut_redacted(tab.page.url, context.vault, LONGEST_LINE)}) | self._take(
            context
        )
        async with self._writing:
            if context.run_id not in self._runs:  # what is known of an earlier run is complete
                self._runs = {context.run_id: await asyncio.to_thread(read_page_logs, folder / context.run_id)}
            steps = self._runs[context.run_id]
            if len(steps) < _MOST_STEPS:
                steps[context.action_id] = told
            content = json.dumps({"version": 1, "steps": steps}, ensure_ascii=False).encode("utf-8", "replace")
            with suppress(OSError):
                file = str(await asyncio.to_thread(write_run_picture, folder, context.run_id, PAGES_FILE, content))
        return file

    def _take(self, context: ActionContext) -> dict[str, Any]:
        mark, self._told[context.lane] = self._told.get(context.lane, 0), next(self._numbers)
        found: dict[str, list[dict[str, Any]]] = {}
        for line in self._lines:
            if line.number > mark and line.lane == context.lane:
                found.setdefault(line.kind, []).append(line.told)
        kept: dict[str, Any] = {
            kind: [_clean(each, context.vault) for each in told[-MOST_OF_A_STEP:]] for kind, told in found.items()
        }
        more = {kind: len(told) - MOST_OF_A_STEP for kind, told in found.items() if len(told) > MOST_OF_A_STEP}
        return kept | ({"more": more} if more else {})

    def _listen(self, context: BrowserContext) -> None:
        context.on("console", self._on_console)
        context.on("weberror", lambda error: self._add("errors", error.page, {"text": error.error.message}))
        context.on("response", self._on_response)
        context.on("requestfailed", lambda request: self._add_request(request, request.failure or "failed"))

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.text.startswith(RECEIPT_MARK):  # our own script's word of what it received
            return
        self._add("console", message.page, {"kind": message.type, "text": message.text})

    def _on_response(self, response: Response) -> None:
        if response.status >= _LOWEST_FAULT:
            self._add_request(response.request, str(response.status))

    def _add_request(self, request: Request, outcome: str) -> None:
        with suppress(PlaywrightError):  # its frame is gone, or it is of a worker
            told = {"method": request.method, "url": request.url, "outcome": outcome, "type": request.resource_type}
            self._add("requests", request.frame.page, told)

    def _add(self, kind: LineKind, page: Page | None, told: dict[str, Any]) -> None:
        if page is not None:
            lane = self._session.tabs.lane_of(page)
            self._lines.append(_PageLine(next(self._numbers), kind, lane, told))


def _clean(told: dict[str, Any], vault: Vault) -> dict[str, Any]:
    return {name: cut_redacted(str(value), vault, LONGEST_LINE) for name, value in told.items()}


PICTURES = "pictures"
"""Key of the pictures before and after a step, in its evidence: paths, empty where there is none."""

ASKING_MS = 300.0
LEAVING_S = 1.0
AGAIN_S = 0.003
OPENING_S = 60.0
"""Seconds that a page has to open beforehand; after that the step tries it in its own time, and says what is wrong."""


class SessionAttendance:
    """Waits for persons, and for the session's turn to open a page: of many that begin together, each has its whole time to act."""

    def __init__(self, session: PlaywrightSession) -> None:
        self._session = session
        self._rest = PageRest(session.tabs)
        self._logs = PageLogs(session) if session.settings.page_logs else None

    @asynccontextmanager
    async def attend(
        self, context: ActionContext, *, acts: bool, opens: bool, enters: bool
    ) -> AsyncGenerator[dict[str, Any]]:
        """Carry a step out in its turn, in which a page may be opened; yields notes for its evidence."""
        async with self._session.takeover.take_turn(context, acts=acts) as notes:
            self._rest.interrupt()
            if tab := self._session.tabs.current(context.lane):
                loads_of(tab.page).begin_step()
            try:
                await self._open_ahead(context, opens=opens)
                await self._show(notes, context, "before", acts=acts)
                begun_s = time.monotonic()
                yield notes
                if acts:
                    is_last = not opens and not any(each.startswith("browser.") for each in context.followers)
                    await self._let_leave(context, begun_s, wholly=is_last)
                await self._show(notes, context, "after", acts=acts or self._logs is not None)
                notes.update(await self._tell_unsent(context) if enters else {})
                notes.update(self._tell_failed(context) if acts else await self._tell_incomplete(context))
            except PlaywrightError as error:  # no verb expected it; its own words may hold what was typed
                raise (await self._explain(error, context)).after_act() from None
            except SurehandError as error:
                await self._check_answering(error)
                notes.update(self._tell_failed(context) | await self._tell_incomplete(context))
                raise
            finally:
                self._rest.await_rest()
                if self._logs and context.run_id:
                    notes[PAGE_LOG] = await self._logs.keep(context)

    async def _open_ahead(self, context: ActionContext, *, opens: bool) -> None:
        if opens and self._session.tabs.current(context.lane) is None:
            with suppress(TimeoutError):
                await finish_within(self._session.prepare_page(), OPENING_S)

    async def _let_leave(self, context: ActionContext, begun_s: float, *, wholly: bool) -> None:
        """Wait until what an act sends has left: once it is told, the page may be closed, and the wall may end with this process.

        Args:
            wholly: Whether nothing follows on the pages, so that it holds for all that it leads to and not only for what it sent at once.
        """
        wall, limit = self._session.wall, Deadline(allow_s(LEAVING_S))
        tab = self._session.tabs.current(context.lane)
        if tab is None or tab.crashed or not wall.stands or self._session.dialogs.held(context.lane):
            return
        if wholly:
            await await_settled(tab.page, SETTLING_MS / 1000)
        while not limit.is_over and not all(
            wall.has_sent(url, begun_s) for url in loads_of(tab.page).list_unanswered(begun_s)
        ):
            await pause(AGAIN_S)

    async def _explain(self, error: PlaywrightError, context: ActionContext) -> ActionError:
        failure = read_failure(error.message)
        tab = self._session.tabs.current(context.lane)
        if failure.cause != "closed" and tab:
            return explain_trouble(error, tab.page)
        if not await self._is_answering():
            return make_gone_error()
        return ActionError("The page closed while it was used.", code="page_closed", hint="Open the page again.")

    async def _check_answering(self, error: SurehandError) -> None:
        """Blame nothing on a page whose browser stands still."""
        if isinstance(error, UnknownOutcomeError | RefusedError):
            return
        try:
            await self._is_answering()
        except ActionError as frozen:
            frozen.acted = error.acted
            raise frozen from error

    async def _is_answering(self) -> bool:
        browser = self._session.browser
        return bool(browser and await is_alive(browser))

    async def _show(
        self, notes: dict[str, Any], context: ActionContext, when: Literal["before", "after"], *, acts: bool
    ) -> None:
        if acts and self._session.settings.act_pictures and context.run_id:
            path = await keep_picture(self._session, context, when)
            notes.setdefault(PICTURES, {})[when] = path

    async def _tell_unsent(self, context: ActionContext) -> dict[str, Any]:
        tab = self._session.tabs.current(context.lane)
        told: dict[str, Any] = await answer_or(probe(tab.page, "unsent", ASKING_MS), {}) if tab else {}
        return {UNSENT: told["button"]} if told.get("button") else {}

    def _tell_failed(self, context: ActionContext) -> dict[str, Any]:
        """Return what the latest act asked for and was refused; empty where nothing was."""
        tab = self._session.tabs.current(context.lane)
        loads = loads_of(tab.page) if tab else None
        return {FAILED: loads.failed} | ({SAID: loads.said} if loads.said else {}) if loads and loads.failed else {}

    async def _tell_incomplete(self, context: ActionContext) -> dict[str, Any]:
        """Return what policy has kept from the document that the lane's page shows; empty where nothing was."""
        tab = self._session.tabs.current(context.lane)
        log = self._session.log.entries
        if tab is None or not any(entry.kind == "blocked" and entry.page is tab.page for entry in log):
            return {}
        told: dict[str, Any] = await answer_or(probe(tab.page, "idle", ASKING_MS, within_ms=0, wholly=False), {})
        born_ms: float = told.get("born_ms", math.inf)
        stopped = [
            each.detail for each in log if each.page is tab.page and each.kind == "blocked" and each.at_ms >= born_ms
        ]
        hosts = list(dict.fromkeys(str(each["host"]) for each in stopped))
        return {INCOMPLETE: {"stopped": len(stopped), "hosts": hosts}} if stopped else {}
