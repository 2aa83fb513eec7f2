"""Sight: pictures of a window or a part of the screen, what is read or found in them, and all that matches as data."""

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from actuators.deadlines import pause
from actuators.desktop.finding.element_index import match_elements
from actuators.desktop.finding.element_naming import describe_element, list_nearest, make_selector
from actuators.desktop.finding.text_matching import find_texts, list_nearest_lines
from actuators.desktop.finding.window_finding import ACTIVE, find_window, list_in_front, name_window
from actuators.desktop.ports.desktop import Element, Picture, Rect, SeenText, Window
from core.base.errors import TargetError, UnsupportedError
from core.base.late_dataclasses import dataclass, field

if TYPE_CHECKING:
    from actuators.desktop.ports.desktop import ScreenRegion
    from actuators.desktop.ports.parts import DesktopParts

_LOOK_AGAIN_S = 0.1


@dataclass(frozen=True, slots=True)
class View:
    """A picture that was taken of a window, or of a part of the screen, and the windows that cover it."""

    picture: Picture
    window: Window | None = None
    above: tuple[Window, ...] = ()

    def is_seen(self, place: Rect) -> bool:
        """Tell whether the middle of a place belongs to the window, and to none above it."""
        return not any(each.bounds.contains(*place.center) for each in self.above)

    def name_above(self) -> list[str]:
        """Return what the windows that cover it are called."""
        return [name_window(each) for each in self.above]


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for, and where."""

    text: str | None = None
    role: str | None = None
    name: str | None = None
    image: str | None = None
    region: "ScreenRegion | None" = None
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


class Sight:
    """Looks at the screen."""

    def __init__(self, parts: "DesktopParts") -> None:
        self._parts = parts

    async def find_window(self, window: str | None, region: "ScreenRegion | None" = None) -> Window | None:
        """Return the window that is meant: the one that is named, or the active one for a region of a window."""
        if window is None and (region is None or region.get("space") != "window"):
            return None
        return find_window(window or ACTIVE, await self._parts.windows.windows())

    async def look(self, window: str | None = None, region: "ScreenRegion | None" = None) -> View:
        """Take a picture of a window, or of a region only.

        Raises:
            TargetError: ``target_hidden`` if the window is minimized, ``target_off_screen`` if the region is outside it.
            UnsupportedError: If nothing here can read pictures.
        """
        availability = self._parts.vision.assess()
        if not availability.available:
            raise UnsupportedError(availability.reason, hint=availability.remedy)
        found = await self.find_window(window, region)
        if found is not None and found.minimized:
            raise TargetError(
                f"The window {name_window(found)} is minimized, so nothing of it is visible.",
                code="target_hidden",
                hint="Restore or focus it first.",
                evidence={"window": found.title, "id": found.id},
            )
        picture = await self._parts.screen.grab(_find_part(found, region))
        return View(picture, found, await self._list_above(found))

    async def read(self, view: View) -> list[SeenText]:
        """Return the lines that can be read, without those of windows above."""
        return [each for each in await self._parts.vision.read(view.picture) if view.is_seen(each.bounds)]

    async def find_image(self, view: View, path: str) -> list[tuple[Rect, float]]:
        """Return where a picture is, the best first."""
        found = await self._parts.vision.find_image(view.picture, path)
        return [(place, confidence) for place, confidence in found if view.is_seen(place)]

    async def seek(self, sought: Sought) -> SoughtElements:
        """Look once for all that matches; finding nothing is not an error."""
        sought.check()
        if sought.is_element:
            return await self._seek_elements(sought)
        view = await self.look(sought.window, sought.region)
        if sought.image is not None:
            found = await self.find_image(view, sought.image)
            pictures = [box.describe() | {"confidence": round(confidence, 3)} for box, confidence in found]
            return SoughtElements([{"image": sought.image} | each for each in pictures], view=view)
        text = sought.text or ""
        lines = await self.read(view)
        matches = [
            {"text": each.text, "line": each.line} | each.bounds.describe() | {"confidence": each.confidence}
            for each in find_texts(text, lines)
        ]
        return SoughtElements(matches, [] if matches else list_nearest_lines(text, lines), view)

    async def wait_for_change(self, view: View | None, timeout_s: float) -> None:
        """Return when other pixels are where a picture was taken, without one when elements may have changed, or the time is up."""
        if view is None:
            return await self._parts.accessibility.wait_for_change(timeout_s)
        deadline = time.monotonic() + timeout_s
        while (left_s := deadline - time.monotonic()) > 0:
            await pause(min(_LOOK_AGAIN_S, left_s))
            if (await self._parts.screen.grab(view.picture.bounds)).rgb != view.picture.rgb:
                return None
        return None

    async def _seek_elements(self, sought: Sought) -> SoughtElements:
        window = await self.find_window(sought.window, sought.region)
        listed = await self._parts.accessibility.elements(window)
        part = _find_part(window, sought.region) if sought.region else None
        plain = make_selector(sought.role, sought.name)
        matches = [each for each in match_elements(plain, listed) if _is_seen_in(each, part)]
        described = [describe_element(each) | {"confidence": 1.0} for each in matches]
        return SoughtElements(described, [] if matches else list_nearest(plain, listed))

    async def _list_above(self, window: Window | None) -> tuple[Window, ...]:
        if window is None:
            return ()
        above = list_in_front(window, await self._parts.windows.windows())
        return tuple(each for each in above if each.bounds.intersect(window.bounds))


def _find_part(window: Window | None, region: "ScreenRegion | None") -> Rect | None:
    """Return the part of the screen that is meant, None for all; ``target_off_screen`` if it has nothing of the window."""
    if region is None:
        return window.bounds if window else None
    in_window = region.get("space") == "window" and window is not None
    x, y = (window.bounds.x, window.bounds.y) if in_window and window else (0, 0)
    part = Rect(x + region["x"], y + region["y"], region["width"], region["height"])
    if window is None:
        return part
    common = part.intersect(window.bounds)
    if common is None:
        raise TargetError(
            f"The region does not include any of the window {name_window(window)}.",
            code="target_off_screen",
            hint="Give x and y inside the window with space: window.",
            evidence={"region": dict(region), "window": window.title},
        )
    return common


def _is_seen_in(element: Element, part: Rect | None) -> bool:
    if "visible" not in element.states:
        return False
    return part is None or (element.bounds is not None and part.contains(*element.bounds.center))
