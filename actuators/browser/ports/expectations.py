"""Assertions about a page: what must be true, how what was seen is compared with it, and what to say where it isn't so."""

import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

from core.base.errors import ExpectationError
from core.base.late_dataclasses import dataclass, replace
from core.base.matching import describe_difference, diff_lines, fold_space, matches_address, matches_title
from core.rules.browser_choices import ElementState
from core.selectors.selectors import PlainSelector, SelectorSpec, parse_selector, parse_single_selector

SHOWN_CHARS = 300
LONG_CHARS = 40
ONE = "one"
NOTHING = "nothing matches"
_ALIKE = 0.6
_MOST_ALIKE = 3
_MOST_LINES = 2000
_DIGITS = re.compile(r"\d+")

Seen = dict[str, Any]
"""What a look at the page found: ``url``, ``title``, ``page_text`` and ``page_content`` (as it is written, whatever a style
makes of it), and of each of ``elements`` its ``visible``, ``enabled``, ``tickable``, ``checked``, ``text``, ``content``, ``value`` and ``secret``."""


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
    """Return the selector, taken to pieces; None without one; TargetError if it names several that are not counted."""
    if wanted.selector is None:
        return None
    return (parse_single_selector if wanted.count is None else parse_selector)(wanted.selector)


@dataclass(frozen=True, slots=True)
class Difference:
    """What is not as expected, where the two part, and what the page shows that is written alike."""

    what: str
    expected: Any
    actual: Any
    detail: str = ""
    alike: tuple[str, ...] = ()

    def describe(self) -> str:
        """Return it as a phrase."""
        found = f"but the page shows {', '.join(map(show_value, self.alike))}" if self.alike else ""
        found = found or (NOTHING if self.actual == NOTHING else f"found {show_value(self.actual)}")
        shown = f"{self.what}: expected {show_value(self.expected)}, {found}"
        return f"{shown} ({self.detail})" if self.detail else shown


def show_value(value: Any) -> str:
    """Return a value for people: texts quoted, on one line and cut."""
    return f'"{shorten_value(fold_space(value))}"' if isinstance(value, str) else str(value)


def shorten_value(value: Any) -> Any:
    """Return a value, texts cut to what can be read."""
    return value[:SHOWN_CHARS] + "…" if isinstance(value, str) and len(value) > SHOWN_CHARS else value


def compare(wanted: Expectation, seen: Seen) -> Iterator[Difference]:
    """Yield what is not as expected."""
    yield from _compare_page(wanted, seen)
    if wanted.selector is None:
        return
    elements: list[Seen] = seen.get("elements", [])
    if wanted.count is not None:
        if len(elements) != wanted.count:
            yield Difference("the number of elements", wanted.count, len(elements))
        return
    state = wanted.state or ("visible" if wanted.text is None and wanted.value is None else None)
    if state in {"detached", "hidden"} and not elements:
        return
    if len(elements) == 1:
        yield from _compare_element(wanted, state, elements[0])
    elif elements:
        yield Difference("the element", ONE, f"{len(elements)} of them")
    else:
        yield Difference("the element", state or "to be there", NOTHING)


def _compare_page(wanted: Expectation, seen: Seen) -> Iterator[Difference]:
    if wanted.url is not None and not matches_address(seen["url"], wanted.url):
        yield Difference("the address", wanted.url, seen["url"])
    if wanted.title is not None and not matches_title(seen.get("title", ""), wanted.title):
        yield Difference("the title", wanted.title, seen.get("title", ""))
    if wanted.selector is None and wanted.text is not None:
        shown = seen.get("page_text", "")
        if not _contains(wanted.text, shown, seen.get("page_content", "")):
            yield _text_difference("the page's text", wanted.text, shown)


def _compare_element(wanted: Expectation, state: ElementState | None, element: Seen) -> Iterator[Difference]:
    if state is not None and (actual := _state_of(element, state)) != state:
        yield Difference("the state", state, actual)
    if wanted.text is not None and not _contains(wanted.text, element["text"], element["content"]):
        yield _text_difference("the text", wanted.text, element["text"])
    if wanted.value is not None and element["value"] != wanted.value:
        if element["secret"]:
            yield Difference("the value", f"{len(wanted.value)} characters", "something else (a secret)")
        else:
            yield Difference("the value", wanted.value, element["value"], _detail(wanted.value, element["value"] or ""))


