"""Where sessions have their browser from: a process of their own, one that several share, or one that somebody lends; and what ends a page or browser that harms others."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

import psutil
from playwright.async_api import Browser, CDPSession
from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.session.launching import BrowserProcess, BrowserSettings, BrowserSource
from core.base.errors import ActionError

TICK_S = 1.0
LATE_S = 1.0
LATE_IN_A_ROW = 2

BUSY_CORES = 0.4
"""How much of a core driver and program together use at least while they are flooded."""

GUILTY_CORES = 0.15
"""How much of a core the page that floods uses at least."""

TIMES_BUSIER = 2.5
"""How much busier than any other page it is."""

HANG_TICK_S = 5.0
STILL_S = 20.0
BUSY_S = 60.0
STILL_CORES = 0.01
"""How much of a core a browser uses at most that stands still."""

_GRACE_S = 1.0
"""Seconds for an answer that is there already, where this program itself was held up."""

Seconds = Mapping[psutil.Process, float]


class BrowserWatch(ABC):
    """Watches over one browser, from its start to its end."""

    def __init__(self, browser: Browser) -> None:
        self.ended = 0
        self._watching = asyncio.create_task(self._watch(browser))

    async def close(self) -> None:
        """End it. Calling it again does nothing."""
        self._watching.cancel()
        await asyncio.wait({self._watching})

    @abstractmethod
    async def _watch(self, browser: Browser) -> None:
        """Watch until the browser is gone."""


class FloodWatch(BrowserWatch):
    """Ends a page that floods the driver's one pipe, and leaves no room for its neighbours.

    The browser is asked something every second. Where the answer is late twice in a row while driver and program are
    busy, the renderer that is far busier than all others is ended. A page that only computes delays no answer.
    """

    async def _watch(self, browser: Browser) -> None:
        with suppress(PlaywrightError):  # the browser is gone
            session = await browser.new_browser_cdp_session()
            late, before = 0, dict[psutil.Process, float]()
            while True:
                began = asyncio.get_running_loop().time()
                if await _answers(session):
                    late = 0
                    await asyncio.sleep(TICK_S)
                    continue
                late += 1
                now = await asyncio.to_thread(measure_family)
                elapsed_s = asyncio.get_running_loop().time() - began
                if late >= LATE_IN_A_ROW and (guilty := find_guilty(before, now, elapsed_s)):
                    guilty.kill()
                    self.ended += 1
                    late = 0
                before = now


async def _answers(session: CDPSession) -> bool:
    try:
        async with asyncio.timeout(LATE_S):
            await session.send("Browser.getVersion")
    except TimeoutError:
        return False
    return True


def measure_family() -> dict[psutil.Process, float]:
    """Return the processor time of this process and of all that it started, in seconds."""
    me = psutil.Process()
    found: dict[psutil.Process, float] = {}
    for process in (me, *me.children(recursive=True)):
        with suppress(psutil.Error):
            found[process] = _measure(process)
    return found


def find_guilty(before: Seconds, now: Seconds, elapsed_s: float) -> psutil.Process | None:
    """Return the renderer that floods; None where the others are as busy, or nothing says that anybody floods."""
    used = {process: (now[process] - before[process]) / elapsed_s for process in now if process in before}
    pages = [process for process in used if is_of_kind(process, "--type=renderer")]
    pressed = sum(share for process, share in used.items() if not is_of_kind(process, "--type="))
    shares = sorted((used[process] for process in pages), reverse=True)
    if pressed < BUSY_CORES or not is_far_above(shares):
        return None
    return max(pages, key=used.__getitem__)


def is_far_above(shares: Sequence[float]) -> bool:
    """Tell whether the first of some shares, the largest first, is guilty beside the others."""
    return bool(shares) and shares[0] >= GUILTY_CORES and (len(shares) < 2 or shares[0] >= TIMES_BUSIER * shares[1])


def is_of_kind(process: psutil.Process, word: str) -> bool:
    """Tell whether a process of the browser is of a kind, by its command line."""
    try:
        return any(part.startswith(word) for part in process.cmdline())
    except psutil.Error:
        return False


class HangWatch(BrowserWatch):
    """Ends a browser that hangs without dying.

    Of one that dies the driver tells, of one that hangs nothing: each session would wait for its own time-outs, again and again. So the
    browser is asked something every few seconds. One that says nothing for `STILL_S` while its process stands still is ended, and one
    that is busy but says nothing for `BUSY_S`. A machine under load, or a page that floods, delays answers by less.
    """

    async def _watch(self, browser: Browser) -> None:
        with suppress(PlaywrightError, psutil.Error):  # the browser is gone
            session = await browser.new_browser_cdp_session()
            process = await _find_process(session)
            while True:
                if not await _answers_at_last(session, process):
                    break
                await asyncio.sleep(HANG_TICK_S)
            self.ended += 1
            await asyncio.to_thread(end_family, process)


async def _find_process(session: CDPSession) -> psutil.Process:
    told = await session.send("SystemInfo.getProcessInfo")
    return psutil.Process(next(each["id"] for each in told["processInfo"] if each["type"] == "browser"))


async def _answers_at_last(session: CDPSession, process: psutil.Process) -> bool:
    asked = asyncio.ensure_future(session.send("Browser.getVersion"))
    try:
        before_s = _measure(process)
        if await _ends(asked, STILL_S):
            return True
        stands_still = _measure(process) - before_s < STILL_CORES * STILL_S
        return not stands_still and await _ends(asked, BUSY_S - STILL_S)
    finally:
        asked.cancel()


async def _ends(asked: "asyncio.Future[Any]", limit_s: float) -> bool:
    await asyncio.wait({asked}, timeout=limit_s)
    done, _ = await asyncio.wait({asked}, timeout=_GRACE_S)
    return bool(done) and asked.result() is not None


def _measure(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


def end_family(process: psutil.Process) -> None:
    """End a process and all that it started; those that stand still can't end by themselves."""
    with suppress(psutil.Error):
        for each in (*process.children(recursive=True), process):
            with suppress(psutil.Error):
                each.kill()


