"""A session's pages by Playwright, sent as pictures to people who watch, and in their hands while they have taken over: what these do is told."""

import asyncio
import base64
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from playwright.async_api import CDPSession, Page
from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.finding.causes import answer_or
from actuators.browser.playwright.finding.failure_snapshots import take_masked
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.navigation_errors import explain_loss
from actuators.browser.ports.pages import make_no_page_error
from actuators.browser.ports.screens import PersonDeed, ScreenFrame, Takeover
from actuators.browser.ports.tabs import Tab
from actuators.browser.ports.touches import Touch
from actuators.deadlines import finish_within
from core.base.errors import ActionError, DeadlineError, InputError, RefusedError
from core.base.phrases import quote_text

PAUSE_S = 0.08
"""Least time between frames."""

MASKED_PAUSE_S = 0.5
"""The same where each frame is a picture of its own, with what is secret painted over."""

LOOK_S = 0.2
"""How often somebody looks whether another page is shown."""

ANSWER_S = 5.0
QUALITY = 60
WIDEST_PX = 1280
HIGHEST_PX = 960

Inbox = asyncio.Queue[ScreenFrame]


class ScreenCaster:
    """Sends frames of the page that is shown to all who watch; each has the latest one at most."""

    def __init__(self, find_page: Callable[[], Page | None], takeover: Takeover) -> None:
        self._find_page = find_page
        self._takeover = takeover
        self._inboxes: set[Inbox] = set()
        self._casting: asyncio.Task[None] | None = None
        self.latest: ScreenFrame | None = None

    async def watch(self) -> AsyncGenerator[ScreenFrame]:
        """Yield frames as they come; the first is what is to be seen now."""
        inbox: Inbox = asyncio.Queue(1)
        self._inboxes.add(inbox)
        if self._casting is None or self._casting.done():
            self.latest = None
            self._casting = asyncio.create_task(self._cast_all())
        elif self.latest:
            inbox.put_nowait(self.latest)
        try:
            while True:
                yield await inbox.get()
        finally:
            self._inboxes.discard(inbox)
            if not self._inboxes:
                await self.close()

    async def close(self) -> None:
        """Send nothing any more. Calling it again does nothing."""
        casting, self._casting = self._casting, None
        if casting:
            casting.cancel()
            await asyncio.wait({casting})

    async def _cast_all(self) -> None:
        while True:
            page = self._find_page()
            try:
                if page:
                    await self._cast(page)
                else:
                    self._send(ScreenFrame(held=self._takeover.held))
            except (PlaywrightError, TimeoutError):
                # It closed, crashed or hangs; the next look says more.
                self._send(ScreenFrame(held=self._takeover.held))
            await asyncio.sleep(LOOK_S)

    async def _cast(self, page: Page) -> None:
        session = await finish_within(page.context.new_cdp_session(page), ANSWER_S)
        frames: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        session.on("Page.screencastFrame", frames.put_nowait)
        size = {"maxWidth": WIDEST_PX, "maxHeight": HIGHEST_PX}
        try:
            await _ask(session, "Page.startScreencast", {"format": "jpeg", "quality": QUALITY, **size})
            while self._find_page() is page:
                try:
                    async with asyncio.timeout(LOOK_S):  # wait_for would lose a stop that comes with a frame
                        event = await frames.get()
                except TimeoutError:
                    self._send(replace(self.latest or ScreenFrame(), held=self._takeover.held))
                    continue
                is_masked = bool(self._takeover.vault.list_revealed())
                self._send(await self._make_frame(page, session, event))
                await asyncio.sleep(MASKED_PAUSE_S if is_masked else PAUSE_S)
                # The browser sends the next frame when this one was taken, so that nothing piles up.
                await _ask(session, "Page.screencastFrameAck", {"sessionId": event["sessionId"]})
        finally:
            with suppress(PlaywrightError, TimeoutError):  # the page is gone, and its session with it
                await finish_within(session.detach(), ANSWER_S)

    async def _make_frame(self, page: Page, session: CDPSession, event: dict[str, Any]) -> ScreenFrame:
        vault, about = self._takeover.vault, event["metadata"]
        target = await _ask(session, "Target.getTargetInfo", {})  # asked of the browser: the page itself may hang
        data = await _take_picture(page, self._takeover) if vault.list_revealed() else base64.b64decode(event["data"])
        return ScreenFrame(
            data,
            round(about["deviceWidth"]),
            round(about["deviceHeight"]),
            vault.redact(page.url),
            vault.redact(str(target["targetInfo"]["title"])),
            self._takeover.held,
        )

    def _send(self, frame: ScreenFrame) -> None:
        if frame == self.latest:
            return
        self.latest = frame
        for inbox in self._inboxes:
            if inbox.full():
                inbox.get_nowait()
            inbox.put_nowait(frame)


async def _take_picture(page: Page, takeover: Takeover) -> bytes:
    """Return a picture with what is secret painted over; nothing where none can be had, since a bare one would tell it."""
    shot = take_masked(page, takeover.vault, type="jpeg", quality=QUALITY, timeout=ANSWER_S * 1000)
    return await answer_or(shot, b"")


async def _ask(session: CDPSession, method: str, params: dict[str, Any]) -> dict[str, Any]:
    async with asyncio.timeout(ANSWER_S):
        return await session.send(method, params)


PROBE_MS = 500.0
BACK_MS = 10_000.0
LONGEST_NAME = 80


