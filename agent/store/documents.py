"""Documents: JSON files that are kept across runs, each with the version of its schema.

Each begins with the seal over all that follows. One that no seal proves came from somebody else, or from an earlier
Surehand, and one that names another folder was copied here: it is shown and never gone on with. A file of another version is refused and left as it is. One that can't be understood at all is damaged: it is never
overwritten either, but moved aside by whoever has to write in its place.
"""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic_core import PydanticSerializationError, from_json, to_json

from agent.store.seals import WHY_FOREIGN, Seal
from core.base.errors import SchemaError
from core.base.late_dataclasses import dataclass, field

StoredDocument = dict[str, Any]
Migrate = Callable[[StoredDocument], StoredDocument]

DAMAGED = "file_damaged"
"""Code of the error about a file that can't be understood."""

FOREIGN = "file_foreign"
"""Code of the error about a file that isn't known to be this person's."""

_KIND = "document"
_FOLDER = "folder"
_OPENING = b"{\n "
_SEALED = b'{\n "seal": "'
_AFTER = b'",\n '
_LARGEST = 256 * 1024 * 1024
_HEAD = 64 * 1024
_ENDS = b"\n}\n"


@dataclass(frozen=True, slots=True)
class DocumentKind:
    """A kind of file that is kept.

    Attributes:
        migrations: By version, what makes a document of it one of the next version.
        remedy: What a person can do where a file is of a newer version.
    """

    name: str
    version: int
    migrations: Mapping[int, Migrate] = field(default_factory=lambda: MappingProxyType({}))
    remedy: str = "Update Surehand."
    seal: Seal = field(default_factory=Seal, compare=False)

    def stamp(self, body: Mapping[str, Any]) -> StoredDocument:
        """Return a document of the present version."""
        return {"kind": self.name, "schema_version": self.version, **body}

    def write(self, document: Mapping[str, Any]) -> bytes:
        """Return a document as the bytes of a file, sealed.

        Raises:
            JournalError: If there is no key to seal it with.
        """
        rest = write_document({name: value for name, value in document.items() if name != "seal"})[len(_OPENING) :]
        return b"%s%s%s%s" % (_SEALED, self.seal.sign(_KIND, rest).hex().encode(), _AFTER, rest)

    def proves(self, data: bytes) -> bool:
        """Tell whether this person wrote these bytes on this machine.

        Raises:
            JournalError: If the key can't be read.
        """
        code, after, rest = data[len(_SEALED) :].partition(_AFTER)
        if not after or not data.startswith(_SEALED):
            return False
        try:
            return self.seal.proves(bytes.fromhex(code.decode()), _KIND, rest)
        except ValueError:
            return False


CONTEXT = DocumentKind("agent_context", 1, remedy="Update Surehand, or start over: surehand context reset.")
SESSION = DocumentKind("agent_session", 1)
FLOW = DocumentKind("flow_sightings", 1)


def write_document(document: Mapping[str, Any]) -> bytes:
    """Return a document, which is plain data, as the bytes of a file; half of a pair of UTF-16, as odd file names have, stays an escape.

    With an indent Python's own writer is made of Python, which takes ten times as long; it is left to write what the other doesn't.
    """
    try:
        return to_json(document, indent=1, inf_nan_mode="constants") + b"\n"
    except PydanticSerializationError:  # half of a pair, or very deep
        return json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace") + b"\n"


def read_document(path: Path, kind: DocumentKind) -> StoredDocument:
    """Return a document of the present version.

    Raises:
        SchemaError: ``schema_drift`` if it is of another version, ``file_damaged`` if it can't be understood, ``file_foreign``
            if somebody else wrote it.
        JournalError: If the key to what is kept can't be read.
        OSError: If it can't be read.
    """
    document, is_own = parse_document(path, kind)
    if not is_own:
        raise report_foreign(path)
    check_version(path, kind, document["schema_version"])
    return document


