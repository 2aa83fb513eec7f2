"""What pages say and miss while a step goes on: console lines, errors that nobody caught, and requests that failed; for people who read a report.

All of it is written to ``pages.json`` beside the run's pictures, by action. Nothing here is made, and no event is asked of
the browser, unless a run is to be kept like this.
"""

import asyncio
import itertools
import json
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from playwright.async_api import BrowserContext, ConsoleMessage, Page, Request, Response, WebError
from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.engine.scripts import RECEIPT_MARK
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.failure_files import PAGES_FILE, read_page_logs, write_run_picture
from core.base.phrases import cut_text
from core.goals.secret_values import Vault
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
        told = ({} if tab is None else {"url": _cut(tab.page.url, context.vault)}) | self._take(context)
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
        """Return what is new on a lane, by kind, secrets taken out; how much was left out, too."""
        mark, self._told[context.lane] = self._told.get(context.lane, 0), next(self._numbers)
        found: dict[str, list[dict[str, Any]]] = {}
        for line in self._list_new(mark, context.lane):
            found.setdefault(line.kind, []).append(line.told)
        kept: dict[str, Any] = {
            kind: [_clean(each, context.vault) for each in told[-MOST_OF_A_STEP:]] for kind, told in found.items()
        }
        more = {kind: len(told) - MOST_OF_A_STEP for kind, told in found.items() if len(told) > MOST_OF_A_STEP}
        return kept | ({"more": more} if more else {})

    def _list_new(self, mark: int, lane: str) -> Iterator[_PageLine]:
        return (line for line in tuple(self._lines) if line.number > mark and line.lane == lane)

    def _listen(self, context: BrowserContext) -> None:
        context.on("console", self._on_console)
        context.on("weberror", self._on_error)
        context.on("response", self._on_response)
        context.on("requestfailed", self._on_failure)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.text.startswith(RECEIPT_MARK):  # our own script's word of what it received
            return
        self._add("console", message.page, {"kind": message.type, "text": message.text})

    def _on_error(self, error: WebError) -> None:
        self._add("errors", error.page, {"text": error.error.message})

    def _on_response(self, response: Response) -> None:
        if response.status >= _LOWEST_FAULT:
            self._add_request(response.request, str(response.status))

    def _on_failure(self, request: Request) -> None:
        self._add_request(request, request.failure or "failed")

    def _add_request(self, request: Request, outcome: str) -> None:
        with suppress(PlaywrightError):  # its frame is gone, or it is of a worker
            told = {"method": request.method, "url": request.url, "outcome": outcome, "type": request.resource_type}
            self._add("requests", request.frame.page, told)

    def _add(self, kind: LineKind, page: Page | None, told: dict[str, Any]) -> None:
        if page is not None:
            lane = self._session.tabs.lane_of(page)
            self._lines.append(_PageLine(next(self._numbers), kind, lane, told))


def _clean(told: dict[str, Any], vault: Vault) -> dict[str, Any]:
    return {name: _cut(str(value), vault) for name, value in told.items()}


def _cut(text: str, vault: Vault) -> str:
    """Return the beginning of a text; secrets go first, since part of one would not be known for one any more."""
    return cut_text(vault.redact(text), LONGEST_LINE)
