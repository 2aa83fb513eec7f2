"""Reading players, and where sound comes from and goes to."""

import re
from functools import cached_property

from core.language.grammar import Vocabulary
from core.language.names import NameReader
from core.language.patterns import compile_pattern, match_any_of
from core.language.programs import ProgramReader
from core.language.spans import Span, UnreadableError


class SoundReader:
    """Reads what is heard in the words of one language."""

    def __init__(self, vocabulary: Vocabulary, names: NameReader, programs: ProgramReader) -> None:
        """Take the words.

        Args:
            vocabulary: The language's words.
            names: Reads names.
            programs: Reads programs.
        """
        self._sounds = vocabulary.sounds
        self._names = names
        self._programs = programs

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

    def read_player(self, span: Span) -> str:
        """Return a media player: a program, or a device with a name."""
        inner = self._programs.drop_owner(span)
        match = self._player.fullmatch(inner.mask)
        if match:
            return self._programs.read_short_name(inner.cut_group(match, "name"))
        try:
            return self._programs.read_known(inner)
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
        inner = self._programs.drop_owner(span)
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
        inner = self._programs.drop_owner(span)
        words = inner.words
        if words in self._sounds.everything:
            return {}
        if words in self._sounds.inputs:
            return {"target": "input"}
        if words in self._sounds.rooms:
            return {"device": inner.text}
        try:
            return {"app": self._programs.read_known(inner, may_be_installed=may_be_installed)}
        except UnreadableError:
            return {"device": self.read_device(inner)}

    def read_output(self, span: Span) -> str:
        """Return a device that sound goes to."""
        inner = self._programs.drop_owner(span)
        if inner.quoted is not None:
            return self._names.read_name(inner)
        if inner.words in self._sounds.outputs:
            return inner.text
        return self.read_device(inner)

    def read_device(self, span: Span) -> str:
        """Return the name of a device that is called one: ``the kitchen speaker``, ``the headphones``."""
        inner = self._programs.drop_owner(span)
        match = self._device_noun.fullmatch(inner.mask)
        if not match and inner.words not in self._sounds.rooms:
            raise UnreadableError
        return self._programs.read_short_name(inner.cut_group(match, "front") if match and match["front"] else inner)
