"""The pictures of a run, made small enough that all of them together fit into one file that can be sent by mail."""

import base64
import io
import re
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

from PIL import Image

from core.base.late_dataclasses import dataclass

PictureKind = Literal["before", "after", "failed"]

MOST_BYTES = 12 * 1024 * 1024
"""Bytes of all pictures of a report together, before they are written as text, which takes a third more."""

LARGEST_FILE = 32 * 1024 * 1024
_MOST_PIXELS = 64_000_000
_SIZES = ((1280, 72), (1280, 55), (960, 55), (720, 50), (560, 45), (400, 40))
"""Widths in pixels and qualities that are tried one after the other until a picture has the bytes that it may have."""

_Packed = tuple[bytes, tuple[int, int], int]
"""Content of a JPEG file, its width and height in pixels, and which of the sizes it has."""

_NAME = re.compile(r"(?P<action>[A-Za-z0-9_.-]+?)(?:\.(?P<when>before|after))?\.(?:jpg|png)")
_FAULTS = (OSError, ValueError, SyntaxError, Image.DecompressionBombError, Image.DecompressionBombWarning)


@dataclass(frozen=True, slots=True)
class ReportPicture:
    """A picture as a report has it.

    Attributes:
        width: In pixels, as it is shown.
    """

    kind: PictureKind
    data: str
    width: int
    height: int


class PictureBook:
    """Finds the pictures of runs in their folders; gives each the bytes that are its share."""

    def __init__(self, folders: Iterable[Path], most_bytes: int = MOST_BYTES) -> None:
        self._files: dict[tuple[str, str], dict[PictureKind, Path]] = {}
        for folder in folders:
            for path in _list_pictures(folder):
                self._note(folder.name, path)
        self._left = sum(map(len, self._files.values()))
        self._left_bytes = most_bytes
        self._level = 0
        self.left_out = 0

    def find(self, run_id: str, action_id: str) -> Mapping[PictureKind, ReportPicture]:
        """Return the pictures of a step, made small; what can't be read as a picture is left out and counted."""
        found: dict[PictureKind, ReportPicture] = {}
        files = self._files.pop((run_id, action_id), {})
        for kind in sorted(files):
            share = self._left_bytes // max(1, self._left)
            self._left -= 1
            packed = _pack(files[kind], share, self._level)
            if packed is None:
                self.left_out += 1
                self._level = len(_SIZES) - 1
                continue
            content, (width, height), level = packed
            self._level = max(0, level - (len(content) < share / 2))  # the next one is most likely as large
            self._left_bytes -= len(content)
            data = f"data:image/jpeg;base64,{base64.b64encode(content).decode()}"
            found[kind] = ReportPicture(kind, data, width, height)
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


def _pack(path: Path, most_bytes: int, level: int) -> _Packed | None:
    try:
        if path.stat().st_size > LARGEST_FILE:
            return None
        content = path.read_bytes()
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(content), formats=("JPEG", "PNG")) as picture:
                if picture.width * picture.height > _MOST_PIXELS:
                    return None
                is_ready = picture.format == "JPEG" and picture.width <= _SIZES[0][0]
                if is_ready and len(content) <= most_bytes:
                    picture.load()
                    return content, picture.size, 0
                size = picture.size
                picture.draft("RGB", _fit(size, _SIZES[level][0]))
                return _shrink(picture.convert("RGB"), size, most_bytes, level)
    except _FAULTS:
        return None


def _shrink(picture: Image.Image, size: tuple[int, int], most_bytes: int, level: int) -> _Packed | None:
    for number, (width, quality) in enumerate(_SIZES[level:], start=level):
        shown_size = _fit(size, width)
        shown = (
            picture
            if picture.size == shown_size
            else picture.resize(shown_size, Image.Resampling.BILINEAR, reducing_gap=2.0)
        )
        packed = io.BytesIO()
        shown.save(packed, "JPEG", quality=quality)
        if packed.tell() <= most_bytes:
            return packed.getvalue(), shown.size, number
    return None


def _fit(size: tuple[int, int], width_px: int) -> tuple[int, int]:
    shown_px = min(width_px, size[0])
    return shown_px, max(1, round(size[1] * shown_px / size[0]))
