"""Steps: the goals that a clause stands for, before they have ids and an order."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, cast

from core.base.errors import TargetError
from core.goals.references import Reference
from core.language.grammars.grammar import PhraseStep, SlotName
from core.language.meanings.contexts import Context, Mention
from core.language.meanings.interpretation import SlotValue
from core.language.sentences.spans import Span
from core.selectors.selectors import PlainSelector, parse_selector, quote_name

_SLOT = re.compile(r"\{(\w+)\}")
_PATTERN_SLOT = re.compile(r"(\*?)\{(\w+)\}(\*?)")


@dataclass(frozen=True, slots=True)
class ClauseStep:
    """One goal of a clause.

    Attributes:
        name: ``domain.verb``.
        base: The scope that its relative paths hang below, or nothing.
    """

    name: str
    params: Mapping[str, Any]
    span: Span
    pattern: str
    slots: tuple[SlotValue, ...]
    base: str = ""

    @property
    def domain(self) -> str:
        """Its domain."""
        return self.name.partition(".")[0]

    @property
    def verb(self) -> str:
        """Its verb."""
        return self.name.partition(".")[2]

    @property
    def object(self) -> str:
        """What it is about, in the words of the sentence."""
        source = self.span.sentence.source
        return source[self.slots[0].start : self.slots[0].end] if self.slots else self.span.text


def fill_steps(steps: tuple[PhraseStep, ...], slots: Mapping[str, Any], first: int) -> list[tuple[str, dict[str, Any]]]:
    """Return the goals that a phrase stands for, as pairs of ``domain.verb`` and params.

    A step with a slot that wasn't filled is left out, and one with a list within a text is there once for each item.
    """
    filled: list[tuple[str, dict[str, Any]]] = []
    places: dict[str, str] = {}
    for number, step in enumerate(steps, 1):
        for each in _list_ways(step, slots):
            try:
                params = {key: _fill(value, each, places) for key, value in step.params.items()}
            except KeyError:
                continue
            places[str(number)] = f"g{first + len(filled)}"
            filled.append((step.name, params))
    return filled


def _list_ways(step: PhraseStep, slots: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the slots that a step is filled with; once for each item where a list stands within a text."""
    texts = [each for each in step.params.values() if isinstance(each, str)]
    named = {match[1] for text in texts for match in _SLOT.finditer(text)}
    lists = [name for name in named if isinstance(slots.get(name), list)]
    if not lists:
        return [slots]
    return [{**slots, lists[0]: item} for item in slots[lists[0]]]


def _write(value: object) -> str:
    """Return a slot's value as it stands within a selector: a place among several as a number, all else in quotes."""
    if isinstance(value, int) and not isinstance(value, bool):
        return "last" if value < 0 else str(value)
    return quote_name(str(value))


def _write_pattern(match: re.Match[str], slots: Mapping[str, Any]) -> str:
    """Return a slot as it stands within a selector, with the stars around it for whatever else a name begins or ends with."""
    before, name, behind = match.groups()
    return quote_name(f"{before}{slots[name]}{behind}") if before or behind else _write(slots[name])


def _fill(value: object, slots: Mapping[str, Any], places: Mapping[str, str]) -> Any:
    """Return a value with its slots and references filled in."""
    if isinstance(value, SlotName):
        return slots[value.name]
    if isinstance(value, Reference):
        return Reference(places[value.goal_id], value.key)
    if isinstance(value, str):
        return _PATTERN_SLOT.sub(lambda match: _write_pattern(match, slots), value)
    if isinstance(value, dict):
        # Of a mapping, only what wasn't filled is left out.
        pairs = (
            (key, _SLOT.fullmatch(each) if isinstance(each, str) else None, each)
            for key, each in cast("dict[str, object]", value).items()
        )
        return {key: slots[lone[1]] if lone else each for key, lone, each in pairs if not lone or lone[1] in slots}
    if isinstance(value, list):
        return [_fill(each, slots, places) for each in cast("list[object]", value)]
    return value


def leave_sending(steps: list[ClauseStep], sending: frozenset[str]) -> list[ClauseStep]:
    """Return steps of which none sends a form that the next one sends by its button: it would be sent twice.

    Args:
        steps: The steps of a sentence, in their order.
    """
    left: list[ClauseStep] = []
    for step, behind in zip_longest(steps, steps[1:]):
        params = dict(step.params)
        if (
            step.name == "browser.fill"
            and params.get("submit")
            and behind
            and behind.span != step.span
            and _presses(behind, sending)
        ):
            del params["submit"]
        left.append(replace(step, params=params))
    return left


def _presses(step: ClauseStep, names: frozenset[str]) -> bool:
    selector = step.params.get("selector")
    if step.name != "browser.click" or not isinstance(selector, str):
        return False
    try:
        core = parse_selector(selector).core
    except TargetError:  # written so by whoever said it; the action will tell
        return False
    return isinstance(core, PlainSelector) and not core.regions and core.name.casefold() in names


_KINDS = {"window": "window", "app": "program", "selector": "element", "url": "page", "query": "page"}
_SOUND = frozenset({"audio", "media"})
_SOURCES = ("app", "device", "player", "target")
_PROGRAMS = {"player": "app"}
_SCREEN = "desktop"
_SHOWING = frozenset({"browser.open_tab", "browser.switch_tab"})
_CLOSING = "browser.close_tab"
_UNNAMED = frozenset({"active"})
_TAB = Mention("tab", "")


def follow_things(behind: Context, steps: Iterable[ClauseStep], destroys: Callable[[str, str], bool]) -> Context:
    """Return the context behind steps, with the things that they spoke of.

    Args:
        behind: The context without these.
    """
    for step in steps:
        named = _list_sounds(step) if step.domain in _SOUND else _list_named(step)
        gone = tuple(mention._replace(is_gone=True) for name, mention in named if destroys(step.name, name))
        left = tuple(mention for name, mention in named if not destroys(step.name, name))
        behind = behind.speak_of(*left, takes=gone)
    return behind


def _list_named(step: ClauseStep) -> list[tuple[str, Mention]]:
    """Return the things that the params of a step name; a tab that is shown needs no name."""
    if step.name in _SHOWING:
        return [("", _TAB)]
    if step.name == _CLOSING:
        return [("tab", _TAB)]
    kinds = {**_KINDS, "target": "screen"} if step.domain == _SCREEN else _KINDS
    params = [(name, value) for name, value in step.params.items() if name in kinds and isinstance(value, str)]
    return [(name, Mention(kinds[name], value)) for name, value in params if value not in _UNNAMED]


def _list_sounds(step: ClauseStep) -> list[tuple[str, Mention]]:
    """Return the source of sound that a step names; a player is the program that plays."""
    found = [(_PROGRAMS.get(name, name), value) for name in _SOURCES if (value := step.params.get(name))]
    return [("", Mention("sound", tuple(found)))] if found else []
