"""FakeHands: pointer and keyboard of a desktop in memory."""

from collections.abc import Sequence

from actuators.desktop.fake.state import FakePort
from actuators.desktop.ports.desktop import Direction, MouseButton
from core.base.errors import ActionError

_FEW_FOREIGN = 6
_MODIFIERS = {"Alt", "Control", "ControlOrMeta", "Meta", "Shift"}


class FakeHands(FakePort):
    """Hands whose clicks reach the front window, and whose keys reach the element that has the focus."""

    capability = "input"

    async def position(self) -> tuple[int, int]:
        """Return where the pointer is, after a person has moved it."""
        if self._desktop.person:
            self._desktop.pointer = self._desktop.person.pop(0)
        return self._desktop.pointer

    async def move_to(self, x: int, y: int) -> None:
        """Move the pointer."""
        self._desktop.fail("hands.move_to")
        self._desktop.pointer = (x, y)

    async def button_down(self, button: MouseButton) -> None:
        """Press a mouse button: the window there comes forward."""
        self._desktop.fail("hands.button_down")
        self._desktop.held.append(f"button {button}")
        window = self._desktop.find_at(*self._desktop.pointer)
        if window is not None:
            self._desktop.activate(window)

    async def button_up(self, button: MouseButton) -> None:
        """Let a mouse button go: what is there was clicked."""
        self._desktop.fail("hands.button_up")
        if f"button {button}" not in self._desktop.held:
            return
        self._desktop.held.remove(f"button {button}")
        modifiers = tuple(each for each in self._desktop.held if each in _MODIFIERS)
        self._desktop.events.append(("click", button, *self._desktop.pointer, *modifiers))
        element = self._desktop.find_element_at(*self._desktop.pointer)
        if element is None or button != "left" or "enabled" not in element.states:
            return
        self._desktop.focused = element if "editable" in element.states else self._desktop.focused
        self._desktop.act(element, "click")

    async def wheel(self, direction: Direction, notches: int) -> None:
        """Turn the wheel."""
        self._desktop.fail("hands.wheel")
        self._desktop.events.append(("wheel", direction, notches, *self._desktop.pointer))

    async def can_press(self, key: str) -> bool:
        """Tell whether there is a key: all but those that the desktop declares not to have."""
        return len(key) > 1 or self._can_type(key)

    async def key_down(self, key: str) -> None:
        """Press a key."""
        self._desktop.fail("hands.key_down")
        self._desktop.held.append(key)
        if key not in _MODIFIERS:
            keys = "+".join(each for each in self._desktop.held if not each.startswith("button "))
            self._desktop.events.append(("key", keys, self._name_active()))
            self._apply(keys)

    async def strike(self, keys: Sequence[str]) -> None:
        """Press keys together, and let them go."""
        for key in keys:
            await self.key_down(key)
        self._desktop.fail("hands.strike")
        for key in keys:
            self._desktop.held.remove(key)

    async def is_slow_for(self, text: str) -> bool:
        """Tell whether a text has more than six different characters that aren't ASCII, as on X11."""
        return len({each for each in text if not each.isascii()}) > _FEW_FOREIGN

    async def type_text(self, text: str) -> None:
        """Type text into the element that has the focus; ``unsupported_text`` for what the desktop declares not to be typable."""
        lost = sorted({each for each in text if not self._can_type(each)})
        if lost:
            raise ActionError(
                f"{', '.join(map(repr, lost))} can't be typed on this keyboard.",
                code="unsupported_text",
                evidence={"characters": [f"U+{ord(each):04X}" for each in lost]},
            )
        self._desktop.fail("hands.type_text")
        self._desktop.events.append(("text", text, self._name_active()))
        self._enter(text)

    async def release_all(self) -> None:
        """Let go of everything."""
        self._desktop.held.clear()

    async def close(self) -> None:
        """Let go of everything."""
        self._desktop.held.clear()

    def _name_active(self) -> str:
        return self._desktop.active.title if self._desktop.active else ""

    def _can_type(self, character: str) -> bool:
        usable = character in "\n\t" or (character.isprintable() and not "\ud800" <= character <= "\udfff")
        return usable and (self._desktop.typable is None or character in self._desktop.typable)

    def _apply(self, keys: str) -> None:
        if keys in {"Control+v", "ControlOrMeta+v"} and self._desktop.clipboard.text:
            self._enter(self._desktop.clipboard.text)
        elif len(keys) == 1:
            self._enter(keys)

    def _enter(self, text: str) -> None:
        element = self._desktop.focused
        if element is not None and {"editable", "enabled"} <= element.states:
            element.value = (element.value or "") + text
            self._desktop.touch()
