"""Mending: what a miss tells beside what was remembered, as data that is kept with the run and shown to a person. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.outlines.recognising import Alteration, Verdict, tell_difference
from core.outlines.sightings import SeenThing, read_thing

MENDING = "mending"
"""Key of a miss in the evidence of its error."""


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
