"""Choosing options, in native selects and in the lists that pages build themselves."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.choices.matching_entries import Named, find_option, is_marked, is_place, write_wanted
from actuators.browser.playwright.choices.offers import Offer, OfferHand, Wanted, reach_offer
from actuators.browser.playwright.choices.picking import Pick, close, drop_others, list_chosen, pick, read_kept
from actuators.browser.playwright.choices.seeking import STILL_S
from actuators.browser.playwright.controls.controls import aim_at, refuse_disabled, tell_difference
from actuators.browser.playwright.finding.causes import unless_gone
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.finding.settling import UNSETTLED, SettledReading, do_and_tell, read_settled
from core.base.errors import ActionError, TargetError

if TYPE_CHECKING:
    from actuators.browser.playwright.finding.actionability import ActionTarget

OPTION_WAIT_S = 5.0
POLL_S = 0.05
SHOWN_OPTIONS = 30
SHOWN_TEXTS = 5
LOOKING_AGAIN_S = 2.0
ARRIVING_MS = 3000.0
ARRIVED_MS = 300.0

ListChoice = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was chosen, and whether it was read back; where that led to another page, in the element of that name there."""

    labels: list[str]
    was_read: bool = True
    notes: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def is_sure(self) -> bool:
        """Whether they were read back when the page had settled."""
        return self.was_read and not self.notes


async def choose_options(aim: "ActionTarget", wanted: Sequence[Wanted], *, by_place: bool = True) -> Chosen:
    """Choose options of a list; TargetError if one can't be chosen, ActionError if the page doesn't keep the choice.

    Args:
        wanted: Label, value or zero-based index of each.
        by_place: Whether a text of digits that is neither label nor value is such an index.
    """
    choice = await probe(aim.locator, "choice", aim.take_ms())
    if not by_place:
        wanted = [Named(each) if isinstance(each, str) else each for each in wanted]
    if choice["kind"] == "native" and choice["used"]:
        return await _choose_natively(aim, wanted, choice)
    return await _choose_in_widget(aim, wanted)


async def _choose_natively(aim: "ActionTarget", wanted: Sequence[Wanted], choice: ListChoice) -> Chosen:
    if not choice["multiple"] and len(wanted) != 1:
        raise _not_one(wanted)
    choice, places = await _wait_for_options(aim, wanted, choice)
    asked, url = [choice["options"][place]["label"] for place in places], aim.page.url
    first = None
    if choice["ready"]:
        # What Playwright does as well, in a third of its time.
        first = await do_and_tell(aim.locator, "pick", "choice", aim.take_ms(), places=places)
    else:
        await aim.insist(lambda left_ms: aim.begun.select_option(index=places, timeout=left_ms))
    reading = await unless_gone(read_settled(aim.locator, "choice", first=first), None)
    if reading is None or aim.page.url != url:
        return Chosen(asked, was_read=await _is_kept_elsewhere(aim, asked))
    chosen = _list_selected(reading)
    if sorted(chosen) != sorted(asked):
        raise _not_kept(asked, chosen)
    return Chosen(chosen, notes=reading.evidence)


async def _is_kept_elsewhere(aim: "ActionTarget", asked: list[str]) -> bool:
    try:
        await aim.page.wait_for_load_state("domcontentloaded", timeout=min(ARRIVING_MS, aim.take_ms()))
        there = await read_settled(aim.locator, "choice", ARRIVED_MS)
    except (PlaywrightError, ActionError):
        return False
    return there.is_settled and sorted(_list_selected(there)) == sorted(asked)


def _list_selected(reading: SettledReading) -> list[str]:
    return [option["label"] for option in reading.held["options"] if option["selected"]]


async def _choose_in_widget(aim: "ActionTarget", wanted: Sequence[Wanted]) -> Chosen:
    hand = await reach_offer(aim)
    offer = await hand.begin()
    if offer.facts["disabled"]:
        raise refuse_disabled(aim, offer.facts["disabled"], element=offer.facts["element"])
    if offer.kind == "other":
        raise _optionless(aim)
    if offer.kind != "native":
        return await _choose_in_turn(hand, wanted)
    native = aim_at(aim, hand.find("field"))
    return await _choose_natively(native, wanted, await probe(native.locator, "choice", aim.take_ms()))


async def _choose_in_turn(hand: OfferHand, wanted: Sequence[Wanted]) -> Chosen:
    aim, picks = hand.aim, list[Pick]()
    url = aim.page.url
    if not wanted:
        return await _clear(hand)
    try:
        for each in wanted:
            picks.append(await pick(hand, each, is_one_of_several=len(wanted) > 1))
            if picks[-1].failure:
                raise _explain(aim, each, picks[-1])
        stuck = await drop_others(hand, [each.label for each in picks]) if len(picks) > 1 else []
        if stuck:
            raise _not_kept([each.label for each in picks], [*(each.label for each in picks), *stuck])
        return await _conclude(hand, picks, url)
    except PlaywrightError:
        if aim.page.url == url or not picks:
            raise
        return Chosen([each.label for each in picks], was_read=False)


