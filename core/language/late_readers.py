"""Readers that a first sentence rarely needs: they are loaded, with all they are made of, when something asks for them."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from core.language.grammars.grammar import Grammar
from core.language.talk.filler_reader import FillerReader
from core.language.talk.languages import load_controls, load_file_clauses

if TYPE_CHECKING:
    from core.language.proposals import Proposals
    from core.language.talk.control import ControlReader
    from core.language.talk.slips import SlipMender
    from core.language.talk.suggestions import Suggestions


@cache
def load_control_reader(language: str) -> "ControlReader":
    """Return what reads words to an open question or a run; one for each language, however many sessions there are.

    Args:
        language: Tag of a language, such as ``en``.
    """
    make: type[ControlReader] = import_module("core.language.talk.control").ControlReader
    return make(load_controls(language))


def load_suggestions(grammar: Grammar) -> "Suggestions":
    """Return what finds the examples that are nearest to a sentence that isn't understood."""
    make: type[Suggestions] = import_module("core.language.talk.suggestions").Suggestions
    return make(grammar)


def load_proposals(grammar: Grammar, fillers: FillerReader) -> "Proposals":
    """Return what finds what a sentence that isn't understood may have been meant as.

    Args:
        grammar: The language.
        fillers: Leaves out what carries nothing.
    """
    make_mender: type[SlipMender] = import_module("core.language.talk.slips").SlipMender
    make: type[Proposals] = import_module("core.language.proposals").Proposals
    return make(grammar, make_mender(grammar, [load_file_clauses(grammar.language)]), fillers)
