"""Screenshots that points may name, and whether they still tell the truth."""

import hashlib
from collections import OrderedDict

from actuators.desktop.ports.desktop import Picture, Rect, Screen, Window, WindowSystem
from core.base.errors import TargetError
from core.base.late_dataclasses import dataclass

KEPT = 16
_PATCH_PX = 12  # half the edge of what must look the same around a point
_TOLERANCE = 48  # largest difference of a colour that is still the same
_SHARE = 0.25  # of the patch may differ: a caret blinks, a pointer hovers


@dataclass(frozen=True, slots=True)
class Screenshot:
    """A picture of the screen with the windows as they were."""

    id: str
    picture: Picture
    windows: tuple[Window, ...]


class ScreenshotStore:
    """The last screenshots by id."""

    def __init__(self, screen: Screen, windows: WindowSystem) -> None:
        self._screen = screen
        self._windows = windows
        self._kept: OrderedDict[str, Screenshot] = OrderedDict()
        self._count = 0

    async def keep(self, picture: Picture) -> str:
        """Remember a picture that was just taken; return the id that points may name."""
        self._count += 1
        shot = f"shot-{self._count}-{hashlib.sha256(picture.rgb).hexdigest()[:8]}"
        windows = await self._windows.windows() if self._windows.assess().available else ()
        self._kept[shot] = Screenshot(shot, picture, windows)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return shot

    async def resolve(self, shot: str, x_px: float, y_px: float) -> tuple[int, int]:
        """Turn a point of a screenshot into a pixel of the screen.

        Raises:
            TargetError: ``target_missing`` if there is no such screenshot, ``target_off_screen`` if the point is outside
                it, ``target_moving`` if it is stale: what is there now looks different, or the window has moved.
        """
        kept = self._kept.get(shot)
        if kept is None:
            raise TargetError(
                f"Screenshot {shot!r} does not exist.",
                code="target_missing",
                hint="Take one and give its id.",
                evidence={"screenshot": shot, "screenshots": list(self._kept)},
            )
        picture = kept.picture
        if not (0 <= x_px < picture.width and 0 <= y_px < picture.height):
            raise TargetError(
                f"The point {x_px:g}, {y_px:g} is outside the screenshot of {picture.width} × {picture.height} pixels.",
                code="target_off_screen",
                evidence={"screenshot": shot, "point": [x_px, y_px]},
            )
        x = picture.bounds.x + int(x_px * picture.bounds.width / picture.width)
        y = picture.bounds.y + int(y_px * picture.bounds.height / picture.height)
        await self._check(kept, x, y)
        return x, y

    async def _check(self, kept: Screenshot, x: int, y: int) -> None:
        was = next((each for each in kept.windows if not each.minimized and each.bounds.contains(x, y)), None)
        if kept.windows:
            now = await self._windows.window_at(x, y)
            if (was.id if was else "") != (now.id if now else "") or (was and now and was.bounds != now.bounds):
                raise _stale(kept.id, x, y, "the windows there have moved")
        patch = kept.picture.bounds.clip(Rect(x - _PATCH_PX, y - _PATCH_PX, 2 * _PATCH_PX, 2 * _PATCH_PX))
        if not is_alike(crop(kept.picture, patch), await self._screen.grab(patch)):
            raise _stale(kept.id, x, y, "the screen there has changed")


def crop(picture: Picture, bounds: Rect) -> Picture:
    """Cut a part of the screen out of a picture; only what the picture shows of it."""
    scale_x, scale_y = picture.width / picture.bounds.width, picture.height / picture.bounds.height
    left = max(0, int((bounds.x - picture.bounds.x) * scale_x))
    upper = max(0, int((bounds.y - picture.bounds.y) * scale_y))
    right = min(picture.width, int((bounds.x + bounds.width - picture.bounds.x) * scale_x))
    lower = min(picture.height, int((bounds.y + bounds.height - picture.bounds.y) * scale_y))
    rows = (
        picture.rgb[3 * (picture.width * row + left) : 3 * (picture.width * row + right)] for row in range(upper, lower)
    )
    return Picture(bounds, max(0, right - left), max(0, lower - upper), b"".join(rows))


def is_alike(one: Picture, other: Picture) -> bool:
    """Tell whether two pictures of the same part show the same, apart from a blinking caret or the pointer."""
    if (one.width, one.height) != (other.width, other.height):
        return False
    if one.rgb == other.rgb:
        return True
    pairs = zip(one.rgb, other.rgb, strict=True)
    differing = sum(abs(a - b) > _TOLERANCE for a, b in pairs)
    return differing <= len(one.rgb) * _SHARE


def _stale(shot: str, x: int, y: int, why: str) -> TargetError:
    return TargetError(
        f"The screenshot {shot!r} is out of date: {why}.",
        code="target_moving",
        hint="Take a new screenshot and point at that.",
        evidence={"screenshot": shot, "x": x, "y": y, "reason": why},
    )