async def _clear(hand: OfferHand) -> Chosen:
    offer = await hand.ask()
    if not _takes_several(offer) and await hand.press("press"):
        offer = await hand.ask_until_still(LOOKING_AGAIN_S, STILL_S)  # its list may say more
    if not _takes_several(offer):
        await close(hand)
        raise _not_one([])
    stuck = await drop_others(hand, [])
    if stuck:
        raise _not_kept([], stuck)
    await close(hand)
    after = await unless_gone(hand.ask_settled(), None)
    if after is None:
        return Chosen([], was_read=False)
    left = list_chosen(after)
    if left:
        raise _not_kept([], left)
    return Chosen([], notes={} if after.is_settled else {UNSETTLED: True})


def _takes_several(offer: Offer) -> bool:
    return bool(offer.facts["multiple"] or offer.facts["chips"])


async def _conclude(hand: OfferHand, picks: Sequence[Pick], url: str) -> Chosen:
    labels = [each.label for each in picks]
    notes: dict[str, Any] = {"by": picks[-1].by} | picks[-1].evidence
    after = await unless_gone(hand.ask_settled(), None)
    if after is None or hand.aim.page.url != url:
        return Chosen(labels, was_read=False)
    verdicts = [read_kept(after, each.label, each.texts) for each in picks]
    await close(hand)
    after = await unless_gone(hand.ask_settled(), after)
    doubted = [each for each, kept in zip(picks, verdicts, strict=True) if kept is False or each.is_kept is False]
    lost = [each for each in doubted if not read_kept(after, each.label, each.texts)]
    unseen = [each for each, kept in zip(picks, verdicts, strict=True) if kept is None and each.is_kept is None]
    if unseen and not lost and after.kind != "list":
        lost, unseen = await _look_again(hand, unseen)
    if lost:
        shown = list(after.shown[:SHOWN_TEXTS])
        raise _not_kept(labels, shown or [each for each in after.labels if is_marked(after, each)])
    return Chosen(labels, was_read=not unseen, notes=notes if not after.is_settled else {})


async def _look_again(hand: OfferHand, picks: Sequence[Pick]) -> tuple[list[Pick], list[Pick]]:
    """Open the list once more; return what isn't chosen, and what nobody can say."""
    if any(each.by == "text" for each in picks) or not await hand.press("press"):
        return [], list(picks)
    offer = await hand.ask_until_still(LOOKING_AGAIN_S, STILL_S)
    marks = [is_marked(offer, each.label) for each in picks]
    await close(hand)
    has_marks = any(each.selected for each in offer.entries)
    lost = [each for each, mark in zip(picks, marks, strict=True) if mark is False and has_marks]
    return lost, [each for each, mark in zip(picks, marks, strict=True) if not mark and each not in lost]


def _optionless(aim: "ActionTarget") -> TargetError:
    return aim.refuse("The element has no options.", "Name the select element, list box or combo box.")


def _explain(aim: "ActionTarget", wanted: Wanted, failed: Pick) -> TargetError:
    if failed.failure == "unsuitable":
        return _optionless(aim)
    offered = failed.offered[:SHOWN_OPTIONS]
    shown = ", ".join(f'"{label}"' for label in offered) or "none"
    message, hint = {
        "missing": (f"No option {wanted!r}. Options: {shown}.", "Choose one of them."),
        "disabled": (f'The option "{failed.label}" is disabled.', f"Choose another one of: {shown}."),
        "covered": (f'The option "{failed.label}" could not be pressed.', "Check what lies over it."),
    }[failed.failure]
    waited_s = round(aim.deadline.elapsed_s, 3)
    return aim.refuse(message, hint, f"target_{failed.failure}", options=offered, waited_s=waited_s)


async def _wait_for_options(
    aim: "ActionTarget", wanted: Sequence[Wanted], choice: ListChoice
) -> tuple[ListChoice, list[int]]:
    limit_s = aim.deadline.elapsed_s + min(OPTION_WAIT_S, aim.deadline.remaining_s)
    while True:
        places = [_find(choice["options"], each) for each in wanted]
        found = [place for place in places if place is not None]
        if len(found) == len(wanted) and not any(choice["options"][place]["disabled"] for place in found):
            return choice, found
        if aim.deadline.elapsed_s >= limit_s - POLL_S:
            raise _explain_options(aim, wanted, places, choice["options"])
        await asyncio.sleep(POLL_S)
        choice = await probe(aim.locator, "choice")


def _explain_options(
    aim: "ActionTarget", wanted: Sequence[Wanted], places: Sequence[int | None], options: Sequence[dict[str, Any]]
) -> TargetError:
    offered = [option["label"] for option in options]
    for each, place in zip(wanted, places, strict=True):
        if place is None:
            return _explain(aim, each, Pick("", offered=offered, failure="missing"))
    disabled = next(offered[place] for place in places if place is not None and options[place]["disabled"])
    return _explain(aim, "", Pick(disabled, offered=offered, failure="disabled"))


def _find(options: Sequence[dict[str, Any]], wanted: Wanted) -> int | None:
    text = write_wanted(wanted)
    place = find_option(options, text)
    return int(text) if place is None and is_place(text, len(options)) else place


def _not_one(wanted: Sequence[Wanted]) -> TargetError:
    said = f"{len(wanted)} options were requested, but the list accepts only one."
    return TargetError(
        said if wanted else "No option was requested, and a list for one can't be cleared.",
        code="target_unsuitable",
        hint="Choose one option.",
    )


def _not_kept(asked: list[str], chosen: list[str]) -> ActionError:
    message = f"The page did not keep the choice: requested {asked}, chosen now: {chosen}."
    return tell_difference(message, "The page changes the choice; check what it needs first.", asked, chosen)
