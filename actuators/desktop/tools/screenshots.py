"""WindowPictures: pictures of the screen and of windows in new files, without secrets; and the tool that takes them."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

from actuators.deadlines import Deadline, pause
from actuators.desktop.finding.window_finding import ACTIVE, find_window, list_in_front
from actuators.desktop.ports.desktop import Picture, Rect, ScreenRegion, Window
from actuators.desktop.ports.parts import DesktopParts
from actuators.desktop.ports.secret_fields import black_out
from actuators.desktop.sight.png_files import find_free_path, pack_png, write_new
from actuators.desktop.tools.toolset import DesktopToolset
from actuators.desktop.tools.window_orders import bring_forward
from actuators.numbered_pictures import NumberedBox, draw_numbers
from core.addresses.paths import check_roots
from core.base.errors import DeviceError
from core.results.tool_results import ToolOutcome
from core.rules.param_types import NewFilePath, ScreenPart, WindowName
from core.rules.type_makers import integer
from core.tools.ports import ActionContext

_REPAINT_S = 0.2


class WindowPictures:
    """Takes pictures of windows."""

    def __init__(self, parts: DesktopParts) -> None:
        self._parts = parts

    async def uncover(self, window: Window, deadline: Deadline) -> Window:
        """Return a window that nothing covers; it comes forward if something does."""
        above = list_in_front(window, await self._parts.windows.windows())
        if not window.minimized and not any(each.bounds.intersect(window.bounds) for each in above):
            return window
        window = await bring_forward(self._parts.windows, window, deadline)
        await pause(_REPAINT_S)  # what was covered is painted anew, which nobody announces
        return window

    async def draw(
        self, context: ActionContext, window: Window, numbered: Mapping[int, Rect]
    ) -> tuple[Path, dict[str, Any]]:
        """Write a picture of an uncovered window, without secrets, with numbers; return its path and evidence."""
        picture = await self._parts.screen.grab(window.bounds)
        boxes = [_place(number, place, picture) for number, place in numbered.items()]
        path = self.find_free(f"{context.action_id}-outline")
        facts = await self.write(context, picture, path, lambda shown: draw_numbers(pack_png(shown), boxes))
        return path, {"picture": str(path), **facts}

    async def write(
        self, context: ActionContext, picture: Picture, path: Path, pack: Callable[[Picture], bytes] = pack_png
    ) -> dict[str, Any]:
        """Write a picture, without secrets, to a new file; return evidence of it."""
        hidden = await self._parts.secrets.find_hidden(self._parts.accessibility, context.vault)
        content = await asyncio.to_thread(lambda: pack(black_out(picture, hidden.bounds)))
        evidence: dict[str, Any] = {"sha256": await asyncio.to_thread(write_new, path, content)}
        if hidden.bounds:
            evidence["blacked_out"] = len(hidden.bounds)
        if hidden.note:
            evidence["secrets"] = hidden.note
        return evidence

    def find_free(self, stem: str) -> Path:
        """Return a path among the artifacts at which nothing is yet."""
        return find_free_path(self._parts.environment.state_dir / "artifacts", stem)


class ScreenshotTaking(DesktopToolset):
    """Pictures of the screen; the other tools that look are added by the subclass."""

    def __init__(self, parts: DesktopParts) -> None:
        self._parts = parts
        self._pictures = WindowPictures(parts)

    async def screenshot(
        self,
        context: ActionContext,
        window: WindowName | None = None,
        display: Annotated[int, integer(0, 63)] | None = None,
        region: ScreenPart | None = None,
        path: NewFilePath | None = None,
    ) -> ToolOutcome:
        """Take a picture of the screen.

        Args:
            window: Only this window; it is brought to the front first if another covers it.
            display: Only this display, by index.
            region: Only this part.
            path: PNG file to write; among the artifacts where absent.

        Returns:
            Output ``path``, ``width``, ``height``, ``screenshot`` (the id that points may name) and ``sha256``.
        """
        chosen = await self._choose_bounds(Deadline(context.timeout_s), window, display, region)
        place = self._choose_path(context, path)
        picture = await self._parts.screen.grab(chosen)
        shot = await self._parts.screenshots.keep(picture)
        facts = await self._pictures.write(context, picture, place)
        size = {"width": picture.width, "height": picture.height}
        output = {"path": str(place), **size, "screenshot": shot, "sha256": facts["sha256"]}
        evidence = {"path": str(place), "bounds": picture.bounds.list_sides(), **facts}
        return ToolOutcome(output, "confirmed", evidence, undo="Delete the file.", artifacts=(str(place),))

    async def _choose_bounds(
        self, deadline: Deadline, window: str | None, display: int | None, region: ScreenRegion | None
    ) -> Rect | None:
        in_window = region is not None and region.get("space") == "window"
        bounds = None
        if window is not None or in_window:
            found = find_window(window or ACTIVE, await self._parts.windows.windows())
            bounds = (await self._pictures.uncover(found, deadline)).bounds
        elif display is not None:
            bounds = await self._find_display(display)
        if region is None:
            return bounds
        x, y = (bounds.x, bounds.y) if in_window and bounds else (0, 0)
        return Rect(x + region["x"], y + region["y"], region["width"], region["height"])

    async def _find_display(self, index: int) -> Rect:
        displays = await self._parts.windows.displays()
        found = next((each for each in displays if each.index == index), None)
        if found is None:
            listed = ", ".join(f"{each.index} ({each.name})" for each in displays)
            raise DeviceError(
                f"Display {index} does not exist. Displays: {listed}.",
                code="device_missing",
                hint="Name one of them.",
                evidence={"display": index, "displays": [each.index for each in displays]},
            )
        return found.bounds

    def _choose_path(self, context: ActionContext, path: str | None) -> Path:
        environment = self._parts.environment
        if path is None:
            return self._pictures.find_free(f"{context.action_id}-screen")
        if context.policy.roots is not None:
            # Links are followed, so that none leads out of the folders that may be used.
            real = Path(path).parent.resolve() / Path(path).name
            check_roots(str(real), context.policy.roots, environment.platform)
        return Path(path)


def _place(number: int, place: Rect, picture: Picture) -> NumberedBox:
    """Return where a thing is on a picture, which may have other pixels than the screen."""
    scale_x, scale_y = picture.width / picture.bounds.width, picture.height / picture.bounds.height
    x, y = (place.x - picture.bounds.x) * scale_x, (place.y - picture.bounds.y) * scale_y
    return NumberedBox(number, x, y, place.width * scale_x, place.height * scale_y)
