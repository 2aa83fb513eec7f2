"""PlaywrightRecorder: a browser in a person's hands, and what they do there, told in order."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from math import isfinite
from typing import Any, cast
from urllib.parse import urldefrag

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import FileChooser, Page

from actuators.browser.playwright.finding.locators import write_form
from actuators.browser.playwright.recording.tab_watch import History, HowGone, TabNotice, TabWatch, judge_journey
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.navigation_errors import explain_navigation_error
from actuators.browser.ports.recordings import PageEvent, PageEventKind, TellEvent
from core.selectors.selectors import quote_name
from core.tools.ports import MAIN_LANE, ActionContext

OPEN_S = 45.0
_LOOKS, _MOST_LOOKS, _LOOK_S = 20, 200, 0.05
_BLANK = "about:blank"
_ACTS = frozenset({"choose", "click", "drag", "files", "input", "key", "slide"})
_TOLD = _ACTS | {"arrived", "changed", "expect", "fault", "hover", "ticked"}

PickFiles = Callable[[], Awaitable[list[str]]]


class PlaywrightRecorder:
    """Notices what a person does on the pages of a session; it opens the first page and does nothing else."""

    def __init__(self, session: PlaywrightSession, tell: TellEvent, pick_files: PickFiles | None = None) -> None:
        """Notice nothing yet; ``pick_files`` is asked where the browser's own window can't be seen."""
        self._session = session
        self._tell = tell
        self._pick_files = pick_files
        self._watches: dict[Page, TabWatch] = {}
        self._notices: asyncio.Queue[TabNotice | None] = asyncio.Queue()
        self._working: asyncio.Task[None] | None = None
        self._starting: set[asyncio.Task[None]] = set()
        self._opened = 0
        self._closed = asyncio.Event()
        self._ways: Mapping[str, Callable[[TabNotice], Awaitable[None]]] = {
            "begun": self._meet_document,
            "closed": self._note_end,
            "dialog_closed": self._note_answer,
            "dialog_opened": self._meet_dialog,
            "download": self._note_download,
            "frame": self._meet_frame,
            "navigated": self._note_journey,
        }

    @property
    def is_over(self) -> bool:
        """Whether the person has closed the last tab, or the browser."""
        return self._closed.is_set()

    async def wait_until_over(self) -> None:
        """Wait until the person has closed the last tab, or the browser."""
        await self._closed.wait()

    async def open(self, url: str) -> None:
        """Show an address in the first tab, and notice from now on what is done."""
        action = ActionContext("record", timeout_s=OPEN_S)
        context = await self._session.open_context()
        self._working = asyncio.create_task(self._work())
        self._session.dialogs.expect("", held=True)
        page = await self._session.open_page(action)
        context.on("page", self._on_page)
        context.on("close", lambda _: self._closed.set())
        await self._begin(page, self._count())
        await self._go_to(page, url)

    async def go(self, url: str) -> None:
        """Show an address in the tab that was used last, for a person who has no address bar."""
        latest = max(self._watches.values(), key=lambda watch: (watch.acted_s, watch.number), default=None)
        if latest:
            await self._go_to(latest.page, url)

    async def answer_dialog(self, *, accept: bool, text: str | None = None) -> None:
        """Answer the dialog that is open, where the person can't do so on the page itself."""
        for lane in ("", MAIN_LANE):
            await self._session.dialogs.answer(lane, "accept" if accept else "dismiss", text)
            self._session.dialogs.expect(lane, held=True)

    async def settle(self) -> None:
        """Wait until all that has been noticed was told."""
        while self._starting:
            await asyncio.wait(set(self._starting))
        await self._notices.join()

    async def close(self) -> None:
        """Notice nothing any more; the session and its pages are their owner's to close."""
        await self.settle()
        if self._working:
            self._notices.put_nowait(None)
            await self._working
            self._working = None

    async def _go_to(self, page: Page, url: str) -> None:
        # Its dialogs are the person's.
        action = ActionContext("record", timeout_s=OPEN_S, followers=("browser.dialog",))
        async with self._session.watch(action) as watch:
            try:
                with self._session.wall.heading(action, page, url):
                    await page.goto(url, timeout=OPEN_S * 1000)
            except PlaywrightError as error:
                raise explain_navigation_error(error, url, page, watch) from error

    def _count(self) -> int:
        self._opened += 1
        return self._opened - 1

    def _on_page(self, page: Page) -> None:
        if page not in self._watches:
            self._start(self._meet(page, self._count()))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _meet(self, page: Page, number: int) -> None:
        with suppress(PlaywrightError, TimeoutError):  # it closed at once
            opener = await page.opener()
            known = self._watches.get(opener) if opener else None
            self._tell_of(number, "tab_opened", {"opener": known.number if known else None})
            await self._begin(page, number)

    async def _begin(self, page: Page, number: int) -> None:
        watch = self._watches[page] = TabWatch(page, number, self._notices.put_nowait)
        page.on("close", lambda _: self._notices.put_nowait(TabNotice(watch, "closed", {})))
        if self._pick_files:
            page.on("filechooser", lambda chooser: self._start(self._choose(chooser)))
        await watch.begin()

    async def _choose(self, chooser: FileChooser) -> None:
        if self._pick_files and (paths := await self._pick_files()):
            with suppress(PlaywrightError):  # the page is gone
                await chooser.set_files(paths)

    async def _work(self) -> None:
        while (notice := await self._notices.get()) is not None:
            try:
                await self._understand(notice)
            except (PlaywrightError, TimeoutError):
                pass  # its page is gone, or stands still
            finally:
                self._notices.task_done()
        self._notices.task_done()

    async def _understand(self, notice: TabNotice) -> None:
        if understand := self._ways.get(notice.kind):
            await understand(notice)
        elif notice.kind in _TOLD:
            await self._pass_on(notice)

    async def _meet_document(self, notice: TabNotice) -> None:
        if notice.place and not notice.facts["is_top"]:
            await notice.watch.documents.name_frames(notice.place.frame, anew=True)

    async def _meet_frame(self, notice: TabNotice) -> None:
        await notice.watch.listen_to_process(notice.facts["frame"])

    async def _note_answer(self, notice: TabNotice) -> None:
        said = {"accepted": notice.facts["result"], "text": notice.facts.get("userInput", "")}
        if notice.watch.dialog:
            self._tell_of(notice.watch.number, "dialog", {**notice.watch.dialog, **said})
        notice.watch.dialog = {}

    async def _note_download(self, notice: TabNotice) -> None:
        self._tell_of(notice.watch.number, "download", notice.facts)

    async def _note_journey(self, notice: TabNotice) -> None:
        watch, url = notice.watch, str(notice.facts["url"])
        before = watch.history
        with suppress(PlaywrightError, TimeoutError):  # it is gone, or stands still, and no more is known
            watch.history = await self._look_up(watch, url)
        current = str(watch.history.current.get("url", ""))
        if watch.history == before and url != _BLANK and urldefrag(current)[0] != urldefrag(url)[0]:
            # The browser has not written it down in time. What nobody has led to was asked for.
            how: HowGone = "caused" if isfinite(watch.acted_s) else "typed"
            self._tell_of(watch.number, "navigated", {"how": how, "url": url, "asked_url": url})
        elif watch.history != before and current != _BLANK:
            how = judge_journey(before, watch.history, time.monotonic() - watch.acted_s)
            facts = {"how": how, "url": current, "asked_url": watch.history.asked_url}
            self._tell_of(watch.number, "navigated", facts)

    async def _look_up(self, watch: TabWatch, url: str) -> History:
        """Return where a tab has been; the browser may write that down a moment after it has told of it.

        Where it has written nothing yet, a busy machine gets more time: who led there can't be told without it.
        """
        history = await watch.look_up_history()
        for looks in range(_MOST_LOOKS):
            if history.current.get("url") == url or (looks >= _LOOKS and history != watch.history):
                break
            await asyncio.sleep(_LOOK_S)
            history = await watch.look_up_history()
        return history

    async def _meet_dialog(self, notice: TabNotice) -> None:
        watch, facts = notice.watch, notice.facts
        if facts["type"] == "beforeunload":
            await self.answer_dialog(accept=True)
            return
        watch.dialog = {"kind": facts["type"], "message": facts["message"], "given": facts.get("defaultPrompt", "")}
        self._tell_of(watch.number, "dialog_opened", watch.dialog)

    async def _note_end(self, notice: TabNotice) -> None:
        watch = notice.watch
        by_page = time.monotonic() - watch.acted_s < 1.0
        self._watches.pop(watch.page, None)
        self._tell_of(watch.number, "tab_closed", {"by_page": by_page})
        if not self._watches:
            self._closed.set()

    async def _pass_on(self, notice: TabNotice) -> None:
        watch, facts = notice.watch, dict(notice.facts)
        frames = await watch.documents.name_frames(notice.place.frame) if notice.place else None
        if notice.kind in _ACTS:
            watch.acted_s = time.monotonic()
        if notice.kind == "files" and notice.place:
            facts["paths"] = await watch.documents.list_files(notice.place, facts["act"], len(facts["names"]))
        selector, by_place = _write_element(facts.pop("target", None), frames)
        goal = facts.pop("goal", None)
        if notice.kind == "drag":
            facts["goal"] = _write_element(goal, frames)[0]
        for name in ("headings", "notices"):
            facts |= {name: [_write_found(each, frames) for each in facts[name]]} if name in facts else {}
        act = facts.pop("act", "")
        kind = cast("PageEventKind", notice.kind)
        self._tell(PageEvent(kind, watch.number, act, selector, by_place, facts))

    def _tell_of(self, tab: int, kind: PageEventKind, facts: Mapping[str, Any]) -> None:
        self._tell(PageEvent(kind, tab, detail=facts))


def _write_element(told: Mapping[str, Any] | None, frames: tuple[str, ...] | None) -> tuple[str, bool]:
    if not told or frames is None:
        return "", False
    if told["selector"]:
        return write_form(told["selector"], frames), False
    way = "".join(f"frame {quote_name(each)} >> " for each in frames)
    return (f"{way}css={told['css']}", True) if told["css"] else ("", False)


def _write_found(told: Mapping[str, Any], frames: tuple[str, ...] | None) -> Mapping[str, Any]:
    return {"selector": _write_element(told, frames)[0], "name": told["name"], "text": told.get("text", "")}
