"""Documents of the fake browser: a declared page once it is open, with the state that acts have left on it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from actuators.browser.fake.pages import Change, FakeElement, FakePage, resolve_address
from core.base.matching import fold_space

FIELD_ROLES = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "listbox", "slider"})
TICK_ROLES = frozenset({"checkbox", "radio", "switch"})
CONTROL_ROLES = FIELD_ROLES | TICK_ROLES | {"button", "link", "tab", "menuitem", "option", "treeitem"}
REGION_ROLES = frozenset(
    {"region", "form", "group", "dialog", "table", "list", "article", "navigation", "radiogroup", "listbox", "main"}
)
ROW_ROLES = frozenset({"row", "listitem"})
_TAGS = {
    "button": "button", "link": "a", "heading": "h2", "textbox": "input", "searchbox": "input", "spinbutton": "input",
    "slider": "input", "checkbox": "input", "radio": "input", "combobox": "select", "listbox": "select", "form": "form",
    "region": "section", "group": "fieldset", "table": "table", "row": "tr", "cell": "td", "columnheader": "th",
    "rowheader": "th", "list": "ul", "listitem": "li", "iframe": "iframe", "img": "img", "paragraph": "p",
    "status": "output", "dialog": "dialog", "term": "dt", "definition": "dd",
}  # fmt: skip
_KINDS = {"checkbox": "checkbox", "radio": "radio", "searchbox": "search", "spinbutton": "number", "slider": "range"}
_NAMED_FROM_OUTSIDE = FIELD_ROLES | TICK_ROLES | REGION_ROLES | {"generic", "iframe", "img", "file"}


@dataclass(eq=False, slots=True)
class LiveElement:
    """An element of an open page.

    Attributes:
        declared: As it was declared.
        parent: What it is in.
        document: Its document.
        children: What is in it.
        value: What a field holds now.
        chosen: Labels that are chosen now, of options.
        checked: Whether it is ticked now; None for what can't be.
        hidden: Whether it is itself hidden now.
        disabled: Whether it is disabled now.
        text: Its own text now.
        files: Names and sizes of the files in a file field.
        x_px: How far it was dragged to the right.
        y_px: How far it was dragged down.
        scroll_px: How far it was scrolled down.
        frame: The document inside, for a frame.
        holding: Whether a secret was typed into it.
        part: What of its text the latest selector meant; empty for all of it.
    """

    declared: FakeElement
    parent: "LiveElement | None"
    document: "Document"
    children: list["LiveElement"] = field(default_factory=list["LiveElement"])
    value: str = ""
    chosen: tuple[str, ...] = ()
    checked: bool | None = None
    hidden: bool = False
    disabled: bool = False
    text: str = ""
    files: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    x_px: float = 0
    y_px: float = 0
    frame: "Document | None" = None
    holding: bool = False
    part: str = ""

    @property
    def is_secret(self) -> bool:
        """Whether what it holds is never told."""
        return self.holding or self.kind == "password"

    @property
    def role(self) -> str:
        """ARIA role."""
        return self.declared.role

    @property
    def name(self) -> str:
        """Accessible name: as declared, else the text of what is named by its content."""
        return self.declared.name or ("" if self.role in _NAMED_FROM_OUTSIDE else self.read_text())

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that people may call it."""
        extra = [self.declared.attributes[key] for key in ("placeholder", "title") if key in self.declared.attributes]
        return tuple(dict.fromkeys(each for each in (self.name, *extra) if each))

    @property
    def tag(self) -> str:
        """Tag name."""
        return self.declared.tag or _TAGS.get(self.role, "div")

    @property
    def kind(self) -> str:
        """Type of an input; empty for everything else."""
        return self.declared.kind or (_KINDS.get(self.role, "text") if self.tag == "input" else "")

    @property
    def is_visible(self) -> bool:
        """Whether people see it."""
        return not self.hidden and (self.parent is None or self.parent.is_visible)

    @property
    def is_editable(self) -> bool:
        """Whether text may be put into it, were it neither disabled nor read-only."""
        return self.role in FIELD_ROLES and self.tag in {"input", "textarea", "div"} and self.kind != "file"

    def attribute(self, name: str) -> str | None:
        """Return an attribute as the document has it, or None."""
        own = {"id": self.declared.id, "href": self.declared.href, "type": self.kind}
        return own.get(name) or self.declared.attributes.get(name)

    def read_text(self) -> str:
        """Return the visible text of it and of what is in it."""
        own = self.text or ("" if self.role in _NAMED_FROM_OUTSIDE else self.declared.name)
        parts = [own, *(child.read_text() for child in self.children if not child.hidden)]
        return fold_space(" ".join(part for part in parts if part))

    def descend(self) -> Iterator["LiveElement"]:
        """Yield everything in it, in the order of the page."""
        for child in self.children:
            yield child
            yield from child.descend()

    def ancestors(self) -> Iterator["LiveElement"]:
        """Yield what it is in, innermost first."""
        each = self.parent
        while each:
            yield each
            each = each.parent

    def describe(self) -> dict[str, Any]:
        """Return role, name, tag and id, as messages and evidence show an element."""
        found = {"role": self.role, "name": self.name or self.read_text()[:80], "tag": self.tag}
        return found | ({"id": self.declared.id} if self.declared.id else {})


