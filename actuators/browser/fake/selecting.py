"""Finding elements on the fake browser's documents: by role and name, as a control, field or value, by text, by test id.

Of CSS a single id, class or tag is known. How a real page names its elements is known to the engine in that page alone; what goes
beyond equal names is refused here, not guessed.
"""

import re
from collections.abc import Sequence
from typing import Any

from actuators.browser.fake.documents import CONTROL_ROLES, FIELD_ROLES, FakeDocument, LiveElement
from actuators.browser.fake.pages import refuse
from core.base.errors import TargetError
from core.base.matching import fold_space
from core.selectors.selectors import PlainSelector, SelectorSpec, parse_selector

_KINDS = frozenset({"role", "control", "field", "value", "text", "label", "testid"})
_LITERAL = re.compile(r"([#.]?)([A-Za-z][\w-]*)")


def find_matches(spec: SelectorSpec, document: FakeDocument) -> list[LiveElement]:
    """Return all elements that a selector matches now, in the order of the page.

    Raises:
        NotSimulatedError: If it is of a form that only a real page can resolve.
    """
    core, elements = spec.core, document.elements
    if isinstance(core, str):
        return _find_literal(core, elements)
    narrowed = (
        core.regions or core.texts or core.exceptions or core.placements or core.ranking or core.spot or core.likes
    )
    has_more = narrowed or core.names_several or spec.frames
    if core.kind not in _KINDS or has_more:
        raise refuse(f"find {spec.source.strip()}", {"selector": spec.source})
    found = _find_plain(core, elements)
    if core.nth is None:
        return found
    return found[core.nth - 1 :][:1] if core.nth > 0 else found[core.nth :][:1]


def _find_literal(literal: str, elements: Sequence[LiveElement]) -> list[LiveElement]:
    """Return what an id, a class or a tag names in CSS; nothing else of CSS is known."""
    match = _LITERAL.fullmatch(literal.strip())
    if match is None:
        raise refuse(f"find {literal.strip()}", {"selector": literal})
    mark, name = match[1], match[2]
    if mark == ".":
        return [each for each in elements if name in (each.attribute("class") or "").split()]
    return [each for each in elements if name == (each.declared.id if mark else each.tag)]


def _find_plain(plain: PlainSelector, elements: Sequence[LiveElement]) -> list[LiveElement]:
    wanted = _fold(plain.name)
    if plain.kind == "testid":
        return [each for each in elements if each.attribute("data-testid") == plain.name]
    if plain.kind == "text":
        return _find_texts(wanted, elements)
    if plain.kind == "label":
        return [each for each in elements if _fold(each.declared.name) == wanted]
    roles = {
        "role": frozenset(plain.roles),
        "control": CONTROL_ROLES,
        "field": FIELD_ROLES,
        "value": FIELD_ROLES | {"status"},
    }[plain.kind]
    named = [each for each in elements if each.role in roles and (not wanted or _fold(each.name) == wanted)]
    return [each for each in named if each.is_visible] or named


def _find_texts(wanted: str, elements: Sequence[LiveElement]) -> list[LiveElement]:
    """Return what shows a text and nothing more, else what shows it among others; the innermost of each."""
    shown = [each for each in elements if each.is_visible and wanted in _fold(each.read_text())]
    stage = [each for each in shown if _fold(each.read_text()) == wanted] or shown
    holders = {holder for each in stage for holder in each.ascend() if holder is not each}
    return [each for each in stage if each not in holders]


def names_value(selector: str) -> bool:
    """Tell whether a selector means what an element is worth, and not what is written on it."""
    core = parse_selector(selector).core
    return isinstance(core, PlainSelector) and core.kind == "value"


def explain_missing(spec: SelectorSpec, document: FakeDocument, waited_s: float) -> TargetError:
    """Return the error for a selector without a match."""
    return TargetError(
        f"Nothing matches {spec.source.strip()}; waited {waited_s:.1f} s.",
        hint="See which elements the simulated page declares.",
        evidence={"selector": spec.source, "url": document.url, "waited_s": waited_s, "nearest": []},
    )


def explain_ambiguous(spec: SelectorSpec, found: Sequence[LiveElement], waited_s: float) -> TargetError:
    """Return the error for a selector with several matches; lists them."""
    matches: list[dict[str, Any]] = [each.describe() | {"visible": each.is_visible} for each in found]
    return TargetError(
        f"{spec.source.strip()} matches {len(matches)} elements: {'; '.join(each['name'] for each in matches)}.",
        code="target_ambiguous",
        hint="Say which one, for example by nth.",
        evidence={
            "selector": spec.source,
            "url": found[0].document.url,
            "waited_s": waited_s,
            "matches": matches,
            "count": len(matches),
        },
    )


def _fold(name: str) -> str:
    return fold_space(name).casefold()
