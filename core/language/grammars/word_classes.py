"""WordClasses: words of a language by what they say, in all the forms that they have."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple


class VerbForms(NamedTuple):
    """How a verb ends.

    Attributes:
        third: Pairs of endings, of which the first that fits counts: what becomes what, for "he does".
        gerund: The same for "doing".
        participle: The same for "done".
        doubling: Verbs whose last letter is doubled in the last two.
    """

    third: tuple[tuple[str, str], ...] = ()
    gerund: tuple[tuple[str, str], ...] = ()
    participle: tuple[tuple[str, str], ...] = ()
    doubling: frozenset[str] = frozenset()
    auxiliary: frozenset[str] = frozenset()
    irregular: Mapping[str, tuple[str, ...]] = MappingProxyType({})


class Plurals(NamedTuple):
    """What stands for several files of a kind by itself.

    Attributes:
        exceptions: Words that look so and mean something else.
    """

    suffix: str = ""
    exceptions: frozenset[str] = frozenset()


class FileClauseWords(NamedTuple):
    """The words of one language for clauses about files, all in lower case.

    Attributes:
        acts: What verbs say, by what they come to; ``~`` is where the thing may stand within one.
        endings: Kinds of files that have several endings, by what they are called in ``one`` and ``many``.
        one: What people call a file of such a kind, in front of "file" and by itself.
        untold: What verbs can't be told about files, and what is answered then.
        pieces: How the pieces of a clause are said, by role; ``pieces.py`` reads the notation.
    """

    acts: Mapping[str, tuple[str, ...]]
    states: Mapping[str, tuple[str, ...]]
    wants: Mapping[str, tuple[str, ...]]
    forms: VerbForms
    classes: Mapping[str, tuple[str, ...]]
    manners: Mapping[str, tuple[str, ...]]
    kinds: Mapping[str, tuple[str, ...]]
    plurals: Plurals
    pieces: Mapping[str, tuple[str, ...]]
    counts: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    endings: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    one: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    many: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    untold: Mapping[str, str] = MappingProxyType({})

    def list_beginnings(self, classes: Iterable[str]) -> frozenset[str]:
        """Return the words that what says how begins with, and what is of some classes."""
        tables = (*self.manners.values(), *(self.classes.get(name, ()) for name in classes))
        texts = [text for table in tables for text in table]
        return frozenset(each.split()[0] for text in texts for each in (text, text.replace("'", "")))


class WordClasses(NamedTuple):
    """The classes of a language. Data only.

    Attributes:
        words: Words, or several in a row, by class; each word of them has one meaning there.
        verbs: The same for words that have forms, in the form of a command.
        forms: How such forms are made, by the name of the form: pairs of what a word ends with, as a regular expression, and what
            the form ends with instead; ``<raise_ed>`` in a frame is ``raise`` in the form ``ed``.
    """

    words: Mapping[str, Sequence[str]] = MappingProxyType({})
    verbs: Mapping[str, Sequence[str]] = MappingProxyType({})
    forms: Mapping[str, Sequence[tuple[str, str]]] = MappingProxyType({})
    irregular: Mapping[str, Mapping[str, str]] = MappingProxyType({})