class Document:
    """An open page.

    Attributes:
        url: Its address.
        page: As it was declared.
        root: An element around all of them.
        refs: Elements by the ref that the latest snapshot gave them.
        y_px: How far it is scrolled down.
    """

    def __init__(self, url: str, page: FakePage) -> None:
        """Open a page."""
        self.url = url
        self.page = page
        self.refs: dict[str, LiveElement] = {}
        self.y_px = 0.0
        self.focused: LiveElement | None = None
        self._late: list[tuple[LiveElement, int]] = []
        self._looks = 0
        self.root = LiveElement(FakeElement(tag="html"), None, self)
        self.root.children = [self._open(each, self.root) for each in page.elements]

    @property
    def elements(self) -> list[LiveElement]:
        """All elements that are there now, in the order of the page."""
        late = {id(element) for element, looks in self._late if self._looks < looks}
        return [each for each in self.root.descend() if not late or not _is_within(each, late)]

    @property
    def frames(self) -> list["Document"]:
        """Documents of all frames in it, however deep."""
        inner = [each.frame for each in self.elements if each.frame]
        return [frame for each in inner for frame in (each, *each.frames)]

    def look_again(self) -> None:
        """Let what appears late come nearer."""
        self._looks += 1
        for frame in self.frames:
            frame.look_again()

    def find_id(self, element_id: str) -> LiveElement | None:
        """Return the element with an id, or None."""
        return next((each for each in self.root.descend() if each.declared.id == element_id), None)

    def change(self, change: Change) -> None:
        """Change another element; one that isn't there is left alone, as a page's script would."""
        element = self.find_id(change.id)
        if element is None:
            return
        self.refs.clear()
        element.text = element.text if change.text is None else change.text
        element.hidden = element.hidden if change.hidden is None else change.hidden
        element.disabled = element.disabled if change.disabled is None else change.disabled

    def _open(self, declared: FakeElement, parent: LiveElement) -> LiveElement:
        element = LiveElement(
            declared,
            parent,
            self,
            value=declared.value,
            checked=declared.checked,
            hidden=declared.hidden,
            disabled=declared.disabled,
            text=declared.text,
        )
        element.chosen = _first_choice(declared)
        if declared.appears_after:
            self._late.append((element, declared.appears_after))
        if declared.frame:
            element.frame = Document(
                resolve_address(declared.href, self.url) if declared.href else self.url, declared.frame
            )
        element.children = [self._open(child, element) for child in declared.children]
        return element


def _first_choice(declared: FakeElement) -> tuple[str, ...]:
    named = [each.label for each in declared.options if declared.value and (each.value or each.label) == declared.value]
    first = [each.label for each in declared.options[:1] if declared.role == "combobox"]
    return tuple(named or first)


def _is_within(element: LiveElement, late: set[int]) -> bool:
    return id(element) in late or any(id(each) in late for each in element.ancestors())
