"""What an element shows, compared with a condition until it holds, and acting again until it does."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from actuators.browser.playwright.finding.causes import read_failure
from actuators.browser.playwright.looking.expecting import read_elements
from actuators.browser.ports.values import ValueCondition
from actuators.deadlines import Deadline, pause
from core.base.errors import DeadlineError
from core.base.matching import fold_space
from core.selectors.selectors import parse_single_selector

POLL_S = 0.03
ANSWER_S = 1.0  # for a page to show something else after an act; only then is it done again
MOST_ACTS = 200
SHOWN_CHARS = 120


@dataclass(frozen=True, slots=True)
class ShownValue:
    """What is to come: an element that is visible, or shows a value.

    Attributes:
        condition: What it must show; None if being visible is enough.
    """

    selector: str
    condition: ValueCondition | None

    def describe(self) -> str:
        """Return a phrase for messages."""
        return f"{self.selector} to be {self.condition.describe() if self.condition else 'visible'}"

    async def look(self, page: Page) -> tuple[bool, str | None]:
        """Return whether it has come, and what the element shows; None where there isn't one.

        Raises:
            TargetError: If the selector is bad or names several elements.
        """
        spec = parse_single_selector(self.selector)
        try:
            found = [each for each in await read_elements(page, spec) if each["visible"]]
        except PlaywrightError as error:
            if read_failure(error.message).cause == "bad_selector":
                raise
            return False, None  # the page is on its way to another document
        if len(found) != 1:
            return bool(found) and self.condition is None, None
        if found[0]["secret"]:
            return self.condition is None, "(a secret)"
        shown = fold_space(found[0]["value"] if found[0]["value"] is not None else found[0]["text"])
        return self.condition is None or self.condition.holds(shown), shown[:SHOWN_CHARS]


async def wait_for_value(page: Page, selector: str, condition: ValueCondition, deadline: Deadline) -> dict[str, Any]:
    """Wait until an element shows a value; return evidence of it.

    Raises:
        TimeoutError: Playwright's, if it didn't in time; says what was shown last.
    """
    wanted = ShownValue(selector, condition)
    while True:
        holds, shown = await wanted.look(page)
        if holds:
            return {"selector": selector, "shown": shown}
        if deadline.remaining_s <= POLL_S:
            raise PlaywrightTimeoutError(f"{selector} shows {shown!r}")
        await pause(POLL_S)


async def act_until(
    page: Page, wanted: ShownValue, act: Callable[[], Awaitable[None]], deadline: Deadline
) -> dict[str, Any]:
    """Do something again and again until an element shows what is wanted; not at all where it does already.

    Returns:
        Evidence ``clicks`` and ``shown``.

    Raises:
        DeadlineError: If it didn't come in time; says how often it was done.
    """
    acts = 0
    holds, shown = await wanted.look(page)
    while not holds:
        if deadline.remaining_s < ANSWER_S or acts >= MOST_ACTS:
            raise _give_up(wanted, shown, acts, deadline)
        await act()
        acts += 1
        holds, shown = await _await_answer(page, wanted, shown)
    return {"clicks": acts, "shown": shown}


async def _await_answer(page: Page, wanted: ShownValue, before: str | None) -> tuple[bool, str | None]:
    """Look until what is shown is another thing, for a while: the same may come twice."""
    patience = Deadline(ANSWER_S)
    while True:
        holds, shown = await wanted.look(page)
        if holds or shown != before or patience.is_over:
            return holds, shown
        await pause(POLL_S)


def _give_up(wanted: ShownValue, shown: str | None, acts: int, deadline: Deadline) -> DeadlineError:
    last = "nothing was shown there" if shown is None else f"it last showed “{shown}”"
    times = "once" if acts == 1 else f"{acts} times"
    return DeadlineError(
        f"Clicked {times} in {deadline.elapsed_s:.1f} s and waited for {wanted.describe()}; {last}.",
        hint="Check the condition, or whether the click changes what is shown.",
        evidence={"clicks": acts, "shown": shown, "waited_s": round(deadline.elapsed_s, 3)},
    )
