"""Reading where pages are: addresses, named sites and tabs."""

from collections.abc import Mapping
from functools import cached_property

from core.addresses.platforms import SearchPlatform
from core.addresses.spelled_addresses import complete_address
from core.language.grammars.grammar import Vocabulary
from core.language.sentences.patterns import compile_pattern
from core.language.sentences.spans import Span, UnreadableError
from core.language.sentences.spoken_numbers import NumberParser
from core.language.values.closed_sets import ClosedSet
from core.language.values.names import NameReader


class AddressReader:
    """Reads addresses, sites and tabs."""

    def __init__(self, vocabulary: Vocabulary, names: NameReader, platforms: Mapping[str, SearchPlatform]) -> None:
        self._vocabulary = vocabulary
        self._names = names
        self._platforms = platforms
        self._numbers = NumberParser(vocabulary.numbers)
        words = vocabulary.numbers
        self._numbered = compile_pattern(rf"(?:#|(?:{words.called}) )?(\d{{1,3}})(?:{words.endings})?", 0)

    def read_url(self, span: Span) -> str:
        """Return an absolute address: as written, or with ``https://`` (``http://`` for this machine and bare numbers)."""
        literal = span.literal
        address = complete_address(literal.value if literal else "", self._vocabulary.unhosted_endings)
        if address is None:
            raise UnreadableError
        return address

    def read_platform(self, span: Span) -> str:
        """Return the name of a search platform."""
        said = self._read_name(span)
        name = self._vocabulary.platform_names.get(said, said)
        if name not in self._platforms:
            raise UnreadableError
        return name

    def read_site(self, span: Span) -> dict[str, str]:
        """Return a search platform and the address of its front page, or the address of a site; no known program's name."""
        if self._read_name(span) in self._vocabulary.programs.known:
            raise UnreadableError
        return self.read_visited(span)

    def read_visited(self, span: Span) -> dict[str, str]:
        """Return the same behind words that are about going somewhere, which nobody does to a program."""
        said = self._read_name(span)
        if said in self._platforms:
            return {"platform": said, "url": self._platforms[said].home_url}
        if said in self._vocabulary.sites:
            return {"url": self._vocabulary.sites[said]}
        raise UnreadableError

    def read_site_address(self, span: Span) -> str:
        """Return the address of a platform or site, and nothing else of it."""
        return self.read_visited(span)["url"]

    @cached_property
    def _known(self) -> ClosedSet:
        vocabulary = self._vocabulary
        return ClosedSet({*self._platforms, *vocabulary.platform_names, *vocabulary.sites}, vocabulary.programs.unlike)

    def _read_name(self, span: Span) -> str:
        if span.quoted is not None:
            return span.quoted.lower()
        words = self._names.drop_article(span).words
        is_other = span.has_literals or words in self._vocabulary.programs.known
        return words if is_other else self._known.find(words) or words

    def read_tab(self, span: Span) -> str | int:
        """Return a tab: its index from 0, a word such as ``last``, or a part of its title or address."""
        if span.quoted is not None:
            return self._names.read_name(span)
        words = span.words
        if words in self._vocabulary.choices["tab_word"]:
            return self._vocabulary.choices["tab_word"][words]
        digits = self._numbered.fullmatch(words)
        number = int(digits[1]) if digits else self._vocabulary.ordinals.get(words) or self._numbers.parse(words)
        if number is None:
            return self._read_title(span)
        if number < 1:
            raise UnreadableError
        return int(number) - 1

    def _read_title(self, span: Span) -> str:
        """Return a part of a title; small words that tell where a tab is, or which one, belong to none ("in a new tab"), nor does what a comma parts."""
        words = self._vocabulary
        vague = {*words.articles, *words.leading, *words.pronouns, *words.choices["tab_word"]}
        is_apart = span.sentence.mask[: span.start].rstrip().endswith(",")
        if is_apart or not vague.isdisjoint(span.text.split()):
            raise UnreadableError
        return self._names.read_name(span)

    def read_tab_title(self, span: Span) -> str:
        """Return a part of the title or address of a tab that isn't told by its place."""
        tab = self.read_tab(span)
        if isinstance(tab, int) or (span.quoted is None and span.words in self._vocabulary.choices["tab_word"]):
            raise UnreadableError
        return tab

    def read_tab_place(self, span: Span) -> str | int:
        """Return the first, the last or a numbered tab; nothing that depends on which one is shown, and no title."""
        tab = self.read_tab(span) if span.quoted is None else ""
        if isinstance(tab, int) or tab in {"first", "last"}:
            return tab
        raise UnreadableError
