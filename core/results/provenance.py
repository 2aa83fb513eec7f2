"""Provenance: where values came from that nobody vouches for, from the step that read them to the last that uses them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.addresses.urls import judge_address, mask_credentials
from core.base.errors import SurehandError
from core.base.late_dataclasses import dataclass, field
from core.base.phrases import cut_text, fold_text, join_phrases, quote_text
from core.goals.references import Reference, find_references

_LONGEST = 120
_LONGEST_SPOKEN = 60
_MOST_ORIGINS = 20
_FILE = "file:"
_NO_QUOTES = {ord(char): "'" for char in '“”"‘’'}

_WORDS: Mapping[str, tuple[str, str]] = {
    "page": ("the page at {}", "a page"),
    "file": ("the file {}", "a file"),
    "folder": ("the folder {}", "a folder"),
    "window": ("the window {}", "a window"),
    "screen": ("the screen ({})", "the screen"),
    "clipboard": ("the clipboard ({})", "the clipboard"),
    "command": ("the command {}", "a command"),
    "process": ("the program {}", "the list of programs"),
    "machine": ("the computer's {}", "the computer"),
    "device": ("the device {}", "the list of devices"),
    "player": ("the player {}", "a media player"),
    "memory": ("what was remembered as {}", "what was remembered"),
    "model": ("the model {}", "a model"),
}
"""How each kind is called, with its place and without."""

_PLACES: Mapping[str, tuple[str, ...]] = {
    "page": ("url",),
    "file": ("resolved", "path", "source", "name"),
    "folder": ("resolved", "path"),
    "window": ("window", "title"),
    "screen": ("window",),
    "command": ("argv", "app"),
    "process": ("app", "name"),
    "machine": ("target",),
    "device": ("device", "app"),
    "player": ("player",),
    "memory": ("key", "name"),
}
"""Which facts say where something of a kind is; the first that is there counts."""

MODEL = "model"
"""Kind of an origin that is no thing in the world: a model wrote the value itself."""

ORIGIN_KINDS = frozenset(_WORDS) - {MODEL}
"""What ``PlannerRule.reads`` may say."""


Sources = Mapping[str, tuple[str, ...]]
"""Arguments whose value was read, with the steps that it came from and where those read it."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Something, of a kind in ``ORIGIN_KINDS``, that a value was read from; its place is as it was read, and may say anything."""

    kind: str
    place: str = ""

    def __str__(self) -> str:
        """Return it for people, on one line without invisible characters: ``the page at http://127.0.0.1/mugs``."""
        if self.kind == "page":
            return self._name(cut_text(fold_text(mask_credentials(self.place)), _LONGEST))
        return self._name(quote_text(self.place, _LONGEST) if self.place.strip() else "")

    def speak(self) -> str:
        """Return it in words that can be spoken, without what only a screen can show: ``the page at 127.0.0.1``."""
        if self.kind == "page":
            return self._name(_find_host(self.place))
        last = self.place.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
        return self._name(cut_text(fold_text(last), _LONGEST_SPOKEN).translate(_NO_QUOTES))

    def _name(self, place: str) -> str:
        named, nameless = _WORDS.get(self.kind, ("", ""))
        if not named:
            return f"something of the kind {quote_text(self.kind)}"
        return named.format(place) if place else nameless


def _find_host(address: str) -> str:
    try:
        return judge_address(address).hostname
    except SurehandError:
        return ""


@dataclass(slots=True)
class TaintLog:
    """What is known in one run of where values came from: by goal, and by what a step with such values has touched."""

    goals: dict[str, tuple[Origin, ...]] = field(default_factory=dict[str, tuple[Origin, ...]])
    touched: dict[str, tuple[Origin, ...]] = field(default_factory=dict[str, tuple[Origin, ...]])

    def find_sources(self, args: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
        """Return by argument the steps that its references name, each with where the value was read."""
        found = ((name, tuple(dict.fromkeys(map(self._tell, find_references(value))))) for name, value in args.items())
        return {name: told for name, told in found if told}

    def find_origins(self, args: Mapping[str, Any]) -> tuple[Origin, ...]:
        """Return where the values of all references in the arguments came from."""
        return join_origins(
            self.goals.get(each.goal_id, ()) for value in args.values() for each in find_references(value)
        )

    def find_left(self, marks: Iterable[str]) -> tuple[Origin, ...]:
        """Return what was carried earlier in this run into any of the things that a step looks at, or into a part of them."""
        wanted = tuple(marks)
        return join_origins(
            origins for mark, origins in self.touched.items() if any(_lies_in(mark, each) for each in wanted)
        )

    def note(self, goal_id: str, origins: Sequence[Origin]) -> None:
        """Remember where the output of a goal came from."""
        self.goals[goal_id] = join_origins((self.goals.get(goal_id, ()), origins))

    def leave(self, marks: Iterable[str], carried: Sequence[Origin], read: Sequence[Origin]) -> None:
        """Remember that a step carried values into things; what it read itself goes into files, such as a download does."""
        for mark in marks:
            left = join_origins((self.touched.get(mark, ()), carried, read if mark.startswith(_FILE) else ()))
            if left:
                self.touched[mark] = left

    def _tell(self, reference: Reference) -> str:
        origins = self.goals.get(reference.goal_id, ())
        return f"{reference}, read from {join_phrases([str(each) for each in origins])}" if origins else str(reference)


def read_origins(reads: str, facts: Sequence[Mapping[str, Any]]) -> tuple[Origin, ...]:
    """Return what a step read from; nothing where it reads no kind of thing, so that its output is our own.

    The facts are asked for the place in their order. What the evidence names as ``origins`` (kind and place of each),
    because it was stored with them, comes after the thing itself.
    """
    if not reads:
        return ()
    places = (each.get(name) for name in _PLACES.get(reads, ()) for each in facts)
    place = next((text for text in map(_as_place, places) if text), "")
    stored: Any = facts[0].get("origins", ()) if facts else ()
    kept = [each for each in stored if isinstance(each, Mapping)] if isinstance(stored, list | tuple) else []
    earlier = [Origin(str(each.get("kind", "")), str(each.get("place", ""))) for each in kept[:_MOST_ORIGINS]]
    return join_origins([[Origin(reads, place), *earlier]])


def join_origins(groups: Iterable[Sequence[Origin]]) -> tuple[Origin, ...]:
    """Return all origins once, in order; of very many the first."""
    return tuple(dict.fromkeys(each for group in groups for each in group))[:_MOST_ORIGINS]


def list_marks(resources: Iterable[str], paths: Iterable[str]) -> tuple[str, ...]:
    """Return what a step touches, as a trail remembers it: what it holds alone, and its paths."""
    return tuple(dict.fromkeys((*resources, *(f"{_FILE}{path}" for path in paths))))


def _as_place(value: object) -> str:
    if isinstance(value, str):
        return value
    return str(value[0]) if isinstance(value, list | tuple) and value else ""


def _lies_in(mark: str, other: str) -> bool:
    if mark == other:
        return True
    return mark.startswith(_FILE) and other.startswith(_FILE) and mark.startswith((f"{other}/", f"{other}\\"))
