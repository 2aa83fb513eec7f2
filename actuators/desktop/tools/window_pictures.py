"""WindowPictures: pictures of windows with the numbers of an outline's lines on them."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from actuators.deadlines import Deadline, pause
from actuators.desktop.ports.desktop import Picture, Rect, Window
from actuators.desktop.ports.parts import DesktopParts
from actuators.desktop.ports.secret_fields import black_out
from actuators.desktop.sight.png_files import find_free_path, pack_png, write_new
from actuators.desktop.tools.window_orders import bring_forward
from actuators.numbered_pictures import NumberedBox, draw_numbers
from core.tools.ports import ActionContext

_REPAINT_S = 0.2


class WindowPictures:
    """Takes pictures of windows."""

    def __init__(self, parts: DesktopParts) -> None:
        self._parts = parts

    async def uncover(self, window: Window, deadline: Deadline) -> Window:
        """Return a window that nothing covers; it comes forward if something does."""
        windows = await self._parts.windows.windows()
        above = windows[: next((n for n, each in enumerate(windows) if each.id == window.id), 0)]
        if not window.minimized and not any(_overlap(each, window) for each in above):
            return window
        window = await bring_forward(self._parts.windows, window, deadline)
        await pause(_REPAINT_S)  # what was covered is painted anew, which nobody announces
        return window

    async def draw(
        self, context: ActionContext, window: Window, numbered: Mapping[int, Rect]
    ) -> tuple[Path, dict[str, Any]]:
        """Write a picture of a window, without secrets, with numbers where things are; return its path and evidence.

        Args:
            window: The window, which nothing covers.
            numbered: Where the thing of each number is on the screen.
        """
        parts = self._parts
        picture = await parts.screen.grab(window.bounds)
        hidden = await parts.secrets.find_hidden(parts.accessibility, context.vault)
        boxes = [_place(number, place, picture) for number, place in numbered.items()]
        content = await asyncio.to_thread(_draw, black_out(picture, hidden.bounds), boxes)
        path = find_free_path(parts.environment.state_dir / "artifacts", f"{context.action_id}-outline")
        sha256 = await asyncio.to_thread(write_new, path, content)
        evidence: dict[str, Any] = {"picture": str(path), "sha256": sha256}
        if hidden.bounds:
            evidence["blacked_out"] = len(hidden.bounds)
        if hidden.note:
            evidence["secrets"] = hidden.note
        return path, evidence


def _draw(picture: Picture, boxes: Sequence[NumberedBox]) -> bytes:
    return draw_numbers(pack_png(picture), boxes)


def _place(number: int, place: Rect, picture: Picture) -> NumberedBox:
    """Return where a thing is on a picture, which may have other pixels than the screen."""
    scale_x, scale_y = picture.width / picture.bounds.width, picture.height / picture.bounds.height
    x, y = (place.x - picture.bounds.x) * scale_x, (place.y - picture.bounds.y) * scale_y
    return NumberedBox(number, x, y, place.width * scale_x, place.height * scale_y)


def _overlap(one: Window, other: Window) -> bool:
    a, b = one.bounds, other.bounds
    return (
        not one.minimized
        and a.x < b.x + b.width
        and b.x < a.x + a.width
        and a.y < b.y + b.height
        and b.y < a.y + a.height
    )
