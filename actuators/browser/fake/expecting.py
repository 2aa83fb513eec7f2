"""Assertions about the fake browser's documents."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from actuators.browser.expectations import Difference, Expectation, parse_expected
from actuators.browser.fake.contents import read_document_text
from actuators.browser.fake.documents import LiveElement
from actuators.browser.fake.selecting import explain_ambiguous, find_anywhere, find_nearest
from actuators.browser.fake.turns import Turn
from core.base.differences import diff_lines
from core.base.errors import ActionError, ExpectationError
from core.base.matching import fold_space, matches_address, matches_title
from core.selectors.selectors import parse_selector

NOTHING = "nothing matches"


@dataclass(frozen=True, slots=True)
class _Seen:
    """One look: what is compared, what is not as expected, and the elements that the selector matches."""

    compared: dict[str, Any]
    differences: list[Difference]
    found: list[LiveElement]


def check_expectation(turn: Turn, wanted: Expectation, timeout_s: float | None) -> dict[str, Any]:
    """Look until everything holds; return what was compared.

    Raises:
        ExpectationError: If it doesn't in time; shows expected and actual.
        TargetError: If the selector matches several elements.
    """
    parse_expected(wanted)
    while True:
        seen = _look(turn, wanted)
        if not seen.differences:
            return {"compared": seen.compared, "waited_s": turn.waited_s}
        if not turn.look(timeout_s):
            raise _fail(turn, wanted, seen)


def _look(turn: Turn, wanted: Expectation) -> _Seen:
    differences = list(_compare_page(turn, wanted))
    compared: dict[str, Any] = {name: getattr(turn.tab, name) for name in ("url", "title") if getattr(wanted, name)}
    if wanted.selector is None:
        return _Seen(compared | ({"text": wanted.text} if wanted.text is not None else {}), differences, [])
    found = find_anywhere(parse_selector(wanted.selector), turn.document)
    compared["count"] = len(found)
    if wanted.count is not None:
        if len(found) != wanted.count:
            differences.append(Difference("the number of elements", wanted.count, len(found)))
        return _Seen(compared, differences, found)
    if found:
        compared |= {"visible": found[0].is_visible, "text": found[0].part or found[0].read_text()}
        compared |= {"value": found[0].value} if wanted.value is not None and not found[0].is_secret else {}
    return _Seen(compared, [*differences, *_compare_elements(wanted, found)], found)


def _compare_page(turn: Turn, wanted: Expectation) -> Iterator[Difference]:
    tab = turn.tab
    if wanted.url is not None and not matches_address(tab.url, wanted.url):
        yield Difference("the address", wanted.url, tab.url)
    if wanted.title is not None and not matches_title(tab.title, wanted.title):
        yield Difference("the title", wanted.title, tab.title)
    if wanted.selector is None and wanted.text is not None:
        documents = (turn.document, *turn.document.frames)
        shown = "\n".join(read_document_text(each) for each in documents)
        if not _contains(shown, wanted.text):
            yield Difference("the page's text", wanted.text, shown)


def _compare_elements(wanted: Expectation, found: list[LiveElement]) -> Iterator[Difference]:
    state = wanted.state or ("visible" if wanted.text is None and wanted.value is None else None)
    if not found:
        if state not in ("detached", "hidden"):
            yield Difference("the element", state or "to be there", NOTHING)
        return
    if len(found) > 1:
        yield Difference("the element", "one", f"{len(found)} of them")
        return
    element = found[0]
    states = list_states(element)
    if state is not None and state not in states:
        yield Difference("the state", state, ", ".join(states))
    if wanted.text is not None and not _contains(element.part or element.read_text(), wanted.text):
        yield Difference("the text", wanted.text, element.part or element.read_text())
    if wanted.value is not None and element.value != wanted.value:
        secret = element.is_secret
        yield Difference("the value", wanted.value, "something else (a secret)" if secret else element.value)


def list_states(element: LiveElement) -> list[str]:
    """Return all states that an element has."""
    states = ["attached", "visible" if element.is_visible else "hidden"]
    states.append("disabled" if element.disabled else "enabled")
    return states if element.checked is None else [*states, "checked" if element.checked else "unchecked"]


def _contains(text: str, part: str) -> bool:
    return fold_space(part) in fold_space(text)


def _fail(turn: Turn, wanted: Expectation, seen: _Seen) -> ActionError:
    if wanted.selector and wanted.count is None and len(seen.found) > 1:
        return explain_ambiguous(parse_selector(wanted.selector), seen.found, turn.waited_s)
    told = [{"what": each.what, "expected": each.expected, "actual": each.actual} for each in seen.differences]
    evidence: dict[str, Any] = {"url": turn.tab.url, "waited_s": turn.waited_s, "differences": told}
    if text := next((each for each in seen.differences if each.what.endswith("text")), None):
        evidence["diff"] = diff_lines(text.expected, text.actual)
    if wanted.selector and any(each.actual == NOTHING for each in seen.differences):
        evidence["nearest"] = find_nearest(parse_selector(wanted.selector), turn.document)
    subject = f"{wanted.selector}: " if wanted.selector else ""
    return ExpectationError(
        f"{subject}{'; '.join(each.describe() for each in seen.differences)}; waited {turn.waited_s:.1f} s.",
        hint="Give it more time, or check what the page shows.",
        evidence=evidence,
    )
