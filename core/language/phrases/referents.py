"""Referents: what "it", "that file" and the like stand for.

They stand for the most recent thing of a fitting kind that was spoken of, in the same sentence or in earlier requests. Which
kinds fit, the verb says by its slot; of several readings of a clause, the one whose thing was spoken of last is meant.

What destroys a thing must be surer than that. It is asked about where two things of that request fit, where something else
was spoken of since, and where the thing isn't of this request or the last.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from core.language.files.located_paths import LocatedPath, LocatedPaths, cut_name
from core.language.grammars.terms import ReferringWords
from core.language.meanings.contexts import Context, Mention
from core.language.meanings.interpretation import SlotValue
from core.language.phrases.slots import ELEMENT_SLOTS
from core.language.sentences.patterns import compile_pattern
from core.language.sentences.spans import Span

_LONGEST = 40
_QUOTES = (('"', '"'), ("“", "”"), ("«", "»"), ("'", "'"))
_PLAYER = "that_player"
_CONTAINER = "folder"
_LIST, _SEVERAL = "file_list", "files"
_FILE, _FOLDER = ("file",), ("folder", "place")
_SLOT_THINGS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("file", "quoted_file", "moved_file", "deleted_file", "one_file"), _FILE),
    **dict.fromkeys(("named_folder", "that_folder", _CONTAINER), _FOLDER),
    **dict.fromkeys(("window", "any_window"), ("window", "program")),
    "said_window": ("window",),
    _LIST: (_SEVERAL,),
    **dict.fromkeys(("program", "any_program"), ("program",)),
    **dict.fromkeys(("tab", "that_tab"), ("tab",)),
    **dict.fromkeys(("on_screen", "named_on_screen"), ("screen",)),
    **dict.fromkeys(("lone", _PLAYER), ("sound",)),
    **dict.fromkeys(ELEMENT_SLOTS, ("element",)),
}
_ANY_FORM = frozenset({"control", "value", "text"})
_ON_DISK = frozenset({"file", "folder", "place"})


class Referent(NamedTuple):
    """Words that stand for a thing.

    Attributes:
        is_container: Whether it is the folder that something is put into or looked for in.
    """

    slot: SlotValue
    mention: Mention
    things: frozenset[str]
    sayable: frozenset[str]
    is_container: bool = False


class Doubt(NamedTuple):
    """Words of which it isn't sure enough what they stand for.

    Attributes:
        things: What they may stand for, the latest first.
    """

    slot: SlotValue
    things: tuple[Mention, ...]


class ReferentReader:
    """Reads what words of one language stand for."""

    def __init__(
        self, words: ReferringWords, returning: frozenset[str], destroyed: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        """Take the words, and which params name what a verb destroys; where that isn't known (None), every verb may."""
        self._words, self._returning, self._destroyed = words, returning, destroyed
        self._patterns, self._others = (
            {kind: compile_pattern(pattern) for kind, pattern in said.items()} for said in (words.kinds, words.others)
        )

    def destroys(self, verb: str, param: str) -> bool:
        """Whether a verb is known to destroy what a param names."""
        return self._destroyed is not None and param in self._destroyed.get(verb, ())

    def read(self, verb: str, name: str, kind: str, span: Span, context: Context) -> Referent | None:
        """Return what the words in a slot stand for; None if they name something, or nothing was spoken of."""
        things = _SLOT_THINGS.get(kind)
        if not things or not context.mentions or span.end - span.start > _LONGEST:
            return None
        words = span.words
        sayable = frozenset(thing for thing, pattern in self._patterns.items() if pattern.fullmatch(words))
        others = frozenset(thing for thing, pattern in self._others.items() if pattern.fullmatch(words))
        fitting = (sayable or others).intersection(things)
        if not fitting:
            return None
        if kind == _LIST:
            return _read_several(name, span, context)
        if kind == _CONTAINER:
            fitting = frozenset(things)  # what holds a thing may be the folder of any step
        is_gone = verb in self._returning
        found = [
            mention
            for mention in reversed(context.mentions)
            if mention.kind in fitting and mention.is_gone == is_gone and _fits(mention, kind)
        ]
        meant = _drop_doubles(found)[1:2] if others and not sayable else found[:1]
        for mention in meant:
            slot = SlotValue(name, span.start, span.end, _read_value(mention, kind))
            return Referent(slot, mention, fitting, sayable or others, kind == _CONTAINER)
        return None

    def find_doubt(self, verb: str, referent: Referent, rivals: Iterable[Referent], context: Context) -> Doubt | None:
        """Return what words may stand for as well, where that matters."""
        meant = referent.mention
        if meant.is_unnamed:
            others = [each for each in reversed(context.mentions) if each.kind in referent.sayable and not each.is_gone]
            return Doubt(referent.slot, _drop_doubles(each for each in others if each.age == meant.age))
        if referent.is_container:
            return None
        kinds = {kind for rival in rivals for kind in rival.things}
        alive = [each for each in reversed(context.mentions) if each.is_gone == meant.is_gone and each.kind in kinds]
        same_time = _drop_doubles(each for each in alive if each.order == meant.order)
        if len(same_time) > 1:
            return Doubt(referent.slot, same_time)
        if self._destroyed is not None and not self.destroys(verb, referent.slot.name):
            return None
        same_request = _drop_doubles(each for each in alive if each.age == meant.age)
        later = [each for each in context.mentions if each.order > meant.order and each.kind != "place"]
        since = [each for each in later if each.kind in kinds or not each.is_unnamed]
        is_last = not any(each.kind in referent.sayable for each in since)
        is_sure = len(same_request) == 1 and meant.age <= 1 and is_last
        return None if is_sure else Doubt(referent.slot, same_request)

    def name(self, mention: Mention, others: Sequence[Mention] = ()) -> str:
        """Return what a thing is called; empty where it has no name."""
        name = _write_name(mention)
        short = cut_name(name) if mention.kind in _ON_DISK else name
        is_clear = all(cut_name(_write_name(each)) != short for each in others if each != mention)
        return self._words.names.get(mention.kind, "").format(short if is_clear else name).strip()

    def call(self, mention: Mention) -> frozenset[str]:
        """Return the words that a thing goes by because of its kind."""
        return frozenset(self._words.called.get(mention.kind, ()))

    def say(self, mention: Mention) -> str:
        """Return how a sentence names a thing so that it can mean nothing else; empty where none can."""
        name = _write_name(mention)
        if mention.is_unnamed:
            return ""
        if mention.kind == "element":
            return "" if "`" in name else f"`{name}`"
        quoted = next((f"{left}{name}{right}" for left, right in _QUOTES if left not in name and right not in name), "")
        return self._words.names.get(mention.kind, "").format(quoted if name else "").strip() if quoted else ""


