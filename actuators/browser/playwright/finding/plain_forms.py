"""Plain selectors that pages' elements were named by: from the engine's data to how they are written."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.selectors.selectors import Placement, PlainSelector, Region, SelectorSpec, render_selector

PlainForm = Mapping[str, Any]


def read_form(form: PlainForm) -> PlainSelector:
    """Return the plain selector that the engine has named an element by.

    Args:
        form: What the engine says (``Plain`` in ``engine/types.d.ts``).
    """
    return PlainSelector(
        form["kind"],
        form["name"],
        form["word"],
        tuple(Region(each["name"], each["word"], _read_inner(each)) for each in form["regions"]),
        form["nth"],
        placements=tuple(Placement(each["relation"], each["name"], _read_inner(each)) for each in form["placements"]),
        texts=tuple(form["texts"]),
    )


def write_form(form: PlainForm | None, frames: Sequence[str] = ()) -> str:
    """Write the selector that the engine has named an element by; empty where it has none.

    Args:
        frames: Names of the frames that lead to it, the outermost first.
    """
    return render_selector(SelectorSpec("", read_form(form), tuple(frames))) if form else ""


def _read_inner(part: PlainForm) -> PlainSelector | None:
    inner = part.get("selector")
    return read_form(inner) if inner else None
