"""WindowTools: the tools for windows and displays, over any window system."""

from collections.abc import Mapping
from typing import Annotated, Any

from actuators.deadlines import Deadline
from actuators.desktop.finding.window_finding import (
    ACTIVE,
    describe_display,
    describe_window,
    filter_windows,
    find_window,
    name_window,
)
from actuators.desktop.ports.desktop import Window
from actuators.desktop.ports.parts import DesktopParts
from actuators.desktop.tools.toolset import DesktopToolset
from actuators.desktop.tools.window_orders import FOLLOWS_S, bring_forward, put, reshape
from core.base.errors import DeviceError, InputError
from core.results.tool_results import ToolOutcome, UndoRecord
from core.rules.param_types import BOUNDS, WindowName
from core.tools.ports import ActionContext

_ASKING_S = 0.5


class WindowTools(DesktopToolset):
    """Windows and displays.

    A window is described by ``id``, ``title``, ``app``, ``pid``, ``x``, ``y``, ``width``, ``height`` (with its frame),
    ``active``, ``minimized``, ``maximized`` and ``display``.
    """

    intent = "window_management"
    capability = "windows"

    def __init__(self, parts: DesktopParts) -> None:
        self._parts = parts
        self._windows = parts.windows

    async def list_windows(self, context: ActionContext, filter: str | None = None) -> ToolOutcome:
        """List the windows of applications, the front one first.

        Args:
            filter: Part of the title or application.

        Returns:
            Output ``windows``, ``count`` and ``text``.
        """
        del context
        displays = await self._windows.displays()
        found = filter_windows(filter, await self._windows.windows())
        text = "\n".join(f"{each.title} ({each.app})" for each in found)
        listed = [describe_window(each, displays) for each in found]
        return ToolOutcome({"windows": listed, "count": len(found), "text": text})

    async def active_window(self, context: ActionContext) -> ToolOutcome:
        """Tell which window has the focus.

        Returns:
            The window's description, and ``text``, its title.

        Raises:
            DeviceError: ``window_missing`` if none has.
        """
        del context
        window = find_window(ACTIVE, await self._windows.windows())
        return ToolOutcome({**await self._describe(window), "text": window.title})

    async def displays(self, context: ActionContext) -> ToolOutcome:
        """List the displays.

        Returns:
            Output ``displays`` (index, name, x, y, width, height, scale, primary), ``count`` and ``text``.
        """
        del context
        found = [describe_display(each) for each in await self._windows.displays()]
        text = "\n".join(f"{each['name']}: {each['width']} × {each['height']}" for each in found)
        return ToolOutcome({"displays": found, "count": len(found), "text": text})

    async def focus_window(self, context: ActionContext, window: WindowName) -> ToolOutcome:
        """Give a window the focus, and wait until it has it.

        Args:
            window: Which window; a minimized one is restored first.

        Returns:
            The window's description as read back.

        Raises:
            DeviceError: If there is no such window (lists those that are there) or more than one; ``not_settled`` if the
                window manager doesn't follow.
        """
        windows = await self._windows.windows()
        before = find_window(window, windows)
        previous = next((each for each in windows if each.active), None)
        now = await bring_forward(self._windows, before, Deadline(context.timeout_s))
        output = await self._describe(now)
        if previous is None or previous.id == now.id:
            return ToolOutcome(output, "confirmed", dict(output))
        record = UndoRecord(
            "desktop", "focus_window", {"window": f"id={previous.id}"}, {"active": now.id, "pid": now.pid}
        )
        undo = f"Give the focus back to {name_window(previous)}."
        return ToolOutcome(output, "confirmed", dict(output), undo=undo, undo_record=record)

    async def move_window(
        self, context: ActionContext, window: WindowName, bounds: Annotated[Mapping[str, Any], BOUNDS]
    ) -> ToolOutcome:
        """Move a window, keeping its size unless the bounds say otherwise.

        Args:
            window: Which window.
            bounds: ``x`` and ``y`` of its upper left corner with its frame; ``width`` and ``height`` likewise.

        Returns:
            The window's description as read back, and ``before``.
        """
        return await self._put(context, window, bounds)

    async def resize_window(
        self, context: ActionContext, window: WindowName, bounds: Annotated[Mapping[str, Any], BOUNDS]
    ) -> ToolOutcome:
        """Resize a window, keeping its place unless the bounds say otherwise.

        Args:
            window: Which window.
            bounds: As for ``move_window``.

        Returns:
            As for ``move_window``; an application may round its size to its own steps.
        """
        return await self._put(context, window, bounds)

    async def minimize(self, context: ActionContext, window: WindowName) -> ToolOutcome:
        """Minimize a window.

        Args:
            window: Which window.

        Returns:
            As for ``move_window``.
        """
        return await self._set_state(context, window, "minimize")

    async def maximize(self, context: ActionContext, window: WindowName) -> ToolOutcome:
        """Maximize a window.

        Args:
            window: Which window.

        Returns:
            As for ``move_window``.
        """
        return await self._set_state(context, window, "maximize")

    async def restore(self, context: ActionContext, window: WindowName) -> ToolOutcome:
        """Bring a minimized or maximized window back to its size.

        Args:
            window: Which window.

        Returns:
            As for ``move_window``.
        """
        return await self._set_state(context, window, "restore")

    async def close_window(self, context: ActionContext, window: WindowName) -> ToolOutcome:
        """Ask a window to close, and wait until it has.

        Args:
            window: Which window.

        Returns:
            Output ``closed`` (its description).

        Raises:
            DeviceError: ``not_settled`` if it stays open; names the dialog that it may be asking with.
        """
        deadline = Deadline(context.timeout_s)
        there = await self._windows.windows()
        found = find_window(window, there)
        described = await self._describe(found)
        await self._windows.close_window(found)
        await self._await_closing(found, {each.id for each in there}, deadline)
        evidence = {"closed": described, "windows": len(await self._windows.windows())}
        return ToolOutcome({"closed": described}, "confirmed", evidence, undo="A closed window can't be restored.")

    async def _await_closing(self, window: Window, known: set[str], deadline: Deadline) -> None:
        asking_since_s = 0.0
        while True:
            now = await self._windows.windows()
            if all(each.id != window.id for each in now):
                return
            dialogs = [each for each in now if each.id not in known and each.pid == window.pid]
            asking_since_s = (asking_since_s or deadline.elapsed_s) if dialogs else 0.0
            if deadline.is_over or (dialogs and deadline.elapsed_s - asking_since_s > _ASKING_S):
                raise _not_closed(window, dialogs)
            await self._windows.wait_for_change(min(deadline.remaining_s, _ASKING_S))

    async def _put(self, context: ActionContext, window: str, bounds: Mapping[str, Any]) -> ToolOutcome:
        if not bounds:
            raise InputError("The bounds give neither a place nor a size.", hint="Name x and y, or width and height.")
        before = find_window(window, await self._windows.windows())
        now = await put(self._windows, before, bounds, Deadline(context.timeout_s))
        return await self._report(before, now)

    async def _set_state(self, context: ActionContext, window: str, state: str) -> ToolOutcome:
        before = find_window(window, await self._windows.windows())
        now = await reshape(self._windows, before, state, Deadline(context.timeout_s))
        return await self._report(before, now)

    async def _report(self, before: Window, now: Window) -> ToolOutcome:
        described = await self._describe(now)
        output = {**described, "before": await self._describe(before)}
        record = _make_undo(before, now)
        undo = f"{record.operation} of {name_window(before)}" if record else "Nothing was changed."
        return ToolOutcome(output, "confirmed", described, undo=undo, undo_record=record)

    async def _describe(self, window: Window) -> dict[str, Any]:
        return describe_window(window, await self._windows.displays())


