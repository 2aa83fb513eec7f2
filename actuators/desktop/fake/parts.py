"""FakeDesktop parts: screen, windows and elements of a desktop in memory, and its ports put together."""

import zlib
from collections.abc import Iterator

from actuators.base import Environment
from actuators.deadlines import pause
from actuators.desktop.fake.hands import FakeHands
from actuators.desktop.fake.state import FakeDesktop, FakeDesktopElement, FakePort, FakeWindow, shift, walk
from actuators.desktop.ports.desktop import Display, Element, Picture, Rect, SeenText, Window, bound
from actuators.desktop.ports.parts import DesktopParts
from actuators.desktop.ports.screenshot_store import ScreenshotStore
from core.base.errors import DeviceError, TargetError

_GROUND = b"\x20\x40\x60"
_STEP_S = 0.01


class FakeScreen(FakePort):
    """A screen on which every window, element and text is a rectangle in a colour of its own."""

    capability = "screen"

    async def grab(self, bounds: Rect | None = None) -> Picture:
        """Paint a part, or the whole screen."""
        self._desktop.fail("screen.grab")
        part = bound(each.bounds for each in self._desktop.displays).clip(bounds)
        rows = [bytearray(_GROUND * part.width) for _ in range(part.height)]
        for window in reversed(self._desktop.windows):
            if not window.minimized:
                for place, colour in _list_rectangles(window):
                    _paint(rows, part, place, colour)
        return Picture(part, part.width, part.height, b"".join(rows))


class FakeReader(FakePort):
    """Reads what the windows declare."""

    capability = "vision"

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


class FakeWindows(FakePort):
    """A window system that follows at once."""

    capability = "windows"

    async def windows(self) -> tuple[Window, ...]:
        """Return the windows, the front one first."""
        self._desktop.fail("windows.windows")
        return tuple(self._show(each) for each in self._desktop.windows)

    async def displays(self) -> tuple[Display, ...]:
        """Return the displays."""
        return tuple(self._desktop.displays)

    async def window_at(self, x: int, y: int) -> Window | None:
        """Return the front window at a pixel."""
        found = self._desktop.find_at(x, y)
        return self._show(found) if found else None

    async def focus(self, window: Window) -> None:
        """Raise a window and give it the focus."""
        if (found := self._take("focus", window)) is not None:
            self._desktop.activate(found)

    async def place(self, window: Window, bounds: Rect) -> None:
        """Place a window."""
        if (found := self._take("place", window)) is not None:
            found.bounds = bounds

    async def minimize(self, window: Window) -> None:
        """Minimize a window; the next one gets the focus."""
        if (found := self._take("minimize", window)) is not None:
            found.minimized = True
            if self._desktop.active is found:
                self._desktop.active = next((each for each in self._desktop.windows if not each.minimized), None)

    async def maximize(self, window: Window) -> None:
        """Maximize a window on the first display."""
        if (found := self._take("maximize", window)) is not None:
            found.normal_bounds = found.normal_bounds or found.bounds
            found.bounds = self._desktop.displays[0].bounds
            found.minimized, found.maximized = False, True

    async def restore(self, window: Window) -> None:
        """Bring a window back to its size."""
        if (found := self._take("restore", window)) is not None:
            found.bounds = found.normal_bounds or found.bounds
            found.normal_bounds = None
            found.minimized = found.maximized = False

    async def close_window(self, window: Window) -> None:
        """Close a window, or let it ask."""
        found = self._take("close_window", window)
        if found is None:
            return
        if not found.asks:
            self._desktop.close(found)
        elif all(each.title != found.asks for each in self._desktop.windows):
            self._desktop.open(FakeWindow(found.asks, found.app, Rect(*found.bounds.center, 300, 120), pid=found.pid))

    async def wait_for_change(self, timeout_s: float) -> None:
        """Let a little time go by."""
        await pause(min(timeout_s, _STEP_S))

    def _take(self, order: str, window: Window) -> FakeWindow | None:
        """Return the window that an order is about; None if the order is ignored."""
        self._desktop.fail(f"windows.{order}")
        found = next((each for each in self._desktop.windows if each.id == window.id), None)
        if found is None:
            raise DeviceError(f"The window {window.title!r} was closed.", code="window_missing")
        self._desktop.touch()
        return None if order in self._desktop.ignored else found

    def _show(self, window: FakeWindow) -> Window:
        return Window(
            id=window.id,
            title=window.title,
            app=window.app,
            pid=window.pid,
            bounds=window.bounds,
            active=window is self._desktop.active,
            minimized=window.minimized,
            maximized=window.maximized,
        )


