"""What is left when the machine fails in the middle, on files in memory that fail on purpose."""

import errno
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import pytest

from actuators.files.platforms.fake import FakeDisk
from actuators.files.stores.fake_store import DiedError
from core.base.errors import FileError, SurehandError, UnknownOutcomeError
from tests.contracts.files.bench import FileBench, make_fake_bench

STEPS = ["create", "write", "sync", "rename"]
NAMES = {"rename": "a.txt", "make": "undo"}
PLACES = [("create", 0), ("create", 1), ("write", 0), ("write", 1), ("sync", 0), ("rename", 0), ("make", 0)]


@pytest.fixture
def machine() -> FakeDisk:
    return FakeDisk()


@pytest.fixture
async def bench(machine: FakeDisk) -> AsyncIterator[FileBench]:
    bench = make_fake_bench(machine)
    bench.put("a.txt", "old")
    yield bench
    await bench.back_end.close()


@pytest.mark.parametrize(("step", "after"), PLACES)
@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOSPC, "no_space"),
        (errno.EDQUOT, "no_space"),
        (errno.EACCES, "no_permission"),
        (errno.EROFS, "read_only"),
        (errno.EIO, "file_failed"),
    ],
)
async def test_a_fault_while_writing_leaves_the_old_content_and_nothing_else(
    machine: FakeDisk, bench: FileBench, step: str, after: int, number: int, code: str
):
    shown = await bench.preview("write", path=bench.path("a.txt"), content="new")
    machine.store.faults.plan(step, number, name=NAMES.get(step, ".surehand-*"), after=after)
    with pytest.raises(FileError) as caught:
        await bench.call("write", shown=shown, path=bench.path("a.txt"), content="new")
    assert caught.value.code == code
    assert caught.value.hint
    assert bench.look("a.txt") == b"old"
    assert bench.names() == ["a.txt"]


async def test_a_full_volume_leaves_the_old_file_whole(machine: FakeDisk, bench: FileBench):
    machine.store.faults.capacity_bytes = machine.store.root.measure() + 100
    with pytest.raises(FileError) as caught:
        await bench.call("write", path=bench.path("a.txt"), content="x" * 1000)
    assert caught.value.code == "no_space"
    assert (bench.look("a.txt"), bench.names()) == (b"old", ["a.txt"])


@pytest.mark.parametrize("step", [*STEPS, "state"])
async def test_a_death_leaves_old_or_new_and_the_next_write_tidies_up(machine: FakeDisk, bench: FileBench, step: str):
    shown = await bench.preview("write", path=bench.path("a.txt"), content="new")
    machine.store.faults.plan(step, name="a.txt" if step in {"rename", "state"} else ".surehand-*")
    with pytest.raises(DiedError):
        await bench.call("write", shown=shown, path=bench.path("a.txt"), content="new")
    machine.store.faults.revive()
    assert bench.look("a.txt") in {b"old", b"new"}
    for name in bench.names() or []:  # as a process that is no more would have called it
        if name.startswith(".surehand-"):
            folder = machine.store.make_folders(bench.root)
            host, _, token = name.removeprefix(".surehand-").split("-")
            folder.entries[f".surehand-{host}-999999999-{token}"] = folder.entries.pop(name)
    await bench.call("write", path=bench.path("a.txt"), content="newer")
    assert (bench.look("a.txt"), bench.names()) == (b"newer", ["a.txt"])


async def test_a_volume_that_cannot_make_it_durable_is_reported_as_unknown(machine: FakeDisk, bench: FileBench):
    shown = await bench.preview("write", path=bench.path("a.txt"), content="new")
    machine.store.faults.plan("sync", errno.EIO, name=bench.root)
    with pytest.raises(UnknownOutcomeError):
        await bench.call("write", shown=shown, path=bench.path("a.txt"), content="new")


@pytest.mark.parametrize("after", range(4))
async def test_a_copy_of_a_folder_that_fails_leaves_nothing(machine: FakeDisk, bench: FileBench, after: int):
    for number in range(4):
        bench.put(f"d/e/{number}.txt", "x" * 10)
    shown = await bench.preview("copy", source=bench.path("d"), destination=bench.path("k"))
    machine.store.faults.plan("write", errno.ENOSPC, after=after)
    with pytest.raises(FileError) as caught:
        await bench.call("copy", shown=shown, source=bench.path("d"), destination=bench.path("k"))
    assert caught.value.code == "no_space"
    assert bench.names() == ["a.txt", "d"]


