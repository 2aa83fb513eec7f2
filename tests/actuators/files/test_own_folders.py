"""The person's own folders are on no run's ground: whoever walks, matches, packs or follows links doesn't meet them."""

import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

if sys.platform == "win32":
    pytest.skip("the files of POSIX", allow_module_level=True)

from actuators.files.platforms.linux import make_back_end
from core.base.errors import PolicyError
from tests.contracts.files.bench import FileBench, make_environment, make_real_bench


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[FileBench]:
    own = str(tmp_path / "work" / ".config" / "surehand")
    back_end = make_back_end(replace(make_environment(tmp_path, tmp_path / "work"), own_folders=(own,)))
    bench = make_real_bench(back_end, tmp_path)
    bench.put(".config/surehand/tokens/anna", "t0ken")
    bench.put(".config/other/a.txt", "t0ken")
    (tmp_path / "work" / "link").symlink_to(own)
    yield bench
    await back_end.close()


async def test_a_walk_and_a_search_do_not_see_them(bench: FileBench) -> None:
    searches: tuple[dict[str, Any], ...] = ({"content": "t0ken"}, {"pattern": "**/*"})
    for args in searches:
        found = (await bench.call("find", path=bench.path(), **args)).output["entries"]
        assert {each["name"] for each in found if each["type"] == "file"} <= {"a.txt"}, found
    listed = (await bench.call("list", path=bench.path(".config"))).output["entries"]
    assert [each["name"] for each in listed] == ["other"]


async def test_an_archive_leaves_them_out_and_says_so(bench: FileBench) -> None:
    packed = (await bench.call("zip", source=bench.path(".config"), destination=bench.path("all.zip"))).output
    assert (packed["entries"], packed["left_out"]) == (3, [".config/surehand"])


@pytest.mark.parametrize(
    "path", [".config/surehand/tokens/anna", "link/tokens/anna", ".config/surehand", "link/tokens"]
)
@pytest.mark.parametrize("verb", ["read", "hash", "info", "list", "find", "copy", "move", "append"])
async def test_no_name_and_no_link_leads_there(bench: FileBench, verb: str, path: str) -> None:
    args: dict[str, Any] = {"source" if verb in {"copy", "move"} else "path": bench.path(path)}
    args |= {
        "copy": {"destination": bench.path("x")},
        "move": {"destination": bench.path("x")},
        "append": {"content": "x"},
    }.get(verb, {})
    with pytest.raises(PolicyError, match="secrets and settings"):
        await bench.call(verb, **args)


@pytest.mark.parametrize("verb", ["copy", "move"])
async def test_what_holds_them_is_neither_copied_nor_moved(bench: FileBench, verb: str) -> None:
    with pytest.raises(PolicyError):
        await bench.call(verb, source=bench.path(".config"), destination=bench.path("x"))
    assert "x" not in (bench.names() or [])
