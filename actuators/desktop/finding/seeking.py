"""Seeking: everything that matches, by text, by element or by picture, as data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from actuators.desktop.finding.element_matching import describe_element, list_nearest, make_selector, match_elements
from actuators.desktop.finding.looking import Sight, View, find_part
from actuators.desktop.finding.text_matching import find_texts
from actuators.desktop.finding.text_matching import list_nearest as list_nearest_lines
from actuators.desktop.ports.desktop import Element, Rect, ScreenRegion
from actuators.desktop.ports.parts import DesktopParts
from core.base.errors import TargetError


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for, and where."""

    text: str | None = None
    role: str | None = None
    name: str | None = None
    image: str | None = None
    region: ScreenRegion | None = None
    window: str | None = None

    @property
    def is_element(self) -> bool:
        """Whether it is looked for among the elements, not in pictures."""
        return self.role is not None or self.name is not None

    @property
    def is_window(self) -> bool:
        """Whether nothing but a window is named."""
        return self.text is None and self.image is None and not self.is_element

    def describe(self) -> dict[str, Any]:
        """Return it as data."""
        named = {"text": self.text, "role": self.role, "name": self.name, "image": self.image, "window": self.window}
        return {key: value for key, value in named.items() if value is not None}

    def check(self) -> None:
        """Refuse by ``bad_selector`` more than one of a text, an element and a picture."""
        if (self.text is not None) + (self.image is not None) + self.is_element > 1:
            raise TargetError(
                "Only one of text, element and picture can be searched for.",
                code="bad_selector",
                hint="Name one of them: text, or role and name, or image.",
                evidence=self.describe(),
            )


@dataclass(frozen=True, slots=True)
class SoughtElements:
    """What a look found, or what is most like it where nothing matches; the view is the picture looked at, None for elements."""

    matches: Sequence[Mapping[str, Any]]
    nearest: Sequence[str] = field(default_factory=list[str])
    view: View | None = None


class Seeker:
    """Looks for all that matches; finding nothing is not an error."""

    def __init__(self, parts: DesktopParts) -> None:
        self._parts = parts
        self._sight = Sight(parts)

    async def seek(self, sought: Sought) -> SoughtElements:
        """Look once."""
        sought.check()
        if sought.is_element:
            return await self._seek_elements(sought)
        view = await self._sight.look(sought.window, sought.region)
        if sought.image is not None:
            found = await self._sight.find_image(view, sought.image)
            pictures = [_place(box) | {"confidence": round(confidence, 3)} for box, confidence in found]
            return SoughtElements([{"image": sought.image} | each for each in pictures], view=view)
        text = sought.text or ""
        lines = await self._sight.read(view)
        matches = [
            {"text": each.text, "line": each.line} | _place(each.bounds) | {"confidence": each.confidence}
            for each in find_texts(text, lines)
        ]
        return SoughtElements(matches, [] if matches else list_nearest_lines(text, lines), view)

    async def wait_for_change(self, seen: SoughtElements, timeout_s: float) -> None:
        """Return when another look may find something else, or the time is up."""
        if seen.view is None:
            await self._parts.accessibility.wait_for_change(timeout_s)
        else:
            await self._sight.wait_for_change(seen.view, timeout_s)

    async def _seek_elements(self, sought: Sought) -> SoughtElements:
        window = await self._sight.find_window(sought.window, sought.region)
        listed = await self._parts.accessibility.elements(window)
        part = find_part(window, sought.region) if sought.region else None
        plain = make_selector(sought.role, sought.name)
        matches = [each for each in match_elements(plain, listed) if _is_seen_in(each, part)]
        described = [describe_element(each) | {"confidence": 1.0} for each in matches]
        return SoughtElements(described, [] if matches else list_nearest(plain, listed))


def _is_seen_in(element: Element, part: Rect | None) -> bool:
    if "visible" not in element.states:
        return False
    return part is None or (element.bounds is not None and part.contains(*element.bounds.center))


def _place(box: Rect) -> dict[str, int]:
    return {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
