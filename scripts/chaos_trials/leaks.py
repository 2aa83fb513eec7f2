"""Many sessions in one process, good and bad, and what they leave behind: `python3 scripts/chaos.py leaks [--sessions N]`.

Every kind takes its turn: pages, files, sound and desktop; steps that fail; runs that are stopped or abandoned; the browser, its
driver or a whole Surehand killed in the middle. The first turn of each warms up; after the last, processes, descriptors, threads,
tasks and temporary files must be what they were then, each that isn't is named. What each session leaves of memory, objects,
descriptors and temporary files must not grow, either: the slope over whole turns, after two that warm up, is held to a limit.
"""

import argparse
import asyncio
import gc
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from fixtures.machine.desktop import PrivateDesktop
from fixtures.machine.processes import NotStartedError
from fixtures.machine.sound import PrivatePulse
from fixtures.site_server import SiteServer
from scripts import bench
from scripts.chaos_trials.holdings import adopt_orphans, bury_orphans, list_holdings
from scripts.chaos_trials.leak_sessions import SCENES, Surroundings
from scripts.chaos_trials.proof import is_proven
from scripts.chaos_trials.trends import LEAST_VALUES, condense, find_slope, grows

_SETTLING_S = 10.0
"""Seconds that what was killed has to be gone."""

_WARM_TURNS = 2
"""Turns of all kinds until caches are filled and the allocator has what it needs."""

LIMITS = {"memory_mib": 4.0, "objects": 2000.0, "descriptors": 2.0, "temporary_files": 2.0}
"""What may be more after 100 sessions than before."""

NOISE = {"memory_mib": 2.0}
"""What may be more at the end, however few the sessions: an allocator takes memory from the system in pieces."""

_MIB = 1024 * 1024
_MOST_TOLD = 8
_PASSED_ON = ("DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "PULSE_SERVER")


@dataclass(slots=True)
class Findings:
    """What was found out.

    Attributes:
        left: What is there now and wasn't after the warm-up, by name.
        resident_mib: Memory after each session.
        series: What is held after each session and the garbage collector, by what it is; the names are those of the limits.
        kinds: Objects by type, after the turns that warm up and at the end.
        seconds: By kind, how long each session took.
        faults: Sessions that didn't go as they should.
    """

    left: Counter[str] = field(default_factory=Counter[str])
    resident_mib: list[float] = field(default_factory=list[float])
    series: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in LIMITS})
    kinds: list[Counter[str]] = field(default_factory=list[Counter[str]])
    seconds: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    faults: list[str] = field(default_factory=list[str])


def main(arguments: list[str]) -> int:
    """Run the sessions, print what they left; return 0 if that is nothing."""
    parser = argparse.ArgumentParser(prog="chaos.py leaks", description=__doc__)
    parser.add_argument("--sessions", type=int, default=300, help="how many (default 300), after one of each kind")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    asked = parser.parse_args(arguments)
    with surround() as (where, temporary):
        findings = asyncio.run(count_leaks(asked.sessions, where, temporary))
    figures = make_figures(findings, asked.sessions)
    print_findings(findings, figures)
    if asked.json:
        samples = {"resident_mib": findings.resident_mib, **findings.series}
        bench.write_reports([{"name": "leaks", "figures": figures, "samples": samples}], asked.json)
    proven = is_proven(figures, {"sessions": float(len(SCENES))})
    return 0 if proven and not figures["leaks"] and not findings.faults else 1


@contextmanager
def surround() -> Generator[tuple[Surroundings, Path]]:
    """Start sites, a sound server and a desktop, as far as this machine has them, and end them."""
    adopt_orphans()
    root = Path(tempfile.mkdtemp(prefix="sh-"))
    before = dict(os.environ)
    old_folder = tempfile.tempdir
    pulse, desktop = _start_sound(root / "pulse"), _start_desktop(root / "desk")
    temporary = root / "tmp"
    temporary.mkdir()
    environ = {**(desktop.environ if desktop else {}), **(pulse.environ if pulse else {})}
    os.environ.update({name: environ[name] for name in _PASSED_ON if name in environ} | {"TMPDIR": str(temporary)})
    if desktop:
        os.environ["XDG_RUNTIME_DIR"] = desktop.environ["XDG_RUNTIME_DIR"]
    tempfile.tempdir = None  # so that it is read from the environment again
    try:
        with SiteServer() as site:
            yield Surroundings(site.url, root / "work", pulse is not None, desktop is not None, site.reset), temporary
    finally:
        for each in (desktop, pulse):
            if each:
                each.stop()
        tempfile.tempdir = old_folder
        os.environ.clear()
        os.environ.update(before)
        shutil.rmtree(root, ignore_errors=True)


async def count_leaks(sessions: int, where: Surroundings, temporary: Path) -> Findings:
    """Run one session of each kind, look, run the sessions, and look again.

    Args:
        sessions: How many, after the first of each kind.
        where: Sites and devices.
        temporary: The folder of temporary files.
    """
    findings = Findings()
    for kind in SCENES:
        await _do(kind, where, Findings())
    await _do("everything", where, Findings())  # its start removes what the killed ones left
    start = await _settle(temporary, Counter())
    kinds = list(SCENES)
    for number in range(sessions):
        await _do(kinds[number % len(kinds)], where, findings)
        await _weigh(findings, temporary)
        if number + 1 == _WARM_TURNS * len(SCENES):
            findings.kinds.append(_count_kinds())
        _show_progress(number + 1, sessions)
    findings.kinds.append(_count_kinds())
    await _do("everything", where, Findings())
    findings.left = await _settle(temporary, start) - start
    return findings


