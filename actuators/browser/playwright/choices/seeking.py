"""Bringing what is to be chosen into an open list: by opening it, typing, scrolling, or opening what lies around it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from actuators.browser.playwright.choices.matching_entries import find_entry
from actuators.browser.playwright.choices.offers import LOOK_S, Entry, Offer, OfferHand, Wanted
from actuators.browser.playwright.finding.idling import LONGEST_S, is_awaiting
from actuators.deadlines import Deadline, allow_s, pause
from core.base.matching import fold_space

OPENING_S = 0.8  # for a list to open, before another way is tried
STILL_S = 0.35  # without another entry until a list counts as complete
ANSWER_S = 0.9  # the same, where a server may be asked when nobody has typed for a while
MOST_SCROLLS = 150
MOST_TOGGLES = 60


@dataclass(slots=True)
class EntrySearch:
    """One search for what is to be chosen."""

    hand: OfferHand
    wanted: Wanted
    offer: Offer
    start: int = 0  # the place among the entries from which on it is looked for first
    is_below: bool = False  # whether it lies below something else, so that nothing is typed for it
    place: int | None = None  # where it is, once it is there
    seen: dict[str, None] = field(default_factory=dict[str, None])
    by: str = ""
    typed: bool = False
    text: str = field(default="", init=False)  # what its field held before that

    def __post_init__(self) -> None:
        self.text = self.offer.text or ""

    @property
    def is_found(self) -> bool:
        """Whether it is there and can be chosen."""
        return self.place is not None and not self.offer.entries[self.place].disabled

    @property
    def is_sure(self) -> bool:
        """Whether nothing that is still to come could fit better."""
        if not self.is_found or isinstance(self.wanted, int):
            return self.is_found
        texts = {text.casefold() for text in self.found.texts} | {self.found.value.casefold()}
        return fold_space(self.wanted).casefold() in texts

    @property
    def found(self) -> Entry:
        """What was found."""
        assert self.place is not None
        return self.offer.entries[self.place]

    def look(self, offer: Offer) -> bool:
        """Take what is offered now, and return whether what is wanted is there."""
        self.offer = offer
        self.seen |= dict.fromkeys(offer.labels)
        self.place = find_entry(offer.entries, self.wanted, self.start)
        return self.is_found

    async def wait(self, still_s: float, limit_s: float = LONGEST_S) -> bool:
        """Wait until it is there, or the same is offered for a while and nothing says that more will come."""
        deadline, still, labels = Deadline(allow_s(limit_s)), Deadline(allow_s(still_s)), self.offer.labels
        while True:
            self.look(await self.hand.ask_settled())
            if self.is_sure:
                return True
            if self.offer.labels != labels or self.offer.facts["busy"]:
                still, labels = Deadline(allow_s(max(STILL_S, still_s / 2))), self.offer.labels
            if deadline.is_over or self.hand.aim.deadline.is_over:
                return self.is_found
            if still.is_over:
                if not await is_awaiting(self.hand.frame, deadline.remaining_s):
                    return self.is_found
                still = Deadline(allow_s(max(STILL_S, still_s / 2)))
            await pause(LOOK_S)


Way = Callable[[EntrySearch], Awaitable[bool]]


async def seek(search: EntrySearch) -> bool:
    """Bring what is wanted into sight, one way after the other; return whether it is there."""
    for name, way in _WAYS.items():
        if await way(search):
            search.by = search.by or name
            return True
        if search.hand.aim.deadline.is_over:
            break
    return False


async def _as_it_is(search: EntrySearch) -> bool:
    return search.look(await search.hand.ask())


async def _by_opening(search: EntrySearch) -> bool:
    hand = search.hand
    if search.offer.kind == "list" or search.offer.entries:
        return await search.wait(STILL_S)
    openings: tuple[Callable[[], Awaitable[bool]], ...] = (
        lambda: hand.press("press"),
        lambda: hand.key("ArrowDown"),
        lambda: hand.press("opener"),
        lambda: hand.key("Enter"),
    )
    usable = openings[:2] if search.offer.facts["in_form"] and search.offer.kind == "typed" else openings
    for touch in usable:
        limit_s = STILL_S if search.offer.is_typed else OPENING_S
        if await touch() and (await search.wait(limit_s) or search.offer.entries):
            return search.is_found
        if search.offer.is_typed:
            return False  # it may open for a text only
    return False


async def _by_typing(search: EntrySearch) -> bool:
    if isinstance(search.wanted, int) or search.is_below or not search.offer.is_typed:
        return False
    hand = search.hand
    search.typed = await hand.type(search.wanted)
    found = search.typed and await search.wait(STILL_S if hand.is_silent else ANSWER_S)
    hand.is_silent = hand.is_silent or not (found or search.seen)
    return found


async def _by_scrolling(search: EntrySearch) -> bool:
    if not search.offer.entries or search.typed:
        return False
    await search.hand.scroll(from_start=True)
    for _ in range(MOST_SCROLLS):
        labels = search.offer.labels
        if search.look(await search.hand.ask()) or search.hand.aim.deadline.is_over:
            return search.is_found
        if search.offer.labels == labels:  # it draws what has come into sight a moment later
            await pause(LOOK_S / 2)
            if search.look(await search.hand.ask()):
                return True
        if not await search.hand.scroll():
            return await search.wait(0.0)
    return False


async def _by_expanding(search: EntrySearch) -> bool:
    tried: set[str] = set()
    for _ in range(MOST_TOGGLES):
        shut = [place for place, each in enumerate(search.offer.entries) if each.is_shut and each.label not in tried]
        if not shut:
            return False
        tried.add(search.offer.entries[shut[0]].label)
        if await expand(search.hand, shut[0]) and await search.wait(STILL_S):
            return True
        search.look(await search.hand.ask())
    return False


async def expand(hand: OfferHand, place: int) -> bool:
    """Open what lies below an entry: by what stands before it, else by its key; return whether it is open then."""
    before = (await hand.ask()).entries
    for touch in (lambda: hand.press("toggle", place), lambda: hand.key("ArrowRight", "entry", place)):
        if not await touch():
            continue
        after = (await hand.ask_until_still(OPENING_S, STILL_S / 3)).entries
        same = [each for each in after if each.label == before[place].label]
        if len(after) > len(before) or any(each.expanded for each in same):
            return True
    return False


_WAYS: dict[str, Way] = {
    "there": _as_it_is,
    "opened": _by_opening,
    "typed": _by_typing,
    "scrolled": _by_scrolling,
    "expanded": _by_expanding,
}
"""In their order: what changes least comes first."""