async def touch_page(page: Page, touch: Touch, width_px: int, height_px: int) -> PersonDeed | None:
    """Do one thing that a person does, and return what is worth telling of it; InputError if there is no such key."""
    match touch.kind:
        case "key":
            return await _strike(page, touch.key)
        case "text":
            what = await _name(page, "active")
            await page.keyboard.insert_text(touch.text)
            return PersonDeed("typed", what, len(touch.text))
        case "back":
            await page.go_back(wait_until="commit", timeout=BACK_MS)
            return PersonDeed("went back")
        case _:
            return await _point(page, touch, touch.x * width_px, touch.y * height_px)


async def _point(page: Page, touch: Touch, x_px: float, y_px: float) -> PersonDeed | None:
    mouse, what = page.mouse, await _name(page, "under", x_px=x_px, y_px=y_px) if touch.kind == "down" else ""
    await mouse.move(x_px, y_px)
    if touch.kind == "down":
        await mouse.down(button=touch.button, click_count=touch.clicks)
        return PersonDeed("clicked", what)
    if touch.kind == "wheel":
        await mouse.wheel(touch.dx, touch.dy)
        return PersonDeed("scrolled")
    if touch.kind == "up":
        await mouse.up(button=touch.button, click_count=touch.clicks)
    return None


async def _strike(page: Page, key: str) -> PersonDeed:
    is_text = len(key) == 1
    what = await _name(page, "active") if is_text else key
    try:
        await page.keyboard.press(key)
    except PlaywrightError as error:
        if "Unknown key" not in error.message:
            raise
        message = f"There is no key {quote_text(key)}."
        raise InputError(message, hint="Name keys such as Enter or Control+A.") from error
    return PersonDeed("typed", what, 1) if is_text else PersonDeed("pressed", what)


async def _name(page: Page, what: str, **options: float) -> str:
    found = await answer_or(probe(page, what, PROBE_MS, **options), None)
    if not found:
        return ""
    kind = found["role"] or found["tag"]
    return f"{kind} {quote_text(found['name'], LONGEST_NAME)}" if found["name"] else str(kind)


TOUCH_S = 15.0
"""Seconds in which a page has to take what a person does."""


class PlaywrightScreen:
    """The live view of one session: the page of its latest step, or the one that a person who took over went to from there."""

    def __init__(self, session: PlaywrightSession) -> None:
        self._session = session
        self._takeover = session.takeover
        self._caster = ScreenCaster(self._find_page, session.takeover)
        self._touching = asyncio.Lock()
        self._shown: Tab[Page] | None = None
        self._known: set[Tab[Page]] = set()

    @property
    def held(self) -> bool:
        """Whether a person has the pages."""
        return self._takeover.held

    def watch(self) -> AsyncGenerator[ScreenFrame]:
        """Yield what is to be seen, as it changes."""
        return self._caster.watch()

    async def hold(self) -> None:
        """Give the pages to a person, once no step acts on them any more."""
        if not self._takeover.held:
            self._shown, self._known = self._find_current(), set(self._session.tabs)
        await self._takeover.hold()

    async def touch(self, touches: Sequence[Touch]) -> None:
        """Do what the person does, in order."""
        async with self._touching:
            for each in touches:
                if not self._takeover.held:
                    text = "The page is in the hands of the plan; nothing was done."
                    raise RefusedError(text, code="screen_not_held", hint="Take over first.")
                await self._touch(each)

    def release(self) -> tuple[PersonDeed, ...]:
        """Give the pages back to plans, which go on with the page that is shown; return what the person did."""
        tab, lane = self._find_shown(), self._takeover.lane
        if self._takeover.held and tab and tab is not self._session.tabs.current(lane):
            self._session.tabs.make_current(lane, tab)
            self._takeover.note(PersonDeed("moved to", tab.page.url))
        self._shown = None
        return self._takeover.release()

    async def close(self) -> None:
        """Send nothing any more, and give the pages back."""
        self.release()
        await self._caster.close()

    async def _touch(self, touch: Touch) -> None:
        page = self._find_page()
        if page is None:
            raise make_no_page_error()
        width_px, height_px = self._measure(page)
        try:
            async with asyncio.timeout(TOUCH_S):
                deed = await touch_page(page, touch, width_px, height_px)
        except TimeoutError:
            text = f"The page did not answer within {TOUCH_S:g} s."
            raise DeadlineError(text, hint="It may be busy. Wait, or give it back and stop the run.") from None
        except PlaywrightError as error:
            told = error.message.partition("\n")[0]
            raise explain_loss(error, page) or ActionError(f"The page took that badly: {told}") from error
        if deed:
            self._takeover.note(self._takeover.vault.redact(deed))

    def _measure(self, page: Page) -> tuple[int, int]:
        if (latest := self._caster.latest) and latest.width_px:
            return latest.width_px, latest.height_px
        size = page.viewport_size or {"width": 1280, "height": 720}
        return size["width"], size["height"]

    def _find_page(self) -> Page | None:
        tab = self._find_shown() if self._takeover.held else self._find_current()
        return None if tab is None or tab.crashed else tab.page

    def _find_current(self) -> Tab[Page] | None:
        tabs = self._session.tabs
        return tabs.current(self._takeover.lane) or next(reversed(tuple(tabs)), None)

    def _find_shown(self) -> Tab[Page] | None:
        tabs = tuple(self._session.tabs)
        for tab in tabs:
            if tab not in self._known and tab.opener is self._shown:
                self._shown = tab
            self._known.add(tab)
        if self._shown not in tabs:
            opener = self._shown.opener if self._shown else None
            self._shown = opener if opener in tabs else self._find_current()
        return self._shown
