"""ShapeFile: the shapes that what planners keep in a folder relies on, written at the first start and held to at each later one."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from agent.store.documents import (
    DAMAGED,
    FOREIGN,
    DocumentKind,
    MigratedFile,
    parse_document,
    read_document,
    report_damage,
    report_foreign,
)
from agent.store.private_files import make_private_folder, name_copy, set_aside, write_whole
from core.base.errors import SchemaError
from core.base.late_dataclasses import dataclass, field
from core.results.records import to_data

Shapes = Mapping[str, Mapping[str, "Contract"]]
"""Contracts by part (``rules``, ``tools``, ``templates``, ``stores``) and name."""

TEMPLATES = "templates"
EITHER = " or "
"""Stands between types of which a value may have any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """What may be relied on of one thing.

    Attributes:
        takes: What may be given, with the types of each, ``EITHER`` between them.
        choices: By what is given, all values that it may have; nothing for those that have no closed set.
    """

    meaning: str = ""
    takes: Mapping[str, str] = field(default_factory=dict[str, str])
    needs: tuple[str, ...] = ()
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


def find_breaks(before: Shapes, now: Shapes) -> list[str]:
    """Return what doesn't hold any more, in words; nothing where all that was relied on still holds."""
    return [fault for part in before for fault in _compare_part(part, before[part], now.get(part, {}))]


def _compare_part(part: str, before: Mapping[str, Contract], now: Mapping[str, Contract]) -> Iterator[str]:
    singular = part.removesuffix("s")
    for name in sorted(before):
        if name in now:
            yield from (f"{singular} {name} {fault}" for fault in _compare(before[name], now[name]))
        elif not (part == TEMPLATES and _is_superseded(name, now)):
            yield f"{singular} {name} is gone"


def _is_superseded(name: str, now: Mapping[str, Contract]) -> bool:
    template_id, _, version = name.partition("@")
    others = (other.partition("@") for other in now)
    return any(other == template_id and int(higher) > int(version) for other, _, higher in others)


def _compare(before: Contract, now: Contract) -> Iterator[str]:
    if before.meaning != now.meaning:
        yield f"was “{before.meaning}”, and is “{now.meaning}”"
    for name, kind in before.takes.items():
        if name not in now.takes:
            yield f"no longer takes “{name}”"
        elif not {*kind.split(EITHER)} <= {*now.takes[name].split(EITHER)}:
            yield f"takes {now.takes[name]} as “{name}”, not {kind}"
    for name in now.needs:
        if name not in before.needs:
            yield f"needs “{name}” now"
    yield from _compare_choices(before, now)


def _compare_choices(before: Contract, now: Contract) -> Iterator[str]:
    for name, choices in now.choices.items():
        if name not in before.takes:
            continue
        if name not in before.choices:
            yield f"takes only some values as “{name}” now"
        elif gone := sorted(set(before.choices[name]) - set(choices)):
            yield f"no longer takes “{gone[0]}” as “{name}”"


SHAPES_FILE = "planner_shapes.json"
SHAPES = DocumentKind("planner_shapes", 1)

_ASIDE = {DAMAGED: "corrupt", FOREIGN: "foreign"}
_TOLD = 3


class ShapeFile:
    """The shapes of one folder. All calls block."""

    def __init__(self, folder: Path, kind: DocumentKind = SHAPES) -> None:
        self.path = folder / SHAPES_FILE
        self._kind = kind

    def hold(self, now: Shapes) -> tuple[str, ...]:
        """Refuse to start where something doesn't hold any more that was relied on here; write down what holds now.

        Returns:
            What the person should know: a file that is damaged or another's was moved aside.

        Raises:
            SchemaError: ``schema_drift`` with what changed and the migration that takes it up.
            JournalError: If the key to what is kept can't be used.
            OSError: If the file can't be read or written.
        """
        notes: tuple[str, ...] = ()
        try:
            before = _load(self.path, read_document(self.path, self._kind))
        except FileNotFoundError:
            before = None
        except SchemaError as error:
            if error.code not in _ASIDE:
                raise
            notes = (f"{error.message} It was moved to {set_aside(self.path, _ASIDE[error.code])}.",)
            before = None
        if before is not None and (breaks := find_breaks(before, now)):
            raise self._refuse(breaks)
        if before != now:
            self._write(now)
        return notes

    def migrate(self, now: Shapes, *, dry: bool = False, adopt: bool = False) -> list[MigratedFile]:
        """Take up the shapes of this program where something that was relied on doesn't hold any more; a copy stays.

        Returns:
            What came of it, with what changed; nothing where nothing was to be done.

        Raises:
            JournalError: If the key to what is kept can't be used.
            OSError: If the file can't be read or written.
        """
        if not self.path.exists():
            return []
        try:
            document, is_own = parse_document(self.path, self._kind)
            if not is_own and not adopt:
                raise report_foreign(self.path)
            breaks = find_breaks(_load(self.path, document), now)
        except SchemaError as error:
            return [MigratedFile(self.path, self._kind.name, None, None, fault=str(error))]
        version = document["schema_version"]
        if is_own and not breaks:
            return []
        backup = "" if dry else self._replace(now, version)
        return [
            MigratedFile(
                self.path,
                self._kind.name,
                version,
                self._kind.version,
                backup,
                is_adopted=not is_own,
                changes=tuple(breaks),
            )
        ]

    def _replace(self, now: Shapes, version: int) -> str:
        backup = name_copy(self.path, f"version-{version}")
        write_whole(backup, self.path.read_bytes())
        self._write(now)
        return str(backup)

    def _write(self, now: Shapes) -> None:
        make_private_folder(self.path.parent)
        write_whole(self.path, self._kind.write(self._kind.stamp({"shapes": to_data(now)})))

    def _refuse(self, breaks: list[str]) -> SchemaError:
        more = f", and {len(breaks) - _TOLD} more" if len(breaks) > _TOLD else ""
        return SchemaError(
            f"What planners keep in {self.path.parent} relies on what has changed: {'; '.join(breaks[:_TOLD])}{more}.",
            hint="Look through the backlog (surehand backlog list), then run surehand migrate. The old file is saved.",
            evidence={"path": str(self.path), "changes": breaks},
        )


def _load(path: Path, document: Mapping[str, Any]) -> Shapes:
    try:
        return _adapter().validate_python(document.get("shapes"))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise report_damage(path, f"{'.'.join(map(str, ('shapes', *first['loc'])))}: {first['msg']}") from None


@cache
def _adapter() -> TypeAdapter[dict[str, dict[str, Contract]]]:
    return TypeAdapter(dict[str, dict[str, Contract]])
