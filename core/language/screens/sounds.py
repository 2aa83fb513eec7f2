"""Reading players, and where sound comes from and goes to."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from core.base.late_parts import compile_late
from core.language.grammars.templates import SEVERAL
from core.language.meanings.interpretation import SlotValue
from core.language.sentences.patterns import compile_pattern, match_any_of
from core.language.sentences.spans import Span, UnreadableError, require, try_read

if TYPE_CHECKING:
    from core.language.grammars.grammar import Vocabulary
    from core.language.screens.programs import ProgramReader
    from core.language.values.names import NameReader

_GAP = compile_late(r"\s*,\s*|\s+")
_MOST_GAPS = 6


class SoundReader:
    """Reads what is heard in the words of one language."""

    def __init__(self, vocabulary: "Vocabulary", names: "NameReader", programs: "ProgramReader") -> None:
        self._sounds = vocabulary.sounds
        self._named = vocabulary.sounds.rooms | vocabulary.sounds.makers
        self._names = names
        self._programs = programs
        self._filler = compile_pattern(rf"(?P<rest>.+?)\s+(?:{self._sounds.fillers})")
        self._measure = compile_pattern(rf"\b(?:{match_any_of(self._sounds.measures)})\b")
        self._device_noun = compile_pattern(
            rf"(?P<front>.+?)\s+(?:{match_any_of(self._sounds.places)})|.*\b(?:{match_any_of(self._sounds.devices)})"
        )
        self._player = compile_pattern(rf"(?P<name>.+?)\s+(?:{match_any_of(self._sounds.players)})")

    @cached_property
    def _sound_nouns(self) -> tuple[re.Pattern[str], ...]:
        """The volume and whose it is: "speaker volume" is one word for it, or "speaker" is whose it is."""
        noun = rf"(?P<noun>{match_any_of(self._sounds.volume)})(?:\s+(?:{self._sounds.joint})\s+(?P<behind>.+))?"
        fronts = ("(?P<front>(?!))?", r"(?P<front>.+?)(?:'?s|')?\s+", r"(?P<front>.+)(?:'s?)?\s+")
        return tuple(compile_pattern(front + noun) for front in fronts)

    def read_player(self, span: Span) -> str:
        """Return a media player: a program, or a device with a name."""
        inner = self._programs.drop_owner(span)
        match = self._player.fullmatch(inner.mask)
        if match:
            return self._programs.read_short_name(inner.cut_group(match, "name"))
        program = try_read(self._programs.read_known, inner)
        return self.read_device(inner) if program is None else program

    def read_sound(self, span: Span) -> dict[str, str]:
        """Return whose volume is meant: ``the volume``, ``the volume of Firefox``, ``my speakers``, ``Firefox``."""
        found = try_read(self.read_volume, span)
        return self.read_source(span) if found is None else found

    def read_loudness(self, span: Span) -> dict[str, str]:
        """Return the same, but no bare program: to raise Firefox is no matter of sound."""
        found = try_read(self.read_volume, span)
        if found is not None:
            return found
        if self._drop_around(span).words in self._sounds.rooms:
            raise UnreadableError  # to lower or to dim the bedroom may be about its light or its heating
        found = self.read_source(span, may_be_installed=False)
        if "app" in found:
            raise UnreadableError
        return found

    def read_volume(self, span: Span, *, is_measured: bool = False) -> dict[str, str]:
        """Return whose volume is meant, where it is called volume or sound.

        Args:
            is_measured: Whether it must be called a volume.
        """
        if is_measured and not self._measure.search(self._drop_around(span).mask):
            raise UnreadableError
        return dict(require(span.keep((self, "volume"), lambda: self._find_volume(span))))

    def _find_volume(self, span: Span) -> Mapping[str, str] | None:
        """Return whose volume is meant, once for all kinds of slots; None where it isn't called volume or sound."""
        inner = self._drop_around(span)
        matches = (match for noun in self._sound_nouns if (match := noun.fullmatch(inner.mask)))
        found = (try_read(self._read_owner, inner, match) for match in matches)
        return next((each for each in found if each is not None), None)

    def read_heard(self, span: Span) -> dict[str, str]:
        """Return the same, but for what is played: to turn off the music is to pause it."""
        inner = self._drop_around(span)
        match = next((match for match in (noun.fullmatch(inner.mask) for noun in self._sound_nouns) if match), None)
        if match and match["noun"].lower() in self._sounds.tracks:
            raise UnreadableError
        return self.read_volume(span)

    def split_source(self, span: Span) -> Iterator[tuple[SlotValue, Span]]:
        """Yield what may be a source in front of a step, with the rest: ``in the kitchen, turn it up``."""
        for gap in list(_GAP.finditer(span.mask))[:_MOST_GAPS]:
            source = span.cut(0, gap.start())
            if source.quoted is None and source.has_literals:
                return
            found = try_read(self.read_source, source, may_be_installed=False)
            if found is not None:
                yield SlotValue("", source.start, source.end, found), span.cut(gap.end(), len(span.mask))

    def place_source(self, domain: str, source: SlotValue) -> SlotValue | None:
        """Return the slot that a source in front of a step fills, if a step of that domain has one."""
        name = self._sounds.params.get(domain)
        if name is None or (name and not source.value):
            return None
        if not name:
            return replace(source, name=f"{SEVERAL}_after")
        return replace(source, name=name, value=next(iter(source.value.values())))

    def _drop_around(self, span: Span) -> Span:
        match = self._filler.fullmatch(span.mask)
        return self._programs.drop_owner(span.cut_group(match, "rest") if match else span)

    def _read_owner(self, inner: Span, match: re.Match[str]) -> dict[str, str]:
        found = [self.read_source(inner.cut_group(match, group)) for group in ("front", "behind") if match[group]]
        telling = [each for each in found if each]
        if len(telling) > 1:
            raise UnreadableError
        return telling[0] if telling else {}

    def read_source(self, span: Span, *, may_be_installed: bool = True) -> dict[str, str]:
        """Return a source of sound as the params that name it; nothing for what is heard anyway."""

        def read() -> Mapping[str, str] | None:
            return try_read(self._read_source, self._drop_around(span), may_be_installed=may_be_installed)

        return dict(require(span.keep((self, may_be_installed), read)))

    def _read_source(self, inner: Span, *, may_be_installed: bool) -> dict[str, str]:
        words = inner.words
        if words in self._sounds.everything:
            return {}
        if words in self._sounds.inputs:
            return {"target": "input"}
        if words in self._named:
            return {"device": inner.text}
        if words in self._sounds.streams:
            return {"app": inner.text}
        if program := self._sounds.pages.get(words):
            return {"app": program}
        known = try_read(self._programs.read_known, inner, may_be_installed=may_be_installed)
        return {"device": self.read_device(inner)} if known is None else {"app": known}

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
        if not match and inner.words not in self._named:
            raise UnreadableError
        # "Quiet the kitchen speaker" is no speaker.
        if inner.quoted is None and self._programs.names_another(inner):
            raise UnreadableError
        return self._programs.read_short_name(inner.cut_group(match, "front") if match and match["front"] else inner)
