"""TypingRun: keys that go into one place, one after the other, and what the field shows of them."""

from dataclasses import dataclass, field

from actuators.desktop.finding.element_words import is_secret
from actuators.desktop.ports.desktop import Element
from actuators.desktop.ports.recordings import UNKNOWN_CHARACTER, RawInput

_MOVING = {"ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"}
ENTERING = {"Enter", "NumpadEnter"}
_CORRECTING = {"Backspace", "Delete"}
_IN_FIELD = {"a", "v", "z"}
"""What keys with Control do to a field alone: its value says what came of it."""


@dataclass(slots=True)
class TypingRun:
    """Keys that are merged into one act.

    Attributes:
        element: The field; None where none tells that it has the focus.
        was: What it held before; None where that isn't known.
        value: What it held when it was last read.
        pending: What they wrote since the field was last read.
        ahead: What the field showed then beyond the keys that had been taken: theirs are still to be taken, and change nothing.
        is_plain: Whether they did nothing else since then but write at the end.
    """

    act: str
    window_id: str
    element: Element | None = None
    selector: str = ""
    was: str | None = None
    value: str | None = None
    typed: str = field(default="", repr=False)
    pending: str = field(default="", repr=False)
    ahead: str = field(default="", repr=False)
    is_plain: bool = True

    @property
    def is_secret(self) -> bool:
        """Whether nobody may learn what is typed."""
        return self.element is not None and is_secret(self.element)

    @property
    def can_be_read(self) -> bool:
        """Whether the field tells what it holds."""
        return self.element is not None and not self.is_secret and self.value is not None

    def take(self, raw: RawInput) -> None:
        """Take a key."""
        text = "\n" if raw.key in ENTERING else raw.text
        if "Control" in raw.modifiers:
            self.is_plain = False
        elif self.is_secret:
            self.typed = "x" if text else self.typed  # that there is something is all that is kept
        elif text and self.ahead.startswith(text):
            self.typed += text
            self.ahead = self.ahead[len(text) :]
        elif text:
            self.typed += text
            self.pending, self.ahead = self.pending + text, ""
        elif raw.key == "Backspace" and self.typed:
            self.is_plain = self.is_plain and len(self.pending) > 1
            self.typed, self.pending, self.ahead = self.typed[:-1], self.pending[:-1], ""
        else:
            self.is_plain = False

    def read(self, value: str | None) -> None:
        """Note what the field holds now; what it has not taken yet by then stays to come."""
        guessed = self.guess()
        lags = self.is_plain and value is not None and guessed is not None and guessed.startswith(value)
        lags = lags and len(value or "") >= len(self.value or "")
        self.pending = (guessed or "")[len(value or "") :] if lags else ""
        if value != self.value:
            leads = self.is_plain and value is not None and guessed is not None and value.startswith(guessed)
            self.ahead = self.ahead + (value or "")[len(guessed or "") :] if leads else ""
        self.value, self.is_plain = value, True

    def guess(self) -> str | None:
        """Return what the field held after the last key, where a later look would be too late."""
        if self.value is None or not self.is_plain or UNKNOWN_CHARACTER in self.pending:
            return self.value
        return f"{self.value}{self.pending}"

    @property
    def is_unknown(self) -> bool:
        """Whether a character is in it that nobody here can tell."""
        return UNKNOWN_CHARACTER in self.typed


def goes_on(run: TypingRun | None, raw: RawInput) -> bool:
    """Tell whether a key belongs to what is being typed, or begins it.

    Args:
        run: What is being typed; None for nothing.
    """
    if raw.modifiers & {"Alt", "Meta"}:
        return False
    if "Control" in raw.modifiers:
        return run is not None and run.can_be_read and raw.modifiers == frozenset({"Control"}) and raw.key in _IN_FIELD
    if raw.key in ENTERING:
        return run is not None and run.element is not None and "multi-line" in run.element.states
    if raw.key in _CORRECTING:
        return run is None or run.element is not None or (raw.key == "Backspace" and bool(run.typed))
    if raw.key in _MOVING:
        return run is not None and run.can_be_read
    return bool(raw.text)
