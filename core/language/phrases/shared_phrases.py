"""Shared phrases: what is made of a grammar alone is made once, for all who understand it.

None of it knows what only one of them was given: platforms, programs, or what a verb destroys.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

from core.addresses.platforms import SearchPlatform
from core.language.frames.lexicon import Lexicon
from core.language.grammars.grammar import Grammar, Vocabulary
from core.language.phrases.entries import EntryIndex
from core.language.phrases.slots import KnownKinds, list_shapes
from core.language.talk.languages import load_file_clauses

if TYPE_CHECKING:
    from core.language.file_clauses.reader import FileClauseReader
    from core.language.frames.frame_reader import FrameReader
    from core.language.frames.frames import Frame
    from core.language.phrases.slot_readers import SlotReaders

MOST_GRAMMARS = 8
"""Grammars of which is kept what all who understand them share; more than there are languages."""

# What is imported within a function is loaded there, since many a first sentence needs none of it.


def make_slot_readers(
    vocabulary: Vocabulary, platforms: Mapping[str, SearchPlatform], list_programs: Callable[[], Iterable[str]] = tuple
) -> "SlotReaders":
    """Return what reads slots, for one who understands sentences."""
    make: type[SlotReaders] = import_module("core.language.phrases.slot_readers").SlotReaders
    return make(vocabulary, platforms, list_programs)


@lru_cache(MOST_GRAMMARS)
def load_kinds(grammar: Grammar) -> KnownKinds:
    """Return all kinds of slots of a language; they are the same whatever platforms and programs there are."""
    return KnownKinds(lambda: make_slot_readers(grammar.vocabulary, {}).kinds)


@lru_cache(MOST_GRAMMARS)
def load_entries(grammar: Grammar) -> EntryIndex:
    """Return the phrases of a language.

    Raises:
        TableError: If the beginning of a phrase is malformed.
    """
    return EntryIndex(grammar, list_shapes(grammar.vocabulary), load_kinds(grammar))


@lru_cache(MOST_GRAMMARS)
def load_lexicon(grammar: Grammar) -> Lexicon:
    """Return the words of a language by their class."""
    return Lexicon(grammar.classes)


@lru_cache(MOST_GRAMMARS)
def load_frames(grammar: Grammar) -> "FrameReader":
    """Return what reads clauses by the frames of a language."""
    make: type[Frame] = import_module("core.language.frames.frames").Frame
    make_reader: type[FrameReader] = import_module("core.language.frames.frame_reader").FrameReader
    lexicon, kinds = load_lexicon(grammar), load_kinds(grammar)
    said = [(verb, phrase) for verb in grammar.verbs for phrase in verb.phrases if phrase.is_frame]
    frames = [make(*each, grammar.fragments, lexicon.names, kinds) for each in said]
    return make_reader(frames, lexicon, make_slot_readers(grammar.vocabulary, {}).beginnings)


@lru_cache(MOST_GRAMMARS)
def load_file_reader(grammar: Grammar) -> "FileClauseReader | None":
    """Return what reads clauses about files in any order; None where a language has no words for them."""
    words = load_file_clauses(grammar.language)
    if words is None:
        return None
    make: type[FileClauseReader] = import_module("core.language.file_clauses.reader").FileClauseReader
    return make(words, grammar.vocabulary)
