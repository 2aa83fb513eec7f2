"""Contracts: what may be relied on of a verb, a tool, a template or a store, and which changes break that.

A backlog, a checkpoint or a flow that was kept names verbs with params, templates with placeholders, and stores by their tables.
It still means the same, and is let in without a word, where

- something was added: a verb, a tool, a template, a store, a param that may be left out, a choice in a closed set;
- a param that had to be given may be left out now, takes another type as well, or has no closed set any more;
- words changed: descriptions, labels, summaries, texts of prompts, defaults, time limits;
- a template has a higher version: that says by itself that it is another one.

It is refused, with the migration that takes it up, where

- something is gone: a verb, a tool, a template in all its versions, a store, a param, a choice;
- a param doesn't take a type any more, has to be given now, or has a closed set that it had not;
- a verb acts that only looked, or has to be approved otherwise;
- a template has other placeholders in the same version;
- a store has another version or other tables.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Shapes = Mapping[str, Mapping[str, "Contract"]]
"""Contracts by part (``rules``, ``tools``, ``templates``, ``stores``) and name."""

TEMPLATES = "templates"
EITHER = " or "
"""Stands between types of which a value may have any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """What may be relied on of one thing.

    Attributes:
        takes: What may be given, with the types of each, ``EITHER`` between them.
        choices: By what is given, all values that it may have; nothing for those that have no closed set.
    """

    meaning: str = ""
    takes: Mapping[str, str] = field(default_factory=dict[str, str])
    needs: tuple[str, ...] = ()
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


def find_breaks(before: Shapes, now: Shapes) -> list[str]:
    """Return what doesn't hold any more, in words; nothing where all that was relied on still holds."""
    return [fault for part in before for fault in _compare_part(part, before[part], now.get(part, {}))]


def _compare_part(part: str, before: Mapping[str, Contract], now: Mapping[str, Contract]) -> Iterator[str]:
    singular = part.removesuffix("s")
    for name in sorted(before):
        if name in now:
            yield from (f"{singular} {name} {fault}" for fault in _compare(before[name], now[name]))
        elif not (part == TEMPLATES and _is_superseded(name, now)):
            yield f"{singular} {name} is gone"


def _is_superseded(name: str, now: Mapping[str, Contract]) -> bool:
    """Tell whether there is a higher version of a template."""
    template_id, _, version = name.partition("@")
    others = (other.partition("@") for other in now)
    return any(other == template_id and int(higher) > int(version) for other, _, higher in others)


def _compare(before: Contract, now: Contract) -> Iterator[str]:
    if before.meaning != now.meaning:
        yield f"was “{before.meaning}”, and is “{now.meaning}”"
    for name, kind in before.takes.items():
        if name not in now.takes:
            yield f"no longer takes “{name}”"
        elif not {*kind.split(EITHER)} <= {*now.takes[name].split(EITHER)}:
            yield f"takes {now.takes[name]} as “{name}”, not {kind}"
    for name in now.needs:
        if name not in before.needs:
            yield f"needs “{name}” now"
    yield from _compare_choices(before, now)


def _compare_choices(before: Contract, now: Contract) -> Iterator[str]:
    for name, choices in now.choices.items():
        if name not in before.takes:
            continue
        if name not in before.choices:
            yield f"takes only some values as “{name}” now"
        elif gone := sorted(set(before.choices[name]) - set(choices)):
            yield f"no longer takes “{gone[0]}” as “{name}”"
