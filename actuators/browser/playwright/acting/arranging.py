"""Putting things in order by dragging them, one after another, until what the page shows is in order."""

import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from actuators.browser.playwright.finding.actionability import Actionability, ActionTarget
from actuators.browser.playwright.finding.batch import MOST_CHARS, read_each
from actuators.browser.playwright.finding.idling import ask_until
from actuators.browser.playwright.finding.locators import build_held, build_holding
from actuators.browser.ports.values import sort_texts
from core.base.errors import ActionError, TargetError
from core.selectors.selectors import PlainSelector, SelectorSpec, parse_selector, render_selector
from core.tools.ports import ActionContext

DragBefore = Callable[[ActionTarget, ActionTarget], Awaitable[Any]]

ANSWER_S = 1.0  # for a page to show things in their new places


async def arrange(
    reacher: Actionability, context: ActionContext, selector: str, order: str | Sequence[str], drag: DragBefore
) -> dict[str, Any]:
    """Drag things until they stand in order; not at all where they do.

    Args:
        selector: The things; a plain form that names several.
        order: By their numbers or texts, or their texts in the order that is wanted.

    Returns:
        Evidence ``before``, ``after`` and ``moves``.

    Raises:
        TargetError: If they are missing, can't be dragged, or an order names what isn't among them.
        ActionError: ``value_differs`` if the page puts them elsewhere.
    """
    spec = parse_selector(selector)
    if not isinstance(spec.core, PlainSelector) or not spec.names_several:
        raise TargetError(
            f"{selector.strip()} names no set of things to put in order.",
            code="bad_selector",
            hint="For example: every listitem.",
        )
    before = now = await _read(reacher, context, selector)
    wanted, moves = sort_texts(before, order), 0
    while now != wanted and moves < len(wanted) * 2:
        place = next(at for at, text in enumerate(now) if text != wanted[at])
        from_place = now.index(wanted[place], place)
        await _move(reacher, context, spec, (from_place, place), drag)
        moves += 1
        now = await _await_change(reacher, context, selector, now)
    if now != wanted:
        raise ActionError(
            f"{selector.strip()} is still not in order after {moves} drags: {', '.join(now)}.",
            code="value_differs",
            hint="Check whether these things can be dragged.",
            evidence={"before": before, "after": now, "wanted": wanted, "moves": moves},
        )
    return {"before": before, "after": now, "moves": moves}


async def _read(reacher: Actionability, context: ActionContext, selector: str) -> list[str]:
    found = await read_each(reacher, context, selector, "text", most=MOST_CHARS)
    return [" ".join(each["text"].split()) for each in found]


async def _move(
    reacher: Actionability, context: ActionContext, spec: SelectorSpec, places: tuple[int, int], drag: DragBefore
) -> None:
    selector = render_selector(SelectorSpec("", spec.core, spec.frames))
    await reacher.act(context, selector, lambda aim: _drag_held(aim, spec, places, drag), several=True)


async def _drag_held(aim: ActionTarget, spec: SelectorSpec, places: tuple[int, int], drag: DragBefore) -> None:
    # Held, since a number is another thing's as soon as one of them moves.
    token, root = secrets.token_hex(8), aim.frame or aim.page
    await build_holding(spec, root, token).count()
    dragged, other = (replace(aim, locator=build_held(spec, root, token, at)) for at in places)
    dragged.deadline = other.deadline = aim.deadline
    try:
        await drag(dragged, other)
    except ActionError as error:
        if error.code != "state_not_kept":  # what came of it is read from all of them together
            raise


async def _await_change(
    reacher: Actionability, context: ActionContext, selector: str, before: Sequence[str]
) -> list[str]:
    return await ask_until(
        lambda: _read(reacher, context, selector),
        lambda now: now != before and len(now) == len(before),
        ANSWER_S,
    )
