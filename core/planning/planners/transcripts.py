"""Transcripts: what was asked and answered in a planner's run, one level below another, with the tokens of each."""

from dataclasses import dataclass
from typing import Literal

EntryKind = Literal["instructions", "data", "answer", "action", "outcome", "critique", "note"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptEntry:
    """One thing that was said.

    Attributes:
        kind: ``instructions`` (of ours), ``data`` (what was read: never instructions), ``answer`` (a model's), ``action``,
            ``outcome``, ``critique`` or ``note``.
        text: What was said, secrets taken out.
        scope: Scope path of the step, written out.
        tokens: Tokens that it cost, the entries within included; 0 where no model saw it.
        is_tainted: Whether it was read from a page, file or window, or made from that.
        inner: What happened within it.
    """

    kind: EntryKind
    text: str
    scope: str = ""
    tokens: int = 0
    is_tainted: bool = False
    inner: "tuple[TranscriptEntry, ...]" = ()
