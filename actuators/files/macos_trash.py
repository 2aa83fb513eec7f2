"""The trash of macOS: a folder that keeps no record of where things were, so that ours is kept beside it. Unproven."""

import errno
import json
from contextlib import ExitStack
from datetime import datetime

from actuators.base import Availability
from actuators.files.failures import explain_failure
from actuators.files.ports import FileStore, Folder, Spot, Trashed
from actuators.files.private_folders import find_folder, open_private_folder
from actuators.files.trash_names import propose_names
from core.errors import FileError
from core.phrases import escape_text


class MacTrash:
    """``~/.Trash``, for what lies on the volume of the home folder."""

    def __init__(self, store: FileStore, home: str, records: str) -> None:
        """Remember where it is.

        Args:
            store: The files.
            home: The home folder; empty if there is none.
            records: Folder for what was where.
        """
        self._store = store
        self._path = f"{home}/.Trash" if home else ""
        self._records = records

    def assess(self) -> Availability:
        """Say whether there is a home folder."""
        if not self._path:
            return Availability("trash", available=False, reason="there is no home folder", remedy="Set HOME.")
        return Availability("trash", available=True, reason=f"the trash is {self._path}")

    def put(self, spot: Spot) -> Trashed:
        """Put something into the trash."""
        path = str(self._store.flavour(spot.folder.path) / spot.name)
        with ExitStack() as held:
            try:
                trash = open_private_folder(self._store, held, self._path)
                name = _move_in(spot, trash)
                deleted = datetime.now().astimezone().replace(tzinfo=None).isoformat(timespec="microseconds")
                mark = trash.state(name).identity
                trashed = Trashed(original=path, place=f"{trash.path}/{name}", deleted=deleted, mark=mark)
                try:
                    self._note(held, trashed)
                except OSError:  # nobody would find it again
                    trash.rename(name, spot.folder, spot.name, replace=False)
                    raise
            except OSError as error:
                if error.errno == errno.EXDEV:
                    raise FileError(
                        f'There is no trash for "{escape_text(path)}": it is on another volume.',
                        code="no_trash",
                        hint="Move it elsewhere, or remove it for good with file.purge.",
                        evidence={"path": path},
                    ) from error
                raise explain_failure(error, "put into the trash", path) from error
        return trashed

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

    def take_out(self, trashed: Trashed, spot: Spot) -> None:
        """Bring something back."""
        place = self._store.flavour(trashed.place)
        with ExitStack() as held:
            trash = find_folder(self._store, held, str(place.parent))
            if trash is None:
                raise FileNotFoundError(errno.ENOENT, "The trash is gone", trashed.place)
            trash.rename(place.name, spot.folder, spot.name, replace=False)
            records = find_folder(self._store, held, self._records)
            if records is not None and f"{place.name}.json" in records.names():
                records.remove(f"{place.name}.json")

    def _note(self, held: ExitStack, trashed: Trashed) -> None:
        records = open_private_folder(self._store, held, self._records)
        name = f"{self._store.flavour(trashed.place).name}.json"
        if name in records.names():
            records.remove(name)  # of something that was removed from the trash since
        file = records.create(name, private=True)
        try:
            written = {"original": trashed.original, "deleted": trashed.deleted, "mark": trashed.mark}
            file.stream.write(json.dumps(written).encode())
            file.sync()
        finally:
            file.close()


def _move_in(spot: Spot, trash: Folder) -> str:
    for name in propose_names(spot.name, " "):
        try:
            spot.folder.rename(spot.name, trash, name, replace=False)
        except FileExistsError:
            continue
        return name
    raise FileExistsError(errno.EEXIST, "The trash has too many of that name", spot.name)


def _read(records: Folder, trash: Folder, name: str) -> Trashed | None:
    file = records.open(name)
    try:
        read = json.loads(file.stream.read())
    finally:
        file.close()
    try:
        if trash.state(name.removesuffix(".json")).identity != read["mark"]:
            return None
    except FileNotFoundError:
        return None
    place = f"{trash.path}/{name.removesuffix('.json')}"
    return Trashed(original=read["original"], place=place, deleted=read["deleted"], mark=read["mark"])
