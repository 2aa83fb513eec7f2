"""Numbers on a picture: a frame around each thing that an outline names, with the number of its line beside it.

Everything is drawn on the picture. The page or window that it shows is not touched, and keeps what it covers covered.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from io import BytesIO
from typing import TYPE_CHECKING, Any

from core.base.late_dataclasses import dataclass

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

Rect = tuple[int, int, int, int]
"""Left, top, right and bottom."""

COLORS = ("#b00020", "#0b57d0", "#186b2d", "#7a3e9d", "#9a4a00", "#00636b", "#a3176e", "#4b4b4b")
"""Of frames and labels in turn: all dark enough for white digits (at least 4.5 : 1)."""

LIGHT = "#ffffff"
_FRAME_PX = 2
_FONT_PX = 12
_PADDING_PX = 2
_LABEL, _THING = 255, 1
_LEAST_STEP = 32
"""Between the shades of two pixels that belong to a text or a line, and not to a soft background."""

_LARGE = 25
"""A thing that takes more than this part of the picture is a container: numbers may stand in it."""


@dataclass(frozen=True, slots=True)
class NumberedBox:
    """Where a thing of a line's number is on a picture, in its pixels; width and height are 0 for a point."""

    number: int
    x: float
    y: float
    width: float
    height: float


def draw_numbers(png: bytes, boxes: Sequence[NumberedBox]) -> bytes:
    """Return a picture with a frame and a number for each thing that can be seen on it.

    A number stands where it covers no other number, no other thing and no text, as far as there is room.
    """
    picture: Image = import_module("PIL.Image").open(BytesIO(png)).convert("RGB")
    seen = [(box, rect) for box in boxes if (rect := _clip(box, picture.size))]
    places = place_labels([rect for _, rect in seen], [_measure(box.number) for box, _ in seen], picture)
    draw: ImageDraw = import_module("PIL.ImageDraw").Draw(picture)
    for box, rect in seen:
        _draw_frame(draw, rect, choose_color(box.number))
    for (box, _), place in zip(seen, places, strict=True):
        _draw_label(draw, place, box.number)
    target = BytesIO()
    picture.save(target, "PNG", compress_level=3)
    return target.getvalue()


def choose_color(number: int) -> str:
    """Return the colour of a number: neighbours in the outline have different ones."""
    return COLORS[number % len(COLORS)]


def place_labels(rects: Sequence[Rect], sizes: Sequence[tuple[int, int]], picture: "Image") -> list[Rect]:
    """Return where each label stands: of the places around its thing the one that covers least."""
    taken, edges = _mark_things(rects, picture.size), _find_edges(picture)
    places: list[Rect] = []
    for rect, size in zip(rects, sizes, strict=True):
        around = _list_places(rect, size, picture.size)
        place = min(around, key=lambda each: _weigh(each, rect, taken, edges))
        taken.paste(_LABEL, place)
        places.append(place)
    return places


def _weigh(place: Rect, own: Rect, taken: "Image", edges: "Image") -> tuple[int, int]:
    """Return how many pixels of other labels, and of other things and texts, a label would cover at a place."""
    counts = taken.crop(place).histogram()
    inside = max(0, min(place[2], own[2]) - max(place[0], own[0])) * max(
        0, min(place[3], own[3]) - max(place[1], own[1])
    )
    return counts[_LABEL], max(0, counts[_THING] - inside) + edges.crop(place).histogram()[-1]


def _mark_things(rects: Sequence[Rect], picture: tuple[int, int]) -> "Image":
    """Return a map of the picture that says where things are: looking a place up takes the same time with any number of them."""
    taken: Image = import_module("PIL.Image").new("L", picture)
    for left, top, right, bottom in rects:
        if (right - left) * (bottom - top) * _LARGE <= picture[0] * picture[1]:
            taken.paste(_THING, (left, top, right, bottom))
    return taken


def _find_edges(picture: "Image") -> "Image":
    """Return a map of where a picture has texts and lines: pixels that are lighter or darker than the ones beside them."""
    chops: Any = import_module("PIL.ImageChops")
    shades = picture.convert("L")
    beside, below = (chops.difference(shades, chops.offset(shades, x, y)) for x, y in ((1, 0), (0, 1)))
    return chops.lighter(beside, below).point([255 if step >= _LEAST_STEP else 0 for step in range(256)])


def _list_places(rect: Rect, size: tuple[int, int], picture: tuple[int, int]) -> Iterator[Rect]:
    """Yield places for a label, the best first: above the thing, below it, beside it, and in its corners."""
    left, top, right, bottom = rect
    width, height = size
    corners = (
        (left, top - height),
        (right - width, top - height),
        (left, bottom),
        (right - width, bottom),
        (left - width, top),
        (right, top),
        (right - width, top),
        (left, top),
        (right - width, bottom - height),
        (left, bottom - height),
    )
    for x, y in corners:
        inside_x, inside_y = max(0, min(x, picture[0] - width)), max(0, min(y, picture[1] - height))
        yield inside_x, inside_y, inside_x + width, inside_y + height


def _clip(box: NumberedBox, picture: tuple[int, int]) -> Rect | None:
    """Return what can be seen of a thing on the picture, at least a pixel; None for nothing."""
    left, top = max(0, round(box.x)), max(0, round(box.y))
    right, bottom = min(picture[0], round(box.x + box.width)), min(picture[1], round(box.y + box.height))
    if left >= picture[0] or top >= picture[1] or right < left or bottom < top:
        return None
    is_outside = (right == 0 and box.x < 0) or (bottom == 0 and box.y < 0)
    return None if is_outside else (left, top, max(right, left + 1), max(bottom, top + 1))


def _draw_frame(draw: "ImageDraw", rect: Rect, color: str) -> None:
    """Draw a frame around a thing, with a light line around that: it shows on dark and on light."""
    left, top, right, bottom = rect
    out = _FRAME_PX
    draw.rectangle((left - out - 1, top - out - 1, right + out, bottom + out), outline=LIGHT)
    draw.rectangle((left - out, top - out, right + out - 1, bottom + out - 1), outline=color, width=out)


def _draw_label(draw: "ImageDraw", place: Rect, number: int) -> None:
    left, top, right, bottom = place
    draw.rectangle((left, top, right - 1, bottom - 1), fill=choose_color(number), outline=LIGHT)
    draw.text(((left + right) / 2, (top + bottom) / 2), str(number), fill=LIGHT, font=_load_font(), anchor="mm")


def _measure(number: int) -> tuple[int, int]:
    around = 2 * (_PADDING_PX + 1)
    return round(_load_font().getlength(str(number))) + around, _FONT_PX + around


@cache
def _load_font() -> Any:
    """Return the font that comes with the library: the same on every machine."""
    return import_module("PIL.ImageFont").load_default(_FONT_PX)