@pytest.mark.parametrize("fault", ["write", "rename", "make", "sync"])
async def test_unpacking_that_fails_leaves_nothing(machine: FakeDisk, bench: FileBench, fault: str):
    bench.put("d/e/f.txt", "x")
    bench.put("g.txt", "y")
    await bench.call("zip", source=(bench.path("d"), bench.path("g.txt")), destination=bench.path("z.zip"))
    bench.eyes.make(bench.path("out"))
    shown = await bench.preview("unzip", source=bench.path("z.zip"), destination=bench.path("out"))
    machine.store.faults.plan(fault, errno.EIO, after=1)
    with pytest.raises(SurehandError):
        await bench.call("unzip", shown=shown, source=bench.path("z.zip"), destination=bench.path("out"))
    assert bench.names("out") in ([], ["d", "g.txt"])
    assert fault == "sync" or bench.names("out") == []


async def test_what_should_be_replaced_comes_back_when_the_move_fails(machine: FakeDisk, bench: FileBench):
    bench.put("b.txt", "theirs")
    args: dict[str, Any] = {"source": bench.path("a.txt"), "destination": bench.path("b.txt"), "overwrite": True}
    shown = await bench.preview("move", **args)
    machine.store.faults.plan("rename", errno.EACCES, after=1)  # the first puts what is there into the trash
    with pytest.raises(FileError) as caught:
        await bench.call("move", shown=shown, **args)
    assert caught.value.code == "no_permission"
    assert (bench.look("a.txt"), bench.look("b.txt")) == (b"old", b"theirs")


async def test_a_move_to_another_volume_copies_and_removes(machine: FakeDisk, bench: FileBench):
    machine.store.make_folders(bench.path("stick"), volume="stick")
    bench.put("d/e/f.txt", "x")
    outcome = await bench.call("move", source=bench.path("d"), destination=bench.path("stick"))
    assert (bench.look("stick/d/e/f.txt"), bench.look("d/e/f.txt")) == (b"x", None)
    assert outcome.effect == "confirmed"


async def test_a_move_to_another_volume_is_taken_back(machine: FakeDisk, bench: FileBench):
    machine.store.make_folders(bench.path("stick"), volume="stick")
    bench.put("d/e/f.txt", "x")
    bench.put("stick/b.txt", "theirs")
    moved = [await bench.call("move", source=bench.path("d"), destination=bench.path("stick"))]
    args: dict[str, Any] = {"source": bench.path("a.txt"), "destination": bench.path("stick/b.txt"), "overwrite": True}
    moved.append(await bench.call("move", **args))
    for outcome in reversed(moved):
        await bench.take_back(outcome)
    assert (bench.look("d/e/f.txt"), bench.look("a.txt"), bench.look("stick/b.txt")) == (b"x", b"old", b"theirs")
    assert bench.look("stick/d/e/f.txt") is None


async def test_what_cannot_leave_its_volume_is_not_there_twice(machine: FakeDisk, bench: FileBench):
    machine.store.make_folders(bench.path("stick"), volume="stick")
    bench.put("stick/b.txt", "theirs")
    args: dict[str, Any] = {"source": bench.path("a.txt"), "destination": bench.path("stick/b.txt"), "overwrite": True}
    shown = await bench.preview("move", **args)
    machine.store.faults.plan("remove", errno.EROFS, name="a.txt")
    with pytest.raises(FileError) as caught:
        await bench.call("move", shown=shown, **args)
    assert caught.value.code == "read_only"
    assert (bench.look("a.txt"), bench.look("stick/b.txt")) == (b"old", b"theirs")


async def test_another_volume_has_a_trash_of_its_own(machine: FakeDisk, bench: FileBench):
    machine.store.make_folders(bench.path("stick"), volume="stick")
    outcome = await bench.call("delete", object_type="file", name=bench.put("stick/f.txt", "x"))
    assert outcome.output["trashed"] == bench.path("stick/.Trash-1000/files/f.txt")
    await bench.call("restore", path=bench.path("stick/f.txt"))
    assert bench.look("stick/f.txt") == b"x"


