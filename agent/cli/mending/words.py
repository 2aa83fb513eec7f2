"""What is said of a miss, on a terminal and on its page."""

from collections.abc import Iterator
from typing import Any

from agent.cli.mending.misses import FlowMiss
from core.base.phrases import escape_text
from core.outlines.recognising import tell_difference
from core.outlines.sightings import SeenThing


def tell_title(each: FlowMiss) -> str:
    """Return in a few words what became of what a step looked for."""
    selector, miss = each.miss.selector, each.miss
    if miss.verdict == "gone":
        return f"{selector} is gone"
    if miss.verdict == "unsure":
        return f"{selector} may be one of {len(miss.now)}"
    return f"{selector} is now {miss.now[0].line or miss.now[0].role}"


def tell_why_none(each: FlowMiss) -> str:
    """Return why nothing is proposed; empty where something is."""
    miss = each.miss
    if each.proposal:
        return ""
    if miss.verdict == "gone":
        return "Nothing on the page is like what was there."
    if miss.verdict == "unsure":
        return "Several things are about as likely. Choose one and change the flow by hand."
    if not each.line:
        return "The flow doesn't have this selector there as it was used: it was changed since, or a variable stands in it."
    return "No lasting selector names it alone."


def list_facts(thing: SeenThing) -> Iterator[tuple[str, str]]:
    """Yield what is known of a thing, for people."""
    known: list[tuple[str, str]] = [
        ("role", thing.role),
        ("name", thing.name),
        ("in", " › ".join((*thing.frames, *thing.region))),
        ("after", thing.before),
        ("before", thing.after),
        *thing.facts.items(),
        ("page", thing.url),
    ]
    yield from ((name, value) for name, value in known if value)


def list_lines(each: FlowMiss, number: int, count: int) -> Iterator[str]:
    """Yield the lines that a terminal shows of a miss; what the page says can't begin a line or hide in one."""
    miss = each.miss
    place = f"line {each.line}, " if each.line else ""
    lines = [
        f"{number} of {count}: {tell_title(each)}",
        f"    step   {place}{each.name}",
        f"    then   {_tell(miss.was)}",
    ]
    if miss.verdict == "changed":
        lines.append(f"    now    {_tell(miss.now[0])}")
        lines += [f"    differs  {tell_difference(one)}" for one in miss.differences]
    elif miss.verdict == "unsure":
        lines += [f"    maybe  {thing.line or _tell(thing)}" for thing in miss.now]
    if each.proposal:
        lines += [f"    - {miss.selector}", f"    + {each.proposal}"]
    else:
        lines.append(f"    No proposal. {tell_why_none(each)}")
    yield from map(escape_text, lines)


def describe_miss(each: FlowMiss) -> dict[str, Any]:
    """Return a miss as data, for programs."""
    miss = each.miss
    return {
        "action_id": each.action_id,
        "name": each.name,
        "place": miss.place,
        "line": each.line,
        "selector": miss.selector,
        "verdict": miss.verdict,
        "proposal": each.proposal,
        "why_none": tell_why_none(each),
        "differences": [{"aspect": one.aspect, "was": one.was, "now": one.now} for one in miss.differences],
        "was": _describe(miss.was),
        "now": [_describe(thing) for thing in miss.now],
        "scores": list(miss.scores),
    }


def _describe(thing: SeenThing) -> dict[str, Any]:
    return {
        "line": thing.line,
        "role": thing.role,
        "name": thing.name,
        "region": list(thing.region),
        "frames": list(thing.frames),
        "before": thing.before,
        "after": thing.after,
    }


def _tell(thing: SeenThing) -> str:
    region = f", in {' › '.join((*thing.frames, *thing.region))}" if thing.frames or thing.region else ""
    beside = f", after {thing.before}" if thing.before else ""
    return f"{thing.role} “{thing.name}”{region}{beside}"
