"""Witness: how far each run got, told beside the database, since SQLite drops a cut tail without a word."""

import json
import os
from collections.abc import Collection, Mapping, Sequence

from agent.store.journal.files import PRIVATE_FILE, JournalFiles
from agent.store.journal.rows import Mark
from agent.store.private_files import sync_folder
from agent.store.seals import Seal
from core.base.late_dataclasses import dataclass, field

_LINE = "witness"
_CODE_BYTES = 16


@dataclass(frozen=True, slots=True)
class Witness:
    """What was read of the witness.

    Attributes:
        seal: Proved its lines, and proves the rows.
        marks: How far each run got, by run id, in the order of their last lines.
    """

    seal: Seal
    marks: Mapping[str, Mark] = field(default_factory=dict[str, Mark])
    bad_lines: int = 0
    is_there: bool = False

    @property
    def is_sound(self) -> bool:
        """Whether a run that isn't named was never written."""
        return self.is_there and not self.bad_lines

    @property
    def is_foreign(self) -> bool:
        """Whether there is something in it, and nothing that this person wrote on this machine."""
        return bool(self.bad_lines) and not self.marks

    @property
    def last_seq(self) -> int:
        """Number of the last row that it knows of."""
        return max((mark.seq for mark in self.marks.values()), default=0)


_TAIL_BYTES = 4096


def read_last_seq(files: JournalFiles) -> int:
    """Return the number of the last row that the witness knows of, by its last lines."""
    try:
        with files.witness.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL_BYTES))
            lines = file.read().split(b"\n")
    except FileNotFoundError:
        return 0
    return max((mark.seq for line in lines if (mark := _parse_line(line, files.seal))), default=0)


def read_witness(files: JournalFiles, run_id: str = "") -> Witness:
    """Return what the file says, of one run alone where it is named; nothing where there is none.

    Raises:
        OSError: If it is there and can't be read.
        JournalError: If there is no using the key.
    """
    try:
        data = files.witness.read_bytes()
    except FileNotFoundError:
        return Witness(files.seal)
    marks: dict[str, Mark] = {}
    bad_lines = 0
    named = json.dumps([run_id])[:-1].encode() + b"," if run_id else b""
    lines = data.split(b"\n") if named in data else ()  # of a new run nothing is there, and nothing is looked at
    for line in (each for each in lines if each.startswith(named)):
        mark = _parse_line(line, files.seal)
        if mark is None:
            bad_lines += bool(line)
        elif mark.run_id not in marks or marks[mark.run_id].position <= mark.position:
            marks.pop(mark.run_id, None)
            marks[mark.run_id] = mark
    return Witness(files.seal, marks, bad_lines, is_there=True)


class WitnessFile:
    """Appends to the witness. Not synced: see `append`.

    Attributes:
        added: Bytes that were appended here since it was cut to one line a run.
        kept: Bytes that it had then; 0 where it wasn't here.
    """

    def __init__(self, files: JournalFiles) -> None:
        self._files = files
        self._file = files.witness
        self.added = 0
        self.kept = 0

    def append(self, marks: Sequence[Mark]) -> None:
        """Tell how far runs got, once that is durable in the database.

        The lines are not synced: all that a lost line costs is that a cut tail is not seen in the moments after a power
        failure, and one sync more would make each act half as long again.

        Raises:
            OSError: If they can't be written whole.
        """
        data = b"".join(_format_line(mark, self._files.seal) for mark in marks)
        descriptor = os.open(
            self._file, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), PRIVATE_FILE
        )
        try:
            size = os.fstat(descriptor).st_size
            # A line that was cut off by a crash must not spoil the next.
            if size and os.lseek(descriptor, size - 1, os.SEEK_SET) >= 0 and os.read(descriptor, 1) != b"\n":
                data = b"\n" + data
            written = os.write(descriptor, data)
        finally:
            os.close(descriptor)
        if written != len(data):
            raise OSError(f"{self._file.name}: {written} of {len(data)} bytes were written")
        self.added += written

    def measure(self) -> int:
        """Return its size in bytes; 0 where there is none."""
        try:
            return self._file.stat().st_size
        except FileNotFoundError:
            return 0

    def compact(self, forgotten: Collection[str] = ()) -> None:
        """Keep one line a run.

        Raises:
            OSError: If that can't be written; the old file is still there then.
        """
        found = read_witness(self._files)
        if not found.is_there:
            return
        marks = [mark for mark in found.marks.values() if mark.run_id not in forgotten]
        fresh = self._file.with_suffix(".new")
        fresh.touch(PRIVATE_FILE)
        with fresh.open("wb") as stream:
            stream.write(b"".join(_format_line(mark, self._files.seal) for mark in marks))
            stream.flush()
            os.fsync(stream.fileno())
        fresh.replace(self._file)
        sync_folder(self._file.parent)
        self.added, self.kept = 0, self.measure()


def _format_line(mark: Mark, seal: Seal) -> bytes:
    fields = [mark.run_id, mark.position, mark.seq, mark.checksum.hex(), int(mark.acted)]
    text = json.dumps(fields, separators=(",", ":")).encode()
    return b"%s %s\n" % (text, seal.sign(_LINE, text, _CODE_BYTES).hex().encode())


def _parse_line(line: bytes, seal: Seal) -> Mark | None:
    text, _, code = line.rpartition(b" ")
    try:
        if not text or not seal.proves(bytes.fromhex(code.decode()), _LINE, text, _CODE_BYTES):
            return None
        run_id, position, seq, checksum, acted = json.loads(text.decode())
        return Mark(str(run_id), int(position), int(seq), bytes.fromhex(checksum), bool(acted))
    except (ValueError, TypeError):
        return None
