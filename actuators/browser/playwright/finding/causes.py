"""What Playwright's errors mean, by their messages and call logs; and asking again what failed for no fault of the page's."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, TypeVar

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from actuators.browser.playwright.engine.scripts import EngineFault, find_fault
from actuators.deadlines import Deadline, allow_s, pause
from core.base.errors import ActionError

FailureCause = Literal[
    "missing",
    "ambiguous",
    "bad_selector",
    "covered",
    "moving",
    "disabled",
    "read_only",
    "hidden",
    "off_screen",
    "detached",
    "unsuitable",
    "options",
    "closed",
    "fault",
    "replaced",
    "unclear",
    "unknown",
]

# Lines of the call log, each the reason why one attempt was given up. The last one that matches is the cause.
_LOG_CAUSES: tuple[tuple[str, FailureCause], ...] = (
    ("intercepts pointer events", "covered"),
    ("element is not visible", "hidden"),
    ("element is not stable", "moving"),
    ("element is not enabled", "disabled"),
    ("element is inert", "disabled"),
    ("element is not editable", "read_only"),
    ("element is outside of the viewport", "off_screen"),
    ("element was detached from the DOM", "detached"),
    ("did not find some options", "options"),
    ("option being selected is not enabled", "options"),
)
_MESSAGE_CAUSES: tuple[tuple[str, FailureCause], ...] = (
    ("strict mode violation", "ambiguous"),
    ("Target page, context or browser has been closed", "closed"),
    ("Target crashed", "closed"),
    ("Page crashed", "closed"),
    ("Browser closed", "closed"),
    ("Connection closed", "closed"),
    ("frame was detached", "replaced"),
    ("Frame was detached", "replaced"),
    ("Element is not attached", "detached"),
    ("Execution context was destroyed", "replaced"),
    ("Cannot find context with specified id", "replaced"),
    ("Unable to adopt element handle from a different document", "replaced"),
    ("because the page is navigating", "replaced"),
    ("Unexpected token", "bad_selector"),
    ("Unknown engine", "bad_selector"),
    ("is not a valid selector", "bad_selector"),
    ("is not a valid XPath", "bad_selector"),
    ("while parsing selector", "bad_selector"),
    ("while parsing css selector", "bad_selector"),
    ("Malformed", "bad_selector"),
    ("SyntaxError", "bad_selector"),
    ("Invalid regular expression", "bad_selector"),
    ("Element is not an", "unsuitable"),
    ("Element is not a ", "unsuitable"),
    ("Not a checkbox", "unsuitable"),
    ("cannot be filled", "unsuitable"),
    ("Cannot type text into", "unsuitable"),
    ("Malformed value", "unsuitable"),
    ("Non-multiple", "unsuitable"),
    ("Clicking the checkbox did not change its state", "unsuitable"),
)
_RESOLVED = re.compile(r"locator resolved to (?!hidden)")
_TIMED_OUT = re.compile(r"Timeout \d+(?:\.\d+)?ms exceeded")
_PERFORMING = re.compile(r"performing \S+( and up)? action|elementHandle\.(?:press|type)\(")


@dataclass(frozen=True, slots=True)
class Failure:
    """What Playwright reported.

    Attributes:
        cause: Why the act failed. ``missing`` and ``unknown`` are verdicts of Playwright's after a time-out; ``fault``, ``replaced``
            and ``unclear`` say nothing about the element.
        was_performed: Whether the act itself was begun and nothing intercepted it, so that it may have had its effect.
        interceptor: What was in the way at the last attempt, as Playwright shows it; empty if nothing was.
        fault: What our own script in the page failed with, if it did.
    """

    cause: FailureCause
    was_found: bool
    was_performed: bool
    attempts: int
    text: str
    interceptor: str = ""
    fault: EngineFault | None = None

    @property
    def is_slow(self) -> bool:
        """Whether the element was found and nothing kept the act from it, so that it only takes its time."""
        return self.was_found and not self.attempts


def read_failure(message: str) -> Failure:
    """Read the message of a Playwright error."""
    head, _, log = message.partition("Call log:")
    fault = find_fault(head)
    lines = [line.strip(" -") for line in log.splitlines() if line.strip(" -")]
    given_up: list[tuple[int, FailureCause]] = [
        (place, cause) for place, line in enumerate(lines) for words, cause in _LOG_CAUSES if words in line
    ]
    performed = [place for place, line in enumerate(lines) if _PERFORMING.search(line)]
    was_performed = bool(performed) and not any(place > performed[-1] for place, _ in given_up)
    found = bool(_RESOLVED.search(log)) or bool(given_up)
    named: FailureCause | None = (
        "fault" if fault else next((cause for words, cause in _MESSAGE_CAUSES if words in head), None)
    )
    # What isn't a time-out was not waited for, so that nothing is known to be missing.
    is_answer = not head.strip() or _TIMED_OUT.search(head) is not None
    last: FailureCause = (
        given_up[-1][1] if given_up else "unclear" if not is_answer else "unknown" if found else "missing"
    )
    blocked = [line.partition(" intercepts pointer events")[0] for line in lines if "intercepts pointer events" in line]
    interceptor = blocked[-1] if blocked else ""
    return Failure(
        named or last,
        found or named == "ambiguous",
        was_performed,
        len(given_up),
        fault.message if fault else _first_line(head),
        interceptor,
        fault,
    )


def _first_line(head: str) -> str:
    line = head.strip().splitlines()[0] if head.strip() else ""
    return re.sub(r"^(?:Error: )?(?:\w+\.\w+: )?(?:Error: )?", "", line)


T = TypeVar("T")
D = TypeVar("D")

AGAIN_S = 0.03
LEAST_LOOK_S = 0.25  # with less time than this, looking again would only end in a time-out, which says nothing
_PASSING = frozenset({"fault", "replaced", "unclear"})  # causes that say nothing about the element


class EngineError(ActionError):
    """Our own script inside a page failed; never a verdict about the page."""

    code = "engine_failed"


NO_ANSWER = (PlaywrightError, EngineError)
"""What a question ends with whose document is being replaced, is gone, or doesn't answer."""


async def unless_gone(answer: Awaitable[T], otherwise: D) -> T | D:
    """Return what a page answers; something else where what was asked is gone, or on its way to another document."""
    try:
        return await answer
    except PlaywrightError:
        return otherwise


async def answer_or(answer: Awaitable[T], otherwise: D, limit_s: float | None = None) -> T | D:
    """Return what a page answers within so many seconds; something else where there is no answer, whyever."""
    try:
        async with asyncio.timeout(limit_s):
            return await answer
    except (*NO_ANSWER, TimeoutError):
        return otherwise


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
    """Ask what changes nothing, with the milliseconds there are; again while the error is a passing one."""
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
