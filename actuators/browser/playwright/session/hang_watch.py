"""HangWatch: ends a shared browser that hangs without dying, so that its sessions are told and begin a new one.

The driver tells of a browser that dies, and of one that only hangs it tells nothing: each session would wait for its own time-outs, again
and again. So the browser is asked something every few seconds. One that says nothing for `STILL_S` while its process stands still is
ended, and one that is busy but says nothing for `BUSY_S`. A machine under load, or a page that floods (`flood_watch.py`), delays
answers by less. What happens then is what happens at any death of a browser.
"""

import asyncio
from contextlib import suppress
from typing import Any

import psutil
from playwright.async_api import Browser, CDPSession
from playwright.async_api import Error as PlaywrightError

TICK_S = 5.0
STILL_S = 20.0
BUSY_S = 60.0
STILL_CORES = 0.01
"""How much of a core a process uses at most that stands still."""

_GRACE_S = 1.0
"""Seconds for an answer that is there already, where this program itself was held up."""


class HangWatch:
    """Watches over one browser, from its start to its end."""

    def __init__(self, browser: Browser) -> None:
        """Begin to watch."""
        self.ended = 0
        self._watching = asyncio.create_task(self._watch(browser))

    async def close(self) -> None:
        """End it. Calling it again does nothing."""
        self._watching.cancel()
        await asyncio.wait({self._watching})

    async def _watch(self, browser: Browser) -> None:
        with suppress(PlaywrightError, psutil.Error):  # the browser is gone
            session = await browser.new_browser_cdp_session()
            process = await _find_process(session)
            while True:
                if not await _answers(session, process):
                    break
                await asyncio.sleep(TICK_S)
            self.ended += 1
            await asyncio.to_thread(end_family, process)


async def _find_process(session: CDPSession) -> psutil.Process:
    """Return the browser's own process, as long as it can say which that is."""
    told = await session.send("SystemInfo.getProcessInfo")
    return psutil.Process(next(each["id"] for each in told["processInfo"] if each["type"] == "browser"))


async def _answers(session: CDPSession, process: psutil.Process) -> bool:
    """Tell whether a browser answers in time."""
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
    """Tell whether an answer comes in time.

    Raises:
        PlaywrightError: If the browser ended instead.
    """
    await asyncio.wait({asked}, timeout=limit_s)
    done, _ = await asyncio.wait({asked}, timeout=_GRACE_S)
    return bool(done) and asked.result() is not None


def _measure(process: psutil.Process) -> float:
    """Return the processor time of a process, in seconds."""
    times = process.cpu_times()
    return times.user + times.system


def end_family(process: psutil.Process) -> None:
    """End a process and all that it started; those that stand still can't end by themselves.

    Args:
        process: The browser's own.
    """
    with suppress(psutil.Error):
        for each in (*process.children(recursive=True), process):
            with suppress(psutil.Error):
                each.kill()
