"""Documents: JSON files that are kept across runs, each with the version of its schema.

A file of another version is refused and left as it is. One that can't be understood at all is damaged: it is never
overwritten either, but moved aside by whoever has to write in its place.
"""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic_core import from_json

from core.errors import SchemaError

Document = dict[str, Any]
Migrate = Callable[[Document], Document]

DAMAGED = "file_damaged"
"""Code of the error about a file that can't be understood."""

_LARGEST = 256 * 1024 * 1024
_HEAD = 64 * 1024
_ENDS = b"\n}\n"


@dataclass(frozen=True, slots=True)
class DocumentKind:
    """A kind of file that is kept.

    Attributes:
        name: As the files say it.
        version: Of their schema, as it is written now.
        migrations: By version, what makes a document of it one of the next version.
        remedy: What a person can do where a file is of a newer version.
    """

    name: str
    version: int
    migrations: Mapping[int, Migrate] = field(default_factory=lambda: MappingProxyType({}))
    remedy: str = "Update Surehand."

    def stamp(self, body: Mapping[str, Any]) -> Document:
        """Return a document of the present version."""
        return {"kind": self.name, "schema_version": self.version, **body}


CONTEXT = DocumentKind("agent_context", 1, remedy="Update Surehand, or begin anew: surehand context reset.")
SESSION = DocumentKind("agent_session", 1)


def write_document(document: Mapping[str, Any]) -> bytes:
    """Return a document as the bytes of a file; half of a pair of UTF-16, as odd file names have, stays an escape."""
    return json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace") + b"\n"


def read_document(path: Path, kind: DocumentKind) -> Document:
    """Return a document of the present version.

    Args:
        path: The file.
        kind: What it shall be.

    Raises:
        SchemaError: ``schema_drift`` if it is of another version, ``file_damaged`` if it can't be understood.
        OSError: If it can't be read.
    """
    document = parse_document(path, kind)
    check_version(path, kind, document["schema_version"])
    return document


def parse_document(path: Path, kind: DocumentKind) -> Document:
    """Return a document of whatever version.

    Raises:
        SchemaError: ``file_damaged`` if it isn't one of this kind at all.
        OSError: If it can't be read.
    """
    size = path.stat().st_size
    if size > _LARGEST:
        raise report_damage(path, f"it has {size} bytes")
    try:
        document = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise report_damage(path, str(error)) from None
    if not isinstance(document, dict) or document.get("kind") != kind.name:
        raise report_damage(path, f"it is no {kind.name}")
    version = document.get("schema_version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 0:
        raise report_damage(path, "it doesn't say which version it is of")
    return document


def read_head(path: Path, kind: DocumentKind) -> Document:
    """Return what stands in the beginning of a document of the present version; the last part may be cut short.

    A short document, and one whose beginning doesn't tell enough, is read whole.

    Args:
        path: The file.
        kind: What it shall be.

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
        return read_document(path, kind)
    try:
        document = from_json(begins.decode("utf-8", "ignore"), allow_partial="trailing-strings")
    except ValueError:  # half of a pair of UTF-16, which this reader doesn't take, or damage
        return read_document(path, kind)
    if not isinstance(document, dict) or document.get("kind") != kind.name or "schema_version" not in document:
        return read_document(path, kind)
    check_version(path, kind, document["schema_version"])
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
        f"{path} is of schema version {version}, and this Surehand keeps version {kind.version}.",
        hint=kind.remedy if newer else "Migrate what is kept: surehand migrate. The old files are saved.",
        evidence={"path": str(path), "kind": kind.name, "found": version, "expected": kind.version},
    )


def migrate_document(document: Document, kind: DocumentKind) -> Document:
    """Return a document of the present version.

    Raises:
        SchemaError: If no way leads there.
    """
    while (version := document["schema_version"]) != kind.version:
        step = kind.migrations.get(version)
        if step is None:
            text = f"This Surehand can't bring {kind.name} from schema version {version} to {kind.version}."
            raise SchemaError(text, hint=kind.remedy if version > kind.version else "")
        document = {**step(dict(document)), "kind": kind.name, "schema_version": version + 1}
    return document


def report_damage(path: Path, why: str) -> SchemaError:
    """Return the error about a file that can't be understood."""
    return SchemaError(
        f"{path} can't be understood: {why}.",
        code=DAMAGED,
        hint="Repair it, or move it away.",
        evidence={"path": str(path)},
    )
