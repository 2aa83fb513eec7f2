"""What came of an act beside what was read back: pages that could not be opened, questions answered no, forms not sent.

These are the outcome of the step that caused them, whatever its element has received.
"""

from contextlib import suppress
from dataclasses import replace
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Locator, Page
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from actuators.browser.playwright.finding.actionability import ActionTarget
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import UNSETTLED, read_settled
from actuators.browser.playwright.session.loading import loads_of
from actuators.browser.playwright.session.navigation_errors import explain_navigation_error
from actuators.browser.playwright.session.watches import Watch
from actuators.browser.ports.navigation import refuse_status
from actuators.browser.ports.pages import Done
from core.base.errors import ActionError, NavigationError

SHOWN_FIELDS = 3
LEAVING_S = 5.0
SETTING_OUT_S = 0.34


async def conclude(done: Done, watch: Watch, page: Page) -> Done:
    """Return what came of an act and happened meanwhile, once its page has got where it set out for; NavigationError if that didn't open."""
    if not watch.held_dialog and await watch.run(loads_of(page).await_arrival(LEAVING_S)) is False:
        done = replace(done, facts={**done.facts, UNSETTLED: True, "under_way": ["page"]}, is_sure=False)
    if unopened := watch.outcomes("unopened"):
        raise _explain_unopened(unopened[-1], watch, page, {**done.facts, **watch.evidence()})
    arrived = watch.outcomes("navigated_to")
    if arrived and arrived[-1].get("status", 0) >= 400:
        raise refuse_status(
            **arrived[-1], page="", evidence={**done.facts, **watch.evidence(), **arrived[-1]}
        ).after_act()
    return replace(done, meanwhile=watch.evidence(), dismissed=watch.dismissed)


def _explain_unopened(unopened: dict[str, Any], watch: Watch, page: Page, evidence: dict[str, Any]) -> ActionError:
    url: str = unopened["url"]
    cause = explain_navigation_error(PlaywrightError(unopened["reason"]), url, page, watch)
    found = cause.evidence | evidence
    return NavigationError(cause.message, code=cause.code, hint=cause.hint, evidence=found).after_act()


async def wait_for_arrival(aim: ActionTarget, watch: Watch, earlier: int) -> None:
    """Wait for the page that an act leads to, where none has come beyond the earlier ones; without it the evidence names no new address."""
    if len(watch.happenings("navigated_to")) == earlier:
        with suppress(PlaywrightTimeoutError):
            await aim.page.wait_for_event("framenavigated", timeout=aim.take_ms())


async def check_sent(element: Locator, watch: Watch) -> bool | None:
    """Make sure that a form was not held back; return whether anything was sent, as far as the page shows.

    That is False where the page was asked to send a form, and neither did so nor showed anything of it; None where there is no form.

    Args:
        element: Something in the form's document; asked only where there are several, since it may be gone by now.

    Raises:
        ActionError: ``form_invalid`` if the browser, or the page, found fields that don't fit.
    """
    if watch.held_dialog or watch.outcomes("navigated_to"):
        return True
    if len(element.page.frames) == 1:
        element = element.page.locator("html")
    try:
        told: dict[str, Any] = await probe(element, "sending")
        if told["is_open"]:  # what it has begun may still be the answer
            reading = await read_settled(element, "sending")
            told = reading.held
            told["is_swallowed"] &= reading.is_settled
    except PlaywrightError:
        return bool(watch.outcomes("navigated_to"))  # the page has taken it away
    # Without a form's own event the browser has held it back; else the page has, unless it sends something itself.
    if told["fields"] and not told["is_sent"] and not (told["is_asked"] and told["requests"]):
        raise refuse_invalid(told["fields"])
    if told["is_leaving"]:
        await loads_of(element.page).await_arrival(LEAVING_S, setting_out_s=SETTING_OUT_S)
    if not told["is_asked"]:
        return bool(told["requests"]) or None
    return not told["is_swallowed"]


def refuse_invalid(fields: list[dict[str, Any]]) -> ActionError:
    """Return the error for a form that was not sent, as these fields don't fit: each with ``name``, ``role`` and the browser's ``message``."""
    told = [f"“{each['name']}”: {each['message'] or 'it does not fit'}" for each in fields[:SHOWN_FIELDS]]
    more = f" And {len(fields) - SHOWN_FIELDS} more." if len(fields) > SHOWN_FIELDS else ""
    return ActionError(
        f"The form was not sent. {' '.join(told)}{more}",
        code="form_invalid",
        hint="Fill in or correct these fields.",
        evidence={"invalid": fields},
    ).after_act()
