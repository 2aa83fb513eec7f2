"""The recycle bin of Windows, by the shell. Unproven: no bin was there where this could be run. Windows only."""

import struct
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from actuators.base import Availability
from actuators.files.ports import FilePlace, FileStore, Folder, Trashed
from actuators.files.stores.temporary_names import find_folder
from core.base.errors import FileError, UnknownOutcomeError
from core.base.phrases import escape_text

if sys.platform != "win32":
    raise ImportError("the recycle bin is a part of Windows")

_BIN = "$Recycle.Bin"
# No window, no question, recycle or fail; FOFX_RECYCLEONDELETE instead of removing what doesn't fit.
_FLAGS = 0x0004 | 0x0010 | 0x0400 | 0x0040 | 0x0008_0000
_WINDOWS_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)


class WindowsBin:
    """The recycle bins of all volumes, as this user sees them."""

    def __init__(self, store: FileStore, home: str) -> None:
        """Remember where to look; the home folder's volume speaks for all in ``assess``."""
        self._store = store
        self._home = home

    def assess(self) -> Availability:
        """Say whether the home folder's volume has a bin, and the shell can be asked."""
        if find_spec("pythoncom") is None:
            remedy = "Install Surehand with its extra: surehand[desktop]."
            return Availability("trash", available=False, reason="pywin32 is not installed", remedy=remedy)
        with ExitStack() as held:
            if not self._home or self._find_bin(held, self._home) is None:
                return Availability("trash", available=False, reason="the volume of the home folder has no recycle bin")
        return Availability("trash", available=True, reason="the shell's recycle bin")

    def put(self, spot: FilePlace, mark: str) -> Trashed:
        """Put something into the bin of its volume, and look whether it is there."""
        del mark
        path = str(self._store.flavour(spot.folder.path) / spot.name)
        with ExitStack() as held:
            if find_spec("pythoncom") is None or self._find_bin(held, path) is None:
                raise FileError(
                    f"No recycle bin for “{escape_text(path)}”.",
                    code="no_trash",
                    hint="Move it elsewhere, or delete it permanently with file.purge.",
                    evidence={"path": path},
                )
        _recycle(path)
        if spot.state() is not None:
            raise FileError(f"The shell did not put “{escape_text(path)}” into the recycle bin.", code="no_trash")
        found = [each for each in self.find(path) if each.original.casefold() == path.casefold()]
        if not found:
            raise UnknownOutcomeError(
                f"“{escape_text(path)}” is gone, but the recycle bin does not show it.",
                hint="Open the recycle bin and check.",
                evidence={"path": path},
            )
        return found[0]

    def find(self, original: str) -> list[Trashed]:
        """Return what lies there from the folder that a path is in, the latest first."""
        parent = self._store.flavour(original).parent
        with ExitStack() as held:
            folder = self._find_bin(held, original)
            found = [] if folder is None else list(self._read(held, folder))
        near = [each for each in found if self._store.flavour(each.original).parent == parent]
        return sorted(near, key=lambda each: each.deleted, reverse=True)

    def take_out(self, trashed: Trashed, spot: FilePlace) -> None:
        """Bring something back."""
        place = self._store.flavour(trashed.place)
        with ExitStack() as held:
            folder = find_folder(self._store, held, str(place.parent))
            if folder is None:
                raise FileNotFoundError(2, "The recycle bin is missing", trashed.place)
            folder.rename(place.name, spot.folder, spot.name, replace=False)
            folder.remove(f"$I{place.name[2:]}")

    def sweep(self, original: str, mark: str) -> None:
        """Leave it to the shell, which keeps its notes itself."""
        del original, mark

    def _find_bin(self, held: ExitStack, path: str) -> Folder | None:
        return find_folder(self._store, held, str(self._store.flavour(self._store.flavour(path).anchor) / _BIN))

    def _read(self, held: ExitStack, folder: Folder) -> Iterator[Trashed]:
        for owner in folder.names():
            try:
                own = held.enter_context(folder.descend(owner))
                names = set(own.names())
            except OSError:
                continue  # that of another user
            for name in sorted(names):
                if name.startswith("$I") and f"$R{name[2:]}" in names and (read := _read_note(own, name)):
                    place = str(self._store.flavour(own.path) / f"$R{name[2:]}")
                    yield Trashed(
                        original=read[0], place=place, deleted=read[1], mark=own.state(f"$R{name[2:]}").identity
                    )


def _read_note(folder: Folder, name: str) -> tuple[str, str] | None:
    """Return where something was and when it was deleted, from a ``$I`` file of version 1 or 2."""
    try:
        file = folder.open(name)
    except OSError:
        return None
    with closing(file):
        data = file.stream.read(65_536)
    if len(data) < 28:
        return None
    version, _, stamp = struct.unpack_from("<qqq", data)
    path = data[28:] if version == 2 else data[24:]
    deleted = (_WINDOWS_EPOCH + timedelta(microseconds=stamp // 10)).astimezone().replace(tzinfo=None)
    return path.decode("utf-16-le", "replace").partition("\0")[0], deleted.isoformat(timespec="milliseconds")


def _recycle(path: str) -> None:
    pythoncom: Any = import_module("pythoncom")
    shell: Any = import_module("win32com.shell.shell")
    pythoncom.CoInitialize()
    try:
        operation = pythoncom.CoCreateInstance(
            shell.CLSID_FileOperation, None, pythoncom.CLSCTX_ALL, shell.IID_IFileOperation
        )
        operation.SetOperationFlags(_FLAGS)
        operation.DeleteItem(shell.SHCreateItemFromParsingName(path, None, shell.IID_IShellItem), None)
        operation.PerformOperations()
    except pythoncom.com_error as error:
        raise OSError(0, f"the shell refused: {error}", path) from error
    finally:
        pythoncom.CoUninitialize()
