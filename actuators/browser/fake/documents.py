"""Documents of the fake browser: a declared page once it is open, with the state that acts have left on it."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from actuators.browser.fake.pages import FakeElement, FakePage, refuse
from core.base.errors import TargetError
from core.base.late_dataclasses import dataclass, field
from core.base.matching import fold_space
from core.selectors.selectors import PlainSelector, SelectorSpec, parse_selector

FIELD_ROLES = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "listbox"})
TEXT_ROLES = frozenset({"textbox", "searchbox", "spinbutton"})
TICK_ROLES = frozenset({"checkbox", "radio", "switch"})
CONTROL_ROLES = FIELD_ROLES | TICK_ROLES | {"button", "link", "tab", "menuitem", "option"}
_REGION_ROLES = frozenset({"region", "form", "group", "dialog", "table", "list", "generic"})
_TAGS = {
    "button": "button", "link": "a", "heading": "h2", "textbox": "input", "searchbox": "input", "spinbutton": "input",
    "checkbox": "input", "radio": "input", "combobox": "select", "listbox": "select", "form": "form",
    "region": "section", "group": "fieldset", "table": "table", "row": "tr", "cell": "td", "list": "ul",
    "listitem": "li", "paragraph": "p", "status": "output",
}  # fmt: skip


@dataclass(eq=False, slots=True)
class LiveElement:
    """An element of an open page."""

    declared: FakeElement
    parent: "LiveElement | None"
    document: "FakeDocument"
    children: list["LiveElement"] = field(default_factory=list["LiveElement"])
    value: str = ""
    chosen: tuple[str, ...] = ()
    checked: bool | None = None
    holding: bool = False

    @property
    def role(self) -> str:
        """ARIA role."""
        return self.declared.role

    @property
    def name(self) -> str:
        """Accessible name: as declared, else the text of what is named by its content."""
        is_named_apart = self.role in FIELD_ROLES | TICK_ROLES | _REGION_ROLES
        return self.declared.name or ("" if is_named_apart else self.read_text())

    @property
    def tag(self) -> str:
        """Tag name."""
        return self.declared.tag or _TAGS.get(self.role, "div")

    @property
    def is_secret(self) -> bool:
        """Whether what it holds is never told."""
        return self.holding or self.declared.kind == "password"

    @property
    def is_visible(self) -> bool:
        """Whether people see it."""
        return not self.declared.hidden and (self.parent is None or self.parent.is_visible)

    @property
    def is_enabled(self) -> bool:
        """Whether it can be used."""
        return not self.declared.disabled and (self.parent is None or self.parent.is_enabled)

    def attribute(self, name: str) -> str | None:
        """Return an attribute as the document has it, or None."""
        own = {"id": self.declared.id, "href": self.declared.href, "type": self.declared.kind}
        return own.get(name) or self.declared.attributes.get(name)

    def read_text(self) -> str:
        """Return the visible text of it and of what is in it."""
        shows_name = self.role not in FIELD_ROLES | TICK_ROLES | _REGION_ROLES
        own = self.declared.text or (self.declared.name if shows_name else "")
        parts = [own, *(child.read_text() for child in self.children if child.is_visible)]
        return fold_space(" ".join(part for part in parts if part))

    def read_value(self) -> str | bool | list[str]:
        """Return what a field holds, by its type."""
        if self.checked is not None:
            return self.checked
        sent = self.list_sent()
        return list(sent) if self.role == "listbox" else "".join(sent[:1])

    def list_sent(self) -> tuple[str, ...]:
        """Return the values under which a form sends a field."""
        if self.checked is not None:
            return (self.value or "on",) if self.checked else ()
        if self.declared.options:
            values = {each.label: each.value or each.label for each in self.declared.options}
            return tuple(values[label] for label in self.chosen)
        return (self.value,)

    def descend(self) -> Iterator["LiveElement"]:
        """Yield everything in it, in the order of the page."""
        for child in self.children:
            yield child
            yield from child.descend()

    def ascend(self) -> Iterator["LiveElement"]:
        """Yield itself and what it is in, innermost first."""
        each: LiveElement | None = self
        while each:
            yield each
            each = each.parent

    def describe(self) -> dict[str, str]:
        """Return role, name, tag and id, as messages and evidence show an element."""
        found = {"role": self.role, "name": self.name or self.read_text()[:80], "tag": self.tag}
        return found | ({"id": self.declared.id} if self.declared.id else {})


class FakeDocument:
    """An open page."""

    def __init__(self, url: str, page: FakePage) -> None:
        self.url = url
        self.page = page
        self.looks = 0
        self.root = LiveElement(FakeElement(tag="html"), None, self)
        self.root.children = [self._open(each, self.root) for each in page.elements]

    @property
    def elements(self) -> list[LiveElement]:
        """All elements that are there now, in the order of the page."""
        return [
            each
            for each in self.root.descend()
            if all(holder.declared.appears_after <= self.looks for holder in each.ascend())
        ]

    def _open(self, declared: FakeElement, parent: LiveElement) -> LiveElement:
        chosen = [
            each.label for each in declared.options if declared.value and (each.value or each.label) == declared.value
        ]
        if not chosen and declared.role == "combobox":
            chosen = [each.label for each in declared.options[:1]]
        element = LiveElement(declared, parent, self, [], declared.value, tuple(chosen), declared.checked)
        element.children = [self._open(child, element) for child in declared.children]
        return element


_KINDS = frozenset({"role", "control", "field", "value", "text", "label", "testid"})
_LITERAL = re.compile(r"([#.]?)([A-Za-z][\w-]*)")


def find_matches(spec: SelectorSpec, document: FakeDocument) -> list[LiveElement]:
    """Return all that match now, in the order of the page; NotSimulatedError for forms of real pages only."""
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
