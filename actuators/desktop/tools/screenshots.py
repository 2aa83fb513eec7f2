"""ScreenshotTaking: the tool that takes pictures of the screen; the other tools that look are added by its subclass."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

from actuators.deadlines import Deadline
from actuators.desktop.finding.window_finding import ACTIVE, find_window
from actuators.desktop.ports.desktop import Rect, ScreenRegion
from actuators.desktop.ports.parts import DesktopParts
from actuators.desktop.ports.secret_fields import black_out
from actuators.desktop.sight.png_files import find_free_path, write_png
from actuators.desktop.tools.toolset import DesktopToolset
from actuators.desktop.tools.window_pictures import WindowPictures
from core.addresses.paths import check_roots
from core.base.errors import DeviceError
from core.results.tool_results import ToolOutcome
from core.rules.param_types import NewFilePath, ScreenPart, WindowName
from core.rules.type_makers import integer
from core.tools.ports import ActionContext


class ScreenshotTaking(DesktopToolset):
    """Pictures of the screen."""

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
        hidden = await self._parts.secrets.find_hidden(self._parts.accessibility, context.vault)
        shown = black_out(picture, hidden.bounds)
        sha256 = await asyncio.to_thread(write_png, place, shown)
        size = {"width": picture.width, "height": picture.height}
        output = {"path": str(place), **size, "screenshot": shot, "sha256": sha256}
        bounds = [picture.bounds.x, picture.bounds.y, picture.bounds.width, picture.bounds.height]
        evidence: dict[str, Any] = {"path": str(place), "sha256": sha256, "bounds": bounds}
        if shown is not picture:
            evidence["blacked_out"] = len(hidden.bounds)
        if hidden.note:
            evidence["secrets"] = hidden.note
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
            return find_free_path(environment.state_dir / "artifacts", f"{context.action_id}-screen")
        if context.policy.roots is not None:
            # Links are followed, so that none leads out of the folders that may be used.
            real = Path(path).parent.resolve() / Path(path).name
            check_roots(str(real), context.policy.roots, environment.platform)
        return Path(path)
