"""Pictures of the page that is shown, sent to everyone who watches as they change. Nothing is done while nobody does."""

import asyncio
import base64
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from playwright.async_api import CDPSession, Page
from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.finding.failure_snapshots import take_masked
from actuators.browser.playwright.finding.persisting import NO_ANSWER
from actuators.browser.ports.screens import ScreenFrame, Takeover
from actuators.deadlines import finish_within

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
        """Send the frames of a page for as long as it is shown."""
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
    try:
        return await take_masked(page, takeover.vault, type="jpeg", quality=QUALITY, timeout=ANSWER_S * 1000)
    except NO_ANSWER:
        return b""


async def _ask(session: CDPSession, method: str, params: dict[str, Any]) -> dict[str, Any]:
    async with asyncio.timeout(ANSWER_S):
        return await session.send(method, params)
