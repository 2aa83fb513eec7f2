"""Choosing in widgets of a page's own making, and reading back what they show then."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.choices.matching_entries import find_making, is_marked, shows, split_path
from actuators.browser.playwright.choices.offers import LOOK_S, Entry, Offer, OfferHand, Wanted
from actuators.browser.playwright.choices.seeking import ANSWER_S, STILL_S, EntrySearch, expand, seek
from actuators.deadlines import pause

CLOSING_S = 0.2


@dataclass(slots=True)
class Pick:
    """What became of one thing to choose."""

    label: str
    texts: tuple[str, ...] = ()
    by: str = ""
    is_kept: bool | None = None  # whether the page shows that it is chosen; None where it shows nothing of that
    offered: list[str] = field(default_factory=list[str])
    failure: str = ""  # why it was not chosen: missing, disabled, unsuitable or covered
    evidence: dict[str, Any] = field(default_factory=dict[str, Any])


async def pick(hand: OfferHand, wanted: Wanted, *, is_one_of_several: bool) -> Pick:
    """Choose one thing, or what a path leads to, where it lies below others."""
    offer = await hand.ask()
    if isinstance(wanted, str) and is_one_of_several and _is_there(offer, wanted):
        return Pick(wanted, (wanted,), "already", is_kept=True)
    path = split_path(wanted, [*offer.labels, *offer.shown])
    search = EntrySearch(hand, path[0], offer, is_below=len(path) > 1)
    if len(path) > 1:
        if await _go_down(search, path):
            return await _take(search)
        search = EntrySearch(hand, wanted, offer)
    return await _take(search) if await seek(search) else await _do_without(search, wanted)


async def _go_down(search: EntrySearch, path: list[Wanted]) -> bool:
    for step in path[:-1]:
        search.wanted = step
        if not await seek(search):
            return False
        place, entry = search.place or 0, search.found
        if entry.is_shut and not await expand(search.hand, place):
            return False
        if entry.expanded is None and not entry.folds:
            await search.hand.press("entry", place)
        search.start = place + 1
        search.wanted = path[path.index(step) + 1]
        if not await search.wait(ANSWER_S if entry.expanded is None else STILL_S) and step == path[-2]:
            return await seek(search)
    return search.is_found


def _is_there(offer: Offer, wanted: str) -> bool:
    there = [text for text in (*offer.shown, *(offer.model or ())) if text != offer.text]
    return any(text.casefold() == wanted.casefold() for text in there)


async def _take(search: EntrySearch) -> Pick:
    entry, before = search.found, search.offer
    chosen = Pick(entry.label, entry.texts, search.by, offered=list(search.seen))
    # Some lists mark as chosen what would be so by Enter, and their model knows better.
    is_chosen = bool(entry.selected) if before.model is None else entry.label in before.model
    if before.facts["multiple"] and is_chosen:
        chosen.is_kept = True
        return chosen
    if not await search.hand.press("entry", search.place or 0):
        search.look(await search.hand.ask())
        if not search.is_found or not await search.hand.press("entry", search.place or 0):
            chosen.failure = "covered"
            return chosen
    chosen.is_kept, chosen.evidence = await _judge(search.hand, entry)
    # It was chosen, and is so no more.
    if chosen.is_kept is False and entry.selected and search.look(await search.hand.ask()):
        await search.hand.press("entry", search.place or 0)
        chosen.is_kept, chosen.evidence = await _judge(search.hand, entry)
    return chosen


async def _judge(hand: OfferHand, entry: Entry) -> tuple[bool | None, dict[str, Any]]:
    try:
        at_once, after = await hand.ask(), await hand.ask_settled()
    except PlaywrightError:
        return None, {}  # choosing has led away from it
    kept = read_kept(after, entry.label, entry.texts)
    if kept is None and read_kept(at_once, entry.label, entry.texts):
        kept = False  # it was shown, and taken back
    return kept, {} if after.is_settled else {"unsettled": True}


def read_kept(after: Offer, label: str, texts: Sequence[str]) -> bool | None:
    """Return whether a widget shows that something is chosen; None where it shows nothing of that.

    Where it stands for a hidden field that knows the same thing, what is shown counts only if that field holds it.
    """
    if after.leaves(label):
        return False
    if shows(after, [label, *texts]):
        return True
    return is_marked(after, label)


async def _do_without(search: EntrySearch, wanted: Wanted) -> Pick:
    hand, text = search.hand, str(wanted)
    if search.place is not None:
        return Pick(search.found.label, offered=list(search.seen), failure="disabled")
    if search.typed:
        making = find_making(search.offer.entries, text)
        if making is not None:
            await hand.press("entry", making)
        elif not search.offer.entries and not (search.offer.kind == "typed" and search.offer.facts["in_form"]):
            await hand.key("Enter", "text")  # in a plain field of a form it would send that
        if making is None and not _is_there(await hand.ask(), text):
            await hand.leave()
        after = await hand.ask_settled()
        if _is_there(after, text):
            return Pick(text, (text,), "made", is_kept=True)
        is_plain = after.kind == "typed" and not search.seen  # nothing speaks for anything to choose
        if shows(after, [text]) and not after.facts["invalid"] and not is_plain:
            # Whether it counts is the business of the page, which may only be slow to offer something.
            return Pick(text, (text,), "text", is_kept=None)
    await _put_back(search)
    is_plain = search.offer.kind == "typed" and not search.seen
    return Pick(text, offered=list(search.seen), failure="unsuitable" if is_plain else "missing")


async def _put_back(search: EntrySearch) -> None:
    if search.typed:
        await search.hand.type(search.text if search.offer.kind == "typed" else "")
    await close(search.hand)


async def close(hand: OfferHand) -> None:
    """Close a list that stays open; by the key for that, else by pressing what has opened it."""
    try:
        offer = await hand.ask()
        if offer.is_open:
            offer = await hand.ask_until_still(STILL_S, CLOSING_S)  # it may be on its way
        if offer.is_open:
            await hand.aim.page.keyboard.press("Escape")
            offer = await hand.ask_until_still(STILL_S, CLOSING_S)
        if offer.is_open:
            await hand.press("press")
    except PlaywrightError:
        return  # it is gone, and its list with it


MOST_DROPPED = 50


async def drop_others(hand: OfferHand, wanted: Sequence[str]) -> list[str]:
    """Take out all that is chosen and was not asked for; return what could not be taken out."""
    kept = {each.casefold() for each in wanted}
    stuck: list[str] = []
    for _ in range(MOST_DROPPED):
        offer = await hand.ask_settled()
        others = [each for each in list_chosen(offer) if each.casefold() not in kept and each not in stuck]
        if not others:
            return stuck
        if not await _drop(hand, offer, others[0]):
            stuck.append(others[0])
    return stuck


def list_chosen(offer: Offer) -> list[str]:
    """Return all that a widget says is chosen: what its hidden field holds, else its chips, else what is marked in its list."""
    if offer.model is not None:
        return list(offer.model)
    marked = [each.label for each in offer.entries if each.selected] if offer.facts["multiple"] else []
    free = {each.label for each in offer.entries if each.selected is False}
    chips = [each for each in offer.facts["chips"] if each not in free]  # what its own list calls free is no choice
    return list(dict.fromkeys([*chips, *marked]))


async def _drop(hand: OfferHand, offer: Offer, label: str) -> bool:
    chips, labels = offer.facts["chips"], offer.labels
    if label in chips and await hand.press("remover", chips.index(label)) and await _is_out(hand, label):
        return True
    if label not in labels:
        return False
    return await hand.press("entry", labels.index(label)) and await _is_out(hand, label)


async def _is_out(hand: OfferHand, label: str) -> bool:
    for _ in range(3):
        if label not in list_chosen(await hand.ask_settled()):
            return True
        await pause(LOOK_S)
    return False
