"""Recognising: which thing on a page is the one that was there when a flow last went well, and what of it differs. Pure.

Role, name, region, neighbours, number among those like it, and what the markup says are weighed against each other. What
stood beside it then isn't it. Where two are about as likely neither is chosen, and where none is likely it is gone.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from rapidfuzz import fuzz

from core.base.late_dataclasses import dataclass, field
from core.outlines.items import FIELDS
from core.outlines.sightings import SeenThing, digest_name, read_thing

"""Key of a miss in the evidence of its error."""


Verdict = Literal["changed", "unsure", "gone"]
Aspect = Literal["renamed", "role", "moved", "frame", "markup"]

LEAST = 0.58
"""How alike the likeliest must be, from 0 to 1."""
LEAD = 0.12
"""By how much it must be likelier than the next."""
MOST_TIES = 4

_WEIGHTS = {"name": 0.34, "role": 0.14, "region": 0.16, "before": 0.09, "after": 0.09, "order": 0.05, "facts": 0.13}
_KIN_ROLE = 0.5
_SAME_NUMBER = 0.6
_ALMOST = 0.4
_TICKS = frozenset({"checkbox", "radio", "switch"})
_FAMILIES = (
    frozenset({"button", "link", "menuitem", "tab", "control", "icon", "switch", "image", "option", "listitem"}),
    _TICKS,
    FIELDS - _TICKS,
    frozenset({"text", "heading", "status", "alert", "paragraph", "cell", "listitem", "rowheader", "columnheader"}),
    frozenset({"region", "form", "group", "dialog", "main", "article", "table", "list", "search", "navigation"}),
)


@dataclass(frozen=True, slots=True)
class Alteration:
    """What of a thing differs: ``renamed``, ``role``, ``moved``, ``frame``, or ``markup`` where nothing that people see does."""

    aspect: Aspect
    was: str
    now: str


@dataclass(frozen=True, slots=True)
class Recognition:
    """What became of a thing.

    Attributes:
        verdict: ``changed`` where one thing is clearly it, ``unsure`` where several are about as likely, ``gone`` where none is.
        likely: Indexes of the likeliest among those that were compared, the likeliest first; one where it is ``changed``.
        scores: How alike each of these is, from 0 to 1.
        differences: What of the likeliest differs, where it is ``changed``.
    """

    verdict: Verdict
    likely: tuple[int, ...] = ()
    scores: tuple[float, ...] = ()
    differences: tuple[Alteration, ...] = ()


def recognise(seen: SeenThing, present: Sequence[SeenThing]) -> Recognition:
    """Return which of the things that are there now is the one that was seen when the flow last went well."""
    ranked = rank(seen, present)
    likely = [(at, score) for at, score in ranked if score >= LEAST]
    if not likely:
        return Recognition("gone")
    best, top = likely[0]
    close = [(at, score) for at, score in ranked if at == best or top - score < LEAD]
    if len(close) > 1:
        close = close[:MOST_TIES]
        return Recognition("unsure", tuple(at for at, _ in close), tuple(round(score, 3) for _, score in close))
    return Recognition("changed", (best,), (round(top, 3),), tuple(compare_things(seen, present[best])))


def rank(seen: SeenThing, present: Sequence[SeenThing]) -> list[tuple[int, float]]:
    """Return the indexes of what may be the thing that was seen, and how alike each is, the likeliest first."""
    known = _find_known(seen, present)
    scored = [
        (at, weigh(seen, there))
        for at, there in enumerate(present)
        if at not in known and there.acts == seen.acts and _weigh_role(seen.role, there.role)
    ]
    return sorted(scored, key=lambda each: (-each[1], each[0]))


def weigh(seen: SeenThing, there: SeenThing) -> float:
    """Return how alike two things are, from 0 to 1; what neither of them has doesn't count."""
    scores: dict[str, float | None] = {
        "name": _weigh_text(seen.name, there.name),
        "role": _weigh_role(seen.role, there.role),
        "region": _weigh_region((*seen.frames, *seen.region), (*there.frames, *there.region)),
        "before": _weigh_text(seen.before, there.before),
        "after": _weigh_text(seen.after, there.after),
        "order": 1.0 if (seen.nth, seen.of) == (there.nth, there.of) else _SAME_NUMBER * (seen.nth == there.nth),
        "facts": _weigh_facts(seen.facts, there.facts),
    }
    counted = {part: score for part, score in scores.items() if score is not None}
    return sum(_WEIGHTS[part] * score for part, score in counted.items()) / sum(_WEIGHTS[part] for part in counted)


def compare_things(seen: SeenThing, there: SeenThing) -> Iterator[Alteration]:
    """Yield what differs, what people see first; that only the markup does where nothing else differs."""
    compared = (
        Alteration("renamed", seen.name, there.name),
        Alteration("role", seen.role, there.role),
        Alteration("frame", " in ".join(seen.frames), " in ".join(there.frames)),
        Alteration("moved", _tell_region(seen), _tell_region(there)),
    )
    others = [each for each in compared if each.was != each.now]
    yield from others or [Alteration("markup", seen.selector, there.line)]


