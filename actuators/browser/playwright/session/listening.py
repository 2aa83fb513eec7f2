"""Listens to a browser context and writes down what its pages do."""

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from playwright.async_api import BrowserContext, Dialog, Download, Frame, Page, Request
from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.session.loading import loads_of, watch_loads

if TYPE_CHECKING:
    from actuators.browser.playwright.session.dialogs import DialogDesk
    from actuators.browser.playwright.session.egress import PageEgress
    from actuators.browser.playwright.session.watches import Happening, HappeningKind, HappeningLog
    from actuators.browser.ports.tabs import TabStrip

ABORTED = "ERR_ABORTED"


class ContextListener:
    """Keeps tabs, dialogs, downloads and the log in step with a context's events.

    What a page downloads without being asked to is thrown away at once: it would fill the disk, and hold connections that
    the page's server needs for its pages.

    Attributes:
        downloads: Downloads that an action waits for and hasn't claimed yet, each with its entry in the log, oldest first.
        calm: Pages that stood still once their document was built, and which document that was.
        openers: Called with each context that is opened, before it has a page.
    """

    def __init__(self, tabs: "TabStrip[Page]", dialogs: "DialogDesk", log: "HappeningLog", wall: "PageEgress") -> None:
        self._tabs = tabs
        self._dialogs = dialogs
        self._log = log
        self._wall = wall
        self.downloads: dict[Happening, Download] = {}
        self.calm: WeakKeyDictionary[Page, str] = WeakKeyDictionary()
        self.openers: list[Callable[[BrowserContext], None]] = []
        self._takers: list[str | Page] = []
        self._throwing: set[asyncio.Task[None]] = set()

    @contextmanager
    def taking_downloads(self, taker: str | Page) -> Generator[None]:
        """Keep what a lane's pages, or one page, download meanwhile; throw away what is left at the end."""
        self._takers.append(taker)
        try:
            yield
        finally:
            self._takers.remove(taker)
            for happening in [entry for entry in self.downloads if taker in {entry.lane, entry.page}]:
                self._throw_away(self.downloads.pop(happening), happening)

    def attach(self, context: BrowserContext) -> None:
        """Listen to a context, for as long as it lives."""
        context.on("page", self._on_page)
        context.on("pageclose", self._on_page_close)
        context.on("dialog", self._on_dialog)
        context.on("download", self._on_download)
        context.on("framenavigated", self._on_navigation)
        context.on("requestfailed", self._on_failure)
        watch_loads(context)
        for opener in self.openers:
            opener(context)

    def claim(self, download: Download) -> None:
        """Note that an action has moved a download to its place."""
        for happening in [entry for entry, known in self.downloads.items() if known is download]:
            happening.detail["state"] = "kept"
            del self.downloads[happening]

    def _on_page(self, page: Page) -> None:
        self._tabs.add(page, "")
        self.adopt(page)

    def adopt(self, page: Page) -> None:
        """Listen to a page that is among the tabs."""
        page.on("crash", self._on_crash)
        page.on("domcontentloaded", self._on_document)
        page.on("popup", lambda popup: self._on_popup(page, popup))

    def _on_document(self, page: Page) -> None:
        self.calm.pop(page, None)

    def _on_popup(self, opener: Page, popup: Page) -> None:
        lane = self._tabs.lane_of(opener)
        self._tabs.add(popup, lane, self._tabs.find(opener))
        self._log.add("opened_tab", lane, popup, {})
        self._wall.rules.inherit(opener, popup)
        self._wall.rules.arrive(popup, popup.url)

    def _on_page_close(self, page: Page) -> None:
        lane = self._tabs.lane_of(page)
        if self._tabs.remove(page) and lane:
            self._log.add("closed_tab", lane, page, {"url": page.url})
        self._dialogs.forget_page(page)
        self._wall.rules.forget(page)

    def _on_crash(self, page: Page) -> None:
        tab = self._tabs.find(page)
        if tab:
            tab.crashed = True
            self._note("crash", page, {"url": page.url})
        self._dialogs.forget_page(page)

    def _on_dialog(self, dialog: Dialog) -> None:
        detail: dict[str, Any] = {"kind": dialog.type, "message": dialog.message}
        if dialog.type == "prompt":
            detail["default"] = dialog.default_value
        if dialog.page:
            self._note("dialog", dialog.page, detail)
        self._dialogs.receive(dialog, self._tabs.lane_of(dialog.page) if dialog.page else "", detail)

    def _on_download(self, download: Download) -> None:
        detail = {"url": download.url, "suggested_name": download.suggested_filename, "state": "in quarantine"}
        happening = self._note("download", download.page, detail)
        if happening.lane in self._takers or download.page in self._takers:
            self.downloads[happening] = download
        else:
            self._throw_away(download, happening)

    def _throw_away(self, download: Download, happening: "Happening") -> None:
        happening.detail["state"] = "thrown away"
        task = asyncio.create_task(_discard(download))
        self._throwing.add(task)
        task.add_done_callback(self._throwing.discard)

    def _on_navigation(self, frame: Frame) -> None:
        if frame.parent_frame is not None:
            self._wall.rules.note_frame(frame.page, frame.url)
        else:
            self._wall.rules.arrive(frame.page, frame.url)
            loads = loads_of(frame.page)
            loads.arrive(moved=True)
            status = loads.take_status(frame.url)
            self._note("navigated_to", frame.page, {"url": frame.url} | ({"status": status} if status else {}))

    def _on_failure(self, request: Request) -> None:
        if not request.is_navigation_request() or ABORTED in (request.failure or ABORTED):
            return
        with suppress(PlaywrightError):  # its frame is gone
            if request.frame.parent_frame is None:
                self._note("unopened", request.frame.page, {"url": request.url, "reason": request.failure})

    def _note(self, kind: "HappeningKind", page: Page, detail: dict[str, Any]) -> "Happening":
        return self._log.add(kind, self._tabs.lane_of(page), page, detail)


async def _discard(download: Download) -> None:
    with suppress(PlaywrightError):  # the browser is gone, and its quarantine with it
        await download.cancel()
        await download.delete()
