"""Writing pictures and prints to new files, and reading back what was written."""

import hashlib
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

from actuators.clipboard.ports import PictureClipboard
from core.base.errors import ActionError, InputError, UnsupportedError
from core.base.late_dataclasses import dataclass
from core.results.tool_results import ToolOutcome


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A file as it was read back."""

    path: str
    size: int
    sha256: str
    width_px: int = 0
    height_px: int = 0


def write_new_file(path: Path, content: bytes) -> WrittenFile:
    """Write a file that must not exist yet, and read it back; ActionError if it exists already or can't be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(content)
        written = path.read_bytes()
    except FileExistsError:
        hint = "Choose another name; nothing is overwritten."
        raise ActionError(
            f"{path} already exists.", code="file_exists", hint=hint, evidence={"path": str(path)}
        ) from None
    except OSError as error:
        hint = "Choose a folder you can write to."
        raise ActionError(f"{path} can't be written: {error.strerror}.", code="file_not_written", hint=hint) from error
    width_px, height_px = measure_picture(written)
    return WrittenFile(str(path), len(written), hashlib.sha256(written).hexdigest(), width_px, height_px)


def find_free_path(folder: Path, stem: str, suffix: str) -> Path:
    """Return a path in a folder at which nothing is yet; numbered where the name is taken."""
    path = folder / f"{stem}{suffix}"
    number = 1
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}{suffix}"
    return path


def measure_picture(content: bytes) -> tuple[int, int]:
    """Return width and height of a PNG or JPEG in pixels; zeros for anything else."""
    pictures: Any = import_module("PIL.Image")  # late: most that read a page take no picture
    try:
        return pictures.open(BytesIO(content), formats=("PNG", "JPEG")).size
    except pictures.UnidentifiedImageError:
        return 0, 0


def refuse_path(path: str | None) -> None:
    """Refuse a path for a picture that goes on the clipboard."""
    if path is not None:
        raise InputError("path and to: clipboard can't be combined.", hint="Leave path out, or leave to out.")


async def copy_picture(clipboard: PictureClipboard | None, png: bytes, url: str) -> ToolOutcome:
    """Put a picture on the clipboard; UnsupportedError without one here, DeviceError if it isn't there in the end."""
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
