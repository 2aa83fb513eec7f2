"""Doing again what failed for no fault of the page's: while a document is replaced, or where our own script fell over what it found."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from actuators.browser.playwright.engine.scripts import EngineFault
from actuators.browser.playwright.finding.causes import Failure, read_failure
from actuators.deadlines import Deadline, allow_s, pause
from core.base.errors import ActionError

T = TypeVar("T")

AGAIN_S = 0.03
LEAST_LOOK_S = 0.25  # with less time than this, looking again would only end in a time-out, which says nothing
_PASSING = frozenset({"fault", "replaced", "unclear"})  # causes that say nothing about the element


class EngineError(ActionError):
    """Our own script inside a page failed; never a verdict about the page."""

    code = "engine_failed"


NO_ANSWER = (PlaywrightError, EngineError)
"""What a question ends with whose document is being replaced, is gone, or doesn't answer."""


def is_passing(error: PlaywrightError) -> bool:
    """Tell whether an error is neither a time-out nor a verdict, so that asking again may help."""
    return read_failure(error.message).cause in _PASSING and not isinstance(error, PlaywrightTimeoutError)


def is_undone(error: PlaywrightError) -> bool:
    """Tell whether an act failed before it was begun, and for no fault of the page's, so that it may be tried again."""
    failure = read_failure(error.message)
    return not failure.was_performed and (
        failure.cause == "fault" or (failure.cause == "replaced" and not failure.was_found)
    )


async def persist(ask: Callable[[float], Awaitable[T]], timeout_ms: float, url: str) -> T:
    """Ask what changes nothing; again until the time is over, as long as the error is a passing one.

    Args:
        ask: Takes the milliseconds that it has.

    Raises:
        EngineError: If our own script failed to the end.
    """
    deadline = Deadline(allow_s(timeout_ms / 1000))
    while True:
        try:
            return await ask(deadline.remaining_ms)
        except PlaywrightError as error:
            if not is_passing(error):
                raise
            if deadline.remaining_s < LEAST_LOOK_S:
                fault = read_failure(error.message).fault
                raise (explain_fault(fault, url) if fault else error) from None
        await pause(AGAIN_S)


def explain_fault(fault: EngineFault, url: str) -> EngineError:
    """Return the error for a fault of our own script."""
    return EngineError(
        f"Surehand's own script failed on {fault.url or url}: {fault.message}, in {fault.place}. Nothing was done.",
        hint="This is a fault in Surehand, not in the page; please report it.",
        evidence={"url": fault.url or url, "fault": fault.message, "place": fault.place},
    )


def explain_trouble(error: PlaywrightError, page: Page) -> ActionError:
    """Return the error for what went wrong between this program and the browser, and says nothing about the page."""
    failure = read_failure(error.message)
    if failure.fault:
        return explain_fault(failure.fault, page.url)
    return describe_trouble(failure, page.url)


def describe_trouble(failure: Failure, url: str, named: str = "it") -> ActionError:
    """Return the error for an answer of the browser's that isn't understood."""
    return ActionError(
        f"The browser did not answer about {named} on {url}: {failure.text}.",
        code="browser_failed",
        hint="Check the page, and try again.",
        evidence={"url": url, "reported": failure.text},
    )
