"""FakeAccessibility: the accessibility tree of a desktop in memory."""

from collections.abc import Iterator

from actuators.deadlines import pause
from actuators.desktop.fake.state import FakeDesktopElement, FakePort, FakeWindow, shift, walk
from actuators.desktop.ports.desktop import Element, Window
from core.base.errors import TargetError

_STEP_S = 0.01


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
