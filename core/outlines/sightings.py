"""Sightings: what each step of a run saw of its element, and what was seen of it when the same flow last went well."""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from core.base.late_dataclasses import dataclass, field, fields

MOST_TEXT = 120
"""Characters of one text that is remembered."""

MOST_OTHERS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenThing:
    """What was seen of an element. What it says is the word of its page, and nothing that was entered into a field.

    Attributes:
        line: How a look names it; empty where nothing does.
        region: The landmarks, dialogs, forms, rows and headings around it, the outermost first.
        before: What stands before it, in words.
        facts: What its markup says of it: ``placeholder``, ``type``, the path of ``href``.
        url: Address of its page, without what was asked for.
        frames: Names of the frames that lead to it, the outermost first.
        nth: Its number among those of its role in the same region, from 1.
        others: Digests of what else there was to act on: role and name.
        mark: Where on the picture it is: left, top, width and height in pixels.
    """

    selector: str = ""
    line: str = ""
    role: str = ""
    name: str = ""
    region: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    facts: Mapping[str, str] = field(default_factory=dict[str, str])
    url: str = ""
    frames: tuple[str, ...] = ()
    nth: int = 1
    of: int = 1
    acts: bool = True
    others: tuple[str, ...] = ()
    picture: str = ""
    mark: tuple[float, ...] = ()

    def is_like(self, other: "SeenThing") -> bool:
        """Tell whether two sightings of a step tell the same, so that the picture of one shows what the other saw."""
        return _tell(self) == _tell(other)


def _tell(seen: SeenThing) -> tuple[object, ...]:
    return seen.role, seen.name, seen.region, seen.before, seen.after, dict(seen.facts), seen.frames


def read_thing(data: Mapping[str, Any]) -> SeenThing:
    """Return what was seen from plain data; parts that are missing or of another kind are left out."""
    found: dict[str, Any] = {}
    for part in fields(SeenThing):
        value, wanted = data.get(part.name), getattr(_EMPTY, part.name)
        if isinstance(wanted, tuple):
            found[part.name] = tuple(value) if isinstance(value, list | tuple) else ()
        elif isinstance(value, type(wanted)):
            found[part.name] = value
    return SeenThing(**found)


_EMPTY = SeenThing()


def digest_name(role: str, name: str) -> str:
    """Return what tells a role and a name from others, and says nothing of them."""
    return hashlib.sha256(f"{role}\n{' '.join(name.casefold().split())}".encode()).hexdigest()[:10]


@dataclass(frozen=True, slots=True)
class Sighting:
    """What one step, at its place in its flow such as ``goals.3``, saw; no run has a picture that was kept already."""

    action_id: str
    place: str
    thing: SeenThing
    run_id: str = ""


@dataclass(frozen=True, slots=True)
class LastRun:
    """What is remembered of the last run of a flow that went well; its id is empty where there was none."""

    run_id: str = ""
    seen: tuple[Sighting, ...] = ()


@dataclass(slots=True)
class SightingBook:
    """What is seen in a run of a flow, or of a part of it, in order, beside what was seen in the last one that went well."""

    path: str
    last: LastRun = field(default_factory=LastRun)
    places: Mapping[str, str] = field(default_factory=dict[str, str])
    seen: list[Sighting] = field(default_factory=list[Sighting])
    is_part: bool = False

    def list_remembered(self) -> list[Sighting]:
        """Return what is to be remembered of a run that went well: of a part of a flow, with what is known of the others."""
        places = {*self.places.values(), *(each.place for each in self.seen)}
        kept = [each for each in self.last.seen if each.place not in places] if self.is_part else []
        return [*kept, *self.seen]

    def open_step(self, action_id: str, goal_id: str) -> "StepSightings":
        """Return the part of one step."""
        return StepSightings(self, action_id, self.places.get(goal_id, ""))


@dataclass(frozen=True, slots=True)
class StepSightings:
    """The part of a book that one step writes and reads."""

    book: SightingBook
    action_id: str
    place: str

    def find_last(self, selector: str) -> SeenThing | None:
        """Return what a selector named when the flow last went well: in this step, else in any that told the same."""
        known = [each for each in self.book.last.seen if each.thing.selector == selector]
        here = [each for each in known if each.place == self.place]
        return next((each.thing for each in (*here, *known)), None)

    def has_seen(self, selector: str) -> bool:
        """Tell whether the step has noted already what a selector names."""
        return self.count_seen(selector) > 0

    def count_seen(self, selector: str = "") -> int:
        """Return how much the step has noted, of one selector or of all."""
        mine = (each for each in self.book.seen if each.action_id == self.action_id)
        return sum(not selector or each.thing.selector == selector for each in mine)

    def note(self, thing: SeenThing) -> None:
        """Note what the step saw."""
        self.book.seen.append(Sighting(self.action_id, self.place, thing))


def read_sightings(data: Iterable[Mapping[str, Any]]) -> tuple[Sighting, ...]:
    """Return sightings from plain data."""
    return tuple(
        Sighting(str(each.get("action_id", "")), str(each.get("place", "")), read_thing(each.get("thing") or {}))
        for each in data
    )
