"""Whereabouts: a part of a page that was said, and selectors that are looked for in it."""

from dataclasses import dataclass, replace

from core.base.errors import TargetError
from core.language.sentences.spans import UnreadableError
from core.selectors.selectors import LAST, Quantity, Region, SelectorSpec, parse_selector, render_selector


@dataclass(frozen=True, slots=True)
class Place:
    """Where on a page elements are, and which of several is meant.

    Attributes:
        frames: Names of the frames, outermost first.
        regions: Parts of the page, innermost first.
        nth: Which of several matches is meant; -1 is the last.
        quantity: How many are meant, where that was said of the parts that they are in ("on all posts").
    """

    frames: tuple[str, ...] = ()
    regions: tuple[Region, ...] = ()
    nth: int | None = None
    quantity: Quantity = "one"


def put_in_place(selector: str, place: Place) -> str:
    """Return a selector that is looked for in a place."""
    try:
        spec = parse_selector(selector)
    except TargetError:
        raise UnreadableError from None
    frames = (*place.frames, *spec.frames)
    if isinstance(spec.core, str):
        return place_literal(Place(frames, place.regions), spec.core)
    core = replace(spec.core, regions=(*spec.core.regions, *place.regions))
    return render_selector(SelectorSpec("", core, frames))


def place_literal(found: Place, selector: str) -> str:
    """Return a literal selector with what was said about where it is."""
    if found.regions or found.quantity != "one":
        raise UnreadableError
    nth = found.nth
    core = selector if nth is None else f"{selector} >> nth={nth if nth == LAST else nth - 1}"
    return render_selector(SelectorSpec(core, core, found.frames))