def _make_undo(before: Window, now: Window) -> UndoRecord | None:
    """Return how a window gets back to how it was; None where it is as it was."""
    which = {"window": f"id={before.id}"}
    if (before.minimized, before.maximized) != (now.minimized, now.maximized):
        operation = "minimize" if before.minimized else "maximize" if before.maximized else "restore"
        guard = {"id": now.id, "pid": now.pid, "minimized": now.minimized, "maximized": now.maximized}
        return UndoRecord("desktop", operation, which, guard)
    if before.bounds != now.bounds:
        guard = {"id": now.id, "pid": now.pid, "bounds": now.bounds.describe()}
        return UndoRecord("desktop", "move_window", {**which, "bounds": before.bounds.describe()}, guard)
    return None


def _not_closed(window: Window, dialogs: list[Window]) -> DeviceError:
    asks = f" It asks: {', '.join(name_window(each) for each in dialogs)}." if dialogs else ""
    return DeviceError(
        f"The window {name_window(window)} was asked to close but is still open.{asks}",
        code="not_settled",
        hint="Answer its question, then try again."
        if dialogs
        else f"It had at least {FOLLOWS_S:g} s; check whether it hangs.",
        evidence={"window": describe_window(window), "dialogs": [describe_window(each) for each in dialogs]},
    )
