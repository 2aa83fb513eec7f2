"""Acting on several elements that one selector names, one by one, reading them all, and what every part of the back end knows of pages."""

import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Locator
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from actuators.browser.playwright.finding.actionability import (
    Actionability,
    ActionTarget,
    act_insistently,
    act_patiently,
    make_attempt,
)
from actuators.browser.playwright.finding.explanations import explain_ambiguous, explain_failure
from actuators.browser.playwright.finding.failure_snapshots import show_snapshot
from actuators.browser.playwright.finding.locators import build_held, build_holding
from actuators.browser.playwright.finding.probes import count_matches, probe, probe_matches
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.ports.pages import Done, explain_few, merge_done, merge_facts, stop_midway
from actuators.browser.ports.values import sort_texts
from core.base.errors import SurehandError
from core.results.failure_snapshots import FailureSnapshot
from core.selectors.selectors import PlainSelector, SelectorSpec, parse_selector
from core.tools.ports import ActionContext

MOST_CHARS = 1000
BatchAct = Callable[[ActionTarget], Awaitable[Done]]


async def act_on_each(
    reacher: Actionability,
    context: ActionContext,
    selector: str,
    act: BatchAct,
    order: str | Sequence[str] | None = None,
) -> Done:
    """Do something with each element that a selector names, one by one.

    The elements are found once, before the first is acted on. One that the page makes anew meanwhile is found again, if
    it can be told which one it is.

    Args:
        context: About this action; its time is for all elements together.
        order: By their numbers or texts, or the texts of those that come first; None for the order of the page.

    Returns:
        What came of the only element, or of all of them.

    Raises:
        TargetError: If one is missing, ambiguous or can't be acted on; says how many had been acted on before.
        UnknownOutcomeError: If the act was begun and it isn't known how it ended.
    """
    spec = parse_selector(selector)
    if not spec.names_several:
        return await reacher.act(context, selector, act)
    return await reacher.act(context, selector, lambda aim: _act_on_all(aim, spec, act, order), several=True)


async def read_each(
    reacher: Actionability, context: ActionContext, selector: str, what: str, **options: Any
) -> list[Any]:
    """Ask the page engine about each of several elements, once there are enough; TargetError if there are fewer."""
    spec = parse_selector(selector)

    async def read_them(aim: ActionTarget) -> list[Any]:
        await _wait_for_enough(aim, spec, aim.locator)
        return await probe_matches(aim.locator, what, aim.take_ms(), **options)

    return await reacher.act(context, selector, read_them, several=True)


async def _act_on_all(aim: ActionTarget, spec: SelectorSpec, act: BatchAct, order: str | Sequence[str] | None) -> Done:
    token = secrets.token_hex(8)
    holding = build_holding(spec, aim.frame or aim.page, token)
    count = await _wait_for_enough(aim, spec, holding)
    done: list[Done] = []
    places = range(count) if order is None else await _sort_places(aim, holding, order)
    for place in places:
        each = replace(aim, locator=build_held(spec, aim.frame or aim.page, token, place), first_limit_s=None)
        each.deadline = aim.deadline
        try:
            done.append(await act_patiently(each, lambda each=each: act_insistently(each, act)))
        except PlaywrightError as error:
            # Without the cause: its call log shows what was typed.
            raise stop_midway(await explain_failure(error, make_attempt(spec, each)), done, count) from None
        except SurehandError as error:
            raise stop_midway(error, done, count) from error
    return merge_done(done)


async def _sort_places(aim: ActionTarget, holding: Locator, order: str | Sequence[str]) -> list[int]:
    read = await probe_matches(holding, "text", aim.take_ms(), most=MOST_CHARS)
    texts = [" ".join(each["text"].split()) for each in read]
    places: dict[str, list[int]] = {}
    for place, text in enumerate(texts):
        places.setdefault(text, []).append(place)
    return [places[text].pop(0) for text in sort_texts(texts, order)]


async def _wait_for_enough(aim: ActionTarget, spec: SelectorSpec, locator: Locator) -> int:
    wanted = spec.core.quantity if isinstance(spec.core, PlainSelector) else "every"
    least = wanted if isinstance(wanted, int) else 1
    try:
        await locator.nth(least - 1).wait_for(state="attached", timeout=aim.take_ms())
    except PlaywrightTimeoutError:
        if least == 1 or not (count := await count_matches(locator)):
            raise
        raise explain_few(spec.source, least, count, {"url": aim.page.url}) from None
    count = await count_matches(locator)
    if isinstance(wanted, int) and count > wanted:
        raise await explain_ambiguous(make_attempt(spec, aim))
    return count


class PlaywrightPages:
    """The pages of a session, which are changed or only looked at."""

    acts = False

    def __init__(self, session: PlaywrightSession) -> None:
        self._session = session
        self._reacher = Actionability(session, acts=self.acts)

    def find_address(self, context: ActionContext) -> str | None:
        """Return the address of the lane's page; None where no page is open."""
        tab = self._session.tabs.current(context.lane)
        return tab.page.url if tab else None

    async def describe_elements(self, context: ActionContext, selector: str) -> Mapping[str, Any]:
        """Return role, name, tag, where a link leads and what a form sends where; of several elements each as a list."""
        if parse_selector(selector).names_several:
            return merge_facts(await read_each(self._reacher, context, selector, "aim"))
        return await self._reacher.act(context, selector, lambda aim: probe(aim.locator, "aim", aim.take_ms()))

    async def show_snapshot(self, context: ActionContext) -> FailureSnapshot | None:
        """Return what there is to see of the lane's page; None where it has none."""
        return await show_snapshot(self._session, context)