def make_figures(findings: Findings, sessions: int) -> dict[str, float]:
    """Return the figures by name."""
    turns = {name: list_turns(values) for name, values in findings.series.items()}
    per_100 = 100 / len(SCENES)
    figures = {
        "leaks": float(findings.left.total() + len(find_growing(findings))),
        "faults": float(len(findings.faults)),
        "sessions": float(sessions),
        "turns_judged": float(max(map(len, turns.values()))),
        **{f"{name}_slope_per_100": find_slope(values) * per_100 for name, values in turns.items()},
        "memory_slope_uncollected_mib_per_100": find_slope(list_turns(findings.resident_mib)) * per_100,
        "memory_end_mib": next(iter(findings.series["memory_mib"][-1:]), 0.0),
    }
    times = {f"{kind.replace(' ', '_')}_s": statistics.median(each) for kind, each in findings.seconds.items()}
    return figures | times


def list_turns(values: Sequence[float]) -> list[float]:
    """Return the turns that are judged: whole ones, without those that warm up."""
    return condense(values, len(SCENES))[_WARM_TURNS:]


def find_growing(findings: Findings) -> list[str]:
    """Return the names of what grows by more than its limit."""
    per_turn = len(SCENES) / 100
    turns = {name: list_turns(findings.series[name]) for name in LIMITS}
    return [name for name, limit in LIMITS.items() if grows(turns[name], limit * per_turn, NOISE.get(name, 0.0))]


def print_findings(findings: Findings, figures: dict[str, float]) -> None:
    """Print the table, and by name what is left and what grew."""
    for name, value in figures.items():
        print(f"{name:<38} {value:>10.3f}")
    if figures["turns_judged"] < LEAST_VALUES:
        wanted = (LEAST_VALUES + _WARM_TURNS) * len(SCENES)
        print(f"no slope is judged: that takes {wanted} sessions")
    for name, count in sorted(findings.left.items()):
        print(f"left behind: {count} x {name}")
    for name in find_growing(findings):
        rate = figures[f"{name}_slope_per_100"]
        print(f"grows: {name.replace('_', ' ')} by {rate:.1f} in 100 sessions, {LIMITS[name]:g} allowed")
    if find_growing(findings) and len(findings.kinds) > 1:
        for kind, more in (findings.kinds[-1] - findings.kinds[0]).most_common(_MOST_TOLD):
            print(f"  {more} more of {kind}")
    for fault in findings.faults:
        print(f"not as it should be: {fault}")


async def _do(kind: str, where: Surroundings, findings: Findings) -> None:
    where.workspace.mkdir()
    began = time.perf_counter()
    try:
        await SCENES[kind](where)
    except RuntimeError as error:
        findings.faults.append(f"{kind}: {error}")
    findings.seconds.setdefault(kind, []).append(time.perf_counter() - began)
    await asyncio.to_thread(shutil.rmtree, where.workspace)
    where.forget()


async def _weigh(findings: Findings, temporary: Path) -> None:
    process = psutil.Process()
    findings.resident_mib.append(process.memory_info().rss / _MIB)
    gc.collect()
    held = {
        "memory_mib": process.memory_info().rss / _MIB,
        "objects": len(gc.get_objects()),
        "descriptors": process.num_fds() if sys.platform != "win32" else process.num_handles(),
        "temporary_files": await asyncio.to_thread(lambda: sum(1 for _ in temporary.rglob("*"))),
    }
    for name, value in held.items():
        findings.series[name].append(float(value))


def _count_kinds() -> Counter[str]:
    return Counter(f"{type(each).__module__}.{type(each).__qualname__}" for each in gc.get_objects())


async def _settle(temporary: Path, wanted: Counter[str]) -> Counter[str]:
    """Return what is held, once it is no more than what is wanted or the time for that is up."""
    loop = asyncio.get_running_loop()
    end = loop.time() + _SETTLING_S
    while True:
        with ThreadPoolExecutor() as idle:  # the loop's own threads end with the executor that is put away
            loop.set_default_executor(idle)
        loop.set_default_executor(ThreadPoolExecutor(thread_name_prefix="asyncio"))
        gc.collect()
        bury_orphans()
        held = list_holdings(temporary)
        if (wanted and held <= wanted) or loop.time() > end or (not wanted and not _has_processes(held)):
            return held
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), 0.1)


def _has_processes(held: Counter[str]) -> bool:
    return any(name.startswith("process ") for name in held)


def _show_progress(done: int, sessions: int) -> None:
    if sys.stderr.isatty() or done % 50 == 0:
        sys.stderr.write(f"{done} of {sessions} sessions\n")


def _start_sound(folder: Path) -> PrivatePulse | None:
    return _start(PrivatePulse(folder), folder, "pulseaudio")


def _start_desktop(folder: Path) -> PrivateDesktop | None:
    return _start(PrivateDesktop(folder), folder, "Xvfb", "openbox", "dbus-daemon", "dunst")


def _start(kept: Any, folder: Path, *programs: str) -> Any:
    missing = [each for each in programs if shutil.which(each) is None]
    if missing:
        print(f"left out: {', '.join(missing)} not installed")
        return None
    folder.mkdir()
    try:
        kept.start()
    except NotStartedError as error:
        kept.stop()
        print(f"left out: {error}")
        return None
    return kept
