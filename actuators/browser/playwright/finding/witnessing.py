"""Letting the session's witness see what steps of a flow find, and tell what became of what they miss."""

from typing import TYPE_CHECKING

from playwright.async_api import Locator

from actuators.browser.playwright.finding.causes import answer_or
from actuators.browser.playwright.finding.locators import build_locator
from actuators.browser.playwright.finding.probes import count_matches
from actuators.browser.ports.expectations import NOTHING
from actuators.browser.ports.pages import Failure
from core.base.errors import SurehandError
from core.selectors.selectors import parse_selector
from core.tools.ports import ActionContext

if TYPE_CHECKING:
    from actuators.browser.playwright.session.browser_session import PlaywrightSession

MISSES = frozenset({"target_missing", "target_ambiguous"})
"""Codes of what was not there, or not alone."""


def is_noting(session: "PlaywrightSession", context: ActionContext, selector: str) -> bool:
    """Tell whether a step notes what it sees of an element, and has not done so yet."""
    step = context.sightings
    return session.witness is not None and step is not None and not step.has_seen(selector)


async def note_sight(session: "PlaywrightSession", context: ActionContext, selector: str, locator: Locator) -> None:
    """Note what is seen of an element that is there."""
    if session.witness:
        await session.witness.note(context, selector, locator)


async def note_match(session: "PlaywrightSession", context: ActionContext, selector: str) -> None:
    """Note what is seen of an element, if one is named, that a step only looked at; nothing where it isn't there, as may have been expected."""
    if not selector or not is_noting(session, context, selector):
        return
    spec, page = parse_selector(selector), session.current_page(context)
    for frame in page.frames if spec.searches_frames else [page.main_frame]:
        locator = build_locator(spec, frame)
        if await answer_or(count_matches(locator), 0):
            await note_sight(session, context, selector, locator)
            return


async def tell_miss(
    session: "PlaywrightSession", context: ActionContext, selector: str, error: Failure, left_s: float
) -> Failure:
    """Return an error, with what became of the element where a flow's step missed it and that is remembered."""
    if session.witness is None or context.sightings is None or not _is_miss(error):
        return error
    return await session.witness.explain(context, selector, error, left_s)


def _is_miss(error: SurehandError) -> bool:
    return error.code in MISSES or any(each["actual"] == NOTHING for each in error.evidence.get("differences", ()))
