"""Where a run of the tests spent its time: seconds by folder, and the slowest tests.

A test's seconds are those of its set-up, its call and its end, so that what the first test of a process starts for all counts there.
Spread over processes they add up to more than the clock on the wall: to that times the processes, if none was idle.
"""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

SLOWEST = 15


class Spent(NamedTuple):
    """What some tests took."""

    tests: int
    seconds: float


def name_folder(nodeid: str) -> str:
    """Return the second-level folder of a test: `core/language` of `tests/core/language/test_rules.py::test_one`."""
    folders = PurePosixPath(nodeid.partition("::")[0]).parent.parts
    return "/".join(folders[1:3] if folders[:1] == ("tests",) else folders[:2]) or "."


def sum_by_folder(seconds: Mapping[str, float]) -> Mapping[str, Spent]:
    """Return what each folder took, the longest first."""
    folders: dict[str, Spent] = {}
    for nodeid, spent in seconds.items():
        before = folders.get(name_folder(nodeid), Spent(0, 0.0))
        folders[name_folder(nodeid)] = Spent(before.tests + 1, before.seconds + spent)
    return dict(sorted(folders.items(), key=lambda each: (-each[1].seconds, each[0])))


def write_lines(seconds: Mapping[str, float]) -> list[str]:
    """Return the table of the folders and the slowest tests, as lines."""
    folders = sum_by_folder(seconds)
    width = max(len(folder) for folder in folders)
    lines = [f"{'folder':{width}}  tests  seconds"]
    lines += [f"{folder:{width}}  {spent.tests:5}  {spent.seconds:7.1f}" for folder, spent in folders.items()]
    lines += [f"{'all':{width}}  {len(seconds):5}  {sum(seconds.values()):7.1f}", "", f"slowest {SLOWEST}"]
    slowest = sorted(seconds, key=lambda nodeid: (-seconds[nodeid], nodeid))[:SLOWEST]
    return lines + [f"{seconds[nodeid]:7.1f}  {nodeid}" for nodeid in slowest]