class FakeAccessibility(FakePort):
    """The elements that the windows declare."""

    capability = "accessibility"

    async def elements(self, window: Window | None, *, depth: int | None = None) -> tuple[Element, ...]:
        """Return what is in a window, or in all of them."""
        self._desktop.fail("accessibility.elements")
        return tuple(
            self._show(owner, element, path)
            for owner, element, path in self._walk()
            if (window is None or owner.id == window.id) and (depth is None or len(path) < depth)
        )

    async def refresh(self, element: Element) -> Element | None:
        """Return an element as it is now, or None if it is gone."""
        self._desktop.fail("accessibility.refresh")
        return next((self._show(*each) for each in self._walk() if each[1] is element.ref), None)

    async def invoke(self, element: Element, action: str) -> None:
        """Let an element do one of its actions."""
        self._desktop.fail("accessibility.invoke")
        self._desktop.act(await self._need(element), action)

    async def set_text(self, element: Element, text: str) -> None:
        """Replace an element's text."""
        self._desktop.fail("accessibility.set_text")
        found = await self._need(element)
        if "editable" not in found.states:
            raise TargetError(f"{found.role} {found.name!r} can't be written to.", code="target_readonly")
        found.value = text
        self._desktop.touch()
        self._desktop.fail("accessibility.set_text answered")

    async def set_number(self, element: Element, number: float) -> None:
        """Set an element's number."""
        self._desktop.fail("accessibility.set_number")
        (await self._need(element)).value = f"{number:g}"
        self._desktop.touch()

    async def select(self, element: Element) -> None:
        """Choose an entry in place of the one that is chosen."""
        self._desktop.fail("accessibility.select")
        found = await self._need(element)
        path = next(path for _, each, path in self._walk() if each is found)
        if not path:
            raise TargetError(f"{found.role} {found.name!r} is in no list.", code="target_unsuitable")
        for each in path[-1].children:
            each.states.discard("selected")
        found.states.add("selected")
        path[-1].value = found.name
        self._desktop.touch()

    async def focus(self, element: Element) -> None:
        """Give an element the keyboard focus."""
        self._desktop.fail("accessibility.focus")
        self._desktop.focused = await self._need(element)
        self._desktop.touch()

    async def wait_for_change(self, timeout_s: float) -> None:
        """Let a little time go by."""
        await pause(min(timeout_s, _STEP_S))

    async def _need(self, element: Element) -> FakeDesktopElement:
        found = next((each for _, each, _ in self._walk() if each is element.ref), None)
        if found is None:
            raise TargetError(f"{element.role} {element.name!r} is gone.", code="target_detached")
        return found

    def _walk(self) -> Iterator[tuple[FakeWindow, FakeDesktopElement, tuple[FakeDesktopElement, ...]]]:
        for window in self._desktop.windows:
            for element, path in walk(window.elements):
                yield window, element, path

    def _show(self, window: FakeWindow, element: FakeDesktopElement, path: tuple[FakeDesktopElement, ...]) -> Element:
        states = element.states | ({"focused"} if element is self._desktop.focused else set())
        if element.bounds is None or window.minimized:
            states -= {"visible"}
        secret = "password" in element.states
        details = {"role": element.role, "window": window.id}
        limits = {"range": (element.lowest, element.highest)} if element.lowest is not None else {}
        return Element(
            ref=element,
            role=element.role,
            name=element.name,
            value=None if secret else element.value,
            bounds=shift(element.bounds, window) if element.bounds and not window.minimized else None,
            states=frozenset(states),
            actions=element.actions,
            pid=window.pid,
            path=(("window", window.title), *((each.role, each.name) for each in path)),
            details=details | limits,
        )


def make_fake_parts(desktop: FakeDesktop, environment: Environment) -> DesktopParts:
    """Return the ports of a desktop in memory."""
    windows, screen = FakeWindows(desktop), FakeScreen(desktop)
    return DesktopParts(
        environment=environment,
        windows=windows,
        hands=FakeHands(desktop),
        screen=screen,
        accessibility=FakeAccessibility(desktop),
        vision=FakeReader(desktop),
        clipboard=desktop.clipboard,
        screenshots=ScreenshotStore(screen, windows),
    )
