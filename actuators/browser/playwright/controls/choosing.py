"""Choosing options, in native selects and in the lists that pages build themselves."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import SettledReading, read_settled
from core.base.errors import ActionError, TargetError

if TYPE_CHECKING:
    from actuators.browser.playwright.finding.actionability import ActionTarget

OPTION_WAIT_S = 5.0
POLL_S = 0.05
SHOWN_OPTIONS = 30

ListChoice = dict[str, Any]
Wanted = str | int


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was chosen.

    Attributes:
        labels: The labels that are chosen now.
        was_read: Whether they were read back; not where choosing led to another page.
        notes: More evidence; says if the page had not settled.
    """

    labels: list[str]
    was_read: bool = True
    notes: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def is_sure(self) -> bool:
        """Whether they were read back when the page had settled."""
        return self.was_read and not self.notes


class _Named(str):
    """An option's label or value, and never its place."""

    __slots__ = ()


async def choose_options(aim: "ActionTarget", wanted: Sequence[Wanted], *, by_place: bool = True) -> Chosen:
    """Choose options of a select element, list box or combo box.

    Args:
        aim: The element.
        wanted: Label, value or zero-based index of each.
        by_place: Whether a text of digits that is neither label nor value is such an index.

    Returns:
        What is chosen afterwards.

    Raises:
        TargetError: If there is no such option, it is disabled, or the element has no options.
        ActionError: If the choice wasn't kept.
    """
    choice = await probe(aim.locator, "choice", aim.take_ms())
    if not by_place:
        wanted = [_Named(each) if isinstance(each, str) else each for each in wanted]
    if choice["kind"] == "native":
        return await _choose_natively(aim, wanted, choice)
    if choice["kind"] == "other":
        raise TargetError(
            "The element has no options.",
            code="target_unsuitable",
            hint="Name the select element, list box or combo box.",
            evidence={"url": aim.page.url},
        )
    if len(wanted) > 1 and not choice["multiple"]:
        raise _too_many(wanted)
    return await _choose_by_clicking(aim, wanted, choice)


async def _choose_natively(aim: "ActionTarget", wanted: Sequence[Wanted], choice: ListChoice) -> Chosen:
    if len(wanted) > 1 and not choice["multiple"]:
        raise _too_many(wanted)
    choice, places = await _wait_for_options(aim, wanted, choice)
    asked, url = [choice["options"][place]["label"] for place in places], aim.page.url
    if choice["ready"]:
        # What Playwright does as well, in a third of its time.
        await probe(aim.locator, "pick", aim.take_ms(), places=places)
    else:
        await aim.begun.select_option(index=places, timeout=aim.take_ms())
    reading = await _read_back(aim, url)
    if reading is None:
        return Chosen(asked, was_read=False)
    chosen = [option["label"] for option in reading.held["options"] if option["selected"]]
    if sorted(chosen) != sorted(asked):
        raise _not_kept(asked, chosen)
    return Chosen(chosen, notes=reading.evidence)


async def _read_back(aim: "ActionTarget", url: str) -> SettledReading | None:
    """Read the element again; None if choosing led to another page."""
    try:
        reading = await read_settled(aim.locator, "choice")
    except PlaywrightError:
        return None
    return reading if aim.page.url == url else None


async def _choose_by_clicking(aim: "ActionTarget", wanted: Sequence[Wanted], choice: ListChoice) -> Chosen:
    asked: list[str] = []
    url = aim.page.url
    for each in wanted:
        choice = await _open_list(aim, each)
        choice, (place,) = await _wait_for_options(aim, [each], choice)
        asked.append(choice["options"][place]["label"])
        if not choice["options"][place]["selected"] or not choice["multiple"]:
            option = aim.locator.locator(engine_selector("option_of", index=place))
            await option.click(timeout=aim.take_ms())
    reading = await _read_back(aim, url)
    if reading is None:
        return Chosen(asked, was_read=False)
    after: ListChoice = reading.held
    selected = [option["label"] for option in after["options"] if option["selected"]]
    shown = after.get("shown", "")
    if not set(asked) <= set(selected) and asked != [shown] and asked[0] not in shown:
        raise _not_kept(asked, selected or [shown])
    return Chosen(selected if set(asked) <= set(selected) else asked, notes=reading.evidence)


