"""What people say around and between what they ask for, by where it may stand. Data only."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple


class Fillers(NamedTuple):
    """What carries nothing, in the notation of phrases.

    Attributes:
        hesitations: Sounds of somebody who thinks; they stand anywhere.
        calls: What calls or greets somebody, in front of what is asked for.
        calls_aside: The same, only in front of a comma, since it may also begin what is asked for.
        interjections: What else may stand in front without one.
        behind: What else is said behind it.
        asides: What is said in passing: between commas, or in front of one of the words of ``before_asides``.
        asides_within_commas: What else is said in passing between commas.
        before_asides: Words in front of which something may be said in passing without commas.
        stutters: Words that are never meant twice.
        fragments: What ``<name>`` in any of this stands for.
        beginnings: The first words of all these ways, by themselves; of others they are worked out.
    """

    hesitations: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    calls_aside: tuple[str, ...] = ()
    interjections: tuple[str, ...] = ()
    requests: tuple[str, ...] = ()
    called_behind: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    asides: tuple[str, ...] = ()
    asides_within_commas: tuple[str, ...] = ()
    before_asides: tuple[str, ...] = ()
    stutters: frozenset[str] = frozenset()
    repeatable: frozenset[str] = frozenset()
    fragments: Mapping[str, str] = MappingProxyType({})
    beginnings: Mapping[str, Sequence[str]] = MappingProxyType({})
