"""The files benchmark: each verb by a whole tool call, beside raw calls of the same durability, in turn; and the race with links."""

import asyncio
import hashlib
import os
import shutil
import statistics
import sys
import tempfile
import time
import zipfile
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from actuators.base import Environment
from actuators.files.platforms.linux import make_back_end
from actuators.files.posix.store import PosixStore
from actuators.verb_table import load_toolsets
from core.base.errors import FileError
from core.policy.policy import Policy
from core.results.tool_results import ToolCall
from core.tools.ports import ActionContext, Toolset
from core.tools.registry import ToolRegistry
from fixtures.hostile.link_race import race, read_naively, swap_links
from scripts.benchmarks.paths import measure_judgements

TRIES = 100_000
PAIRS_PER_ROUND = 5
TEXT = "a line of a text that is neither long nor short\n" * 40
DATA = TEXT.encode()
Params = dict[str, Any]


@dataclass
class Field:
    """Where one side works.

    Attributes:
        folder: Its folder.
        number: Makes every name a new one.
    """

    folder: Path
    number: int = 0

    def take(self, ending: str = "txt") -> Path:
        """Return a path that nobody has used."""
        self.number += 1
        return self.folder / f"f{self.number}.{ending}"

    def put(self) -> Path:
        """Make a file that is there beforehand."""
        path = self.take()
        path.write_bytes(DATA)
        return path


@dataclass(frozen=True)
class Pair:
    """A verb and the raw way to do the same.

    Attributes:
        verb: The verb.
        prepare: Makes what both sides start from; returns the params of the verb.
        raw: Does the same from the same params.
    """

    verb: str
    prepare: Callable[[Field], Params]
    raw: Callable[[Params], object]


def write_raw(path: str, data: bytes, *, new: bool = False) -> None:
    """Write a file as a whole and durably, with nothing looked at."""
    temporary = f"{path}.tmp"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    os.write(descriptor, data)
    os.fsync(descriptor)
    os.close(descriptor)
    if new:
        os.link(temporary, path)
        Path(temporary).unlink()
    else:
        Path(temporary).replace(path)
    sync_raw(Path(path).parent)


