"""Putting a picture of a page on the clipboard, and reading it back from there."""

import hashlib
from typing import Any

from actuators.browser.saved.picture_files import measure_picture
from actuators.clipboard.ports import PictureClipboard
from core.base.errors import InputError, UnsupportedError
from core.results.tool_results import ToolOutcome


def refuse_path(path: str | None) -> None:
    """Refuse a path for a picture that goes on the clipboard.

    Raises:
        InputError: If one is given.
    """
    if path is not None:
        raise InputError("path and to: clipboard can't be combined.", hint="Leave path out, or leave to out.")


async def copy_picture(clipboard: PictureClipboard | None, png: bytes, url: str) -> ToolOutcome:
    """Put a picture on the clipboard.

    Args:
        clipboard: The clipboard; None where pictures can't be put on it.

    Raises:
        UnsupportedError: If there is no clipboard for pictures here; nothing is on it then.
        DeviceError: If the picture isn't there in the end.
    """
    if clipboard is None:
        raise UnsupportedError("This system's clipboard does not accept pictures.", hint="Save it to a file.")
    found = clipboard.assess()
    if not found.available:
        raise UnsupportedError(
            f"The clipboard can't be used: {found.reason}.", hint=found.remedy or "Save it to a file."
        )
    await clipboard.write_picture(png)
    kept = await clipboard.read_picture()
    width_px, height_px = measure_picture(png)
    output: dict[str, Any] = {"path": None, "width_px": width_px, "height_px": height_px}
    evidence = {"size": len(kept or b""), "sha256": hashlib.sha256(kept or b"").hexdigest(), "url": url}
    effect = "confirmed" if kept == png else "unverified"
    return ToolOutcome(output, effect, evidence, undo="The earlier content of the clipboard is gone.")
