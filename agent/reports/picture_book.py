"""The pictures of a run, made small enough that all of them together fit into one file that can be sent by mail."""

import base64
import io
import re
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from PIL import Image

PictureKind = Literal["before", "after", "failed"]

MOST_BYTES = 12 * 1024 * 1024
"""Bytes of all pictures of a report together, before they are written as text, which takes a third more."""

LARGEST_FILE = 32 * 1024 * 1024
_MOST_PIXELS = 64_000_000
_SIZES = ((1280, 72), (1280, 55), (960, 55), (720, 50), (560, 45), (400, 40))
"""Widths in pixels and qualities that are tried one after the other until a picture has the bytes that it may have."""

_NAME = re.compile(r"(?P<action>[A-Za-z0-9_.-]+?)(?:\.(?P<when>before|after))?\.(?:jpg|png)")
_FAULTS = (OSError, ValueError, SyntaxError, Image.DecompressionBombError, Image.DecompressionBombWarning)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as a report has it.

    Attributes:
        kind: When it was taken.
        data: The picture itself, as an address.
        width: In pixels, as it is shown.
        height: Likewise.
    """

    kind: PictureKind
    data: str
    width: int
    height: int


class PictureBook:
    """Finds the pictures of runs in their folders; gives each the bytes that are its share."""

    def __init__(self, folders: Iterable[Path], most_bytes: int = MOST_BYTES) -> None:
        """Look what is there; read nothing yet.

        Args:
            folders: Of the runs, ``artifacts/<run>``; one that isn't there has no pictures.
            most_bytes: Bytes of all pictures together.
        """
        self._files: dict[tuple[str, str], dict[PictureKind, Path]] = {}
        for folder in folders:
            for path in _list_pictures(folder):
                self._note(folder.name, path)
        self._left = sum(map(len, self._files.values()))
        self._left_bytes = most_bytes
        self.left_out = 0

    def find(self, run_id: str, action_id: str) -> Mapping[PictureKind, Picture]:
        """Return the pictures of a step, made small; what can't be read as a picture is left out and counted.

        Args:
            run_id: The run.
            action_id: The step.
        """
        found: dict[PictureKind, Picture] = {}
        files = self._files.pop((run_id, action_id), {})
        for kind in sorted(files):
            share = self._left_bytes // max(1, self._left)
            self._left -= 1
            packed = _pack(files[kind], share)
            if packed is None:
                self.left_out += 1
                continue
            content, (width, height) = packed
            self._left_bytes -= len(content)
            data = f"data:image/jpeg;base64,{base64.b64encode(content).decode()}"
            found[kind] = Picture(kind, data, width, height)
        return found

    def _note(self, run_id: str, path: Path) -> None:
        if named := _NAME.fullmatch(path.name):
            kind: PictureKind = "before" if named["when"] == "before" else "after" if named["when"] else "failed"
            self._files.setdefault((run_id, named["action"]), {})[kind] = path


def _list_pictures(folder: Path) -> list[Path]:
    """Return the files of a run's folder, in order; a link may lead anywhere, and is none."""
    try:
        return sorted(each for each in folder.iterdir() if each.is_file() and not each.is_symlink())
    except OSError:
        return []


def _pack(path: Path, most_bytes: int) -> tuple[bytes, tuple[int, int]] | None:
    """Return a picture as a JPEG file's content of so many bytes at most, and its size; None where it can't be read or doesn't fit."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            return None
        content = path.read_bytes()
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(content), formats=("JPEG", "PNG")) as picture:
                if picture.width * picture.height > _MOST_PIXELS:
                    return None
                picture.load()
                is_ready = picture.format == "JPEG" and picture.width <= _SIZES[0][0]
                if is_ready and len(content) <= most_bytes:
                    return content, picture.size
                return _shrink(picture.convert("RGB"), most_bytes)
    except _FAULTS:
        return None


def _shrink(picture: Image.Image, most_bytes: int) -> tuple[bytes, tuple[int, int]] | None:
    for width, quality in _SIZES:
        shown = picture
        if picture.width > width:
            shown = picture.resize((width, max(1, round(picture.height * width / picture.width))))
        packed = io.BytesIO()
        shown.save(packed, "JPEG", quality=quality, optimize=True)
        if packed.tell() <= most_bytes:
            return packed.getvalue(), shown.size
    return None
