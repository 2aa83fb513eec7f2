"""A journal on bytes, the ways in which bytes go bad, and what a reader of them is told."""

import asyncio
import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agent.store.journal.sqlite_journal import SqliteJournal
from core.base.errors import JournalError, SchemaError
from core.journal.journal import JournalEntry, Row, RunRecord

FILES = ("journal.sqlite", "journal.sqlite-wal", "journal.witness")

_RUNS = 4
_STEPS = 3
_FRAME_BYTES = 4120
_WAL_HEADER_BYTES = 32
_FRAME_HEADER_BYTES = 24
_PAGE_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Sample:
    """A journal as a crash leaves it.

    Attributes:
        files: The bytes by file name.
        rows: What was written, by run.
    """

    files: Mapping[str, bytes]
    rows: Mapping[str, tuple[Row, ...]]


@dataclass(frozen=True, slots=True)
class Case:
    """One fault.

    Attributes:
        file: Which file has it.
        bit: The bit that is flipped; -1 where none is.
        length: The bytes that are left; -1 where none are cut.
        appends: Whether rows are appended to damaged runs as well, which must be refused.
    """

    file: str
    bit: int = -1
    length: int = -1
    appends: bool = False

    def spoil(self, data: bytes) -> bytes:
        """Return the bytes with the fault."""
        if self.length >= 0:
            return data[: self.length]
        spoilt = bytearray(data)
        spoilt[self.bit // 8] ^= 1 << self.bit % 8
        return bytes(spoilt)


@dataclass(slots=True)
class Verdict:
    """What came of cases.

    Attributes:
        detected: Something was reported, and whatever wasn't was as it had been written.
        harmless: Everything read as it had been written.
        missed: Something read otherwise, and that wasn't reported.
        bad_rows: Rows that were given out and differ from what was written.
        went_on: Rows that were appended to a damaged run.
        stopped: Rows that were to be, and were refused.
        examples: Cases that were missed.
    """

    detected: int = 0
    harmless: int = 0
    missed: int = 0
    bad_rows: int = 0
    went_on: int = 0
    stopped: int = 0
    examples: list[str] = field(default_factory=list[str])

    def add(self, other: "Verdict") -> None:
        """Count another's as well."""
        for name in ("detected", "harmless", "missed", "bad_rows", "went_on", "stopped"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.examples += other.examples


async def make_sample(folder: Path) -> Sample:
    """Write several runs side by side, half of them moved into the database and half still in its log."""
    files: dict[str, bytes] = {}
    rows: dict[str, tuple[Row, ...]] = {}
    for half in range(2):
        journal = SqliteJournal(folder)
        for step in range(_STEPS):
            for number in range(half * _RUNS // 2, _RUNS):
                await journal.append(list_entries(f"r{number:015x}{half}", step, number), durable=step % 2 == 0)
        for number in range(_RUNS // 2):
            await journal.append([JournalEntry(f"r{number:015x}0", "", "resumed", {"by": half})])
        if half == 1:
            files = {name: (folder / name).read_bytes() for name in FILES}
            rows = {run_id: (await journal.read(run_id)).rows for run_id in await journal.list_runs()}
        await journal.close()
    return Sample(files, rows)


def list_entries(run_id: str, step: int, number: int) -> list[JournalEntry]:
    """Return what one step of a run writes; a few bodies are larger than a page."""
    action_id = f"g{step}_file_1"
    params = {"path": f"workspace:/notes/{number}-{step}.txt", "content": "x" * (9000 if number == step else 40)}
    return [
        *([JournalEntry(run_id, "", "begun", {"goals": _STEPS, "digest": "d" * 64})] if step == 0 else []),
        JournalEntry(run_id, action_id, "planned", {"tool": "file_write"}),
        JournalEntry(run_id, action_id, "intent", {"digest": f"{number:064x}", "params": params}),
        *(
            [JournalEntry(run_id, action_id, "done", {"effect": "confirmed"})]
            if step < _STEPS - 1 or number % 2
            else []
        ),
        *([JournalEntry(run_id, "", "ended", {"outcome": "succeeded"})] if step == _STEPS - 1 and number % 2 else []),
    ]


def list_flips(sample: Sample, count: int, seed: int) -> Iterator[Case]:
    """Yield flips of one bit each, spread evenly over all bits of all files."""
    chance = random.Random(seed)
    sizes = {name: len(data) * 8 for name, data in sample.files.items()}
    for number in range(count):
        place = chance.randrange(sum(sizes.values()))
        for name, size in sizes.items():
            if place < size:
                yield Case(name, bit=place, appends=number % 20 == 0)
                break
            place -= size


def list_cuts(sample: Sample) -> Iterator[Case]:
    """Yield every cut that a reader can tell from another.

    The witness is cut at every byte. The log is read by frames: it is cut at the edges of each frame and of its header,
    a byte before, a byte after, and within. The database is read by pages: likewise, and every 512 bytes, a disk's sector.
    """
    yield from (Case("journal.witness", length=length) for length in range(len(sample.files["journal.witness"])))
    wal, database = len(sample.files["journal.sqlite-wal"]), len(sample.files["journal.sqlite"])
    starts = range(_WAL_HEADER_BYTES, wal + 1, _FRAME_BYTES)
    near = {start + by for start in starts for by in (-1, 0, 1, _FRAME_HEADER_BYTES, _FRAME_HEADER_BYTES + 1, 2000)}
    lengths = sorted(length for length in {*near, *range(_WAL_HEADER_BYTES)} if 0 <= length < wal)
    yield from (Case("journal.sqlite-wal", length=length) for length in lengths)
    sectors = {start + by for start in range(0, database, 512) for by in (0, 1)}
    pages = {start - 1 for start in range(_PAGE_BYTES, database + 1, _PAGE_BYTES)}
    yield from (Case("journal.sqlite", length=length) for length in sorted({*sectors, *pages}) if length < database)


def list_sound(sample: Sample) -> Iterator[Case]:
    """Yield cases without a fault: each file as it was."""
    yield from (Case(name, length=len(data)) for name, data in sample.files.items())


def judge_cases(sample: Sample, cases: Sequence[Case]) -> Verdict:
    """Try cases, each on a fresh copy."""
    return asyncio.run(_judge_all(sample, cases))


async def _judge_all(sample: Sample, cases: Sequence[Case]) -> Verdict:
    total = Verdict()
    with tempfile.TemporaryDirectory(prefix="surehand-chaos-") as parent:
        for number, case in enumerate(cases):
            folder = Path(parent) / str(number)
            folder.mkdir(mode=0o700)
            for name, data in sample.files.items():
                (folder / name).write_bytes(case.spoil(data) if name == case.file else data)
            total.add(await _judge(sample, case, folder))
            for file in folder.iterdir():
                file.unlink()
            folder.rmdir()
    return total


async def _judge(sample: Sample, case: Case, folder: Path) -> Verdict:
    journal = SqliteJournal(folder, wait_s=0)
    try:
        records, reported = await _read_all(journal, sample)
        verdict = _compare(sample, records, reported=reported)
        if verdict.missed:
            verdict.examples.append(str(case))
        if case.appends:
            verdict.went_on, verdict.stopped = await _try_going_on(journal, records)
        return verdict
    finally:
        await journal.close()


async def _read_all(journal: SqliteJournal, sample: Sample) -> tuple[dict[str, RunRecord | None], bool]:
    """Return the record of each run, None where reading said that it can't, and whether anything was reported."""
    reported = False
    names = set(sample.rows)
    try:
        names |= set(await journal.list_runs())
        reported = bool(await journal.find_faults())
    except (JournalError, SchemaError):
        reported = True
    records: dict[str, RunRecord | None] = {}
    for run_id in names:
        try:
            records[run_id] = await journal.read(run_id)
        except (JournalError, SchemaError):
            records[run_id] = None
    return records, reported or any(record is None or record.damage for record in records.values())


def _compare(sample: Sample, records: Mapping[str, RunRecord | None], *, reported: bool) -> Verdict:
    bad_rows = 0
    silent = False
    for run_id, record in records.items():
        written = sample.rows.get(run_id, ())
        if record is None:
            continue
        bad_rows += sum(row not in written[row.position : row.position + 1] for row in record.rows)
        silent |= record.rows != written and not record.damage
    if silent or bad_rows:
        return Verdict(missed=1, bad_rows=bad_rows)
    return Verdict(detected=1) if reported else Verdict(harmless=1)


async def _try_going_on(journal: SqliteJournal, records: Mapping[str, RunRecord | None]) -> tuple[int, int]:
    """Return how many damaged runs could be gone on with, and how many could not."""
    went_on = stopped = 0
    for run_id, record in records.items():
        if record is None or record.damage:
            try:
                await journal.append([JournalEntry(run_id, "g9_file_1", "intent")])
            except (JournalError, SchemaError):
                stopped += 1
                continue
            went_on += 1
    return went_on, stopped
