"""Taking out of a choice of several what was not asked for, as a native list does."""

from collections.abc import Sequence

from actuators.browser.playwright.choices.offers import LOOK_S, Offer, OfferHand
from actuators.deadlines import pause

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
    """Press what takes it out, else the entry that puts it in; return whether it is out then."""
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
