"""RememberedFlows: what a flow's steps saw of their elements when it last went well, ``flows/<SHA-256 of the flow's path>.json``.

It tells people what became of an element that is missing. Nothing in it has authority: no step acts on anything but its own selector.
"""

import contextlib
import hashlib
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from actuators.failure_files import write_run_picture
from agent.store.documents import FLOW, DocumentKind, read_document
from agent.store.private_files import make_private_folder, write_whole
from core.base.errors import SurehandError
from core.outlines.sightings import LastRun, Sighting, SightingBook, read_sightings
from core.results.records import to_data

FLOWS_FOLDER = "flows"
ARTIFACTS_FOLDER = "artifacts"
SEEN_FILE = "seen.json"
_LARGEST_PICTURE = 4 * 1024 * 1024


class RememberedFlows:
    """What is remembered of flows in a folder. All calls block."""

    def __init__(self, folder: Path, *, kind: DocumentKind = FLOW) -> None:
        """Remember where; touch nothing."""
        self.folder = folder / FLOWS_FOLDER
        self._artifacts = folder / ARTIFACTS_FOLDER
        self._kind = kind

    def read(self, path: str) -> LastRun:
        """Return what is remembered of a flow; nothing where there is nothing, or it can't be used."""
        try:
            document = read_document(self._name(path), self._kind)
        except (SurehandError, OSError):
            return LastRun()
        if document.get("path") != path:
            return LastRun()
        return LastRun(str(document.get("run_id", "")), read_sightings(document.get("seen") or ()))

    def write(self, book: SightingBook, run_id: str) -> None:
        """Remember a run of a flow that went well, in the place of the one before.

        Raises:
            OSError: If it can't be written.
        """
        make_private_folder(self.folder.parent)
        make_private_folder(self.folder)
        seen = [self._keep_picture(book, each) for each in book.list_remembered()]
        body = {"path": book.path, "run_id": run_id, "seen": [{**to_data(each), "run_id": ""} for each in seen]}
        write_whole(self._name(book.path), self._kind.write(self._kind.stamp(body)), durable=False)
        self._remove_pictures(book.path, {each.thing.picture for each in seen})

    def write_seen(self, run_id: str, seen: Iterable[Sighting]) -> None:
        """Write what the steps of a run saw beside its pictures, by step; of several things in one step, the others under ``also``.

        Raises:
            OSError: If it can't be written.
        """
        told: dict[str, dict[str, Any]] = {}
        for each in seen:
            thing = {**to_data(replace(each.thing, others=())), "place": each.place}
            del thing["others"]
            if each.action_id in told:
                told[each.action_id].setdefault("also", []).append(thing)
            else:
                told[each.action_id] = thing
        content = json.dumps(told, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")
        write_run_picture(self._artifacts, run_id, SEEN_FILE, content + b"\n")

    def find_picture(self, path: str, name: str) -> Path:
        """Return where a picture of the last run of a flow that went well lies."""
        return self._pictures(path) / Path(name).name

    def find_run_picture(self, run_id: str, name: str) -> Path:
        """Return where a picture of a run lies."""
        return self._artifacts / Path(run_id).name / Path(name).name

    def _keep_picture(self, book: SightingBook, each: Sighting) -> Sighting:
        """Return a sighting whose picture outlives its run; without one where that can't be kept."""
        name = each.thing.picture
        if not name or self.find_picture(book.path, name).is_file():
            return each
        try:
            content = self.find_run_picture(each.run_id, name).read_bytes()
        except OSError:
            content = b""
        if not content or len(content) > _LARGEST_PICTURE:
            return replace(each, thing=replace(each.thing, picture="", mark=()))
        kept = f"{hashlib.sha256(content).hexdigest()[:16]}.jpg"
        make_private_folder(self._pictures(book.path))
        write_whole(self.find_picture(book.path, kept), content, durable=False)
        return replace(each, thing=replace(each.thing, picture=kept))

    def _remove_pictures(self, path: str, kept: set[str]) -> None:
        for stale in self._pictures(path).glob("*.jpg"):
            if stale.name not in kept:
                with contextlib.suppress(FileNotFoundError):  # another run of the flow removed it just now
                    stale.unlink()

    def _pictures(self, path: str) -> Path:
        return self._name(path).with_suffix("")

    def _name(self, path: str) -> Path:
        return self.folder / f"{hashlib.sha256(path.encode('utf-8', 'surrogatepass')).hexdigest()}.json"
