"""pyautogui, imported when it is first needed, with its fail-safe on and bound to the right display."""

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

from actuators.desktop.guarding import fail_safe
from core.errors import UnsupportedError

BUTTON_NUMBERS = {"left": 1, "middle": 2, "right": 3}


def load_pyautogui(display: str) -> Any:
    """Return pyautogui, bound to a display.

    It binds itself to the display of the process when it is imported, for good.

    Args:
        display: As ``DISPLAY`` names it.

    Raises:
        UnsupportedError: If it is bound to another display, or can't be bound to any.
    """
    # It asks for tkinter, which may be missing, for a window that is never opened here.
    sys.modules.setdefault("mouseinfo", ModuleType("mouseinfo"))
    try:
        pyautogui = import_module("pyautogui")
    except KeyError:
        raise _refuse(display, "none, since the process has no DISPLAY") from None
    bound = vars(pyautogui.platformModule)["_display"].get_display_name()
    if _trim(bound) != _trim(display):
        raise _refuse(display, bound)
    pyautogui.PAUSE = 0
    return pyautogui


def check_fail_safe(pyautogui: Any, act: Callable[[], None]) -> None:
    """Do something unless the pointer is in a corner.

    Raises:
        ActionError: ``fail_safe``.
    """
    try:
        act()
    except pyautogui.FailSafeException:
        x, y = pyautogui.position()
        raise fail_safe(x, y) from None


def _trim(display: str) -> str:
    return display.removeprefix("unix").removesuffix(".0")


def _refuse(display: str, bound: str) -> UnsupportedError:
    return UnsupportedError(
        f"Pointer and keys of this process are bound to the display {bound}, not to {display}.",
        hint="Start the process with DISPLAY set to the display that it shall use.",
        evidence={"display": display, "bound": bound},
    )
