"""Joined names: a name without quotes that holds the beginning of another step, or a time, is no name.

"Launch Mugs & quit" and "click Mugs then stop" name Mugs, and something else is asked for behind it; nobody knows whether
it belongs to the name. What an article and the word for a kind enclose is a name all the same ("the save and close
button"), and so are two verbs alone ("find and replace"). A verb that is said twice is a slip, and no name either. "Click Save at eight" says when rather than what.
"""

import re

from core.base.late_parts import compile_late
from core.language.phrases.matches import Match
from core.language.phrases.slots import ELEMENT_SLOTS, FREE_SLOTS
from core.language.sentences.patterns import compile_pattern
from core.language.sentences.spans import Span

_WORD = compile_late(r"[^\W\d_]+(?=$|[\s.,!?])")
_SHOWN = frozenset({"tab", "that_tab", "window", "any_window", "said_window", "program", "any_program"})
"""Slots for things that no page shows by a time alone: a control may be called "tomorrow", a tab to be closed is not."""

_ON_SCREEN = frozenset({"on_screen", "named_on_screen", "dropped_on"})
"""Slots for what stands on the screen, which are controls as those of a page are."""

_EDGES = " .,!?"
_TWICE = compile_late(r"(?<!\S)([^\W\d_]+)\s+\1(?!\S)")


class JoinedNames:
    """Finds names that hold the beginning of another step."""

    def __init__(self, joint: re.Pattern[str], commands: frozenset[str], schedule: str) -> None:
        self._joint, self._commands = joint, commands
        self._time = compile_pattern(rf"(?:^|(?<=\s))(?:{schedule or '(?!)'})$", re.IGNORECASE)

    def find(self, match: Match | None) -> bool:
        """Return whether a match has such a name."""
        if match is None or not match.is_goal:
            return False
        for slot in match.slots:
            kind, span = match.entry.kinds.get(slot.name, ""), Span(match.span.sentence, slot.start, slot.end)
            if kind in FREE_SLOTS or not isinstance(slot.value, str | tuple):
                continue
            if self._stutters(span) or self._holds_step(span, slot.value) or self._says_when(kind, span, slot.value):
                return True
            if kind in ELEMENT_SLOTS and self._begins_again(match.span, span):
                return True
        return False

    def _begins_again(self, clause: Span, name: Span) -> bool:
        verb = clause.mask.partition(" ")[0].lower()
        return verb in self._commands and verb in name.mask.split()[1:]

    def _stutters(self, span: Span) -> bool:
        """Whether a verb is said twice in a row, as somebody does who stumbles: "the open open tabs"."""
        twice = _TWICE.search(span.mask)
        return twice is not None and twice[1] in self._commands

    def _says_when(self, kind: str, span: Span, value: object) -> bool:
        is_path, is_shown = isinstance(value, tuple), kind in _SHOWN
        if not (is_path or is_shown or kind in ELEMENT_SLOTS or kind in _ON_SCREEN):
            return False
        time = self._time.search(span.mask)
        if time is None or span.mask[time.start()].isupper():
            return False
        is_whole = not span.mask[: time.start()].strip()
        return (is_path or is_shown) if is_whole else _holds(value, time[0])

    def _holds_step(self, span: Span, value: object) -> bool:
        return any(
            _holds(value, behind)
            for joint in self._joint.finditer(span.mask)
            if (behind := self._read_step(span, joint))
        )

    def _read_step(self, span: Span, joint: re.Match[str]) -> str:
        front, behind = span.mask[: joint.start()].strip(), span.mask[joint.end() :]
        word = _WORD.match(behind)
        if word is None or not front or word[0] not in self._commands:
            return ""
        is_alone = not behind[word.end() :].strip()
        is_answer = "," in joint[0] and front.istitle() and " " not in front  # "Yes, cancel"
        return "" if is_alone and (front in self._commands or is_answer) else " ".join(behind.split())


def _holds(value: object, words: str) -> bool:
    text = " ".join(str(value[0] if isinstance(value, tuple) else value).casefold().split())
    return " ".join(words.strip(_EDGES).casefold().split()) in text
