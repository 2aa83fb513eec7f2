"""Reading back what was typed, where the element that has the focus can be read."""

from typing import Literal

from actuators.deadlines import Deadline, finish_within
from actuators.desktop.ports.desktop import Accessibility, Element, Window
from core.base.errors import ActionError, DeviceError, SurehandError
from core.base.late_dataclasses import dataclass

_LOOK_S = 1.5
_FOLLOWS_S = 5.0
_FOCUSED_S = 1.0
_STEP_S = 0.1

ReadBackVerdict = Literal["confirmed", "unverified"]


@dataclass(frozen=True, slots=True)
class FieldReading:
    """What was read of a field (``value``: what is in it; None where that can't be read)."""

    verdict: ReadBackVerdict
    value: str | None = None


class FieldReader:
    """Reads the field that has the focus."""

    def __init__(self, accessibility: Accessibility) -> None:
        self._accessibility = accessibility

    async def find_focused(self, window: Window | None) -> Element | None:
        """Return the editable element that has the focus, as far as that can be read in little time."""
        if window is None or not self._accessibility.assess().available:
            return None
        deadline = Deadline(_FOCUSED_S)
        try:
            while True:
                elements = await finish_within(self._accessibility.elements(window), _LOOK_S)
                fields = [each for each in elements if "visible" in each.states and is_readable(each)]
                focused = [each for each in fields if "focused" in each.states]
                if focused or not fields or deadline.is_over:
                    return focused[-1] if focused else None
                # Applications say that a field has the focus some moments after their window has got it.
                await self._accessibility.wait_for_change(min(deadline.remaining_s, _STEP_S))
        except (TimeoutError, SurehandError):
            return None  # then it can't be read back, which the effect says

    async def wait_for_answer(self, field: Element, deadline: Deadline) -> Element | None:
        """Return a field as it is once its application answers; it answers in order, so all it was asked before is done by then.

        Raises:
            DeviceError: If it doesn't answer by then.
        """
        while True:
            try:
                return await self._accessibility.refresh(field)
            except DeviceError:
                if deadline.is_over:
                    raise

    async def read_back(self, field: Element | None, text: str, deadline: Deadline) -> FieldReading:
        """Wait, as long as applications need, until a text is in a field, if that is known; else ``not_typed``."""
        if field is None:
            return FieldReading("unverified")
        before, end_s = field.value or "", deadline.elapsed_s + min(_FOLLOWS_S, deadline.remaining_s)
        while True:
            now = await self._refresh(field)
            if now is None or now.value is None:
                return FieldReading("unverified")
            if now.value != before and has_typed(now.value, before, text):
                return FieldReading("confirmed", now.value)
            if deadline.elapsed_s >= end_s:
                return judge_other(now.value, before, text)
            await self._accessibility.wait_for_change(_STEP_S)

    async def _refresh(self, field: Element) -> Element | None:
        try:
            return await finish_within(self._accessibility.refresh(field), _LOOK_S)
        except (TimeoutError, SurehandError):
            return None


def is_readable(element: Element) -> bool:
    """Tell whether what is typed into an element can be read back."""
    return "editable" in element.states and element.value is not None


def has_typed(now: str, before: str, text: str) -> bool:
    """Tell whether a field holds what was typed into it, once more than before or in place of what was selected."""
    now, text = now.replace("\r\n", "\n"), text.replace("\r\n", "\n")
    return text in now and (now.count(text) > before.count(text) or len(now) != len(before) + len(text))


def judge_other(now: str, before: str, text: str) -> FieldReading:
    """Judge a field that doesn't hold what was typed: ``not_typed``, unless it was Enter or the text before."""
    if "\n" in text or (now == before and text in before):
        return FieldReading("unverified", now)
    raise ActionError(
        "The typed text is not in the field." if now == before else "The field received other text.",
        code="not_typed",
        hint="Check whether the field accepts such text and had the focus.",
        evidence={"typed": text, "before": before, "now": now},
    )
