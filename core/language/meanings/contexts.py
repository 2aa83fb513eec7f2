"""Context: what the steps in front leave for a clause to refer to.

"It" is what was spoken of last, or the text that was read last, "in there" the folder that was created last, and "press
enter" is about the page or about the desktop, whichever the last step was on. Nothing else of a sentence reaches a later
clause.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from core.base.late_dataclasses import dataclass, replace
from core.goals.references import Reference

_MOST_MENTIONS = 24
_ON_DISK = frozenset({"file", "folder", "place"})


class Given(NamedTuple):
    """A text that an earlier step reads.

    Attributes:
        step: Number of the step in the sentence, from 0.
        words: What it was called, in lower case and without an article: "total".
    """

    step: int
    key: str
    words: str

    @property
    def reference(self) -> Reference:
        """The reference that stands for it in params."""
        return Reference(f"g{self.step}", self.key)


class Created(NamedTuple):
    """A folder that an earlier step creates.

    Attributes:
        is_past: Whether an earlier utterance created it, so that no goal of this sentence does.
    """

    said: str
    full: str
    is_past: bool = False


class Mention(NamedTuple):
    """A thing that was spoken of.

    Attributes:
        kind: What kind of thing it is: ``file``, ``folder``, ``place`` (a folder that something was put into), ``window``,
            ``program``, ``tab``, ``element``, ``page`` or ``sound``.
        value: What names it: a path, a name, a selector, or the params that name a source of sound, as pairs. Empty for a
            tab, and for what a step makes under a name that isn't known yet.
        order: Of two, the one with the higher order was spoken of later; where it is the same, it isn't clear which is meant.
        age: How many requests ago: 0 in this one, 1 in the last.
    """

    kind: str
    value: Any
    order: int = 0
    age: int = 0
    is_gone: bool = False

    @property
    def is_unnamed(self) -> bool:
        """Whether it is a file or folder that a step makes and whose name only the step will know."""
        return self.kind in _ON_DISK and not self.value


@dataclass(frozen=True, slots=True)
class Context:
    """What a clause may refer to.

    Attributes:
        previous: The step right in front: ``domain.verb``, and what its phrase opens.
        surface: Where the last step was that was anywhere: ``browser`` or ``desktop``.
        given: The texts that were read, in order.
        folders: The folders that were created, in order.
        mentions: The things that were spoken of, the latest last.
        place: The folder that was spoken of after the last one was created; empty for none.
        is_inside: Whether a folder was opened or named in front of a step, so that it isn't clear what a bare name is in.
    """

    step: int = 0
    previous: str = ""
    surface: str = ""
    given: tuple[Given, ...] = ()
    folders: tuple[Created, ...] = ()
    mentions: tuple[Mention, ...] = ()
    place: str = ""
    is_inside: bool = False

    def follows(self, after: tuple[str, ...]) -> bool:
        """Whether one of these is in front: a surface, a domain, or a verb right in front of the clause."""
        return not self.list_followed().isdisjoint(after)

    def list_followed(self) -> frozenset[str]:
        """Return all that is in front, as ``follows`` is asked for it: the surface, the verb with what its phrase opens, and its domain."""
        if not self.previous:
            return frozenset()
        parts = self.previous.split(".")
        return frozenset([self.surface, *(".".join(parts[: end + 1]) for end in range(len(parts)))])

    def find_given(self, words: str) -> Given | None:
        """Return the latest text that was called so, or None."""
        return next((given for given in reversed(self.given) if given.words == words), None)

    def find_folder(self, name: str) -> Created | None:
        """Return the latest folder that was created under this name, or None."""
        wanted = name.casefold()
        return next((each for each in reversed(self.folders) if _name_last(each.said).casefold() == wanted), None)

    def speak_of(
        self, *mentions: Mention, takes: tuple[Mention, ...] = (), moves: tuple[Mention, ...] = ()
    ) -> "Context":
        """Return the context behind a step that speaks of things.

        Args:
            mentions: The things; their order counts among themselves.
            moves: The things that are elsewhere now, likewise.
        """
        if not mentions and not takes and not moves:
            return self
        first = self.mentions[-1].order + 1 if self.mentions else 0
        again = {(each.kind, each.value) for each in (*mentions, *takes)}
        known = [each for each in self.mentions if (each.kind, each.value) not in again]
        kept = [each for each in known if not any(_is_lost_with(each, one) for one in (*takes, *moves))]
        fresh = sorted((*takes, *mentions), key=lambda each: each.order)
        later = [each._replace(order=first + each.order) for each in fresh]
        return replace(self, mentions=tuple([*kept, *later][-_MOST_MENTIONS:]))

    def grow_older(self) -> "Context":
        """Return the same as the request behind this one knows it."""
        return replace(self, mentions=tuple(each._replace(age=each.age + 1) for each in self.mentions))


START = Context()
"""The context of the first step."""


class Traces(NamedTuple):
    """What verbs leave behind for later clauses; data of a language's grammar, by ``domain.verb`` or by domain.

    Attributes:
        outputs: Which output is the text that "it" means.
        held: The params that name the things which a verb about files leaves, the nearest first; each in as many words as it
            takes: the file and its new name, or where it comes to and the file.
        settling: What a verb waits for besides, where a later step is on the surface that it leads to.
        made: What a verb makes where no param names it, with the params that tell it in braces; empty where only the step
            will know, and a slash at the end for a folder. What such a verb makes was spoken of last, whatever else its words name.
    """

    surfaces: Mapping[str, str]
    outputs: Mapping[str, str]
    telling: Mapping[str, tuple[str, ...]]
    folder: tuple[str, str]
    settling: Mapping[str, Mapping[str, Any]]
    held: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    equal: frozenset[str] = frozenset()
    returning: frozenset[str] = frozenset()
    made: Mapping[str, str] = MappingProxyType({})

    def find_surface(self, name: str) -> str:
        """Return where a verb is; empty if it is nowhere."""
        return self.surfaces.get(name) or self.surfaces.get(name.partition(".")[0], "")

    def follow(
        self, context: Context, name: str, previous: str, words: str = "", created: Created | None = None
    ) -> Context:
        """Return the context behind a step.

        Args:
            name: Its ``domain.verb``.
            words: What the text is called that it reads, if it reads one.
            created: The folder that it creates, if it creates one.
        """
        surface = self.find_surface(name) or context.surface
        behind = replace(context, step=context.step + 1, previous=previous, surface=surface)
        if key := self.outputs.get(name):
            behind = replace(behind, given=(*context.given, Given(context.step, key, words)))
        return replace(behind, folders=(*context.folders, created), place="") if created else behind


def _name_last(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]


def _is_lost_with(one: Mention, taken: Mention) -> bool:
    """Whether something is gone with a file or folder that is taken away."""
    if one.kind not in _ON_DISK or taken.kind not in _ON_DISK:
        return False
    return one.value == taken.value or str(one.value).startswith(f"{taken.value}/")
