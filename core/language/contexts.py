"""Context: what the steps in front leave for a clause to refer to.

"It" is what was read last, "in there" the folder that was created last, and "press enter" is about the page or about
the desktop, whichever the last step was on. Nothing else of a sentence reaches a later clause.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from core.references import Reference


class Given(NamedTuple):
    """A text that an earlier step reads.

    Attributes:
        step: Number of the step in the sentence, from 0.
        key: Which of its outputs is the text.
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
        said: Its path as the goal writes it.
        full: The same with what it hangs below.
        is_past: Whether an earlier utterance created it, so that no goal of this sentence does.
    """

    said: str
    full: str
    is_past: bool = False


class Held(NamedTuple):
    """The file or folder that "it" is behind a step about it.

    Attributes:
        path: Where it is after the step, with all that it hangs below.
        is_folder: Whether it is a folder.
    """

    path: str
    is_folder: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """What a clause may refer to.

    Attributes:
        step: How many steps are in front.
        previous: The step right in front: ``domain.verb``, and what its phrase opens.
        surface: Where the last step was that was anywhere: ``browser`` or ``desktop``.
        given: The texts that were read, in order.
        folders: The folders that were created, in order.
        held: The file or folder that the last step was about; None behind steps about something else.
        place: The folder that was spoken of after the last one was created; empty for none.
        is_inside: Whether a folder was opened or named in front of a step, so that it isn't clear what a bare name is in.
    """

    step: int = 0
    previous: str = ""
    surface: str = ""
    given: tuple[Given, ...] = ()
    folders: tuple[Created, ...] = ()
    held: Held | None = None
    place: str = ""
    is_inside: bool = False

    def follows(self, after: tuple[str, ...]) -> bool:
        """Whether one of these is in front: a surface, a domain, or a verb right in front of the clause."""
        here = {self.surface, self.previous}
        return bool(self.previous) and any(name in here or self.previous.startswith(name + ".") for name in after)

    def find_given(self, words: str) -> Given | None:
        """Return the latest text that was called so, or None."""
        return next((given for given in reversed(self.given) if given.words == words), None)

    def find_folder(self, name: str) -> Created | None:
        """Return the latest folder that was created under this name, or None."""
        wanted = name.casefold()
        return next((each for each in reversed(self.folders) if _name_last(each.said).casefold() == wanted), None)


START = Context()
"""The context of the first step."""


class Traces(NamedTuple):
    """What verbs leave behind for later clauses; data of a language's grammar, by ``domain.verb`` or by domain.

    Attributes:
        surfaces: Where a step is.
        outputs: Which output is the text that "it" means.
        telling: The slots that tell what that text is called, by verb.
        folder: The verb that creates folders, and the param that names them.
        held: The param that names what "it" is behind a verb; or two: the file and its new name, or where it comes to and
            the file.
        keeping: Domains of the steps behind which "it" still is that file.
        settling: What a verb waits for besides, where a later step is on the surface that it leads to.
    """

    surfaces: Mapping[str, str]
    outputs: Mapping[str, str]
    telling: Mapping[str, tuple[str, ...]]
    folder: tuple[str, str]
    settling: Mapping[str, Mapping[str, Any]]
    held: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    keeping: frozenset[str] = frozenset()

    def find_surface(self, name: str) -> str:
        """Return where a verb is; empty if it is nowhere."""
        return self.surfaces.get(name) or self.surfaces.get(name.partition(".")[0], "")

    def follow(
        self, context: Context, name: str, previous: str, words: str = "", created: Created | None = None
    ) -> Context:
        """Return the context behind a step.

        Args:
            context: The context in front of it.
            name: Its ``domain.verb``.
            previous: The same, with what its phrase opens.
            words: What the text is called that it reads, if it reads one.
            created: The folder that it creates, if it creates one.
        """
        surface = self.find_surface(name) or context.surface
        keeps = name.partition(".")[0] in self.keeping
        held = context.held if keeps else None
        behind = replace(context, step=context.step + 1, previous=previous, surface=surface, held=held)
        if key := self.outputs.get(name):
            behind = replace(behind, given=(*context.given, Given(context.step, key, words)))
        return replace(behind, folders=(*context.folders, created), place="") if created else behind


def _name_last(path: str) -> str:
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]
