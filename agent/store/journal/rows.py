"""StoredRow: a row as it lies in the database, its checksum, and how rows of a run hang together."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from agent.store.seals import Seal
from core.base.errors import JournalError
from core.base.late_dataclasses import dataclass, field
from core.journal.journal import JournalEntry, Row, RowState

NO_CHECKSUM = bytes(32)
"""What stands for the checksum before a run's first row."""

_ROW = "journal row"
_KINDS = (int, int, bytes, int, bytes, bytes, bytes, int, bytes, bytes, bytes, bytes)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRow:
    """A row with everything that is kept of it; its fields are the columns of the table, in order.

    Attributes:
        seq: Number within the journal, from 1, growing.
        position: Number within the run, from 0.
        monotonic_ns: When, by a clock that never jumps; comparable within one boot only.
        previous: Checksum of the run's row before this one.
    """

    seq: int
    epoch: int
    run_id: str
    position: int
    action_id: str
    state: str
    at: str
    monotonic_ns: int
    boot_id: str
    body: str
    previous: bytes
    checksum: bytes

    def as_row(self) -> Row:
        """Return what the journal gives out."""
        entry = JournalEntry(self.run_id, self.action_id, cast("RowState", self.state), json.loads(self.body))
        return Row(entry, self.position, self.epoch, self.at)


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a run got.

    Attributes:
        position: Of its last row; -1 before the first.
    """

    run_id: str
    position: int = -1
    seq: int = 0
    checksum: bytes = NO_CHECKSUM
    acted: bool = False


@dataclass(slots=True)
class Chain:
    """The rows of a run, up to the first that is bad.

    Attributes:
        damage: What is wrong with the next; empty if there is none.
    """

    rows: list[StoredRow] = field(default_factory=list[StoredRow])
    marks: list[Mark] = field(default_factory=list[Mark])
    damage: str = ""

    def find_end(self, run_id: str) -> Mark:
        """Return how far the run got."""
        return self.marks[-1] if self.marks else Mark(run_id)


def seal_row(values: Mapping[str, Any], seal: Seal) -> StoredRow:
    """Return a row with its checksum.

    Raises:
        JournalError: If there is no key to sign with.
    """
    return StoredRow(**values, checksum=seal.sign(_ROW, write_values([values[name] for name in COLUMNS[:-1]])))


def open_row(raw: tuple[Any, ...], seal: Seal) -> StoredRow | None:
    """Return a row as it came from the database, texts as bytes; None where anything about it is wrong."""
    row = decode_row(raw)
    return row if row and seal.proves(row.checksum, _ROW, write_values(list_values(row)[:-1])) else None


def decode_row(raw: tuple[Any, ...]) -> StoredRow | None:
    """Return a row as it came from the database, whoever wrote it; None where a column is of another type."""
    if tuple(type(value) for value in raw) != _KINDS:
        return None
    try:
        texts = [value.decode() if name in _TEXTS else value for name, value in zip(COLUMNS, raw, strict=True)]
    except UnicodeDecodeError:
        return None
    return StoredRow(**dict(zip(COLUMNS, texts, strict=True)))


def list_values(row: StoredRow) -> tuple[Any, ...]:
    """Return the columns in order."""
    return tuple(getattr(row, name) for name in COLUMNS)


def link_rows(run_id: str, raws: Iterable[tuple[Any, ...]], seal: Seal) -> Chain:
    """Return a run's rows as far as each is right and follows on the one before."""
    chain = Chain()
    for raw in raws:
        row, end = open_row(raw, seal), chain.find_end(run_id)
        if row is None:
            chain.damage = f"the row after position {end.position} is bad: its checksum doesn't match"
        elif row.run_id != run_id or row.position != end.position + 1:
            chain.damage = f"the row after position {end.position} is missing"
        elif row.previous != end.checksum:
            chain.damage = f"the row at position {row.position} doesn't follow on the one before"
        if row is None or chain.damage:
            break
        chain.rows.append(row)
        chain.marks.append(advance(end, row))
    return chain


def advance(mark: Mark, row: StoredRow) -> Mark:
    """Return how far a run has got with one row more."""
    return Mark(row.run_id, row.position, row.seq, row.checksum, mark.acted or row.state == "intent")


def encode_body(entry: JournalEntry) -> str:
    """Return the facts of an entry as JSON of ASCII characters.

    Raises:
        JournalError: If they are no JSON, or a name is no Unicode.
    """
    try:
        (entry.run_id + entry.action_id).encode()
        return json.dumps(entry.body, default=_plain, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        text = f"The row '{entry.state}' of {entry.action_id or entry.run_id} can't be written to the journal: {error}."
        raise JournalError(text) from error


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, Any]", value))
    raise TypeError(f"{type(value).__name__} is not JSON")


def write_values(values: Sequence[Any]) -> bytes:
    """Return columns as the bytes that a checksum is made of."""
    plain = [value.hex() if isinstance(value, bytes) else value for value in values]
    return json.dumps(plain).encode()


COLUMNS = tuple(StoredRow.__dataclass_fields__)
_TEXTS = frozenset(name for name, part in StoredRow.__dataclass_fields__.items() if part.type is str)
