"""A picture of the screen when a step on the desktop failed, and after each one that acts where a run is kept like this."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any

from actuators.desktop.ports.parts import DesktopParts
from actuators.desktop.ports.secret_fields import black_out
from actuators.desktop.sight.png_files import pack_png
from actuators.failure_files import write_run_picture
from actuators.seat.attending import AttendedToolset
from core.base.errors import SurehandError
from core.planner_rules import VERB_ROWS
from core.results.failure_snapshots import FailureSnapshot
from core.tools.ports import ActionContext


class DesktopToolset(AttendedToolset):
    """What the tools of the desktop have in common: a picture of the screen when one failed on it, and after it acted where one is wanted.

    ``target`` is an element of the accessibility tree, a text on the screen, or a point; ``image`` the path of a
    picture to find on the screen instead; ``window`` keeps the search to one window: a part of its title or
    application that only one has, ``active``, or ``id=…`` from list_windows.
    """

    domain = "desktop"

    _parts: DesktopParts

    def attend(self, verb: str, context: ActionContext) -> AbstractAsyncContextManager[dict[str, Any]]:
        """Hold what a verb must hold alone, and keep a picture of what it came to where one is wanted."""
        held = super().attend(verb, context)
        wanted = self._parts.environment.step_pictures and context.run_id
        acts = wanted and VERB_ROWS[self.domain, verb].action_class == "actuate"
        return self._attend_with_picture(held, context) if acts else held

    @asynccontextmanager
    async def _attend_with_picture(
        self, held: AbstractAsyncContextManager[dict[str, Any]], context: ActionContext
    ) -> AsyncGenerator[dict[str, Any]]:
        async with held as notes:
            yield notes
            with suppress(
                SurehandError, OSError
            ):  # the step is done; that nothing is to be seen of it is no fault of it
                if self._parts.screen.assess().available:
                    path, _ = await self._keep_picture(context, f"{context.action_id}.after.png")
                    notes.update({"pictures": {"after": path}} if path else {})

    async def show_snapshot(self, context: ActionContext) -> FailureSnapshot | None:
        """Return a picture of the whole screen without secrets; None where there is no screen or none is wanted."""
        parts = self._parts
        if not parts.environment.failure_pictures or not context.run_id or not parts.screen.assess().available:
            return None
        path, why = await self._keep_picture(context, f"{context.action_id}.png")
        return FailureSnapshot({"screenshot": path or f"none: {why}"}, (path,) if path else ())

    async def _keep_picture(self, context: ActionContext, name: str) -> tuple[str, str]:
        """Return the path of a picture of the whole screen; else empty, and why: better none than one that shows a secret."""
        parts = self._parts
        hidden = await parts.secrets.find_hidden(parts.accessibility, context.vault)
        if hidden.note:
            return "", hidden.note
        content = await asyncio.to_thread(pack_png, black_out(await parts.screen.grab(None), hidden.bounds))
        folder = parts.environment.state_dir / "artifacts"
        return str(await asyncio.to_thread(write_run_picture, folder, context.run_id, name, content)), ""
