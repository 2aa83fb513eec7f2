"""Sight: pictures of a window or a part of the screen, and what is read or found in them."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from actuators.deadlines import pause
from actuators.desktop.finding.window_finding import ACTIVE, find_window, name_window
from actuators.desktop.ports.desktop import Picture, Rect, SeenText, Window
from core.base.errors import TargetError, UnsupportedError

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
        x, y = place.center
        return not any(each.bounds.contains(x, y) for each in self.above)


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
            raise _hidden(found)
        bounds = find_part(found, region)
        picture = await self._parts.screen.grab(bounds)
        return View(picture, found, await self._list_above(found))

    async def read(self, view: View) -> list[SeenText]:
        """Return the lines that can be read, without those of windows above."""
        return [each for each in await self._parts.vision.read(view.picture) if view.is_seen(each.bounds)]

    async def find_image(self, view: View, path: str) -> list[tuple[Rect, float]]:
        """Return where a picture is, the best first."""
        found = await self._parts.vision.find_image(view.picture, path)
        return [(place, confidence) for place, confidence in found if view.is_seen(place)]

    async def wait_for_change(self, view: View, timeout_s: float) -> None:
        """Return when other pixels are where a picture was taken, or the time is up."""
        deadline = time.monotonic() + timeout_s
        while (left_s := deadline - time.monotonic()) > 0:
            await pause(min(_LOOK_AGAIN_S, left_s))
            if (await self._parts.screen.grab(view.picture.bounds)).rgb != view.picture.rgb:
                return

    async def _list_above(self, window: Window | None) -> tuple[Window, ...]:
        if window is None:
            return ()
        windows: Sequence[Window] = await self._parts.windows.windows()
        place = next((place for place, each in enumerate(windows) if each.id == window.id), 0)
        return tuple(each for each in windows[:place] if not each.minimized and each.bounds.intersect(window.bounds))


def find_part(window: Window | None, region: "ScreenRegion | None") -> Rect | None:
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


def _hidden(window: Window) -> TargetError:
    return TargetError(
        f"The window {name_window(window)} is minimized, so nothing of it is visible.",
        code="target_hidden",
        hint="Restore or focus it first.",
        evidence={"window": window.title, "id": window.id},
    )
