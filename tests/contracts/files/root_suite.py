"""What holds for the folders that everything hangs on: a root that isn't there yet, settings, anchors."""

import io
import zipfile
from typing import Any

import pytest

from core.base.errors import DeadlineError, FileError, PolicyError
from tests.contracts.files.bench import FileBench

FRESH = "fresh/Documents"


def above(bench: FileBench, count: int = 1) -> str:
    return str(bench.flavour(bench.root).parents[count - 1])


class MissingRootConformance:
    @pytest.fixture
    def fresh(self, bench: FileBench) -> FileBench:
        """Return a bench whose root isn't there, nor the folder above it."""
        bench.root = bench.path(FRESH)
        return bench

    async def test_making_something_makes_the_root_and_says_so(self, fresh: FileBench):
        made = await fresh.call("create", object_type="folder", name=fresh.path("Orders/May"))
        assert made.output["created"] == [above(fresh), fresh.root, fresh.path("Orders"), fresh.path("Orders/May")]
        assert fresh.names("Orders/May") == []
        await fresh.take_back(made)
        assert fresh.eyes.names(above(fresh, 2)) == []

    async def test_the_root_itself_can_be_made(self, fresh: FileBench):
        made = await fresh.call("create", object_type="folder", name=fresh.root)
        assert fresh.names() == []
        await fresh.take_back(made)
        assert fresh.eyes.names(above(fresh, 2)) == []

    async def test_a_root_that_something_came_into_stays(self, fresh: FileBench):
        made = await fresh.call("create", object_type="file", name=fresh.path("a.txt"), content="x")
        fresh.put("b.txt", "theirs")
        await fresh.take_back(made)
        assert fresh.names() == ["b.txt"]

    async def test_an_archive_can_be_unpacked_there(self, fresh: FileBench):
        work = above(fresh, 2)
        there = fresh.flavour(work) / "in"
        fresh.eyes.put(str(there / "z.zip"), make_archive("a/b.txt"))
        made = await fresh.call(
            "unzip", source=str(there / "z.zip"), destination=fresh.path("out"), roots=(str(there), fresh.root)
        )
        assert made.output["created"] == [above(fresh), fresh.root, fresh.path("out")]
        assert fresh.names("out/a") == ["b.txt"]
        await fresh.take_back(made)
        assert fresh.eyes.names(work) == ["in"]

    @pytest.mark.parametrize("verb", ["list", "read", "hash", "find"])
    async def test_who_looks_is_told_that_it_is_not_there(self, fresh: FileBench, verb: str):
        path = fresh.root if verb in {"list", "find"} else fresh.path("a.txt")
        with pytest.raises(FileError) as caught:
            await fresh.call(verb, path=path)
        assert caught.value.code == "not_found"
        assert caught.value.evidence["missing"] == fresh.root
        assert fresh.eyes.names(above(fresh, 2)) == []

    async def test_it_can_be_waited_for(self, fresh: FileBench):
        with pytest.raises(DeadlineError) as caught:
            await fresh.call("wait", path=fresh.path("a.txt"), timeout=0.01)
        assert caught.value.evidence["state"] == "nothing is there"
        assert (await fresh.call("info", path=fresh.root)).output["exists"] is False


def make_archive(name: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(name, "policy: {}")
    return stream.getvalue()


SETTINGS_CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("create", {"object_type": "file", "name": "p/.surehand/new.yaml", "content": "x"}),
    ("create", {"object_type": "folder", "name": "q/.\u017fureHand"}),
    ("write", {"path": "p/.surehand/settings.yaml", "content": "x"}),
    ("append", {"path": "p/.surehand/settings.yaml", "content": "x"}),
    ("edit", {"path": "p/.surehand/settings.yaml", "find": "old", "replace": "new"}),
    ("copy", {"source": "p/.surehand", "destination": "q"}),
    ("copy", {"source": "p", "destination": "r"}),
    ("copy", {"source": "a.txt", "destination": "p/.surehand"}),
    ("move", {"source": "p", "destination": "r"}),
    ("move", {"source": "a.txt", "destination": "p/.surehand/settings.yaml"}),
    ("rename", {"source": "q", "target": ".surehand"}),
    ("rename", {"source": "p", "target": "r"}),
    ("delete", {"object_type": "folder", "name": "p"}),
    ("delete", {"object_type": "folder", "name": "p/.surehand"}),
    ("purge", {"path": "p"}),
    ("purge", {"path": "p/.surehand/settings.yaml"}),
    ("zip", {"source": "a.txt", "destination": "p/.surehand/z.zip"}),
    ("unzip", {"source": "evil.zip", "destination": "out"}),
    ("unzip", {"source": "good.zip", "destination": "p/.surehand"}),
]