PROBE_S = 5.0
PAGES_AT_ONCE = 4


class LentBrowser(BrowserSource):
    """A browser that somebody else starts and stops."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    async def start(self) -> Browser:
        """Return it."""
        return self._browser


class SharedBrowser(BrowserSource):
    """One browser for several sessions: started when the first of them needs it, and kept warm until it is closed.

    Sessions start it side by side, and one that is stopped meanwhile stops nobody else's start. After its death the first
    that notices starts it anew for all.
    """

    def __init__(self, settings: BrowserSettings) -> None:
        self._process = BrowserProcess(settings)
        self._turn = asyncio.Lock()
        self._opening = asyncio.Semaphore(PAGES_AT_ONCE)
        self._watches: tuple[FloodWatch | HangWatch, ...] = ()
        self._starting: asyncio.Future[Browser] | None = None

    async def start(self) -> Browser:
        """Return the browser; start it unless it runs."""
        if self._starting is None or self._starting.done():
            self._starting = asyncio.ensure_future(self._start())
        return await asyncio.shield(self._starting)

    @asynccontextmanager
    async def take_turn(self) -> AsyncGenerator[None]:
        """Wait until few others open a page; each has a process to start."""
        async with self._opening:
            yield

    async def heal(self) -> None:
        """Ask the browser whether it lives, and stop what is left of one that doesn't."""
        async with self._turn:
            browser = self._process.browser
            if browser and not await is_alive(browser):
                await self._process.stop()

    async def close(self) -> None:
        """Stop the browser, whoever still uses it. Calling it again does nothing."""
        if self._starting:
            await asyncio.wait({self._starting})
        async with self._turn:
            await self._end_watches()
            await self._process.stop()

    async def _start(self) -> Browser:
        async with self._turn:
            before = self._process.browser
            browser = await self._process.start()
            if browser is not before or not self._watches:
                await self._end_watches()
                self._watches = (FloodWatch(browser), HangWatch(browser))
            return browser

    async def _end_watches(self) -> None:
        watches, self._watches = self._watches, ()
        for watch in watches:
            await watch.close()


async def is_alive(browser: Browser) -> bool:
    """Tell whether a browser answers or is gone; ``browser_frozen`` if it is there, says nothing, and may go on."""
    if not browser.is_connected():
        return False
    try:
        async with asyncio.timeout(PROBE_S):
            session = await browser.new_browser_cdp_session()
            await session.send("Browser.getVersion")
            await session.detach()
    except PlaywrightError:
        return False
    except TimeoutError:
        raise ActionError(
            f"The browser is there, and did not answer within {PROBE_S:g} s; its pages were left as they are.",
            code="browser_frozen",
            hint="Let it go on if it was stopped, and do the step again; or close the session.",
        ) from None
    return True
