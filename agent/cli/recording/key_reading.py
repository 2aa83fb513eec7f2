"""Single keys from the terminal, while something else goes on."""

import asyncio
import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress

if sys.platform != "win32":
    import termios
    import tty

ACCEPTING, SKIPPING, ENDING = "e\r\n", "s", "q\x04"
"""Keys of somebody who records: for an expectation, against it, and to end."""


@contextmanager
def hear_keys(hear: Callable[[str], None], *, is_wanted: bool) -> Generator[None]:
    """Tell each key that is pressed at the terminal; its settings are as before afterwards.

    Args:
        hear: Told the key's character.
    """
    if not is_wanted or sys.platform == "win32":
        yield
        return
    loop, number = asyncio.get_running_loop(), sys.stdin.fileno()

    def read() -> None:
        try:
            keys = os.read(number, 64)
        except OSError:
            keys = b""
        if not keys:  # the terminal is gone
            loop.remove_reader(number)
        for key in keys.decode("utf-8", "ignore"):
            hear(key)

    before = termios.tcgetattr(number)
    tty.setcbreak(number)
    loop.add_reader(number, read)
    try:
        yield
    finally:
        loop.remove_reader(number)
        with suppress(termios.error):  # the terminal is gone
            termios.tcsetattr(number, termios.TCSADRAIN, before)