async def _open_list(aim: "ActionTarget", wanted: Wanted) -> ListChoice:
    """Open a closed list; where it opens only for what is typed, type that."""
    choice = await probe(aim.locator, "choice", aim.take_ms())
    if choice["open"] and choice["options"]:
        return choice
    await aim.locator.click(timeout=aim.take_ms())
    choice = await probe(aim.locator, "choice")
    if choice["editable"] and isinstance(wanted, str) and _find(choice["options"], wanted) is None:
        await aim.locator.fill(wanted, timeout=aim.take_ms())
        choice = await probe(aim.locator, "choice")
    return choice


async def _wait_for_options(
    aim: "ActionTarget", wanted: Sequence[Wanted], choice: ListChoice
) -> tuple[ListChoice, list[int]]:
    """Wait until all wanted options are there and can be chosen; return their places.

    Raises:
        TargetError: If they aren't, after five seconds at most; lists those that are.
    """
    limit_s = min(aim.deadline.elapsed_s + OPTION_WAIT_S, aim.deadline.elapsed_s + aim.deadline.remaining_s)
    while True:
        places = [_find(choice["options"], each) for each in wanted]
        found = [place for place in places if place is not None]
        if len(found) == len(wanted) and not any(choice["options"][place]["disabled"] for place in found):
            return choice, found
        if aim.deadline.elapsed_s >= limit_s - POLL_S:
            raise _no_option(aim, wanted, places, choice)
        await asyncio.sleep(POLL_S)
        choice = await probe(aim.locator, "choice")


def _find(options: list[dict[str, Any]], wanted: Wanted) -> int | None:
    """Return the place of an option: by exact label, exact value, label in any case, or number."""
    if isinstance(wanted, int):
        return wanted if 0 <= wanted < len(options) else None
    folded = " ".join(wanted.split())
    tests = (
        lambda option: option["label"] == folded,
        lambda option: option["value"] == wanted,
        lambda option: option["label"].casefold() == folded.casefold(),
    )
    for test in tests:
        for place, option in enumerate(options):
            if test(option):
                return place
    is_place = wanted.isdecimal() and not isinstance(wanted, _Named) and int(wanted) < len(options)
    return int(wanted) if is_place else None


def _no_option(
    aim: "ActionTarget", wanted: Sequence[Wanted], places: Sequence[int | None], choice: ListChoice
) -> TargetError:
    labels = [option["label"] for option in choice["options"]]
    evidence = {"url": aim.page.url, "options": labels[:SHOWN_OPTIONS], "waited_s": round(aim.deadline.elapsed_s, 3)}
    missing = [each for each, place in zip(wanted, places, strict=True) if place is None]
    shown = ", ".join(f'"{label}"' for label in labels[:SHOWN_OPTIONS]) or "none"
    if missing:
        message = f"No option {missing[0]!r}. Options: {shown}."
        return TargetError(message, code="target_missing", hint="Choose one of them.", evidence=evidence)
    disabled = [labels[place] for place in places if place is not None and choice["options"][place]["disabled"]]
    return TargetError(
        f'The option "{disabled[0]}" is disabled.',
        code="target_disabled",
        hint=f"Choose another one of: {shown}.",
        evidence=evidence,
    )


def _too_many(wanted: Sequence[Wanted]) -> TargetError:
    return TargetError(
        f"{len(wanted)} options were requested, but the list accepts only one.",
        code="target_unsuitable",
        hint="Choose one option.",
    )


def _not_kept(asked: list[str], chosen: list[str]) -> ActionError:
    return ActionError(
        f"The page did not keep the choice: requested {asked}, chosen now: {chosen}.",
        code="value_differs",
        hint="The page changes the choice; check what it needs first.",
        evidence={"expected": asked, "actual": chosen},
    ).after_act()
