"""Reading programs, windows, players, and where sound comes from."""

import re
from collections.abc import Callable, Iterable
from functools import cached_property

from core.errors import SurehandError
from core.language.contexts import Context
from core.language.elements import ElementReader
from core.language.grammar import Vocabulary
from core.language.names import NameReader
from core.language.patterns import compile_pattern, match_any_of
from core.language.spans import Span, UnreadableError
from core.screen_targets import parse_screen_target

_MOST_WORDS = 3
_PAGE = "browser"
ACTIVE_WINDOW = "active"


class ProgramReader:
    """Reads what runs on the machine in the words of one language."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        names: NameReader,
        elements: ElementReader,
        list_programs: Callable[[], Iterable[str]],
    ) -> None:
        """Take the words.

        Args:
            vocabulary: The language's words.
            names: Reads names.
            elements: Reads elements of windows.
            list_programs: Names the programs that this machine has; asked when that must be known.
        """
        self._words = vocabulary.programs
        self._sounds = vocabulary.sounds
        self._naming = vocabulary.naming
        self._negation = re.compile(vocabulary.negation, re.IGNORECASE)
        self._list_programs = list_programs
        self._names = names
        self._elements = elements

    @cached_property
    def _installed(self) -> frozenset[str]:
        return frozenset(name.lower() for name in self._list_programs())

    @cached_property
    def _owner(self) -> re.Pattern[str]:
        return compile_pattern(rf"(?:{self._words.owner})\s+(?P<rest>.+)")

    @cached_property
    def _program_noun(self) -> re.Pattern[str]:
        return self._compile_noun(self._words.nouns)

    @cached_property
    def _window_noun(self) -> re.Pattern[str]:
        return self._compile_noun((*self._words.windows, *self._words.nouns))

    @cached_property
    def _said_window(self) -> re.Pattern[str]:
        return self._compile_noun(self._words.windows)

    @cached_property
    def _sound_noun(self) -> re.Pattern[str]:
        volume = match_any_of(self._sounds.volume)
        return compile_pattern(
            rf"(?:(?P<front>.+?)(?:'s)?\s+)?(?:{volume})(?:\s+(?:{self._sounds.joint})\s+(?P<behind>.+))?"
        )

    @cached_property
    def _measure(self) -> re.Pattern[str]:
        return compile_pattern(rf"\b(?:{match_any_of(self._sounds.measures)})\b")

    @cached_property
    def _device_noun(self) -> re.Pattern[str]:
        return compile_pattern(
            rf"(?P<front>.+?)\s+(?:{match_any_of(self._sounds.places)})|.*\b(?:{match_any_of(self._sounds.devices)})"
        )

    @cached_property
    def _player(self) -> re.Pattern[str]:
        return compile_pattern(rf"(?P<name>.+?)\s+(?:{match_any_of(self._sounds.players)})")

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
            span: The words.
            may_be_installed: Whether it may go by the name of any program that this machine has.

        Raises:
            UnreadableError: If the words may mean something else.
        """
        inner = self._drop_owner(span)
        words = inner.words
        if inner.quoted is None and words in self._words.known:
            return inner.text
        if match := self._program_noun.fullmatch(inner.mask):
            return self._read_short_name(inner.cut_group(match, "name" if match["name"] else "before"))
        if not may_be_installed or inner.has_literals or words not in self._installed:
            raise UnreadableError
        return inner.text

    def read_any_program(self, span: Span) -> str:
        """Return a program behind a verb that is about nothing else ("launch …")."""
        try:
            return self.read_known(span)
        except UnreadableError:
            inner = self._drop_owner(span)
            if inner.start != span.start or self._names.is_elsewhere(inner) or (inner.literal and inner.quoted is None):
                raise
            return self._read_short_name(inner)

    def read_window(self, span: Span, *, is_said: bool = False) -> str:
        """Return a window that is clearly one: called a window or app, or the name of a program.

        Args:
            span: The words.
            is_said: Whether it must be called a window.
        """
        inner = self._drop_owner(span)
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
        return self._read_short_name(name)

    def read_any_window(self, span: Span) -> str:
        """Return a window behind a verb that is about nothing else ("minimize …")."""
        if span.words in self._words.current_window:
            return ACTIVE_WINDOW
        try:
            return self.read_window(span)
        except UnreadableError:
            if not span.text[:1].isupper() and span.quoted is None:
                raise
            return self._read_short_name(span)

    def read_player(self, span: Span) -> str:
        """Return a media player: a program, or a device with a name."""
        inner = self._drop_owner(span)
        match = self._player.fullmatch(inner.mask)
        if match:
            return self._read_short_name(inner.cut_group(match, "name"))
        try:
            return self.read_known(inner)
        except UnreadableError:
            return self.read_device(inner)

    def read_sound(self, span: Span) -> dict[str, str]:
        """Return whose volume is meant: ``the volume``, ``the volume of Firefox``, ``my speakers``, ``Firefox``."""
        try:
            return self.read_volume(span)
        except UnreadableError:
            return self.read_source(span)

    def read_loudness(self, span: Span) -> dict[str, str]:
        """Return the same, but no bare program: to raise Firefox is no matter of sound."""
        try:
            return self.read_volume(span)
        except UnreadableError:
            found = self.read_source(span, may_be_installed=False)
        if "app" in found:
            raise UnreadableError
        return found

    def read_volume(self, span: Span, *, is_measured: bool = False) -> dict[str, str]:
        """Return whose volume is meant, where it is called volume or sound.

        Args:
            span: The words.
            is_measured: Whether it must be called a volume.

        Raises:
            UnreadableError: If it isn't, or two sources are named.
        """
        inner = self._drop_owner(span)
        match = self._sound_noun.fullmatch(inner.mask)
        if not match or (is_measured and not self._measure.search(inner.mask)):
            raise UnreadableError
        found = [self.read_source(inner.cut_group(match, group)) for group in ("front", "behind") if match[group]]
        telling = [each for each in found if each]
        if len(telling) > 1:
            raise UnreadableError
        return telling[0] if telling else {}

    def read_source(self, span: Span, *, may_be_installed: bool = True) -> dict[str, str]:
        """Return a source of sound as the params that name it; nothing for what is heard anyway.

        Args:
            span: The words.
            may_be_installed: Whether it may be any program that this machine has.

        Raises:
            UnreadableError: If it may be a program or a device, or neither.
        """
        inner = self._drop_owner(span)
        words = inner.words
        if words in self._sounds.everything:
            return {}
        if words in self._sounds.inputs:
            return {"target": "input"}
        if words in self._sounds.rooms:
            return {"device": inner.text}
        try:
            return {"app": self.read_known(inner, may_be_installed=may_be_installed)}
        except UnreadableError:
            return {"device": self.read_device(inner)}

    def read_output(self, span: Span) -> str:
        """Return a device that sound goes to."""
        inner = self._drop_owner(span)
        if inner.quoted is not None:
            return self._names.read_name(inner)
        if inner.words in self._sounds.outputs:
            return inner.text
        return self.read_device(inner)

    def read_on_screen(self, span: Span, *, is_clear: bool = False) -> str:
        """Return an element of a window, or a text on the screen.

        Args:
            span: The words.
            is_clear: Whether its kind or a name in quotes must be said.
        """
        element = self._elements.read(span)
        selector = element.selector
        if is_clear and not element.is_clear:
            raise UnreadableError
        try:
            parse_screen_target(selector)
        except SurehandError:
            raise UnreadableError from None
        return selector

    def read_device(self, span: Span) -> str:
        """Return the name of a device that is called one: ``the kitchen speaker``, ``the headphones``."""
        inner = self._drop_owner(span)
        match = self._device_noun.fullmatch(inner.mask)
        if not match and inner.words not in self._sounds.rooms:
            raise UnreadableError
        return self._read_short_name(inner.cut_group(match, "front") if match and match["front"] else inner)

    def _read_short_name(self, span: Span) -> str:
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
        tells = words[0] in self._words.current and not is_written and span.words not in self._sounds.rooms
        is_number = not any(letter.isalpha() for letter in span.text)
        return (
            tells or is_number or not self._words.no_name.isdisjoint(words) or bool(self._negation.search(span.words))
        )

    def _drop_owner(self, span: Span) -> Span:
        match = self._owner.fullmatch(span.mask)
        return span.cut_group(match, "rest") if match else span
