"""All back ends of the file tools do the same, on every kind of store."""

import inspect
import os
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from actuators.files.platforms.fake import FakeDisk
from actuators.files.stores.fake_store import FakeStore
from actuators.verb_table import load_toolsets
from core.base.errors import FileError
from core.tools.registry import list_verbs
from tests.contracts.files.bench import FileBench, make_environment, make_fake_bench, make_real_bench
from tests.contracts.files.conformance import FileConformance
from tests.contracts.files.link_suite import linked

__all__ = ["linked"]

if sys.platform == "win32":
    from actuators.files.platforms.windows import make_back_end

    class TestWindows(FileConformance):
        """The files of Windows. Under Wine there are neither links nor a recycle bin."""

        @pytest.fixture
        async def bench(self, tmp_path: Path) -> AsyncIterator[FileBench]:
            back_end = make_back_end(make_environment(tmp_path, tmp_path / "work"))
            trash = back_end.assess("trash").available
            yield make_real_bench(back_end, tmp_path, has_links=False, has_trash=trash, has_modes=False, any_case=True)
            await back_end.close()

        @pytest.mark.parametrize("verb", ["write", "move", "purge"])
        async def test_a_file_that_is_open_elsewhere_is_in_use(self, bench: FileBench, verb: str):
            path = bench.put("a.txt", "old")
            args = {"write": {"path": path, "content": "new"}, "purge": {"path": path}}
            args["move"] = {"source": path, "destination": bench.path("b.txt")}
            descriptor = os.open(path, os.O_RDONLY)
            try:
                with pytest.raises(FileError) as caught:
                    await bench.call(verb, **args[verb])
            finally:
                os.close(descriptor)
            assert caught.value.code == "in_use"
            assert (bench.look("a.txt"), bench.names()) == (b"old", ["a.txt"])

        async def test_paths_beyond_260_characters_are_used(self, bench: FileBench):
            below = "/".join(["d" * 50] * 6)
            await bench.call("create", object_type="file", name=bench.path(f"{below}/a.txt"), content="deep")
            assert (await bench.call("read", path=bench.path(f"{below}/a.txt"))).output["text"] == "deep"
            await bench.call("purge", path=bench.path("d" * 50))
            assert bench.names() == []

else:
    from actuators.files.platforms.macos import make_back_end as make_macos_back_end
    from tests.contracts.files.posix_bench import make_posix_back_end

    class TestOpenat2(FileConformance):
        """The files of Linux, by openat2."""

        @pytest.fixture
        async def bench(self, tmp_path: Path) -> AsyncIterator[FileBench]:
            back_end = make_posix_back_end(tmp_path, openat2=True)
            yield make_real_bench(back_end, tmp_path)
            await back_end.close()

    class TestWalk(FileConformance):
        """The files of any POSIX system, folder by folder."""

        @pytest.fixture
        async def bench(self, tmp_path: Path) -> AsyncIterator[FileBench]:
            back_end = make_posix_back_end(tmp_path, openat2=False)
            yield make_real_bench(back_end, tmp_path)
            await back_end.close()

    class TestMacos(FileConformance):
        """The tools for macOS with their trash, on whatever POSIX system this is."""

        @pytest.fixture
        async def bench(self, tmp_path: Path) -> AsyncIterator[FileBench]:
            back_end = make_macos_back_end(make_environment(tmp_path, tmp_path / "work"))
            yield make_real_bench(back_end, tmp_path)
            await back_end.close()


class TestFake(FileConformance):
    """Files in memory."""

    @pytest.fixture
    async def bench(self) -> AsyncIterator[FileBench]:
        bench = make_fake_bench(FakeDisk())
        yield bench
        await bench.back_end.close()


class TestFakeInAnyCase(FileConformance):
    """Files in memory, on a volume where case makes no difference."""

    @pytest.fixture
    async def bench(self) -> AsyncIterator[FileBench]:
        bench = make_fake_bench(FakeDisk(FakeStore(case_sensitive=False)), any_case=True)
        yield bench
        await bench.back_end.close()


def test_the_suite_calls_every_verb():
    sources = "".join(inspect.getsource(inspect.getmodule(part) or part) for part in FileConformance.__mro__[1:-1])
    called = set(re.findall(r'(?:bench|linked)\.call\(\s*"(\w+)"', sources))
    assert called >= {verb for toolset in load_toolsets("file") for verb in list_verbs(toolset)}


def test_no_part_of_the_suite_hides_another():
    names = [name for part in FileConformance.__mro__[1:-1] for name in vars(part) if name.startswith("test_")]
    assert len(names) == len(set(names))