def tell_difference(difference: Alteration) -> str:
    """Return a difference in words."""
    was, now = difference.was, difference.now
    match difference.aspect:
        case "renamed":
            return f"renamed: was “{was}”, is “{now}”"
        case "role":
            return f"its role changed: was {was}, is {now}"
        case "frame":
            return f"in another frame: was in {was or 'the page itself'}, is in {now or 'the page itself'}"
        case "moved":
            return f"inside another region: was in {was or 'no region'}, is in {now or 'no region'}"
        case _:
            return "only its markup changed"


def _tell_region(thing: SeenThing) -> str:
    return thing.region[-1] if thing.region else ""


def _find_known(seen: SeenThing, present: Sequence[SeenThing]) -> set[int]:
    """Return what stood beside the thing already, as far as that is told by role and name, and so isn't it."""
    then = Counter(seen.others)
    if not then or not seen.acts:
        return set()
    names = [digest_name(each.role, each.name) for each in present]
    now = Counter(name for name, each in zip(names, present, strict=True) if each.acts)
    return {at for at, name in enumerate(names) if 0 < now[name] <= then[name]}


def _weigh_role(was: str, now: str) -> float:
    if was == now:
        return 1.0
    return _KIN_ROLE if any(was in family and now in family for family in _FAMILIES) else 0.0


def _weigh_text(was: str, now: str) -> float | None:
    if not was and not now:
        return None
    return fuzz.ratio(was.casefold(), now.casefold()) / 100


def _weigh_region(was: Sequence[str], now: Sequence[str]) -> float | None:
    """Return how alike two ways through regions are; what is nearer to the thing says more."""
    if not was and not now:
        return None
    score = total = 0.0
    for distance, part in enumerate(reversed(was)):
        weight = 1 / (1 + distance)
        total += weight
        score += weight * max((fuzz.ratio(part, each) / 100 for each in now), default=0.0)
    more = max(0, len(now) - len(was))
    return score / (total + more / (1 + len(was))) if total else 0.0


def _weigh_facts(was: Mapping[str, str], now: Mapping[str, str]) -> float | None:
    names = was.keys() | now.keys()
    if not names:
        return None
    return sum(_weigh_fact(was.get(name, ""), now.get(name, "")) for name in names) / len(names)


def _weigh_fact(was: str, now: str) -> float:
    """Return how alike two facts of the markup are; addresses that are nearly the same lead elsewhere all the same."""
    return 1.0 if was == now else _ALMOST * fuzz.ratio(was, now) / 100


MENDING = "mending"


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """A step that missed its element, what its flow saw in the last good run, and what is likeliest now, the likeliest first."""

    selector: str
    place: str
    run_id: str
    verdict: Verdict
    was: SeenThing
    now: tuple[SeenThing, ...] = ()
    scores: tuple[float, ...] = ()
    differences: tuple[Alteration, ...] = field(default=())

    @property
    def proposal(self) -> str:
        """The selector that a person may accept; empty where there is none."""
        return self.now[0].line if self.verdict == "changed" and self.now else ""


def tell_miss(miss: Miss) -> str:
    """Return in one sentence or two what was looked for, what is nearest now, and what differs."""
    was = f"When this flow last went well, it was {_tell_thing(miss.was)}."
    if miss.verdict == "gone":
        return f"{was} Nothing on the page is like that now."
    if miss.verdict == "unsure":
        several = "; ".join(f"{number}) {each.line or _tell_thing(each)}" for number, each in enumerate(miss.now, 1))
        return f"{was} Several things are about as likely now, so none is proposed: {several}."
    told = "; ".join(map(tell_difference, miss.differences))
    aspects = {each.aspect for each in miss.differences}
    place = "" if aspects & {"moved", "frame", "markup"} else ", in the same place"
    return f"{was} Now it is {miss.now[0].line or _tell_thing(miss.now[0])}{place} ({told})."


def _tell_thing(thing: SeenThing) -> str:
    name = f" “{thing.name}”" if thing.name else ""
    region = f" in {thing.region[-1]}" if thing.region else ""
    return f"{thing.role or 'something'}{name}{region}"


def read_miss(data: Mapping[str, Any]) -> Miss | None:
    """Return a miss from plain data; None where it isn't one."""
    verdict = data.get("verdict")
    if verdict not in ("changed", "unsure", "gone"):
        return None
    return Miss(
        selector=str(data.get("selector", "")),
        place=str(data.get("place", "")),
        run_id=str(data.get("run_id", "")),
        verdict=verdict,
        was=read_thing(data.get("was") or {}),
        now=tuple(read_thing(each) for each in data.get("now") or ()),
        scores=tuple(map(float, data.get("scores") or ())),
        differences=tuple(
            Alteration(each["aspect"], str(each["was"]), str(each["now"])) for each in data.get("differences") or ()
        ),
    )