def sync_raw(folder: Path) -> None:
    """Make the entries of a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    os.fsync(descriptor)
    os.close(descriptor)


def rename_raw(source: str, destination: str | Path) -> None:
    """Move a file within its folder, durably."""
    Path(source).rename(destination)
    sync_raw(Path(destination).parent)


def delete_raw(path: str) -> None:
    """Put a file into another folder with a note where it was, durably."""
    trash = Path(path).parent.parent / "raw_trash"
    trash.mkdir(exist_ok=True)
    note = trash / f"{Path(path).name}.info"
    note.write_text(path, encoding="utf-8")
    descriptor = os.open(note, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)
    Path(path).rename(trash / Path(path).name)
    sync_raw(Path(path).parent)


def zip_raw(source: str, destination: str) -> None:
    """Pack a file, durably."""
    with zipfile.ZipFile(destination, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(source, Path(source).name)
    descriptor = os.open(destination, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)
    sync_raw(Path(destination).parent)


def unzip_raw(source: str, destination: str) -> None:
    """Unpack an archive, durably."""
    with zipfile.ZipFile(source) as archive:
        archive.extractall(destination)
    for path in Path(destination).iterdir():
        descriptor = os.open(path, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)
    sync_raw(Path(destination).parent)


def copy_raw(source: str, destination: str) -> None:
    """Copy a file with mode and time, durably."""
    shutil.copy2(source, destination)
    descriptor = os.open(destination, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)
    sync_raw(Path(destination).parent)


def make_archive(place: Field) -> Params:
    """Return the params of unpacking a small archive."""
    archive = place.take("zip")
    zip_raw(str(place.put()), str(archive))
    return {"source": str(archive), "destination": str(place.take("out"))}


def make_trashed(place: Field) -> Params:
    """Put a file into the trash by hand, and return the params of bringing it back."""
    trash = place.folder.parent / "home" / ".local" / "share" / "Trash"
    for name in ("files", "info"):
        (trash / name).mkdir(parents=True, exist_ok=True)
    path = place.take()
    kept = trash / "files" / f"{place.folder.name}-{path.name}"
    kept.write_bytes(DATA)
    note = f"[Trash Info]\nPath={path}\nDeletionDate=2026-05-01T12:00:00\n"
    (trash / "info" / f"{kept.name}.trashinfo").write_text(note, encoding="utf-8")
    return {"path": str(path)}


def restore_raw(path: str) -> None:
    """Take a file out of the trash, durably."""
    place = Path(path).parent
    trash = place.parent / "home" / ".local" / "share" / "Trash"
    name = f"{place.name}-{Path(path).name}"
    (trash / "files" / name).rename(path)
    sync_raw(place)
    (trash / "info" / f"{name}.trashinfo").unlink()


PAIRS = (
    Pair(
        "create",
        lambda place: {"object_type": "file", "name": str(place.take()), "content": TEXT},
        lambda args: write_raw(args["name"], DATA, new=True),
    ),
    Pair(
        "write",
        lambda place: {"path": str(place.put()), "content": TEXT[:-1]},
        lambda args: write_raw(args["path"], DATA[:-1]),
    ),
    Pair(
        "append",
        lambda place: {"path": str(place.put()), "content": "more\n"},
        lambda args: write_raw(args["path"], Path(args["path"]).read_bytes() + b"more\n"),
    ),
    Pair(
        "edit",
        lambda place: {"path": str(place.put()), "find": "long", "replace": "tall", "count": 40},
        lambda args: write_raw(args["path"], Path(args["path"]).read_bytes().replace(b"long", b"tall")),
    ),
    Pair(
        "copy",
        lambda place: {"source": str(place.put()), "destination": str(place.take())},
        lambda args: copy_raw(args["source"], args["destination"]),
    ),
    Pair(
        "move",
        lambda place: {"source": str(place.put()), "destination": str(place.take())},
        lambda args: rename_raw(args["source"], args["destination"]),
    ),
    Pair(
        "rename",
        lambda place: {"source": str(place.put()), "target": place.take().name},
        lambda args: rename_raw(args["source"], Path(args["source"]).with_name(args["target"])),
    ),
    Pair(
        "delete",
        lambda place: {"object_type": "file", "name": str(place.put())},
        lambda args: delete_raw(args["name"]),
    ),
    Pair("restore", make_trashed, lambda args: restore_raw(args["path"])),
    Pair(
        "purge",
        lambda place: {"path": str(place.put())},
        lambda args: (Path(args["path"]).unlink(), sync_raw(Path(args["path"]).parent)),
    ),
    Pair(
        "zip",
        lambda place: {"source": str(place.put()), "destination": str(place.take("zip"))},
        lambda args: zip_raw(args["source"], args["destination"]),
    ),
    Pair("unzip", make_archive, lambda args: unzip_raw(args["source"], args["destination"])),
    Pair(
        "read",
        lambda place: {"path": str(place.put())},
        lambda args: Path(args["path"]).read_text(encoding="utf-8"),
    ),
    Pair(
        "list",
        lambda place: {"path": str(place.folder.parent / "hundred")},
        lambda args: [
            (entry.name, entry.stat()) for entry in sorted(os.scandir(args["path"]), key=lambda each: each.name)
        ],
    ),
    Pair(
        "find",
        lambda place: {"path": str(place.folder.parent / "hundred"), "content": "needle"},
        lambda args: [path for path in sorted(Path(args["path"]).iterdir()) if b"needle" in path.read_bytes().lower()],
    ),
    Pair("info", lambda place: {"path": str(place.put())}, lambda args: Path(args["path"]).lstat()),
    Pair(
        "hash",
        lambda place: {"path": str(place.put())},
        lambda args: hashlib.sha256(Path(args["path"]).read_bytes()).hexdigest(),
    ),
)


@dataclass
class Times:
    """Milliseconds of both sides."""

    ours: list[float] = field(default_factory=list[float])
    raw: list[float] = field(default_factory=list[float])


async def measure(rounds: int) -> dict[str, float]:
    """Return the figures by name: milliseconds and ratios per verb, and what came of the race.

    Args:
        rounds: How long; 5 pairs each and verb.
    """
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for pair, times in zip(PAIRS, await time_verbs(Path(folder), rounds), strict=True):
            ours, raw = statistics.median(times.ours), statistics.median(times.raw)
            ratios = [left / right for left, right in zip(times.ours, times.raw, strict=True)]
            overhead = statistics.median(left - right for left, right in zip(times.ours, times.raw, strict=True))
            figures |= {f"{pair.verb}_p50_ms": ours, f"{pair.verb}_raw_ms": raw}
            figures |= {f"{pair.verb}_ratio": statistics.median(ratios), f"{pair.verb}_overhead_ms": overhead}
    figures["worst_overhead_ms"] = max(figures[f"{pair.verb}_overhead_ms"] for pair in PAIRS)
    figures |= await asyncio.to_thread(measure_race)
    figures["judgements_per_s"] = await asyncio.to_thread(measure_judgements)
    return figures


async def time_verbs(folder: Path, rounds: int) -> list[Times]:
    """Time all verbs beside the raw calls, in turn."""
    for name in ("ours", "raw", "hundred", "home"):
        (folder / name).mkdir()
    for number in range(100):
        (folder / "hundred" / f"f{number}.txt").write_bytes(b"x")
    environment = Environment(
        platform=sys.platform,
        variables={"HOME": str(folder / "home")},
        workspace=folder,
        state_dir=folder / "home" / "state",
        anchors={"workspace": str(folder)},
    )
    back_end = make_back_end(environment)
    registry = make_registry(back_end.toolsets)
    context = ActionContext("g0_file_1", policy=Policy(roots=(str(folder),)))
    places = (Field(folder / "ours"), Field(folder / "raw"))
    all_times = [await time_pair(registry, context, pair, (places, rounds * PAIRS_PER_ROUND)) for pair in PAIRS]
    await back_end.close()
    return all_times


def make_registry(tools: Mapping[type[Toolset], Toolset]) -> ToolRegistry:
    """Return a registry of the file tools."""

    async def provide(toolset: type[Toolset]) -> Toolset:
        return tools[toolset]

    registry = ToolRegistry()
    for toolset in load_toolsets("file"):
        registry.register(toolset, provide)
    return registry


async def time_pair(
    registry: ToolRegistry, context: ActionContext, pair: Pair, terms: tuple[tuple[Field, Field], int]
) -> Times:
    """Time one verb beside the raw way, in turn; the first two pairs are not counted."""
    (ours, raw), count = terms
    times = Times()
    for number in range(count + 2):
        own, other = pair.prepare(ours), pair.prepare(raw)

        async def call(args: Params = own) -> None:
            await registry.call(ToolCall(f"file_{pair.verb}", args), context)

        async def do_raw(args: Params = other) -> None:
            pair.raw(args)

        sides = [(times.ours, call), (times.raw, do_raw)]
        for kept, job in sides if number % 2 else reversed(sides):
            taken = await time_job(job)
            if number >= 2:
                kept.append(taken)
    return times


async def time_job(job: Callable[[], Awaitable[None]]) -> float:
    """Return the milliseconds that a job takes."""
    began = time.perf_counter()
    await job()
    return (time.perf_counter() - began) * 1000


def measure_race(tries: int = TRIES) -> dict[str, float]:
    """Return what came of opening a file while its folder is swapped for a link to outside."""
    with tempfile.TemporaryDirectory() as folder, swap_links(Path(folder)) as root:
        kernel = race(root, tries, make_reader(PosixStore(openat2=True)))
        walk = race(root, tries, make_reader(PosixStore(openat2=False)))
        naive = race(root, tries, read_naively)
    return {
        "race_tries": tries,
        "race_escapes": kernel.escapes,
        "race_walk_escapes": walk.escapes,
        "race_naive_escapes": naive.escapes,
        "race_read_inside": kernel.inside,
        "race_walk_read_inside": walk.inside,
    }


def make_reader(store: PosixStore) -> Callable[[str, str], bytes | None]:
    """Return a reader that goes through a store."""

    def read(root: str, path: str) -> bytes | None:
        try:
            with store.find((root,), path) as spot:
                file = spot.folder.open(spot.name)
                content = file.stream.read()
                file.close()
                return content
        except (FileError, OSError):
            return None

    return read
