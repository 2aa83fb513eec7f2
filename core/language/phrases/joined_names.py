"""Joined names: a name without quotes that holds the beginning of another step is no name.

"Launch Mugs & quit" and "click Mugs then stop" name Mugs, and something else is asked for behind it; nobody knows whether
it belongs to the name. What an article and the word for a kind enclose is a name all the same ("the save and close
button"), and so are two verbs alone ("find and replace").
"""

import re

from core.language.phrases.matches import Match
from core.language.sentences.spans import Span

_FREE = frozenset({"typed", "filling", "jotted", "text", "query"})
"""Slots whose words may be anything: they are put somewhere, or looked for, as they are."""

_WORD = re.compile(r"[^\W\d_]+(?=$|[\s.,!?])")
_EDGES = " .,!?"


class JoinedNames:
    """Finds names that hold the beginning of another step."""

    def __init__(self, joint: re.Pattern[str], commands: frozenset[str]) -> None:
        """Take the words.

        Args:
            joint: What may stand between two steps.
            commands: The words that a step begins with.
        """
        self._joint, self._commands = joint, commands

    def find(self, match: Match | None) -> bool:
        """Return whether a match has such a name."""
        if match is None or not match.is_goal:
            return False
        return any(
            match.entry.kinds.get(slot.name) not in _FREE
            and self._holds_step(Span(match.span.sentence, slot.start, slot.end), slot.value)
            for slot in match.slots
        )

    def _holds_step(self, span: Span, value: object) -> bool:
        if not isinstance(value, str | tuple):
            return False
        text = " ".join(str(value[0] if isinstance(value, tuple) else value).casefold().split())
        return any(
            behind.strip(_EDGES).casefold() in text
            for joint in self._joint.finditer(span.mask)
            if (behind := self._read_step(span, joint))
        )

    def _read_step(self, span: Span, joint: re.Match[str]) -> str:
        """Return what is behind a joint where a step begins there, unless it is one of two verbs that make a name together."""
        front, behind = span.mask[: joint.start()].strip(), span.mask[joint.end() :]
        word = _WORD.match(behind)
        if word is None or not front or word[0] not in self._commands:
            return ""
        return "" if front in self._commands and not behind[word.end() :].strip() else " ".join(behind.split())
