"""One act on several files: where it fails or is stopped in the middle, and how it is planned and shown."""

import asyncio
import errno
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.files.jobs.matches import MOST_AT_ONCE
from actuators.files.platforms.fake import FakeDisk
from actuators.verb_table import PLANNER_RULES
from agent.cli.screen.outputs import describe_changes
from core.base.errors import FileError, UnknownOutcomeError
from core.goals.meta_goals import Goal
from core.planning.planner import GoalPlanner
from core.tools.previews import list_items
from tests.contracts.files.bench import FileBench, make_fake_bench
from tests.core.samples import WORKSPACE, make_setting, plan_action

NAMES = ("a.jpg", "b.jpg", "c.jpg")


@pytest.fixture
def machine() -> FakeDisk:
    return FakeDisk()


@pytest.fixture
async def bench(machine: FakeDisk) -> AsyncIterator[FileBench]:
    bench = make_fake_bench(machine)
    for name in NAMES:
        bench.put(name, name)
    bench.eyes.make(bench.path("album"))
    yield bench
    await bench.back_end.close()


async def move_photos(bench: FileBench) -> None:
    shown = await bench.preview("move", source=bench.path("*.jpg"), destination=bench.path("album"))
    await bench.call("move", shown=shown, source=bench.path("*.jpg"), destination=bench.path("album"))


async def test_a_fault_at_the_last_of_several_takes_the_others_back(machine: FakeDisk, bench: FileBench):
    machine.store.faults.plan("rename", errno.EACCES, name="c.jpg")
    with pytest.raises(FileError) as caught:
        await move_photos(bench)
    assert caught.value.code == "no_permission"
    assert (bench.names(), bench.names("album")) == (["a.jpg", "album", "b.jpg", "c.jpg"], [])


async def test_a_way_back_that_fails_too_is_told_with_what_was_done(machine: FakeDisk, bench: FileBench):
    machine.store.faults.plan("rename", errno.EACCES, after=2, times=0)
    with pytest.raises(UnknownOutcomeError) as caught:
        await move_photos(bench)
    assert len(caught.value.evidence["done"]) == 2
    assert (bench.names(), bench.names("album")) == (["album", "c.jpg"], ["a.jpg", "b.jpg"])


async def test_cancelling_between_two_of_them_takes_the_first_back(machine: FakeDisk, bench: FileBench):
    shown = await bench.preview("copy", source=bench.path("*.jpg"), destination=bench.path("album"))
    loop = asyncio.get_running_loop()
    begun = asyncio.Event()
    acting = asyncio.create_task(
        bench.call("copy", shown=shown, source=bench.path("*.jpg"), destination=bench.path("album"))
    )
    machine.store.faults.meanwhile = lambda: loop.call_soon_threadsafe(begun.set)
    await begun.wait()
    acting.cancel()
    await asyncio.wait([acting])
    assert bench.names("album") in ([], list(NAMES))


async def test_more_files_than_anybody_would_look_at_are_refused(bench: FileBench):
    for number in range(MOST_AT_ONCE + 1):
        bench.put(f"many/{number}.txt")
    with pytest.raises(FileError) as caught:
        await bench.preview("delete", object_type="file", name=bench.path("many/*.txt"))
    assert caught.value.code == "too_many"


@given(
    names=st.sets(st.text("ab.", min_size=1, max_size=4).filter(lambda name: name.strip(".") == name), max_size=6),
    pattern=st.text("ab*?.", min_size=1, max_size=4).filter(lambda text: set("*?") & set(text) and text[-1] != "."),
)
async def test_a_glob_takes_what_it_matches_and_leaves_the_rest(names: set[str], pattern: str):
    bench = make_fake_bench(FakeDisk())
    for name in names:
        bench.put(f"here/{name}")
    bench.eyes.make(bench.path("there"))
    bench.eyes.make(bench.path("here"))
    wanted = {name for name in names if matches(pattern, name)}
    moving = bench.call("move", source=bench.path(f"here/{pattern}"), destination=bench.path("there"))
    if wanted:
        await moving
    else:
        with pytest.raises(FileError, match="matches"):
            await moving
    assert set(bench.names("there") or ()) == wanted
    assert set(bench.names("here") or ()) == names - wanted
    await bench.back_end.close()


def matches(pattern: str, name: str) -> bool:
    """Match as slowly and plainly as can be."""
    if not pattern:
        return not name
    if pattern[0] == "*":
        return matches(pattern[1:], name) or (bool(name) and matches(pattern, name[1:]))
    return bool(name) and pattern[0] in {"?", name[0]} and matches(pattern[1:], name[1:])


@pytest.mark.parametrize(
    ("verb", "params", "param"),
    [
        ("copy", {"source": "*.txt", "destination": "d"}, "source"),
        ("move", {"source": "*.txt", "destination": "d"}, "source"),
        ("delete", {"object_type": "file", "name": "*.txt"}, "name"),
        ("zip", {"source": "*.txt", "destination": "a.zip"}, "source"),
        ("unzip", {"source": "*.txt", "destination": "d"}, "source"),
    ],
)
def test_a_glob_is_planned_as_an_absolute_glob(verb: str, params: dict[str, Any], param: str):
    assert plan_action("file", verb, params).args[param] == f"{WORKSPACE}/*.txt"


@pytest.mark.parametrize(
    ("domain", "verb", "params"),
    [
        ("file", "copy", {"source": "a.txt", "destination": "*"}),
        ("file", "copy", {"source": "../*.txt", "destination": "d"}),
        ("file", "copy", {"source": "/etc/*", "destination": "d"}),
        ("file", "copy", {"source": ["a.txt", "<*>"], "destination": "d"}),
        ("file", "zip", {"source": "a.txt", "destination": "?.zip"}),
        ("file", "rename", {"source": "*.txt", "target": "a.txt"}),
        ("file", "purge", {"path": "*.txt"}),
        ("file", "write", {"path": "*.txt", "content": "x"}),
        ("browser", "upload", {"selector": 'button "Add"', "path": "*.txt"}),
    ],
)
def test_a_glob_is_refused_where_one_file_is_meant_or_may_not_be_touched(
    domain: str, verb: str, params: dict[str, Any]
):
    result = GoalPlanner(PLANNER_RULES).plan(Goal(domain, verb, params, goal_id="g0"), make_setting())
    assert (result.status, result.error and result.error.code) == ("blocked", "path_refused")


def test_every_file_is_shown_in_a_line_of_its_own_and_none_can_look_like_two():
    items = [{"source": "/d/a\u202e.txt", "destination": "/k/a.txt", "replaces": True}, {"path": "/d/b.txt"}]
    assert list_items({"items": items}) == ("/d/a\\u202e.txt → /k/a.txt, replacing what is there", "/d/b.txt")
    change = {"id": "g0_copy_1", "text": "Copy", "operation": {"items": items}, "diff": ""}
    assert list(describe_changes([change]))[2] == "    /d/b.txt"
