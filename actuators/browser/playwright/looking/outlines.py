"""Everything on a page as the items of an outline: asked of each of its frames once, and put below the frame that it is in."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from playwright.async_api import Frame, FrameLocator, Locator, Page
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from actuators.browser.playwright.engine.scripts import engine_selector
from actuators.browser.playwright.finding.causes import NO_ANSWER, answer_or
from actuators.browser.playwright.finding.locators import PlainForm, write_form
from actuators.browser.playwright.finding.probes import probe
from actuators.deadlines import Deadline
from core.outlines.items import ItemName, OutlineItem
from core.selectors.selectors import quote_name

FRAME_MS = 2000.0  # for what one frame is asked
FRAMES_S = 5.0  # after which no further frame is asked
NAMING_MS = 1500.0
MOST_FRAMES = 60
MOST_ITEMS = 8000  # of a page with all its frames
A_DOCUMENT = 10_000  # more refs than one look at a document can need

Place = Page | Frame | FrameLocator | Locator


class RefNumbers:
    """Gives each document of a session numbers for its refs that no other one has."""

    def __init__(self) -> None:
        """Begin at 1."""
        self._next = 1

    def reserve(self) -> int:
        """Return the first of as many numbers as a look can need."""
        start = self._next
        self._next += A_DOCUMENT
        return start

    def give_back(self, start: int, unused: int) -> None:
        """Take back the numbers from the first unused one on, if nobody has reserved any since."""
        if self._next == start + A_DOCUMENT:
            self._next = max(start, unused)


@dataclass(frozen=True, slots=True)
class Room:
    """A document of a page, by the names of the frames that lead to it; None where one of them has none of its own."""

    place: Place
    frames: tuple[str, ...] | None = ()
    level: int = 0


@dataclass(slots=True)
class Look:
    """What a look at a page has found.

    Attributes:
        doors: What each frame is called, by its ref; empty where no name leads into it alone.
        known: What the engine has said at once of how items are named, by their refs.
        huge: Documents in which nothing can be named in time.
        moves_ms: How long until what moves to an end, such as a dialog that fades in, has got there.
    """

    items: list[OutlineItem] = field(default_factory=list[OutlineItem])
    rooms: dict[str, Room] = field(default_factory=dict[str, Room])
    doors: dict[str, str] = field(default_factory=dict[str, str])
    known: dict[str, PlainForm] = field(default_factory=dict[str, PlainForm])
    huge: set[Room] = field(default_factory=set[Room])
    lost: int = 0
    moves_ms: float = 0.0

    def take(self, room: Room, answer: dict[str, Any]) -> list[OutlineItem]:
        """Return the items of a document, as it has told them."""
        self.doors.update(answer["frames"])
        self.known.update(answer["names"])
        self.moves_ms = max(self.moves_ms, answer["moves_ms"])
        if answer["is_huge"]:
            self.huge.add(room)
        items = [read_item(facts, room.level) for facts in answer["things"]]
        self.rooms.update((item.ref, room) for item in items)
        return items

    def enter(self, frame: OutlineItem) -> Room:
        """Return the document in a frame."""
        around, name = self.rooms[frame.ref], self.doors.get(frame.ref, "")
        place = around.place.frame_locator(engine_selector("ref", name=frame.ref))
        frames = (*around.frames, name) if name and around.frames is not None else None
        return Room(place, frames, frame.level + 1)

    def insert(self, found: Mapping[str, list[OutlineItem]]) -> None:
        """Put what was found in frames below them."""
        self.items = [each for item in self.items for each in (item, *found.get(item.ref, ()))][:MOST_ITEMS]

    def tell(self, frames: Sequence[OutlineItem], state: str) -> None:
        """Say of frames why nothing of what is in them is told."""
        refs = {frame.ref for frame in frames}
        self.items = [replace(item, states=(*item.states, state)) if item.ref in refs else item for item in self.items]

    async def name_items(self, items: Sequence[OutlineItem]) -> Mapping[str, ItemName]:
        """Return how items are named; what has gone meanwhile is left out."""
        groups: dict[Room, list[str]] = {}
        for item in items:
            if room := self.rooms.get(item.ref):
                groups.setdefault(room, []).append(item.ref)
        answers = await asyncio.gather(*(self._name_in(room, refs) for room, refs in groups.items()))
        return {ref: name for answer in answers for ref, name in answer.items()}

    async def _name_in(self, room: Room, refs: list[str]) -> dict[str, ItemName]:
        told = {ref: self.known[ref] for ref in refs if ref in self.known}
        asked = [ref for ref in refs if ref not in told]
        if asked and room in self.huge:
            return {ref: ItemName(f"ref={ref}") for ref in refs}
        try:
            answers = await probe(room.place, "named", 2 * NAMING_MS, refs=asked, limit_ms=NAMING_MS) if asked else []
        except PlaywrightTimeoutError:
            return {ref: ItemName(f"ref={ref}") for ref in refs}  # it is busy, and what finds it again is known
        except NO_ANSWER:
            answers = []  # its frame went away meanwhile
        told |= {ref: answer for ref, answer in zip(asked, answers, strict=False) if answer}
        self.lost += len(refs) - len(told)
        return {
            ref: ItemName(self._write_selector(room, ref, each["selector"]), _write_cover(room, each["covered_by"]))
            for ref, each in told.items()
        }

    def _write_selector(self, room: Room, ref: str, form: PlainForm | None) -> str:
        if room.frames is None:
            return f"ref={ref}"
        if form:
            return write_form(form, room.frames)
        if name := self.doors.get(ref):
            return " >> ".join(f"frame {quote_name(each)}" for each in (*room.frames, name))
        return f"ref={ref}"


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What a page is asked; it names items at once where it doesn't hold still for another question."""

    numbers: RefNumbers
    secrets: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    names_at_once: bool = False

    async def ask(self, place: Place, limit_ms: float, *, is_page: bool) -> dict[str, Any]:
        """Return all that is in a document, or in a part of it."""
        start = self.numbers.reserve()
        options = {"from": start, "is_page": is_page, "secrets": self.secrets, "words": self.words}
        names_ms = NAMING_MS if self.names_at_once else 0
        answer = await probe(place, "outline", limit_ms, **options, names_ms=names_ms)
        self.numbers.give_back(start, answer["next"])
        return answer


