"""pyautogui, imported when it is first needed, with its fail-safe on and bound to the right display."""

import atexit
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from actuators.desktop.ports.guarding import fail_safe
from actuators.desktop.x11.connection import close_quietly
from core.base.errors import UnsupportedError

BUTTON_NUMBERS = {"left": 1, "middle": 2, "right": 3}


def load_pyautogui(display: str) -> Any:
    """Return pyautogui, bound to a display.

    It binds itself to the display of the process when it is imported, for good.

    Args:
        display: As ``DISPLAY`` names it.

    Raises:
        UnsupportedError: If it is bound to another display, or can't be bound to any.
    """
    pyautogui: Any = sys.modules.get("pyautogui") or _import(display)
    bound = get_connection(pyautogui).get_display_name()
    if _trim(bound) != _trim(display):
        raise _refuse(display, bound)
    pyautogui.PAUSE = 0
    return pyautogui


def get_connection(pyautogui: Any) -> Any:
    """Return the connection that pyautogui keeps for itself."""
    return vars(pyautogui.platformModule)["_display"]


def _import(display: str) -> Any:
    try:
        with _hiding("mouseinfo", "pyscreeze"):
            pyautogui = import_module("pyautogui")
    except KeyError:
        raise _refuse(display, "none, because the process has no DISPLAY") from None
    atexit.register(close_quietly, get_connection(pyautogui))
    return pyautogui


@contextmanager
def _hiding(*modules: str) -> Generator[None, None, None]:
    """Let modules that are optional to the library, and of no use here, not be found while it is imported.

    The one asks for tkinter, which may be missing; the other starts programs to find out which are installed.
    """
    hidden = [name for name in modules if name not in sys.modules]
    blocked: dict[str, Any] = dict.fromkeys(hidden)
    sys.modules.update(blocked)
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]


def get_act(pyautogui: Any, name: str) -> Callable[..., None]:
    """Return what pyautogui does on X11; its public functions ask five times more where the pointer is."""
    return vars(pyautogui.platformModule)[name]


def check_fail_safe(pyautogui: Any, act: Callable[[tuple[int, int]], None]) -> None:
    """Do something with the pointer's place unless that is a corner.

    Raises:
        ActionError: ``fail_safe``.
    """
    x, y = pyautogui.position()
    if (x, y) in pyautogui.FAILSAFE_POINTS:
        raise fail_safe(x, y)
    try:
        act((x, y))
    except pyautogui.FailSafeException:
        raise fail_safe(*pyautogui.position()) from None


def _trim(display: str) -> str:
    return display.removeprefix("unix").removesuffix(".0")


def _refuse(display: str, bound: str) -> UnsupportedError:
    return UnsupportedError(
        f"Pointer and keys of this process are bound to the display {bound}, not to {display}.",
        hint="Start the process with DISPLAY set to the right display.",
        evidence={"display": display, "bound": bound},
    )
