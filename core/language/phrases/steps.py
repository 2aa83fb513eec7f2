"""Steps: the goals that a clause stands for, before they have ids and an order."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple, cast

from core.base.errors import TargetError
from core.base.late_dataclasses import dataclass, replace
from core.base.late_parts import compile_late
from core.goals.references import Reference
from core.language.files.located_paths import LocatedPath, cut_name, get_parent, join_path, list_located
from core.language.grammars.grammar import PhraseStep, SlotName
from core.language.meanings.contexts import Context, Mention
from core.language.meanings.interpretation import SlotValue
from core.language.sentences.spans import Span
from core.selectors.selectors import PlainSelector, parse_selector, quote_name

IsFile = Callable[[str], bool]
FOLDER_SLOTS = frozenset({"folder", "spoken_folder", "named_folder", "said_folder", "known_folder", "some_folders"})


class FileStep(NamedTuple):
    """A step about files.

    Attributes:
        held: The params that name what it leaves, as in ``Traces``.
        made: What it makes where no param names it, as in ``Traces``; None where it makes nothing.
    """

    slots: Mapping[str, Any]
    held: Sequence[str]
    is_equal: bool
    taken: Sequence[str]
    folders: frozenset[str]
    is_folder: bool
    made: str | None = None

    def find_kind(self, name: str) -> str:
        """Return what kind of thing a slot names."""
        return "folder" if self.is_folder or name in self.folders else "file"


def follow_files(behind: Context, step: FileStep, is_file: IsFile) -> Context:
    """Return the context behind a step about files."""
    slots = step.slots
    located = [value for name, value in slots.items() if isinstance(value, LocatedPath) and not name.startswith("_")]
    place = next((found for each in reversed(located) if (found := _find_place(each, is_file))), "")
    spoken = [Mention("place", place)] if place else []
    for number, words in enumerate(reversed(step.held), 1):
        names = words.split()
        kind = step.find_kind("source" if "source" in names else names[0])
        paths = [path for path in _find_held(slots, names, is_file) if LocatedPath(path).is_one]
        if number == len(step.held) and not paths and step.made is not None:
            kind, paths = ("folder" if step.made.endswith("/") else "file"), [_write_made(step)]
        spoken += [Mention(kind, path, 1 if step.is_equal else number) for path in paths]
    moved = () if step.is_equal else [words.split() for words in step.held if " " in words]
    moves = _list_paths(step, [names["source" not in names[0]] for names in moved])
    return replace(
        behind.speak_of(*spoken, takes=_list_paths(step, step.taken), moves=moves),
        place=place if place and not step.is_folder else behind.place,
    )


def _write_made(step: FileStep) -> str:
    assert step.made is not None, "only a step that makes something is asked"
    known = {
        name: value.full
        for name, value in step.slots.items()
        if isinstance(value, LocatedPath) and value.is_one and not value.is_glob
    }
    try:
        return step.made.rstrip("/").format(**known)
    except KeyError:
        return ""


def _list_paths(step: FileStep, names: Sequence[str]) -> tuple[Mention, ...]:
    paths = [(name, step.slots.get(name)) for name in names]
    return tuple(
        Mention(step.find_kind(name), path.full, is_gone=True)
        for name, path in paths
        if isinstance(path, LocatedPath) and not path.is_glob
    )


def _find_held(slots: Mapping[str, Any], names: Sequence[str], is_file: IsFile) -> list[str]:
    """Return where the files that a step is about are afterwards."""
    first, *rest = (slots.get(name) for name in names)
    if not rest:
        return [each.full for each in list_located(first) if not each.is_glob]
    if not isinstance(first, LocatedPath) or first.is_glob:
        return []
    second = rest[0]
    if isinstance(second, str):  # the new name
        return [join_path(get_parent(first.full), second)]
    moved = [each for each in list_located(second) if not each.is_glob]
    if len(moved) == 1 and is_file(first.path):
        return [first.full]
    return [join_path(first.full, cut_name(each.path)) for each in moved]


def _find_place(located: LocatedPath, is_file: IsFile) -> str:
    """Return the folder that a path speaks of; empty where it speaks of none, or of one that was created."""
    if located.base or located.is_glob:
        return ""
    if located.is_one and is_file(located.path):
        parent = get_parent(located.path)
        return "" if parent == "." else parent
    return "" if located.path == "." else located.path


_SLOT = compile_late(r"\{(\w+)\}")
_PATTERN_SLOT = compile_late(r"(\*?)\{(\w+)\}(\*?)")


@dataclass(frozen=True, slots=True)
class ClauseStep:
    """One goal of a clause.

    Attributes:
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
    texts = [each for each in step.params.values() if isinstance(each, str)]
    named = {match[1] for text in texts for match in _SLOT.finditer(text)}
    lists = [name for name in named if isinstance(slots.get(name), list)]
    if not lists:
        return [slots]
    return [{**slots, lists[0]: item} for item in slots[lists[0]]]


def _write(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return "last" if value < 0 else str(value)
    return quote_name(str(value))


def _write_pattern(match: re.Match[str], slots: Mapping[str, Any]) -> str:
    """Return a slot as it stands within a selector, with the stars around it for whatever else a name begins or ends with."""
    before, name, behind = match.groups()
    return quote_name(f"{before}{slots[name]}{behind}") if before or behind else _write(slots[name])


def _fill(value: object, slots: Mapping[str, Any], places: Mapping[str, str]) -> Any:
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
    """Return steps of which none sends a form that the next one sends by its button: it would be sent twice."""
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
    """Return the context behind steps, with the things that they spoke of."""
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
