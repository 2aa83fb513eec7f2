"""Files that are seldom met: pipes, names that are long or no text, times beyond calendars, what changes while it is used."""

import asyncio
import os
import subprocess
import sys
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

if sys.platform == "win32":
    pytest.skip("these are the files of POSIX", allow_module_level=True)

from actuators.files.platforms.linux import make_back_end
from core.base.errors import FileError
from tests.contracts.files.bench import FileBench, make_environment, make_real_bench


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[FileBench]:
    back_end = make_back_end(make_environment(tmp_path, tmp_path / "work"))
    yield make_real_bench(back_end, tmp_path)
    await back_end.close()


def run(*command: str) -> bool:
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


def make_pipe(path: str) -> None:
    Path(path).parent.mkdir(exist_ok=True)
    os.mkfifo(path)


def has_pipe(path: str) -> bool:
    return Path(path).is_fifo()


def set_time(path: str, seconds: int) -> None:
    os.utime(path, (seconds, seconds))


def list_members(path: str) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()


async def test_a_pipe_can_be_renamed_and_put_into_the_trash_and_never_blocks(bench: FileBench):
    make_pipe(bench.path("pipe"))
    looks: dict[str, dict[str, Any]] = {"read": {}, "hash": {}, "append": {"content": "x"}}
    for verb, args in looks.items():
        with pytest.raises(FileError) as caught:
            await bench.call(verb, **args, path=bench.path("pipe"))
        assert caught.value.code == "wrong_type"
    await bench.call("rename", source=bench.path("pipe"), target="other")
    outcome = await bench.call("delete", object_type="file", name=bench.path("other"))
    assert bench.names() == []
    await bench.take_back(outcome)
    assert has_pipe(bench.path("other"))


async def test_an_archive_says_what_it_leaves_out(bench: FileBench):
    bench.put("d/a.txt", "x")
    make_pipe(bench.path("d/pipe"))
    outcome = await bench.call("zip", source=bench.path("d"), destination=bench.path("d.zip"))
    assert (outcome.output["entries"], outcome.output["left_out"]) == (2, ["d/pipe"])
    assert list_members(bench.path("d.zip")) == ["d/", "d/a.txt"]


async def test_times_that_an_archive_cannot_hold_are_packed_as_the_nearest(bench: FileBench):
    for name, seconds in (("early", -(10**9)), ("late", 7_500_000_000)):
        set_time(bench.put(name, "x"), seconds)
        await bench.call("zip", source=bench.path(name), destination=bench.path(f"{name}.zip"))
        await bench.call("unzip", source=bench.path(f"{name}.zip"), destination=bench.path(f"{name}-out"))
        assert bench.look(f"{name}-out/{name}") == b"x"


async def test_a_name_that_fills_the_limit_goes_into_the_trash_and_back(bench: FileBench):
    for name in ("x" * 250 + ".txt", "ż" * 127, "." + "y" * 254):
        path = bench.put(name, "x")
        await bench.call("delete", object_type="file", name=path)
        bench.put(name, "y")
        outcome = await bench.call("delete", object_type="file", name=path)
        await bench.take_back(outcome)
        assert bench.look(name) == b"y"
        await bench.call("purge", path=path)
        await bench.call("restore", path=path)
        assert bench.look(name) == b"x"


async def test_of_many_deleted_in_one_second_the_latest_comes_back_first(bench: FileBench):
    for number in range(12):
        await bench.call("delete", object_type="file", name=bench.put("a.txt", str(number)))
    for number in reversed(range(12)):
        await bench.call("restore", path=bench.path("a.txt"))
        assert bench.look("a.txt") == str(number).encode()
        await bench.call("purge", path=bench.path("a.txt"))


async def test_folders_above_may_be_made_by_several_at_once(bench: FileBench):
    made = await asyncio.gather(
        *[bench.call("create", object_type="file", name=bench.path(f"a/b/{number}.txt")) for number in range(12)]
    )
    assert len(bench.names("a/b") or []) == 12
    for outcome in made:
        await bench.take_back(outcome)
    assert not bench.names("a/b")


async def test_of_several_who_make_one_file_only_one_does(bench: FileBench):
    path = bench.path("a.txt")
    calls = [bench.call("create", object_type="file", name=path, content=str(number)) for number in range(12)]
    made = [each for each in await asyncio.gather(*calls, return_exceptions=True) if isinstance(each, Exception)]
    assert len(made) == 11
    assert {each.code for each in made if isinstance(each, FileError)} <= {"already_exists", "changed_since"}


async def test_a_volume_that_can_only_be_read_keeps_its_files_and_nothing_is_there_twice(bench: FileBench):
    stick = bench.path("stick")
    bench.eyes.make(stick)
    if os.getuid() != 0 or not run("mount", "-t", "tmpfs", "tmpfs", stick):
        pytest.skip("nothing can be mounted here")
    try:
        for name in ("stick/a.txt", "stick/d/b.txt"):
            bench.put(name, "x")
        assert run("mount", "-o", "remount,ro", stick)
        for name in ("a.txt", "d"):
            with pytest.raises(FileError) as caught:
                await bench.call("move", source=bench.path(f"stick/{name}"), destination=bench.root)
            assert caught.value.code == "read_only"
            assert bench.names() == ["stick"]
        with pytest.raises(FileError) as caught:
            await bench.call("purge", path=stick)
        assert caught.value.code == "in_use"
    finally:
        await bench.back_end.close()
        assert run("umount", stick)


async def test_what_took_a_place_in_the_trash_since_is_not_brought_back_for_another(bench: FileBench):
    outcome = await bench.call("delete", object_type="file", name=bench.put("a.txt", "mine"))
    await bench.call("restore", path=bench.path("a.txt"))
    await bench.call("purge", path=bench.path("a.txt"))
    other = await bench.call("delete", object_type="file", name=bench.put("d/a.txt", "theirs"))
    assert other.output["trashed"] == outcome.output["trashed"]
    with pytest.raises(FileError) as caught:
        await bench.take_back(outcome)
    assert (caught.value.code, bench.names()) == ("not_found", ["d"])
    await bench.take_back(other)
    assert bench.look("d/a.txt") == b"theirs"
