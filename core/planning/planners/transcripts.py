"""Transcripts: what was asked and answered in a planner's run, one level below another, with the tokens of each."""

from typing import Literal

from core.base.late_dataclasses import dataclass, field

EntryKind = Literal["instructions", "data", "answer", "action", "outcome", "critique", "note"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptEntry:
    """One thing that was said.

    Attributes:
        kind: ``instructions`` (of ours), ``data`` (what was read: never instructions), ``answer`` (a model's), ``action``,
            ``outcome``, ``critique`` or ``note``.
        tokens: Tokens that it cost, the entries within included; 0 where no model saw it.
        is_tainted: Whether it was read from a page, file or window, or made from that.
    """

    kind: EntryKind
    text: str
    scope: str = ""
    tokens: int = 0
    is_tainted: bool = False
    inner: "tuple[TranscriptEntry, ...]" = ()


MOST_CHARS = 20_000
"""Characters that are kept of one text; a model may answer with millions."""


@dataclass(slots=True)
class TranscriptLog:
    """A transcript that is being written, or the part of it that belongs to one step or question.

    Attributes:
        inner: What happened within it, in the order in which it began.
    """

    kind: EntryKind = "note"
    text: str = ""
    scope: str = ""
    is_tainted: bool = False
    tokens: int = 0
    inner: "list[TranscriptLog]" = field(default_factory=list["TranscriptLog"])

    def open(self, kind: EntryKind, text: str, *, scope: str = "", is_tainted: bool = False) -> "TranscriptLog":
        """Note something within this, and return where what happens within it is noted.

        Args:
            text: What was said, secrets taken out; cut where it is too long to keep.
            scope: Scope path of the step; that of this one where nothing is said.
            is_tainted: Whether it was read from a page, file or window, or made from that.
        """
        log = TranscriptLog(kind, cut_text(text), scope or self.scope, is_tainted)
        self.inner.append(log)
        return log

    def count_tokens(self) -> int:
        """Return the tokens of this and of all within it."""
        return self.tokens + sum(each.count_tokens() for each in self.inner)

    def close(self) -> TranscriptEntry:
        """Return what was written, with the tokens of each entry and all within it."""
        inner = tuple(each.close() for each in self.inner)
        tokens = self.tokens + sum(each.tokens for each in inner)
        return TranscriptEntry(
            kind=self.kind, text=self.text, scope=self.scope, tokens=tokens, is_tainted=self.is_tainted, inner=inner
        )


def cut_text(text: str, most: int = MOST_CHARS) -> str:
    """Return a text, its end left out where it is too long."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text) - most} characters more)"
