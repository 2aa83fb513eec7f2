"""Pictures of the screen as PNG files: packed, written to a new file, and read back."""

import hashlib
import os
import struct
import zlib
from contextlib import suppress
from pathlib import Path

from actuators.desktop.ports.desktop import Picture
from core.base.errors import FileError

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_LEVEL = 3  # screens pack well; more effort takes longer than it saves


def pack_png(picture: Picture) -> bytes:
    """Return a picture as a PNG file's content."""
    stride = picture.width * 3
    rows = (b"\0" + picture.rgb[start : start + stride] for start in range(0, len(picture.rgb), stride))
    header = struct.pack(">IIBBBBB", picture.width, picture.height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(b"".join(rows), _LEVEL)), (b"IEND", b""))
    return _SIGNATURE + b"".join(_make_chunk(name, content) for name, content in parts)


def write_new(path: Path, content: bytes) -> str:
    """Write a file that must not exist yet, or an error by its code; return the SHA-256 of what was read back."""
    try:
        with path.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except FileExistsError:
        raise _fail(path, "already_exists", "already exists", "Choose another name; nothing is overwritten.") from None
    except FileNotFoundError:
        hint = "Create the folder first, or choose another path."
        raise _fail(path, "not_found", "can't be created, because its folder does not exist", hint) from None
    except PermissionError:
        raise _fail(
            path, "no_permission", "can't be written: permission denied", "Choose a folder you can write to."
        ) from None
    except OSError as error:
        with suppress(OSError):
            path.unlink()
        raise _fail(
            path, "no_space", f"can't be written: {error.strerror}", "Free some space, or choose another disk."
        ) from error


def find_free_path(folder: Path, stem: str) -> Path:
    """Return a path in a folder, which is made, at which nothing is yet; numbered where the name is taken."""
    folder.mkdir(parents=True, exist_ok=True)
    path, number = folder / f"{stem}.png", 1
    while os.path.lexists(path):
        number += 1
        path = folder / f"{stem}-{number}.png"
    return path


def _make_chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def _fail(path: Path, code: str, why: str, hint: str) -> FileError:
    return FileError(f"{path} {why}.", code=code, hint=hint, evidence={"path": str(path)})
