"""The trash as freedesktop.org describes it (Trash specification 1.0): of the home folder, and of other volumes."""

import contextlib
import errno
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import datetime
from pathlib import PurePath
from urllib.parse import quote, unquote

from actuators.base import Availability
from actuators.files.ports import FilePlace, FileStore, Folder, Trashed
from actuators.files.stores.failures import explain_failure, refuse
from actuators.files.stores.temporary_names import bears_mark, find_folder, make_temporary_name, open_private_folder
from core.base.errors import FileError
from core.base.late_dataclasses import dataclass
from core.base.phrases import escape_text

_MOST_NAMES = 10_000
_LONGEST_BYTES = 220
"""File systems take 255 bytes; a number and the ending of a record must find room as well."""


def propose_names(name: str, joint: str) -> Iterator[str]:
    """Yield names to try, one after the other: its own, then numbered ones; a long name is cut."""
    pure, dot, end = name.rpartition(".")
    stem, ending = (pure, f".{end}") if dot and pure and len(end) <= _LONGEST_BYTES // 8 else (name, "")
    room = _LONGEST_BYTES - len(ending.encode("utf-8", "surrogateescape"))
    if len(stem.encode("utf-8", "surrogateescape")) > room:
        stem = stem.encode("utf-8", "surrogateescape")[:room].decode("utf-8", "ignore")
    for number in range(1, _MOST_NAMES):
        yield f"{stem}{joint}{number}{ending}" if number > 1 else f"{stem}{ending}"


_INFO = ".trashinfo"
_MARK = "X-Surehand-Mark"  # others pass over lines that they don't know
_NO_CAN = frozenset([errno.EXDEV, errno.EROFS, errno.EACCES, errno.EPERM])
_STICKY = 0o1000
_MOST_INFO_BYTES = 65_536


class XdgTrash:
    """The trash cans of one user."""

    def __init__(self, store: FileStore, data_home: str, user_id: int) -> None:
        """Remember where they are, below ``$XDG_DATA_HOME`` or ``~/.local/share``; nothing is made before something is deleted."""
        self._store = store
        self._home = f"{data_home}/Trash" if data_home else ""
        self._user_id = user_id

    def assess(self) -> Availability:
        """Say whether there is a home folder to have one in."""
        if not self._home:
            return Availability("trash", available=False, reason="no home folder found", remedy="Set HOME.")
        return Availability("trash", available=True, reason=f"the trash is {self._home}")

    def put(self, spot: FilePlace, mark: str) -> Trashed:
        """Put something into the trash of its volume."""
        path = str(self._store.flavour(spot.folder.path) / spot.name)
        with ExitStack() as held:
            try:
                can, top = self._choose(held, spot, path)
            except OSError as error:
                if error.errno in _NO_CAN:
                    raise refuse_trash(path, error.strerror or str(error)) from error
                raise explain_failure(error, "look for the trash of", path) from error
            try:
                return self._put(held, can, (spot, path, mark), top)
            except OSError as error:
                if error.errno == errno.EXDEV:
                    raise refuse_trash(path, error.strerror or str(error)) from error
                raise explain_failure(error, "put into the trash", path) from error

    def find(self, original: str) -> list[Trashed]:
        """Return what lies there from the folder that a path is in, the latest first."""
        parent = original.rpartition("/")[0]
        with ExitStack() as held:
            found = [
                (each, written_ns)
                for can, top in self._list_cans(held, original)
                for each, written_ns in self._read_can(can, top)
                if each.original.rpartition("/")[0] == parent
            ]
        return [each for each, _ in sorted(found, key=lambda pair: (pair[0].deleted, pair[1]), reverse=True)]

    def take_out(self, trashed: Trashed, spot: FilePlace) -> None:
        """Bring something back."""
        place = self._store.flavour(trashed.place)
        with ExitStack() as held:
            files = find_folder(self._store, held, str(place.parent))
            info = find_folder(self._store, held, str(place.parent.parent / "info"))
            noted = _read_info(info, f"{place.name}{_INFO}") if info else None
            is_same = noted and noted.deleted == trashed.deleted and f"/{trashed.original}".endswith(f"/{noted.path}")
            if files is None or info is None or not is_same:
                hint = "It was restored, or the trash was emptied."
                raise refuse(trashed.original, "is no longer in the trash", hint, code="not_found", place=trashed.place)
            files.rename(place.name, spot.folder, spot.name, replace=False)
            spot.folder.sync()
            info.remove(f"{place.name}{_INFO}")

    def sweep(self, original: str, mark: str) -> None:
        """Remove what a death in the middle left."""
        with ExitStack() as held:
            for can, top in self._list_cans(held, original):
                self._sweep(can, top, original, mark)

    def _sweep(self, can: Folder, top: str, original: str, mark: str) -> None:
        try:
            info, files = can.descend("info"), can.descend("files")
        except FileNotFoundError:
            return
        with info, files:
            present = set(files.names())
            for name in info.names():
                if bears_mark(name, mark):
                    info.remove(name)
                elif name.endswith(_INFO) and name.removesuffix(_INFO) not in present:
                    note = _read_info(info, name)
                    if note and mark in {note.mark, note.deleted} and self._place(top, note) == original:
                        info.remove(name)

    def _place(self, top: str, note: "_TrashInfo") -> str:
        return str(self._store.flavour(top) / note.path) if top else note.path

    def _put(self, held: ExitStack, can: Folder, what: tuple[FilePlace, str, str], top: str) -> Trashed:
        spot, path, mark = what
        info, files = (_open_or_make(held, can, name) for name in ("info", "files"))
        deleted = datetime.now().astimezone().replace(tzinfo=None).isoformat(timespec="seconds")
        written = str(self._store.flavour(path).relative_to(top)) if top else path
        quoted = quote(written.encode("utf-8", "surrogateescape"))
        content = f"[Trash Info]\nPath={quoted}\nDeletionDate={deleted}\n{_MARK}={mark}\n"
        name = _reserve(info, spot.name, content.encode(), mark)
        try:
            spot.folder.rename(spot.name, files, name, replace=False)
            files.sync()
        except BaseException:
            info.remove(f"{name}{_INFO}")
            raise
        place = str(self._store.flavour(can.path) / "files" / name)
        return Trashed(original=path, place=place, deleted=deleted, mark=files.state(name).identity)

    def _choose(self, held: ExitStack, spot: FilePlace, path: str) -> tuple[Folder, str]:
        """Return the can of a volume, and its top folder if it isn't that of the home folder."""
        volume = spot.folder.state().volume
        if self._home:
            home = open_private_folder(self._store, held, self._home)
            if home.state().volume == volume:
                return home, ""
        top = self._find_top(held, self._store.flavour(path).parent, volume)
        folder = find_folder(self._store, held, top)
        if folder is None or top == self._store.flavour(path).anchor == str(self._store.flavour(path).parent):
            raise refuse_trash(path, "its volume has none")
        return self._open_can(held, folder) or _open_or_make(held, folder, f".Trash-{self._user_id}"), top

    def _open_can(self, held: ExitStack, top: Folder) -> Folder | None:
        """Open what an administrator made for all users; it must be a real folder with the sticky bit."""
        try:
            state = top.state(".Trash")
            if state.kind != "folder" or not state.mode & _STICKY:
                return None
            return _open_or_make(held, held.enter_context(top.descend(".Trash")), str(self._user_id))
        except OSError:
            return None

    def _find_top(self, held: ExitStack, folder: PurePath, volume: str) -> str:
        for above in folder.parents:
            found = find_folder(self._store, held, str(above))
            if found is None or found.state().volume != volume:
                return str(folder)
            folder = above
        return str(folder)

    def _list_cans(self, held: ExitStack, original: str) -> Iterator[tuple[Folder, str]]:
        if self._home and (home := find_folder(self._store, held, self._home)):
            yield home, ""
        for above in self._store.flavour(original).parents:
            for name in (f".Trash-{self._user_id}", f".Trash/{self._user_id}"):
                if can := find_folder(self._store, held, str(above / name)):
                    yield can, str(above)

    def _read_can(self, can: Folder, top: str) -> Iterator[tuple[Trashed, int]]:
        """Yield what lies there, and when that was written down: dates have no more than seconds."""
        try:
            info, files = can.descend("info"), can.descend("files")
        except OSError:
            return
        with info, files:
            present = set(files.names())
            for name in info.names():
                stem = name.removesuffix(_INFO)
                if name.endswith(_INFO) and stem in present and (note := _read_info(info, name)):
                    original = self._place(top, note)
                    place = f"{can.path}/files/{stem}"
                    yield Trashed(original=original, place=place, deleted=note.deleted, mark=""), note.written_ns


