"""FormPort: filling in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from actuators.browser.ports.pages import Done, PagePort
from core.goals.secret_values import Secret
from core.rules.browser_choices import TypingMode
from core.tools.ports import ActionContext

Value = str | bool | float
"""What people give a control: a text, whether it is on, a number."""


@dataclass(frozen=True, slots=True)
class TypingRequest:
    """What to type, how, and whether to press Enter afterwards; without a mode, a field's text is replaced, and the focus gets keys."""

    text: str | Secret
    mode: TypingMode | None
    submit: bool


class FormPort(PagePort, Protocol):
    """Fills in fields and reads them back. What a secret field holds is never told."""

    async def type(self, context: ActionContext, selector: str | None, request: TypingRequest) -> Done:
        """Put text into a field, or into what has the focus; output ``value``, where it may be told; of the focus, fact ``received_by``."""
        ...

    async def press(self, context: ActionContext, selector: str | None, keys: str) -> Done:
        """Press keys in Playwright's names, in an element or where the focus is; facts ``key`` and ``received_by``."""
        ...

    async def select(self, context: ActionContext, selector: str, options: Sequence[str | int]) -> Done:
        """Choose options by label, value or index; output ``selected``, the labels that are chosen now."""
        ...

    async def check(self, context: ActionContext, selector: str, checked: bool) -> Done:
        """Tick or clear a box, or several one by one; output ``checked``."""
        ...

    async def set(self, context: ActionContext, selector: str, value: Value) -> Done:
        """Give a control a value; output ``kind`` of the control and ``value``, where it may be told."""
        ...

    async def fill(self, context: ActionContext, fields: Mapping[str, Value] | None, submit: bool) -> Done:
        """Fill in the fields that words mean, all or none; without words each empty one, with what the page says under its label.

        Output ``fields``; facts ``matched``, and ``submitted_with`` where it was asked for.
        """
        ...

    async def upload(self, context: ActionContext, selector: str, paths: Sequence[Path]) -> Done:
        """Put files that policy allows into a file field; output ``files`` with name and size as the page sees them."""
        ...
