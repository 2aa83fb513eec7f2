"""Assertions about a page as data: what must be true, and what isn't."""

from dataclasses import dataclass
from typing import Any

from actuators.browser.tools.toolset import ElementState
from core.matching import fold_space
from core.selectors import SelectorSpec, parse_selector, parse_single_selector

SHOWN_CHARS = 300


@dataclass(frozen=True, slots=True)
class Expectation:
    """What must be true; the fields are the tool's parameters, None for what isn't asked."""

    selector: str | None = None
    state: ElementState | None = None
    text: str | None = None
    value: str | None = None
    count: int | None = None
    url: str | None = None
    title: str | None = None


def parse_expected(wanted: Expectation) -> SelectorSpec | None:
    """Return the selector of what is expected, taken to pieces; None without one.

    Raises:
        TargetError: If it isn't one, or names several elements although they are not counted.
    """
    if wanted.selector is None:
        return None
    return (parse_single_selector if wanted.count is None else parse_selector)(wanted.selector)


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not as expected.

    Attributes:
        what: What was compared, for people.
        expected: What it should be.
        actual: What it is.
        detail: Where the two part; empty if that is plain.
    """

    what: str
    expected: Any
    actual: Any
    detail: str = ""

    def describe(self) -> str:
        """Return it as a phrase."""
        shown = f"{self.what}: expected {show_value(self.expected)}, found {show_value(self.actual)}"
        return f"{shown} ({self.detail})" if self.detail else shown


def show_value(value: Any) -> str:
    """Return a value for people: texts quoted, on one line and cut."""
    return f'"{shorten_value(fold_space(value))}"' if isinstance(value, str) else str(value)


def shorten_value(value: Any) -> Any:
    """Return a value, texts cut to what can be read."""
    return value[:SHOWN_CHARS] + "…" if isinstance(value, str) and len(value) > SHOWN_CHARS else value