class SettingsConformance:
    @pytest.mark.parametrize(("verb", "args"), SETTINGS_CHANGES)
    async def test_settings_are_changed_by_nobody(self, bench: FileBench, verb: str, args: dict[str, Any]):
        bench.put("p/.surehand/settings.yaml", "old")
        bench.put("a.txt", "x")
        bench.put("evil.zip", make_archive("b/.SureHand/settings.yaml"))
        bench.put("good.zip", make_archive("b/settings.yaml"))
        bench.eyes.make(bench.path("q"))
        paths = {"name", "path", "source", "destination"}
        resolved: dict[str, Any] = {key: bench.path(args[key]) if key in paths else args[key] for key in args}
        with pytest.raises(PolicyError) as caught:
            await bench.call(verb, **resolved)
        assert ".surehand" in str(caught.value.evidence["path"]).casefold()
        assert bench.look("p/.surehand/settings.yaml") == b"old"
        assert bench.names() == ["a.txt", "evil.zip", "good.zip", "p", "q"]
        assert bench.names("q") == []

    async def test_what_surehand_keeps_is_neither_read_nor_found_nor_packed(self, bench: FileBench):
        path = bench.put("p/.surehand/settings.yaml", "old")
        bench.put("p/a.txt", "old")
        for verb in ("read", "hash", "info"):
            with pytest.raises(PolicyError):
                await bench.call(verb, path=path)
        found = (await bench.call("find", path=bench.path("p"), content="old")).output
        assert [each["name"] for each in found["entries"]] == ["a.txt"]
        packed = (await bench.call("zip", source=bench.path("p"), destination=bench.path("z.zip"))).output
        assert (packed["entries"], packed["left_out"]) == (2, ["p/.surehand"])

    async def test_a_link_leads_to_no_settings(self, bench: FileBench):
        if not bench.has_links:
            pytest.skip("there are no symbolic links here")
        bench.put("p/.surehand/settings.yaml", "old")
        bench.eyes.link(bench.path("innocent"), "p/.surehand")
        tried: list[tuple[str, dict[str, Any]]] = [
            ("write", {"path": bench.path("innocent/settings.yaml"), "content": "x"}),
            ("create", {"object_type": "file", "name": bench.path("innocent/d/e.yaml")}),
            ("copy", {"source": bench.put("a.txt", "x"), "destination": bench.path("innocent")}),
            ("unzip", {"source": bench.put("z.zip", make_archive("x")), "destination": bench.path("innocent")}),
        ]
        for verb, args in tried:
            with pytest.raises(PolicyError):
                await bench.call(verb, **args)
        assert bench.names("p/.surehand") == ["settings.yaml"]


class PreciousConformance:
    @pytest.mark.parametrize("below", ["", "sub"])
    @pytest.mark.parametrize("verb", ["purge", "delete", "move", "rename"])
    async def test_no_root_is_moved_or_removed_nor_what_holds_one(self, bench: FileBench, verb: str, below: str):
        bench.put("sub/workspace/a.txt", "x")
        root = bench.root
        roots = (bench.path("sub/workspace"), root) if below else (root,)
        path = bench.path(below)
        args: dict[str, dict[str, Any]] = {
            "purge": {"path": path},
            "delete": {"object_type": "folder", "name": path},
            "move": {"source": path, "destination": bench.path("elsewhere")},
            "rename": {"source": path, "target": "elsewhere"},
        }
        with pytest.raises(PolicyError) as caught:
            await bench.preview(verb, roots=roots, **args[verb])
        assert "never moved or removed" in caught.value.message
        assert bench.look("sub/workspace/a.txt") == b"x"