def _open_or_make(held: ExitStack, folder: Folder, name: str) -> Folder:
    try:
        return held.enter_context(folder.descend(name))
    except FileNotFoundError:
        folder.make(name, private=True)
        return held.enter_context(folder.descend(name))


def _reserve(info: Folder, name: str, content: bytes, mark: str) -> str:
    """Write the information under a name that is free, whole from the first moment; return that name."""
    temporary = make_temporary_name(mark)
    with closing(info.create(temporary, private=True)) as file:
        file.stream.write(content)
        file.sync()
    try:
        for free in propose_names(name, "."):
            with contextlib.suppress(FileExistsError):
                info.rename(temporary, info, f"{free}{_INFO}", replace=False)
                info.sync()
                return free
        raise FileExistsError(errno.EEXIST, "The trash has too many files with that name", name)
    except BaseException:
        with contextlib.suppress(OSError):
            info.remove(temporary)
        raise


@dataclass(frozen=True, slots=True)
class _TrashInfo:
    """What the information of something in the trash says; the path is below its volume, or whole."""

    path: str
    deleted: str
    written_ns: int
    mark: str


def _read_info(info: Folder, name: str) -> _TrashInfo | None:
    try:
        file = info.open(name)
    except OSError:
        return None
    with closing(file):
        content = file.stream.read(_MOST_INFO_BYTES).decode("utf-8", "replace")
        written_ns = file.state().modified_ns
    fields = dict(line.split("=", 1) for line in content.splitlines() if "=" in line)
    path = unquote(fields.get("Path", ""), errors="surrogateescape")
    return _TrashInfo(path, fields.get("DeletionDate", ""), written_ns, fields.get(_MARK, "")) if path else None


def refuse_trash(path: str, why: str) -> FileError:
    """Return the refusal of what no trash takes, and why."""
    return FileError(
        f"No trash for “{escape_text(path)}”: {escape_text(why)}.",
        code="no_trash",
        hint="Move it elsewhere, or delete it permanently with file.purge.",
        evidence={"path": path},
    )
