"""Mouse buttons on X11 while a window manager holds them up."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

pytest.importorskip("Xlib", reason="python-xlib is not installed")

from Xlib import X
from Xlib.display import Display

from actuators.base import Environment
from actuators.deadlines import Deadline, pause, settle
from actuators.desktop.ports.desktop import Direction
from actuators.desktop.x11.hands import X11Hands
from actuators.desktop.x11.windows import X11Windows
from fixtures.machine.desktop import PrivateDesktop
from fixtures.machine.recorder import Recorder

LOOK_AGAIN_S = 0.01
A_WHILE_S = 0.1


class SlowManager:
    """Holds every press up, as a window manager does that decides about the focus, until it is told to let it pass."""

    def __init__(self, display: str) -> None:
        """Take hold of the buttons."""
        self._display: Any = Display(display)
        root = self._display.screen().root
        for button in (1, 4):
            root.grab_button(
                button, X.AnyModifier, 0, X.ButtonPressMask, X.GrabModeSync, X.GrabModeAsync, X.NONE, X.NONE
            )
        self._display.sync()

    async def let_pass(self) -> None:
        """Wait for a press and let it pass."""

        async def is_held() -> bool:
            return bool(self._display.pending_events())

        assert await settle(is_held, lambda _: pause(LOOK_AGAIN_S), Deadline(5))
        self._display.next_event()
        self._display.allow_events(X.ReplayPointer, X.CurrentTime)
        self._display.sync()

    def close(self) -> None:
        """Let go of the buttons."""
        self._display.close()


@pytest.fixture
def environment(desk: PrivateDesktop) -> Environment:
    return Environment(platform="linux", variables=desk.environ)


@pytest.fixture
def recorder(desk: PrivateDesktop) -> Iterator[Recorder]:
    made = Recorder(desk.environ["DISPLAY"], "one")
    yield made
    made.close()


@pytest.fixture
async def place(environment: Environment, recorder: Recorder) -> AsyncIterator[tuple[int, int]]:
    """The middle of the recorder's window, once a click there would reach it."""
    windows = X11Windows(environment)

    async def is_there() -> bool:
        found = next((each for each in await windows.windows() if int(each.id, 16) == recorder.window), None)
        return found is not None and found.active and await windows.window_at(*found.bounds.center) == found

    assert await settle(is_there, windows.wait_for_change, Deadline(10))
    (window,) = await windows.windows()
    yield window.bounds.center
    await windows.close()


@pytest.fixture
def manager(desk: PrivateDesktop) -> Iterator[SlowManager]:
    made = SlowManager(desk.environ["DISPLAY"])
    yield made
    made.close()


@pytest.fixture
async def hands(environment: Environment, place: tuple[int, int]) -> AsyncIterator[X11Hands]:
    made = X11Hands(environment)
    await made.move_to(*place)
    yield made
    await made.close()


async def is_done_soon(task: "asyncio.Future[None]") -> bool:
    return bool((await asyncio.wait({task}, timeout=A_WHILE_S))[0])


async def test_a_button_is_up_only_when_its_press_was_let_pass(hands: X11Hands, manager: SlowManager):
    await hands.button_down("left")
    letting_go = asyncio.ensure_future(hands.button_up("left"))
    assert not await is_done_soon(letting_go)
    await manager.let_pass()
    await letting_go


@pytest.mark.parametrize(("direction", "button"), [("up", 4), ("right", 7)])
async def test_no_notch_is_lost(
    hands: X11Hands, manager: SlowManager, recorder: Recorder, direction: Direction, button: int
):
    turning = asyncio.ensure_future(hands.wheel(direction, 3))
    for _ in range(3 if button == 4 else 0):
        assert not await is_done_soon(turning)
        await manager.let_pass()
    await turning

    async def are_there() -> bool:
        return [each[0] for each in recorder.clicks] == [button] * 3

    assert await settle(are_there, lambda _: pause(LOOK_AGAIN_S), Deadline(5)), recorder.clicks


async def test_a_manager_that_lets_nothing_pass_is_not_waited_for_without_end(hands: X11Hands, manager: SlowManager):
    await hands.button_down("left")
    await asyncio.wait_for(hands.button_up("left"), 4)
    await manager.let_pass()
