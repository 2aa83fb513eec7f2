"""The trash of macOS: a folder that keeps no record of where things were, so that ours is kept beside it. Unproven."""

import errno
import json
from contextlib import ExitStack, closing
from datetime import datetime

from actuators.base import Availability
from actuators.files.ports import FilePlace, FileStore, Folder, Trashed
from actuators.files.stores.failures import explain_failure
from actuators.files.stores.temporary_names import bears_mark, find_folder, make_temporary_name, open_private_folder
from actuators.files.trash.xdg_trash import propose_names, refuse_trash


class MacTrash:
    """``~/.Trash``, for what lies on the volume of the home folder."""

    def __init__(self, store: FileStore, home: str, records: str) -> None:
        self._store = store
        self._path = f"{home}/.Trash" if home else ""
        self._records = records

    def assess(self) -> Availability:
        """Say whether there is a home folder."""
        if not self._path:
            return Availability("trash", available=False, reason="no home folder found", remedy="Set HOME.")
        return Availability("trash", available=True, reason=f"the trash is {self._path}")

    def put(self, spot: FilePlace, mark: str) -> Trashed:
        """Put something into the trash."""
        path = str(self._store.flavour(spot.folder.path) / spot.name)
        with ExitStack() as held:
            try:
                trash = open_private_folder(self._store, held, self._path)
                records = open_private_folder(self._store, held, self._records)
                return self._put(trash, records, (spot, path, mark))
            except OSError as error:
                if error.errno == errno.EXDEV:
                    raise refuse_trash(path, "it is on another volume") from error
                raise explain_failure(error, "put into the trash", path) from error

    def find(self, original: str) -> list[Trashed]:
        """Return what lies there from the folder that a path is in, the latest first."""
        parent = self._store.flavour(original).parent
        with ExitStack() as held:
            records = find_folder(self._store, held, self._records)
            trash = find_folder(self._store, held, self._path)
            names = [name for name in records.names() if name.endswith(".json")] if records else []
            found = [_read(records, trash, name) for name in names] if records and trash else []
        near = [each for each in found if each and self._store.flavour(each.original).parent == parent]
        return sorted(near, key=lambda each: each.deleted, reverse=True)

    def take_out(self, trashed: Trashed, spot: FilePlace) -> None:
        """Bring something back."""
        place = self._store.flavour(trashed.place)
        with ExitStack() as held:
            trash = find_folder(self._store, held, str(place.parent))
            if trash is None:
                raise FileNotFoundError(errno.ENOENT, "The trash is missing", trashed.place)
            trash.rename(place.name, spot.folder, spot.name, replace=False)
            records = find_folder(self._store, held, self._records)
            if records is not None and f"{place.name}.json" in records.names():
                records.remove(f"{place.name}.json")

    def sweep(self, original: str, mark: str) -> None:
        """Remove what a death in the middle left."""
        with ExitStack() as held:
            records = find_folder(self._store, held, self._records)
            trash = find_folder(self._store, held, self._path)
            if records is None or trash is None:
                return
            for name in records.names():
                if bears_mark(name, mark):
                    records.remove(name)
                elif name.endswith(".json") and not _read(records, trash, name):
                    note = _read_note(records, name)
                    if note["original"] == original and mark in {note.get("action"), note["deleted"]}:
                        records.remove(name)

    def _put(self, trash: Folder, records: Folder, what: tuple[FilePlace, str, str]) -> Trashed:
        """Write down where it was, then move it in: the other way round nobody would find it again after a death."""
        spot, path, mark = what
        deleted = datetime.now().astimezone().replace(tzinfo=None).isoformat(timespec="microseconds")
        identity = spot.folder.state(spot.name).identity
        present = set(trash.names())
        for name in propose_names(spot.name, " "):
            if name in present:
                continue
            _write_note(records, f"{name}.json", (path, deleted, identity), mark)
            try:
                spot.folder.rename(spot.name, trash, name, replace=False)
                trash.sync()
            except FileExistsError:
                records.remove(f"{name}.json")
                continue
            except BaseException:
                records.remove(f"{name}.json")
                raise
            return Trashed(original=path, place=f"{trash.path}/{name}", deleted=deleted, mark=identity)
        raise FileExistsError(errno.EEXIST, "The trash has too many files with that name", spot.name)


def _write_note(records: Folder, name: str, facts: tuple[str, str, str], mark: str) -> None:
    """Write a note, whole from the first moment; one of something that was removed from the trash since is replaced."""
    original, deleted, identity = facts
    temporary = make_temporary_name(mark)
    with closing(records.create(temporary, private=True)) as file:
        written = {"original": original, "deleted": deleted, "mark": identity, "action": mark}
        file.stream.write(json.dumps(written).encode())
        file.sync()
    records.rename(temporary, records, name, replace=True)
    records.sync()


def _read_note(records: Folder, name: str) -> dict[str, str]:
    with closing(records.open(name)) as file:
        return json.loads(file.stream.read())


def _read(records: Folder, trash: Folder, name: str) -> Trashed | None:
    note = _read_note(records, name)
    try:
        if trash.state(name.removesuffix(".json")).identity != note["mark"]:
            return None
    except FileNotFoundError:
        return None
    place = f"{trash.path}/{name.removesuffix('.json')}"
    return Trashed(original=note["original"], place=place, deleted=note["deleted"], mark=note["mark"])