async def test_a_volume_without_a_trash_keeps_its_files(machine: FakeDisk, bench: FileBench):
    machine.store.make_folders(bench.path("stick"), volume="stick")
    path = bench.put("stick/f.txt", "x")
    shown = await bench.preview("delete", object_type="file", name=path)
    machine.store.faults.plan("make", errno.EROFS, name=".Trash-1000")
    with pytest.raises(FileError) as caught:
        await bench.call("delete", shown=shown, object_type="file", name=path)
    assert caught.value.code == "no_trash"
    assert bench.look("stick/f.txt") == b"x"


async def test_what_another_volume_holds_is_not_purged(machine: FakeDisk, bench: FileBench):
    machine.store.make_folders(bench.path("d/stick"), volume="stick")
    bench.put("d/stick/f.txt", "x")
    with pytest.raises(FileError) as caught:
        await bench.call("purge", path=bench.path("d"))
    assert caught.value.code == "in_use"
    assert bench.look("d/stick/f.txt") == b"x"


async def test_a_volume_is_not_purged_where_it_is_mounted(machine: FakeDisk, bench: FileBench):
    machine.store.make_folders(bench.path("stick"), volume="stick")
    bench.put("stick/f.txt", "x")
    with pytest.raises(FileError) as caught:
        await bench.preview("purge", path=bench.path("stick"))
    assert caught.value.code == "in_use"


@pytest.mark.parametrize("after", range(3))
async def test_a_folder_that_cannot_be_removed_for_good_keeps_its_name(machine: FakeDisk, bench: FileBench, after: int):
    for number in range(3):
        bench.put(f"d/{number}.txt", "x")
    shown = await bench.preview("purge", path=bench.path("d"))
    machine.store.faults.plan("remove", errno.EACCES, after=after)
    with pytest.raises(FileError) as caught:
        await bench.call("purge", shown=shown, path=bench.path("d"))
    assert caught.value.code == "no_permission"
    assert bench.names() == ["a.txt", "d"]
    assert len(bench.names("d") or []) == 3 - after


async def test_a_death_while_a_folder_is_removed_for_good_leaves_nothing_of_it_in_sight(
    machine: FakeDisk, bench: FileBench
):
    bench.put("d/a.txt", "x")
    shown = await bench.preview("purge", path=bench.path("d"))
    machine.store.faults.plan("remove", name="a.txt")
    with pytest.raises(DiedError):
        await bench.call("purge", shown=shown, path=bench.path("d"))
    machine.store.faults.revive()
    assert bench.look("d/a.txt") is None
    assert [name.startswith(".surehand-") for name in bench.names() or []] == [True, False]


async def test_what_changes_while_it_goes_to_another_volume_stays(machine: FakeDisk, bench: FileBench):
    machine.store.make_folders(bench.path("stick"), volume="stick")
    bench.put("d/f.txt", "x")
    shown = await bench.preview("move", source=bench.path("d"), destination=bench.path("stick"))
    machine.store.faults.meanwhile = partial(bench.put, "d/g.txt", "newer")
    with pytest.raises(FileError) as caught:
        await bench.call("move", shown=shown, source=bench.path("d"), destination=bench.path("stick"))
    assert caught.value.code == "changed_since"
    assert (bench.names("d"), bench.names("stick")) == (["f.txt", "g.txt"], [])


async def test_old_content_that_was_damaged_is_not_put_back(machine: FakeDisk, bench: FileBench):
    outcome = await bench.call("write", path=bench.path("a.txt"), content="new")
    assert outcome.undo_record
    kept = machine.store.look(f"/home/ada/state/undo/{outcome.undo_record.params['content']}")
    assert kept
    kept.content = b"damaged"
    with pytest.raises(FileError) as caught:
        await bench.take_back(outcome)
    assert caught.value.code == "not_found"
    assert bench.look("a.txt") == b"new"


async def test_what_undo_rests_upon_is_not_for_the_tools(bench: FileBench):
    bench.root = "/home/ada"
    await bench.call("write", path="/home/ada/work/a.txt", content="new")
    for name in bench.eyes.names("/home/ada/state/undo") or []:
        with pytest.raises(SurehandError) as caught:
            await bench.call("write", path=f"/home/ada/state/undo/{name}", content="forged")
        assert caught.value.code == "refused_by_policy"


async def test_the_fake_opener_remembers_what_was_opened(machine: FakeDisk, bench: FileBench):
    outcome = await bench.call("open", path=bench.path("a.txt"))
    assert (outcome.effect, machine.opener.opened) == ("unverified", [bench.path("a.txt")])
