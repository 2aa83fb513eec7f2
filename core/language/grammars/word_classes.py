"""WordClasses: words of a language by what they say, in all the forms that they have."""

from collections.abc import Mapping
from dataclasses import dataclass, field

Forms = Mapping[str, tuple[tuple[str, str], ...]]
"""By the name of a form, pairs of what a word ends with, as a regular expression, and what the form ends with instead."""


@dataclass(frozen=True)
class WordClasses:
    """The classes of a language. Data only.

    Attributes:
        words: Words, or several in a row, by class; each word of them has one meaning there.
        verbs: The same for words that have forms, in the form of a command.
        forms: How such forms are made; ``<raise_ed>`` in a frame is ``raise`` in the form ``ed``.
    """

    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    verbs: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    forms: Forms = field(default_factory=dict[str, tuple[tuple[str, str], ...]])
    irregular: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
