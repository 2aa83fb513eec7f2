"""Documents of the fake browser: a declared page once it is open, with the state that acts have left on it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from actuators.browser.fake.pages import FakeElement, FakePage
from core.base.matching import fold_space

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
