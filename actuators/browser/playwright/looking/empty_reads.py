"""Reading again what was empty right after an act: many pages show a thing first, and what is in it a moment later."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from playwright.async_api import Page

from actuators.browser.playwright.finding.idling import IdleWatch
from actuators.browser.ports.reading import ReadRequest
from actuators.deadlines import Deadline, allow_s, pause

T = TypeVar("T")

RECENT_MS = 5000.0
LONGEST_S = 5.0
LOOK_AGAIN_S = 0.1
COMING = frozenset({"loading", "requests"})
WAITED = "empty_for_s"
SETTLED = "settled"


async def read_patiently(
    page: Page, request: ReadRequest, read: Callable[[float], Awaitable[T]], timeout_s: float
) -> tuple[T, dict[str, Any]]:
    """Read; where that gives nothing and an act was just done, again until there is something or the page has settled, which the evidence tells."""
    deadline = Deadline(timeout_s)
    found = await read(timeout_s)
    if not is_empty(request, found):
        return found, {}
    watch, longest = IdleWatch(lambda: list(page.frames)), Deadline(allow_s(LONGEST_S))
    is_settled = await watch.is_idle(deadline.remaining_s)
    if watch.since_act_ms > RECENT_MS:
        return found, {}
    while not is_settled and not deadline.is_over and (COMING.intersection(watch.busy) or not longest.is_over):
        await pause(min(LOOK_AGAIN_S, deadline.remaining_s))
        found = await read(deadline.remaining_s)
        if not is_empty(request, found):
            return found, {WAITED: round(deadline.elapsed_s, 3)}
        is_settled = await watch.is_idle(deadline.remaining_s)
    return found, {WAITED: round(deadline.elapsed_s, 3), SETTLED: is_settled}


def is_empty(request: ReadRequest, found: Any) -> bool:
    """Tell whether there was nothing to read."""
    match request.target:
        case "count":
            return found == 0
        case "links":
            return not found
        case "table":
            return found is not None and not found["rows"]
        case "text" | "value" | "word":
            texts = found if isinstance(found, list) else [found]
            return not any(_text_of(each).strip() for each in texts)
        case _:
            return False


def _text_of(found: Any) -> str:
    return str(found["text"] if isinstance(found, dict) else found or "")
