"""A picture of the screen when a step on the desktop failed."""

import asyncio

from actuators.desktop.api.toolset import DesktopToolset
from actuators.desktop.ports.parts import DesktopParts
from actuators.desktop.ports.secret_fields import black_out
from actuators.desktop.sight.png_files import pack_png
from actuators.failure_files import write_failure_picture
from core.results.failure_snapshots import FailureSnapshot
from core.tools.ports import ActionContext


class ScreenSnapshots(DesktopToolset):
    """Takes a picture of the screen when a tool failed on it."""

    _parts: DesktopParts

    async def show_snapshot(self, context: ActionContext) -> FailureSnapshot | None:
        """Return a picture of the whole screen without secrets; None where there is no screen or none is wanted."""
        parts = self._parts
        if not parts.environment.failure_pictures or not context.run_id or not parts.screen.assess().available:
            return None
        hidden = await parts.secrets.find_hidden(parts.accessibility, context.vault)
        if hidden.note:  # better no picture than one that shows a secret
            return FailureSnapshot({"screenshot": f"none: {hidden.note}"})
        picture = black_out(await parts.screen.grab(None), hidden.bounds)
        content = await asyncio.to_thread(pack_png, picture)
        folder = parts.environment.state_dir / "artifacts"
        path = str(await asyncio.to_thread(write_failure_picture, folder, context, content))
        return FailureSnapshot({"screenshot": path}, (path,))
