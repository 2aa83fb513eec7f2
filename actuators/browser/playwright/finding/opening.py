"""A page that is still being built is left alone: what is done to it then, it does over by what it had begun before.

A list is there at once, and a moment later the page chooses in it what its address names: who had chosen something else there has that
acted on which the page chose. People look on until it stands still, and so do acts, once for each document.
"""

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Page

from actuators.browser.playwright.finding.persisting import EngineError
from actuators.browser.playwright.finding.probes import PROBE_MS, probe
from actuators.deadlines import Deadline, allow_s, pause

CALM_MS = 500.0
"""How long ago the last of what it fetches has to have come."""
MOST_S = 5.0
MOST_SHARE = 0.4
"""Of the time that the act has left."""
AGAIN_S = 0.05
BLOCKED_S = 0.3
"""A page that takes longer for an answer is at work, which it shows when it is done."""


async def await_calm(page: Page, frame: Frame | None, left_s: float) -> None:
    """Wait until a page that builds itself from what it fetches stands still; returns also where it never does.

    Args:
        frame: The one of its frames that is acted on; None for its own document.
    """
    limit = Deadline(min(allow_s(MOST_S), left_s * MOST_SHARE))
    frames = [page.main_frame, *([frame] if frame else [])]
    while not limit.is_over:
        asked = Deadline(PROBE_MS / 1000)
        is_building = any([await _is_building(each) for each in frames])
        if not is_building and asked.elapsed_s < BLOCKED_S:
            return
        await pause(AGAIN_S)


async def _is_building(frame: Frame) -> bool:
    """Tell whether a document fetches scripts or data, or has got something so lately that it may be about to show it."""
    try:
        seen = await probe(frame, "building")
    except (PlaywrightError, EngineError):
        return False  # what is wrong is told by the act
    return seen["is_building"] or 0 < seen["fetched_ms"] < CALM_MS
