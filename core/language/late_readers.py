"""Readers that a first sentence rarely needs: they are loaded, with all they are made of, when something asks for them."""

from importlib import import_module
from typing import TYPE_CHECKING

from core.language.clauses import ClauseParser
from core.language.grammars.grammar import Grammar, Wording
from core.language.phrases.referents import ReferentReader
from core.language.talk.filler_reader import FillerReader
from core.language.talk.languages import load_file_clauses

if TYPE_CHECKING:
    from core.language.proposals import Proposals
    from core.language.refusals import Refuser
    from core.language.talk.slips import SlipMender
    from core.language.talk.suggestions import Suggestions


def load_suggestions(grammar: Grammar) -> "Suggestions":
    """Return what finds the examples that are nearest to a sentence that isn't understood."""
    make: type[Suggestions] = import_module("core.language.talk.suggestions").Suggestions
    return make(grammar)


def load_refuser(
    wording: Wording, parser: ClauseParser, referents: ReferentReader, suggestions: "Suggestions"
) -> "Refuser":
    """Return what refuses sentences.

    Args:
        wording: The messages.
        parser: Divides sentences into clauses.
        referents: Tells what things are called.
        suggestions: Finds the examples that are nearest.
    """
    make: type[Refuser] = import_module("core.language.refusals").Refuser
    return make(wording, parser, referents, suggestions.find_nearest)


def load_proposals(grammar: Grammar, fillers: FillerReader) -> "Proposals":
    """Return what finds what a sentence that isn't understood may have been meant as.

    Args:
        grammar: The language.
        fillers: Leaves out what carries nothing.
    """
    make_mender: type[SlipMender] = import_module("core.language.talk.slips").SlipMender
    make: type[Proposals] = import_module("core.language.proposals").Proposals
    return make(grammar, make_mender(grammar, [load_file_clauses(grammar.language)]), fillers)
