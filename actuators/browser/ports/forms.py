"""What is said of filling in between tools and back ends."""

from dataclasses import dataclass

from core.goals.secret_values import Secret
from core.rules.browser_choices import TypingMode

Value = str | bool | float
"""What people give a control: a text, whether it is on, a number."""


@dataclass(frozen=True, slots=True)
class TypingRequest:
    """What to type, how, and whether to press Enter afterwards; without a mode, a field's text is replaced, and the focus gets keys."""

    text: str | Secret
    mode: TypingMode | None
    submit: bool