def parse_document(path: Path, kind: DocumentKind) -> tuple[StoredDocument, bool]:
    """Return a document of whatever version and whoever's, and whether this person wrote it on this machine.

    Raises:
        SchemaError: ``file_damaged`` if it isn't one of this kind at all.
        JournalError: If the key to what is kept can't be read.
        OSError: If it can't be read.
    """
    size = path.stat().st_size
    if size > _LARGEST:
        raise report_damage(path, f"it has {size} bytes")
    data = path.read_bytes()
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise report_damage(path, str(error)) from None
    if not isinstance(document, dict) or document.get("kind") != kind.name:
        raise report_damage(path, f"its kind is not {kind.name}")
    version = document.get("schema_version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 0:
        raise report_damage(path, "it doesn't say its version")
    document.pop("seal", None)
    return document, kind.proves(data) and document.get(_FOLDER) in (None, name_folder(path))


def bind_document(document: Mapping[str, Any], path: Path) -> StoredDocument:
    """Return a document that counts in the folder of its file alone: a copy of it elsewhere is nobody's."""
    return {**document, _FOLDER: name_folder(path)}


def name_folder(path: Path) -> str:
    """Return the folder of a file as one that it is bound to: where it really lies, as this system compares paths."""
    return os.path.normcase(os.path.realpath(path.parent))


def read_head(path: Path, kind: DocumentKind) -> StoredDocument:
    """Return what stands in the beginning of a document of the present version, whoever wrote it; the last part may be cut short.

    A short document, and one whose beginning doesn't tell enough, is read whole.

    Raises:
        SchemaError: As for ``read_document``, as far as the beginning and the end tell.
        OSError: If it can't be read.
    """
    with path.open("rb") as file:
        begins = file.read(_HEAD)
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - len(_ENDS)))
        is_whole = file.read() == _ENDS
    if size <= _HEAD or not is_whole:
        return _read_any(path, kind)
    try:
        document = from_json(begins.decode("utf-8", "ignore"), allow_partial="trailing-strings")
    except ValueError:  # half of a pair of UTF-16, which this reader doesn't take, or damage
        return _read_any(path, kind)
    if not isinstance(document, dict) or document.get("kind") != kind.name or "schema_version" not in document:
        return _read_any(path, kind)
    check_version(path, kind, document["schema_version"])
    document.pop("seal", None)
    return document


def check_version(path: Path, kind: DocumentKind, version: int) -> None:
    """Refuse a document of another version.

    Raises:
        SchemaError: With what to do about it.
    """
    if version == kind.version:
        return
    newer = version > kind.version
    raise SchemaError(
        f"{path} has schema version {version}; this Surehand uses version {kind.version}.",
        hint=kind.remedy if newer else "Update the files: surehand migrate. The old ones are saved.",
        evidence={"path": str(path), "kind": kind.name, "found": version, "expected": kind.version},
    )


def migrate_document(document: StoredDocument, kind: DocumentKind) -> StoredDocument:
    """Return a document of the present version.

    Raises:
        SchemaError: If no way leads there.
    """
    while (version := document["schema_version"]) != kind.version:
        step = kind.migrations.get(version)
        if step is None:
            text = f"This Surehand can't update {kind.name} from schema version {version} to {kind.version}."
            raise SchemaError(text, hint=kind.remedy if version > kind.version else "")
        document = {**step(dict(document)), "kind": kind.name, "schema_version": version + 1}
    return document


def _read_any(path: Path, kind: DocumentKind) -> StoredDocument:
    document, _ = parse_document(path, kind)
    check_version(path, kind, document["schema_version"])
    return document


def report_foreign(path: Path) -> SchemaError:
    """Return the error about a file that isn't known to be this person's."""
    return SchemaError(
        f"{path} may not be yours: {WHY_FOREIGN}.",
        code=FOREIGN,
        hint="If it is yours, run surehand migrate --adopt.",
        evidence={"path": str(path)},
    )


def report_damage(path: Path, why: str) -> SchemaError:
    """Return the error about a file that can't be understood."""
    return SchemaError(
        f"{path} can't be understood: {why}.",
        code=DAMAGED,
        hint="Repair it, or move it away.",
        evidence={"path": str(path)},
    )


@dataclass(frozen=True, slots=True)
class MigratedFile:
    """What came of one file.

    Attributes:
        before: Its schema version; None where it can't be understood.
        after: The version that it is brought to; as before where nothing was to be done.
        backup: Where it lies as it was before; empty where it wasn't changed.
        fault: Why it was left as it is, where it had to be changed.
    """

    path: Path
    kind: str
    before: int | None
    after: int | None
    backup: str = ""
    fault: str = ""
    is_adopted: bool = False
    changes: tuple[str, ...] = ()