def _read_several(name: str, span: Span, context: Context) -> Referent | None:
    """Return the files that were named together last, else all that the last request with any spoke of, for "them"."""
    files = [each for each in context.mentions if each.kind == "file" and not each.is_gone]
    latest = [each for each in files if each.age == files[-1].age]
    together = [each.order for each in latest if [one.order for one in latest].count(each.order) > 1]
    latest = [each for each in latest if each.order == together[-1]] if together else latest
    names = [cut_name(each.value) for each in latest]
    if len(latest) < 2 or not all(names) or len(set(names)) < len(names):
        return None  # the files, or their copies?
    value = LocatedPaths(tuple(LocatedPath(each.value) for each in latest))
    fitting = frozenset({_SEVERAL})
    return Referent(SlotValue(name, span.start, span.end, value), latest[-1], fitting, fitting)


def _read_value(mention: Mention, kind: str) -> object:
    """Return what a slot holds that a thing is in; None for what is shown now and needs no name."""
    if mention.kind in _ON_DISK:
        return LocatedPath(mention.value)
    if mention.kind == "sound":
        return mention.value[0][1] if kind == _PLAYER else dict(mention.value)
    return mention.value or None


def _fits(mention: Mention, kind: str) -> bool:
    """Whether a thing is what a slot wants: what was pressed is hardly a field to fill in, and no drive is taken away."""
    if mention.kind in _ON_DISK and kind != _CONTAINER and not mention.is_unnamed:
        return LocatedPath(mention.value).is_one
    slot = ELEMENT_SLOTS.get(kind)
    if slot is None or mention.kind != "element":
        return True
    head = str(mention.value).partition(" ")[0]
    return slot.form == head or (slot.form in _ANY_FORM and (not slot.roles or head in slot.roles))


def _drop_doubles(mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """Return different things only; a folder and the place that it was are one."""
    found = {(each.kind if each.kind not in _ON_DISK else "path", each.value): each for each in mentions}
    return tuple(found.values())


def _write_name(mention: Mention) -> str:
    if mention.kind == "sound":
        return ", ".join(str(value) for _, value in mention.value)
    return str(mention.value)
