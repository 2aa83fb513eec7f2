"""What a language says about slips: words that are heard or typed for others. Data only."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Slips(NamedTuple):
    """Words that are said, heard or written for others.

    Attributes:
        heard: What may have been meant, the likeliest first, by what was heard or written: both are words of the language.
        guards: Words that turn a sentence around, put it off or ask. Where a misspelt word may be one of these, nothing is proposed.
        empty: Words that say nothing of what a sentence is about, so that they make no example near to it.
    """

    heard: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    guards: frozenset[str] = frozenset()
    empty: frozenset[str] = frozenset()
