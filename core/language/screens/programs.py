"""Reading programs and windows."""

import re
from collections.abc import Callable, Iterable
from functools import cached_property

from core.base.errors import SurehandError
from core.base.late_parts import compile_late
from core.language.grammars.grammar import Vocabulary
from core.language.meanings.contexts import Context
from core.language.screens.elements import ElementPhraseReader
from core.language.sentences.patterns import compile_pattern, match_any_of
from core.language.sentences.spans import Span, UnreadableError
from core.language.values.closed_sets import ClosedSet
from core.language.values.names import NameReader
from core.selectors.screen_targets import parse_screen_target

_MOST_WORDS = 3
_PAGE = "browser"
ACTIVE_WINDOW = "active"

_GAP = compile_late(r"\s+")
_ICON = compile_late(r"^icon (?=\")")


class ProgramReader:
    """Reads what runs on the machine in the words of one language."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        names: NameReader,
        elements: ElementPhraseReader,
        list_programs: Callable[[], Iterable[str]],
    ) -> None:
        """Take the words; which programs this machine has is asked when that must be known."""
        self._words = vocabulary.programs
        self._rooms = vocabulary.sounds.rooms
        self._naming = vocabulary.naming
        self._negation = compile_pattern(vocabulary.negation, re.IGNORECASE)
        self._list_programs = list_programs
        self._names = names
        self._elements = elements
        nouns, windows = self._words.nouns, self._words.windows
        self._program_noun, self._window_noun, self._said_window = map(
            self._compile_noun, (nouns, (*windows, *nouns), windows)
        )
        self._lone_owner = compile_pattern(self._words.owner)
        self._owner = compile_pattern(rf"(?:{self._words.owner})\s+(?P<rest>.+)")

    @cached_property
    def _installed(self) -> frozenset[str]:
        return frozenset(name.lower() for name in self._list_programs())

    @cached_property
    def _programs(self) -> ClosedSet:
        return ClosedSet(self._words.known | self._installed, self._words.unlike)

    def _compile_noun(self, nouns: tuple[str, ...]) -> re.Pattern[str]:
        words = match_any_of(nouns)
        return compile_pattern(
            rf"(?:{words})\s+(?:(?:{self._naming})\s+)?(?P<name>.+)|(?P<before>.+?)(?:'s)?\s+(?:{words})"
        )

    def read_program(self, span: Span, context: Context) -> str:
        """Return a program; behind a step on a page, "Help" is rather a part of that than what is installed."""
        return self.read_known(span, may_be_installed=context.surface != _PAGE)

    def read_known(self, span: Span, *, may_be_installed: bool = False) -> str:
        """Return a program: a name that is that of one, or anything that is called one ("the Foo app").

        Args:
            may_be_installed: Whether it may go by the name of any program that this machine has.
        """
        inner = self.drop_owner(span)
        words = inner.words
        if inner.quoted is None and words in self._words.known:
            return inner.text
        if match := self._program_noun.fullmatch(inner.mask):
            return self.read_short_name(inner.cut_group(match, "name" if match["name"] else "before"))
        if not may_be_installed or inner.has_literals or words not in self._installed:
            raise UnreadableError
        return inner.text

    def read_like_program(self, span: Span, context: Context) -> str:
        """Return the program whose name is nearly that: ``fire fox``, ``calculater``."""
        inner = self.drop_owner(span)
        name = None if inner.has_literals or context.surface == _PAGE else self._programs.find(inner.words)
        if name is None:
            raise UnreadableError
        return name

    def read_bare_program(self, span: Span, context: Context) -> str:
        """Return a program whose name is all that was said."""
        rest = span.sentence.mask[span.end :]
        if context.step or span.words not in self._words.bare or any(letter.isalpha() for letter in rest):
            raise UnreadableError
        return span.text

    def read_any_program(self, span: Span) -> str:
        """Return a program behind a verb that is about nothing else ("launch …"); what holds an article is none: "launch a rocket"."""
        try:
            return self.read_known(span)
        except UnreadableError:
            inner = self.drop_owner(span)
            in_front = span.sentence.mask[: span.start].rstrip().rpartition(" ")[2]
            is_owned = inner.start != span.start or self._lone_owner.fullmatch(in_front)
            is_more = any(map(self._lone_owner.fullmatch, inner.words.split()[1:]))
            if is_owned or is_more or self._names.is_elsewhere(inner) or (inner.literal and inner.quoted is None):
                raise
            return self.read_short_name(inner)

    def read_window(self, span: Span, *, is_said: bool = False) -> str:
        """Return a window that is clearly one: called a window or app, or the name of a program.

        Args:
            is_said: Whether it must be called a window.
        """
        inner = self.drop_owner(span)
        words = inner.words
        if words in self._words.active:
            return ACTIVE_WINDOW
        if not is_said and inner.quoted is None and words in self._words.known and words not in self._words.not_windows:
            return inner.text
        match = (self._said_window if is_said else self._window_noun).fullmatch(inner.mask)
        if not match:
            raise UnreadableError
        name = inner.cut_group(match, "name" if match["name"] else "before")
        if name.quoted is None and name.words in self._words.not_windows:
            raise UnreadableError
        return self.read_short_name(name)

    def read_any_window(self, span: Span) -> str:
        """Return a window behind a verb that is about nothing else ("minimize …")."""
        if span.words in self._words.current_window:
            return ACTIVE_WINDOW
        try:
            return self.read_window(span)
        except UnreadableError:
            if not span.text[:1].isupper() and span.quoted is None:
                raise
            return self.read_short_name(span)

    def read_on_screen(self, span: Span, *, is_clear: bool = False) -> str:
        """Return an element of a window, or a text on the screen.

        Args:
            is_clear: Whether its kind or a name in quotes must be said.
        """
        element = self._elements.read(span)
        # On the screen, the icon of a program is known by the name below it.
        selector = _ICON.sub("control ", element.selector)
        if is_clear and not element.is_clear:
            raise UnreadableError
        try:
            parse_screen_target(selector)
        except SurehandError:
            raise UnreadableError from None
        return selector

    def read_short_name(self, span: Span) -> str:
        """Return a name of a few words that tell no thing by its state."""
        if span.quoted is None and span.words.count(" ") >= _MOST_WORDS:
            raise UnreadableError
        name = self._names.read_name(span)
        if span.quoted is None and self._is_no_name(span):
            raise UnreadableError
        return name

    def _is_no_name(self, span: Span) -> bool:
        """Whether words tell which one is meant, deny it, or are just a number."""
        words = span.words.split()
        is_written = span.text[:1].isupper() and not span.text.isupper()
        tells = words[0] in self._words.current and not is_written and span.words not in self._rooms
        is_number = not any(letter.isalpha() for letter in span.text)
        return (
            tells or is_number or not self._words.no_name.isdisjoint(words) or bool(self._negation.search(span.words))
        )

    def names_another(self, span: Span) -> bool:
        """Whether another name begins within one, by its article or its owner, so that what is in front is no part of it."""
        return any(self._owner.match(span.mask, match.end()) for match in _GAP.finditer(span.mask))

    def drop_owner(self, span: Span) -> Span:
        """Drop words in front of a name that aren't part of it."""
        match = self._owner.fullmatch(span.mask)
        return span.cut_group(match, "rest") if match else span
