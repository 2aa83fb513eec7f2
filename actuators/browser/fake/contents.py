"""What there is to read on the fake browser's documents: texts, tables, links, outlines."""

from html import escape
from typing import Any

from actuators.browser.fake.documents import Document, LiveElement
from actuators.browser.fake.pages import resolve_address

_VOID = frozenset({"input", "img"})
_SILENT = frozenset({"generic", "paragraph"})


def read_document_text(document: Document) -> str:
    """Return the visible text of a page, a line for each element of the top level."""
    lines = (each.read_text() for each in document.root.children if each.is_visible and each in document.elements)
    return "\n".join(line for line in lines if line)


def read_value(element: LiveElement) -> Any:
    """Return what a field holds: a text, a number, whether it is ticked, or what is chosen; None for a secret."""
    if element.is_secret:
        return None
    if element.checked is not None:
        return element.checked
    if element.declared.options:
        values = [each.value or each.label for each in element.declared.options if each.label in element.chosen]
        return values if element.role == "listbox" else "".join(values[:1])
    if element.kind in ("number", "range"):
        return float(element.value) if element.value else None
    return element.value


def read_shown(element: LiveElement) -> str:
    """Return the text that an element shows; of a field, what is in it, unless that is a secret."""
    if element.part:
        return element.part
    if element.declared.options:
        return ", ".join(element.chosen)
    if element.is_editable:
        return "" if element.is_secret else element.value
    return element.read_text()


def write_html(element: LiveElement) -> str:
    """Return an element as HTML."""
    named = {"id": element.declared.id, "href": element.declared.href, "type": element.kind}
    attributes = {**{name: value for name, value in named.items() if value}, **element.declared.attributes}
    head = "".join(f' {name}="{escape(value)}"' for name, value in attributes.items())
    if element.tag in _VOID:
        return f"<{element.tag}{head}>"
    inner = "".join(write_html(child) for child in element.children) or escape(element.read_text())
    return f"<{element.tag}{head}>{inner}</{element.tag}>"


def list_links(document: Document, within: LiveElement | None) -> list[dict[str, str]]:
    """Return text and address of all links."""
    found = [each for each in document.elements if each.role == "link" and each.declared.href]
    inside = [each for each in found if within is None or within in (each, *each.ancestors())]
    return [{"text": each.name, "url": resolve_address(each.declared.href, document.url)} for each in inside]


def read_table(table: LiveElement) -> dict[str, Any]:
    """Return the headers of a table, its rows as texts, and its name."""
    rows = [each for each in table.descend() if each.role == "row" and each.is_visible]
    texts = [[cell.read_text() for cell in row.children] for row in rows]
    has_head = bool(rows) and all(cell.role == "columnheader" for cell in rows[0].children)
    width = max(map(len, texts), default=0)
    headers = texts[0] if has_head else [f"column {number}" for number in range(1, width + 1)]
    return {"headers": headers, "rows": texts[1:] if has_head else texts, "caption": table.name}


def outline(document: Document, scope: LiveElement | None, depth: int | None) -> list[str]:
    """Return the lines of an outline, and give every element in it a ref.

    Args:
        document: The page.
        scope: The part to outline.
        depth: Levels to go down.
    """
    document.refs.clear()
    lines: list[str] = []
    tops = [scope] if scope else document.root.children
    for each in tops:
        _outline(each, 0, depth, lines)
    return lines


def _outline(element: LiveElement, level: int, depth: int | None, lines: list[str]) -> None:
    if not element.is_visible or element not in element.document.elements or (depth is not None and level >= depth):
        return
    refs = element.document.refs
    ref = f"e{len(refs) + 1}"
    refs[ref] = element
    name = f' "{element.name}"' if element.name and element.role not in _SILENT else ""
    text = element.text or (element.value if element.is_editable and not element.is_secret else "")
    inner = [child for child in element.children if child.is_visible]
    tail = ":" if inner else f": {text}" if text and text != element.name else ""
    lines.append(f"{'  ' * level}- {element.role}{name}{_states(element)} [ref={ref}]{tail}")
    for child in inner:
        _outline(child, level + 1, depth, lines)


def _states(element: LiveElement) -> str:
    states: dict[str, Any] = {"checked": element.checked, "disabled": element.disabled}
    return "".join(f" [{name}]" for name, value in states.items() if value)
