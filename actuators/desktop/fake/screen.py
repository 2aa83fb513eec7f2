"""FakeScreen and FakeReader: pixels of a desktop in memory, and what can be read in them."""

import zlib

from actuators.base import Availability
from actuators.desktop.fake.state import FakeDesktop, FakeWindow, shift, walk
from actuators.desktop.ports.desktop import Picture, Rect, SeenText
from core.base.errors import TargetError

_GROUND = b"\x20\x40\x60"


class FakeScreen:
    """A screen on which every window, element and text is a rectangle in a colour of its own."""

    def __init__(self, desktop: FakeDesktop) -> None:
        self._desktop = desktop

    def assess(self) -> Availability:
        """Say that it is there, and that it is none."""
        return Availability("screen", available=True, reason="A simulated desktop.")

    async def grab(self, bounds: Rect | None = None) -> Picture:
        """Paint a part, or the whole screen."""
        self._desktop.fail("screen.grab")
        part = _clip(bounds, self._desktop)
        rows = [bytearray(_GROUND * part.width) for _ in range(part.height)]
        for window in reversed(self._desktop.windows):
            if not window.minimized:
                for place, colour in _list_rectangles(window):
                    _paint(rows, part, place, colour)
        return Picture(part, part.width, part.height, b"".join(rows))

    async def close(self) -> None:
        """Do nothing."""


class FakeReader:
    """Reads what the windows declare."""

    def __init__(self, desktop: FakeDesktop) -> None:
        self._desktop = desktop

    def assess(self) -> Availability:
        """Say that it is there, and that it is none."""
        return Availability("vision", available=True, reason="A simulated desktop.")

    async def read(self, picture: Picture) -> tuple[SeenText, ...]:
        """Return the texts whose middle can be seen in a picture, from above."""
        self._desktop.fail("vision.read")
        found = [
            SeenText(text, place, 1.0)
            for window in self._desktop.windows
            for text, place in _list_texts(window)
            if self._is_seen(window, place, picture)
        ]
        return tuple(sorted(found, key=lambda each: (each.bounds.y, each.bounds.x)))

    async def find_image(self, picture: Picture, path: str) -> tuple[tuple[Rect, float], ...]:
        """Return where windows declare that a picture is."""
        self._desktop.fail("vision.find_image")
        return tuple(
            (shift(window.images[path], window), 1.0)
            for window in self._desktop.windows
            if path in window.images and self._is_seen(window, shift(window.images[path], window), picture)
        )

    async def close(self) -> None:
        """Do nothing."""

    def _is_seen(self, window: FakeWindow, place: Rect, picture: Picture) -> bool:
        x, y = place.center
        return self._desktop.find_at(x, y) is window and picture.bounds.contains(x, y)


def _list_texts(window: FakeWindow) -> list[tuple[str, Rect]]:
    own = [(text, shift(place, window)) for text, place in window.texts.items()]
    shown = [
        (text, shift(each.bounds, window))
        for each, _ in walk(window.elements)
        if each.bounds
        for text in (each.name, each.value)
        if text
    ]
    return own + shown


def _list_rectangles(window: FakeWindow) -> list[tuple[Rect, bytes]]:
    elements = [
        (shift(each.bounds, window), _colour(f"{each.role} {each.name} {each.value} {sorted(each.states)}"))
        for each, _ in walk(window.elements)
        if each.bounds
    ]
    texts = [(shift(place, window), _colour(text)) for text, place in window.texts.items()]
    return [(window.bounds, _colour(window.id)), *elements, *texts]


def _colour(text: str) -> bytes:
    return zlib.crc32(text.encode()).to_bytes(4)[:3]


def _paint(rows: list[bytearray], part: Rect, place: Rect, colour: bytes) -> None:
    left, right = max(0, place.x - part.x), min(part.width, place.x + place.width - part.x)
    if right <= left:
        return
    for row in range(max(0, place.y - part.y), min(part.height, place.y + place.height - part.y)):
        rows[row][3 * left : 3 * right] = colour * (right - left)


def _clip(bounds: Rect | None, desktop: FakeDesktop) -> Rect:
    areas = [each.bounds for each in desktop.displays]
    left, upper = min(each.x for each in areas), min(each.y for each in areas)
    right, lower = max(each.x + each.width for each in areas), max(each.y + each.height for each in areas)
    if bounds is not None:
        left, upper = max(left, bounds.x), max(upper, bounds.y)
        right, lower = min(right, bounds.x + bounds.width), min(lower, bounds.y + bounds.height)
    if right <= left or lower <= upper:
        raise TargetError("That area is not on the screen.", code="target_off_screen")
    return Rect(left, upper, right - left, lower - upper)
