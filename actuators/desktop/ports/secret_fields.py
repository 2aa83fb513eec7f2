"""Where secrets are on the screen, so that no picture shows them."""

import asyncio

from actuators.desktop.ports.desktop import Accessibility, Element, Picture, Rect
from core.base.errors import SurehandError
from core.base.late_dataclasses import dataclass, field
from core.goals.secret_values import Vault

_LOOK_S = 1.0
_LOOK_AFTER_TYPING_S = 5.0
_KEPT = 50

UNSURE = "a secret was typed on this desktop, and the picture may show it"


@dataclass(frozen=True, slots=True)
class Hidden:
    """What a picture must not show; the note says what can't be told, empty where all is known."""

    bounds: tuple[Rect, ...] = ()
    note: str = ""


@dataclass(slots=True)
class SecretFields:
    """The last fields that secrets were typed into; unknown is whether one was typed nobody can say where."""

    fields: list[Element] = field(default_factory=list[Element])
    unknown: bool = False

    def note(self, element: Element | None) -> None:
        """Remember where a secret is about to be typed; None where that isn't known."""
        if element is None:
            self.unknown = True
        elif element.ref not in [each.ref for each in self.fields]:
            self.fields = [*self.fields[-_KEPT + 1 :], element]

    async def find_hidden(self, accessibility: Accessibility, vault: Vault) -> Hidden:
        """Return what must not be seen now: password fields, fields with a secret in them, whatever shows one."""
        typed = self.unknown or bool(self.fields)
        note = UNSURE if typed else ""
        if not accessibility.assess().available:
            return Hidden(note=note)
        limit_s = _LOOK_AFTER_TYPING_S if typed else _LOOK_S
        try:
            async with asyncio.timeout(limit_s):
                elements = await accessibility.elements(None)
                noted = [await accessibility.refresh(each) for each in self.fields]
        except (TimeoutError, SurehandError):
            return Hidden(note=note)
        values = vault.list_revealed()
        secret = [each for each in elements if "password" in each.states or _shows(each, values)]
        secret += [each for each in noted if each is not None]
        visible = [each for each in secret if "visible" in each.states]
        bounds = tuple(dict.fromkeys(each.bounds for each in visible if each.bounds is not None))
        placeless = any(each.bounds is None for each in visible)
        return Hidden(bounds, UNSURE if self.unknown or (typed and placeless) else "")


def black_out(picture: Picture, hidden: tuple[Rect, ...]) -> Picture:
    """Return a picture in which parts of the screen are black."""
    if not hidden:
        return picture
    rgb = bytearray(picture.rgb)
    scale_x, scale_y = picture.width / picture.bounds.width, picture.height / picture.bounds.height
    for part in hidden:
        left = max(0, int((part.x - picture.bounds.x) * scale_x))
        right = min(picture.width, -int(-(part.x + part.width - picture.bounds.x) * scale_x // 1))
        upper = max(0, int((part.y - picture.bounds.y) * scale_y))
        lower = min(picture.height, -int(-(part.y + part.height - picture.bounds.y) * scale_y // 1))
        if left < right:
            for row in range(upper, lower):
                start = 3 * (picture.width * row + left)
                rgb[start : start + 3 * (right - left)] = bytes(3 * (right - left))
    return Picture(picture.bounds, picture.width, picture.height, bytes(rgb))


def _shows(element: Element, values: tuple[str, ...]) -> bool:
    texts = (element.name, element.value or "")
    return any(value in text for value in values for text in texts)
