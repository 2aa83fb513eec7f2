"""Assertions about the fake browser's documents."""

from dataclasses import dataclass
from typing import Any

from actuators.browser.fake_contents import read_document_text, read_value
from actuators.browser.fake_documents import LiveElement
from actuators.browser.fake_selecting import explain_ambiguous, find_anywhere
from actuators.browser.fake_turns import Turn
from actuators.browser.toolset import ElementState
from core.differences import describe_difference
from core.errors import ExpectationError
from core.matching import fold_space, matches_address, matches_title
from core.selectors import parse_selector


@dataclass(frozen=True, slots=True)
class Expectation:
    """What is expected; the fields are the tool's parameters."""

    selector: str | None
    state: ElementState | None
    text: str | None
    value: str | None
    count: int | None
    url: str | None
    title: str | None

    @property
    def wanted_state(self) -> ElementState | None:
        """The state asked for: ``visible`` where nothing else is asked of an element."""
        nothing_else = self.text is None and self.value is None and self.count is None
        return self.state or ("visible" if self.selector is not None and nothing_else else None)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One comparison: what it was about, what was expected, what is there, and whether that is right."""

    what: str
    expected: Any
    actual: Any
    holds: bool


def check_expectation(turn: Turn, wanted: Expectation, timeout_s: float | None) -> list[Comparison]:
    """Look until everything holds.

    Raises:
        ExpectationError: If it doesn't in time; shows expected and actual.
        TargetError: If the selector matches several elements.
    """
    while True:
        compared = list(_compare(turn, wanted))
        wrong = [each for each in compared if not each.holds]
        if not wrong:
            return compared
        if not turn.look(timeout_s):
            raise _fail(turn, wrong[0])


def _compare(turn: Turn, wanted: Expectation) -> list[Comparison]:
    tab = turn.tab
    compared: list[Comparison] = []
    if wanted.url is not None:
        compared.append(Comparison("url", wanted.url, tab.url, matches_address(tab.url, wanted.url)))
    if wanted.title is not None:
        compared.append(Comparison("title", wanted.title, tab.title, matches_title(tab.title, wanted.title)))
    if wanted.selector is None:
        if wanted.text is not None:
            shown = read_document_text(turn.document)
            compared.append(Comparison("text", wanted.text, shown, _contains(shown, wanted.text)))
        return compared
    spec = parse_selector(wanted.selector)
    found = find_anywhere(spec, turn.document)
    if wanted.count is not None:
        return [*compared, Comparison("count", wanted.count, len(found), len(found) == wanted.count)]
    if len(found) > 1:
        raise explain_ambiguous(spec, found, turn.waited_s)
    return compared + _compare_element(found[0] if found else None, wanted)


def _compare_element(element: LiveElement | None, wanted: Expectation) -> list[Comparison]:
    compared: list[Comparison] = []
    if state := wanted.wanted_state:
        states = list_states(element)
        compared.append(Comparison("state", state, ", ".join(states), state in states))
    if wanted.text is not None:
        text = element.read_text() if element else None
        compared.append(Comparison("text", wanted.text, text, text is not None and _contains(text, wanted.text)))
    if wanted.value is not None:
        value = read_value(element) if element else None
        compared.append(Comparison("value", wanted.value, value, value == wanted.value))
    return compared


def list_states(element: LiveElement | None) -> list[str]:
    """Return all states that an element has; of one that isn't there, those that this means."""
    if element is None:
        return ["detached", "hidden"]
    states = ["attached", "visible" if element.is_visible else "hidden"]
    states.append("disabled" if element.disabled else "enabled")
    return states if element.checked is None else [*states, "checked" if element.checked else "unchecked"]


def _contains(text: str, part: str) -> bool:
    return fold_space(part) in fold_space(text)


def _fail(turn: Turn, wrong: Comparison) -> ExpectationError:
    expected, actual = wrong.expected, wrong.actual
    difference = describe_difference(expected, actual) if isinstance(expected, str) and isinstance(actual, str) else ""
    return ExpectationError(
        f"Expected the {wrong.what} {expected!r}, found {actual!r}; waited {turn.waited_s:.1f} s.",
        hint="Check what is expected, or give the page more time.",
        evidence={
            "what": wrong.what, "expected": expected, "actual": actual, "difference": difference,
            "url": turn.tab.url, "waited_s": turn.waited_s,
        },
    )  # fmt: skip
