"""Ordering windows about, and seeing that they follow."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from actuators.deadlines import Deadline
from actuators.desktop.finding.window_finding import describe_window, find_window, name_window, same_place
from actuators.desktop.ports.desktop import Rect, Window, WindowSystem
from core.base.errors import DeviceError

FOLLOWS_S = 3.0
"""How long a window manager gets to follow an order."""
_RESTS_S = 0.4
_STILL_S = 0.05
_ROUNDING_PX = 48  # a terminal rounds its size to whole characters

Settled = Callable[[Window], bool]

_STATES: Mapping[str, Settled] = {
    "minimize": lambda now: now.minimized,
    "maximize": lambda now: now.maximized and not now.minimized,
    "restore": lambda now: not (now.maximized or now.minimized),
}
"""What a window is like once it has followed an order."""


async def read_window(windows: WindowSystem, window: Window) -> Window:
    """Return a window as it is now; DeviceError ``window_missing`` if it has been closed."""
    return find_window(f"id={window.id}", await windows.windows())


async def order(
    windows: WindowSystem,
    window: Window,
    act: Callable[[Window], Awaitable[None]],
    settled: Settled,
    deadline: Deadline,
) -> Window:
    """Give an order about a window as it was last seen, and return the window once it has followed.

    Raises:
        DeviceError: ``not_settled`` if it hasn't in the time that managers need, ``window_missing`` if it is gone.
    """
    if settled(window):
        return window
    await act(window)
    end_s = min(deadline.elapsed_s + FOLLOWS_S, deadline.elapsed_s + deadline.remaining_s)
    while not settled(now := await read_window(windows, window)):
        left_s = end_s - deadline.elapsed_s
        if left_s <= 0:
            raise await _did_not_follow(windows, window, now)
        await windows.wait_for_change(left_s)
    return now


async def _did_not_follow(windows: WindowSystem, window: Window, now: Window) -> DeviceError:
    """Return the error, which names the dialog that has the focus and may be why."""
    others = [
        each for each in await windows.windows() if each.active and each.pid == window.pid and each.id != window.id
    ]
    asks = (
        f" {name_window(others[0])} of the same application has the focus and may need an answer first."
        if others
        else ""
    )
    return DeviceError(
        f"The window {name_window(window)} was told to change, but did not.{asks}",
        code="not_settled",
        hint="Answer or close that one first." if others else "Check whether it can do that, or is asking something.",
        evidence={
            "before": describe_window(window),
            "now": describe_window(now),
            "dialogs": [describe_window(each) for each in others],
        },
    )


async def reshape(windows: WindowSystem, window: Window, state: str, deadline: Deadline) -> Window:
    """Minimize, maximize or restore a window, and return it once it has its size; raises as ``order``.

    Managers announce that a window is maximized, or no longer, some moments before it is as large.
    """
    now = await order(windows, window, getattr(windows, state), _STATES[state], deadline)
    end_s, since_s = deadline.elapsed_s + min(_RESTS_S, deadline.remaining_s), deadline.elapsed_s
    # First it gets its place, then its size: it has both when it is no longer what it was, and has rested. One that
    # comes back from being minimized only has to rest.
    same = window.bounds if now.maximized != window.maximized else None
    while _comes_back(window, now) and deadline.elapsed_s < end_s:
        if now.bounds != same and deadline.elapsed_s - since_s > _STILL_S:
            break
        await windows.wait_for_change(_STILL_S)
        last, now = now, await read_window(windows, window)
        if now.bounds != last.bounds:
            since_s = deadline.elapsed_s
    return now


def _comes_back(before: Window, now: Window) -> bool:
    return now.maximized != before.maximized or (before.minimized and not now.minimized)


async def bring_forward(windows: WindowSystem, window: Window, deadline: Deadline) -> Window:
    """Give a window the focus; one that is minimized comes back for it. Raises as ``order``."""
    return await order(windows, window, windows.focus, lambda now: now.active and not now.minimized, deadline)


async def put(windows: WindowSystem, window: Window, bounds: Mapping[str, Any], deadline: Deadline) -> Window:
    """Place a window, by any of ``x``, ``y``, ``width``, ``height``, and return it as it then is; raises as ``order``.

    Its size may be rounded to its own steps.
    """
    if window.maximized or window.minimized:
        window = await reshape(windows, window, "restore", deadline)
    old = window.bounds
    wanted = replace(old, **bounds)
    if wanted == old:
        return window
    await windows.place(window, wanted)
    now = await _await_rest(windows, window, wanted, deadline)
    if (now.bounds.x, now.bounds.y) != (wanted.x, wanted.y) or not same_place(now.bounds, wanted, _ROUNDING_PX):
        raise DeviceError(
            f"The window {name_window(window)} did not move where it was told, but to {now.bounds.list_sides()}.",
            code="not_settled",
            hint="The window or its window manager limits place or size; ask for other bounds.",
            evidence={"asked": wanted.list_sides(), "before": old.list_sides(), "now": now.bounds.list_sides()},
        )
    return now


async def _await_rest(windows: WindowSystem, window: Window, wanted: Rect, deadline: Deadline) -> Window:
    """Return a window once it is where it shall be, or has moved and then rested, or the time is up."""
    end_s = deadline.elapsed_s + min(FOLLOWS_S, deadline.remaining_s)
    last, since_s = window, deadline.elapsed_s
    while (now := await read_window(windows, window)).bounds != wanted and deadline.elapsed_s < end_s:
        if now.bounds != last.bounds:
            last, since_s = now, deadline.elapsed_s
        elif now.bounds != window.bounds and deadline.elapsed_s - since_s > _RESTS_S:
            break
        await windows.wait_for_change(_RESTS_S / 4)
    return now