def _state_of(element: Seen, asked: ElementState) -> str:
    match asked:
        case "attached" | "detached":
            return "attached"
        case "visible" | "hidden":
            return "visible" if element["visible"] else "hidden"
        case "enabled" | "disabled":
            return "enabled" if element["enabled"] else "disabled"
        case "checked" | "unchecked":
            if not element["tickable"]:
                return "not a checkbox, switch or radio button"
            return "partly checked" if element["checked"] is None else "checked" if element["checked"] else "unchecked"


def _contains(wanted: str, *texts: str) -> bool:
    return any(fold_space(wanted) in fold_space(text) for text in texts)


def _detail(wanted: str, actual: str) -> str:
    return describe_difference(wanted, actual) if min(len(wanted), len(actual)) > LONG_CHARS else ""


def _text_difference(what: str, wanted: str, actual: str) -> Difference:
    if fold_space(wanted).casefold() in fold_space(actual).casefold():
        return Difference(what, wanted, actual, "it is there with other capital letters")
    return Difference(what, wanted, actual)


def add_alike(spec: SelectorSpec | None, differences: Sequence[Difference], page_text: str) -> list[Difference]:
    """Say of a text that isn't on the page what stands there in its place; without a selector all of the page was looked at."""
    core = spec.core if spec else None
    sought = core.name if isinstance(core, PlainSelector) and core.kind == "text" else ""
    alike = {each.what: sought if spec else str(each.expected) for each in differences if _is_absent(each)}
    return [replace(each, alike=find_alike(alike.get(each.what, ""), page_text)) for each in differences]


def _is_absent(difference: Difference) -> bool:
    return difference.actual == NOTHING or (difference.what == "the page's text" and not difference.detail)


def find_alike(wanted: str, text: str) -> tuple[str, ...]:
    """Return what stands in a text as it was wanted but for its numbers, or nearly so; the most alike first."""
    count = len(wanted.split())
    lines = [line.split() for line in text.splitlines()[:_MOST_LINES]] if count else []
    parts = dict.fromkeys(
        " ".join(words[at : at + count]) for words in lines for at in range(max(1, len(words) - count + 1))
    )
    likeness = import_module("rapidfuzz.distance.OSA").normalized_similarity  # loaded here: a plan compares nothing
    found = import_module("rapidfuzz.process").extract(
        wanted, list(parts), scorer=likeness, processor=_shape, score_cutoff=_ALIKE, limit=_MOST_ALIKE
    )
    return tuple(part for part, _, _ in found)


def _shape(text: str) -> str:
    return _DIGITS.sub("0", fold_space(text).casefold())


def explain_unmet(
    wanted: Expectation, differences: Sequence[Difference], url: str, waited_s: float
) -> ExpectationError:
    """Return the error for what did not become true in time."""
    subject = f"{wanted.selector}: " if wanted.selector else ""
    evidence: dict[str, Any] = {
        "url": url,
        "waited_s": round(waited_s, 3),
        "differences": [
            {"what": each.what, "expected": each.expected, "actual": shorten_value(each.actual)} for each in differences
        ],
    }
    if text := next((each for each in differences if each.what.endswith("text")), None):
        evidence["diff"] = diff_lines(str(text.expected), shorten_value(str(text.actual)))
    return ExpectationError(
        f"{subject}{'; '.join(each.describe() for each in differences)}; waited {waited_s:.1f} s.",
        hint="Give it more time, or check what the page shows.",
        evidence=evidence,
    )


def tell_compared(wanted: Expectation, seen: Seen) -> dict[str, Any]:
    """Return what was compared, as evidence."""
    elements: list[Seen] = seen.get("elements", [])
    told: dict[str, Any] = {"url": seen["url"]} if wanted.url is not None else {}
    if wanted.title is not None:
        told["title"] = seen.get("title", "")
    if wanted.selector is None:
        return told | ({"text": wanted.text} if wanted.text is not None else {})
    told["count"] = len(elements)
    if elements and wanted.count is None:
        first = elements[0]
        told |= {"visible": first["visible"], "text": shorten_value(fold_space(first["text"]))}
        if wanted.value is not None:
            told["value"] = "matches (a secret)" if first["secret"] else first["value"]
        if wanted.state in {"enabled", "disabled", "checked", "unchecked"}:
            told["state"] = wanted.state
    return told
