"""Readers that a first sentence rarely needs: they are loaded, with all they are made of, when something asks for them.

What is made of a grammar alone is made once, for all who understand it.
"""

from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

from core.language.grammars.grammar import Grammar
from core.language.phrases.shared_phrases import MOST_GRAMMARS
from core.language.remarks import Statements
from core.language.talk.filler_reader import FillerReader
from core.language.talk.languages import load_file_clauses

if TYPE_CHECKING:
    from core.language.talk.slips import Proposals, SlipMender
    from core.language.talk.suggestions import Suggestions


@lru_cache(MOST_GRAMMARS)
def load_fillers(grammar: Grammar) -> FillerReader:
    """Return what leaves out of sentences what carries nothing."""
    rules = grammar.clauses
    return FillerReader(grammar.fillers, rf"(?:{rules.strong})|(?:{rules.weak})")


@lru_cache(MOST_GRAMMARS)
def load_statements(grammar: Grammar, commands: frozenset[str]) -> Statements:
    """Return what finds the statements of a language."""
    return Statements(grammar.remarks, commands)


@lru_cache(MOST_GRAMMARS)
def load_suggestions(grammar: Grammar) -> "Suggestions":
    """Return what finds the examples that are nearest to a sentence that isn't understood."""
    make: type[Suggestions] = import_module("core.language.talk.suggestions").Suggestions
    return make(grammar)


@lru_cache(MOST_GRAMMARS)
def load_proposals(grammar: Grammar) -> "Proposals":
    """Return what finds what a sentence that isn't understood may have been meant as."""
    make_mender: type[SlipMender] = import_module("core.language.talk.slips").SlipMender
    make: type[Proposals] = import_module("core.language.talk.slips").Proposals
    return make(grammar, make_mender(grammar, [load_file_clauses(grammar.language)]), load_fillers(grammar))