async def look_at(part: Place, room: Room, question: Inquiry, limit_ms: float, *, is_page: bool) -> Look:
    """Look at a page or a part of it, and into its frames."""
    look = Look()
    look.items = look.take(room, await question.ask(part, limit_ms, is_page=is_page))
    deadline = Deadline(FRAMES_S)
    seen: set[str] = set()
    entered = 0
    while frames := [item for item in look.items if item.kind == "frame" and item.ref not in seen]:
        seen.update(frame.ref for frame in frames)
        most = MOST_FRAMES - entered if deadline.remaining_s > 0 else 0
        inside, left = frames[:most], frames[most:]
        entered += len(inside)
        found = await asyncio.gather(*(_look_into(look, frame, question) for frame in inside))
        answers = {frame.ref: items for frame, items in zip(inside, found, strict=True) if items is not None}
        look.tell([frame for frame in inside if frame.ref not in answers], "not answering")
        look.tell(left, "not looked into")
        look.insert(answers)
    return look


async def _look_into(look: Look, frame: OutlineItem, question: Inquiry) -> list[OutlineItem] | None:
    room = look.enter(frame)
    told = await answer_or(question.ask(room.place, FRAME_MS, is_page=True), None)
    return None if told is None else look.take(room, told)


def read_item(facts: list[Any], level: int) -> OutlineItem:
    """Return an item of a document from what the engine has told of it."""
    ref, depth, kind, name, value, states, takes, acts, alike, holds, opener, heading = facts
    return OutlineItem(
        ref, level + depth, kind, name, value, tuple(states), takes, bool(acts), alike,
        tuple((each, number) for each, number in holds), opener, heading,
    )  # fmt: skip


def _write_cover(room: Room, cover: dict[str, Any] | None) -> str:
    if not cover:
        return ""
    if cover["selector"] and room.frames is not None:
        return write_form(cover["selector"], room.frames)
    return f"{cover['role']} {quote_name(cover['name'])}" if cover["name"] else cover["role"]
