"""What holds for links: those that stay inside are followed, no other."""

from collections.abc import Mapping
from typing import Any

import pytest

from core.base.errors import FileError, SurehandError
from tests.contracts.files.bench import FileBench


@pytest.fixture
def linked(bench: FileBench) -> FileBench:
    if not bench.has_links:
        pytest.skip("no symbolic links here")
    bench.eyes.put(f"{bench.outside}/secret.txt", b"secret")
    bench.put("d/a.txt", "inside")
    return bench


class LinkConformance:
    @pytest.mark.parametrize("target", ["d/a.txt", "./d/../d/a.txt", "{root}/d/a.txt"])
    async def test_a_link_that_stays_inside_is_followed(self, linked: FileBench, target: str):
        linked.eyes.link(linked.path("l"), target.format(root=linked.root))
        assert (await linked.call("read", path=linked.path("l"))).output["text"] == "inside"
        await linked.call("write", path=linked.path("l"), content="new")
        assert linked.look("d/a.txt") == b"new"
        assert (await linked.call("info", path=linked.path("l"))).output["type"] == "link"

    async def test_a_folder_is_reached_through_a_link(self, linked: FileBench):
        linked.eyes.link(linked.path("l"), "d")
        linked.eyes.link(linked.path("m"), linked.path("l"))
        assert (await linked.call("read", path=linked.path("m/a.txt"))).output["text"] == "inside"

    @pytest.mark.parametrize(
        ("link", "target", "path"),
        [
            ("l", "{outside}/secret.txt", "l"),
            ("l", "{outside}", "l/secret.txt"),
            ("l", "../outside/secret.txt", "l"),
            ("d/l", "../../outside", "d/l/secret.txt"),
            ("l", "{root}/../outside/secret.txt", "l"),
            ("l", "/", "l/outside/secret.txt"),
        ],
    )
    async def test_a_link_that_leads_out_is_refused(self, linked: FileBench, link: str, target: str, path: str):
        linked.eyes.link(linked.path(link), target.format(root=linked.root, outside=linked.outside))
        calls: list[tuple[str, Mapping[str, Any]]] = [
            ("read", {"path": linked.path(path)}),
            ("hash", {"path": linked.path(path)}),
            ("write", {"path": linked.path(path), "content": "x"}),
            ("append", {"path": linked.path(path), "content": "x"}),
        ]
        for verb, args in calls:
            with pytest.raises(FileError) as caught:
                await linked.call(verb, **args)
            assert caught.value.code in {"outside_roots", "not_found", "wrong_type"}
        assert linked.eyes.look(f"{linked.outside}/secret.txt") == b"secret"

    async def test_nothing_is_made_or_put_behind_a_link_that_leads_out(self, linked: FileBench):
        linked.eyes.link(linked.path("l"), linked.outside)
        calls: list[tuple[str, Mapping[str, Any]]] = [
            ("create", {"object_type": "file", "name": linked.path("l/new.txt")}),
            ("create", {"object_type": "folder", "name": linked.path("l/new/deep")}),
            ("copy", {"source": linked.path("d/a.txt"), "destination": linked.path("l/new.txt")}),
            ("move", {"source": linked.path("d/a.txt"), "destination": linked.path("l")}),
            ("zip", {"source": linked.path("d"), "destination": linked.path("l/z.zip")}),
            ("delete", {"object_type": "file", "name": linked.path("l/secret.txt")}),
            ("purge", {"path": linked.path("l/secret.txt")}),
        ]
        for verb, args in calls:
            with pytest.raises(SurehandError) as caught:
                await linked.call(verb, **args)
            assert caught.value.code == "outside_roots", verb
        assert linked.eyes.names(linked.outside) == ["secret.txt"]

    async def test_links_that_go_round_end(self, linked: FileBench):
        linked.eyes.link(linked.path("l"), "m")
        linked.eyes.link(linked.path("m"), "l")
        linked.eyes.link(linked.path("d/up"), "..")
        with pytest.raises(FileError) as caught:
            await linked.call("read", path=linked.path("l"))
        assert caught.value.code == "outside_roots"
        outcome = await linked.call("find", path=linked.root, pattern="a.txt")
        assert outcome.output["count"] == 1

    async def test_what_lies_behind_a_link_is_not_found(self, linked: FileBench):
        linked.eyes.link(linked.path("l"), linked.outside)
        assert (await linked.call("find", path=linked.root, content="secret")).output["count"] == 0

    async def test_a_link_itself_is_moved_and_renamed(self, linked: FileBench):
        linked.eyes.link(linked.path("l"), linked.outside)
        await linked.call("rename", source=linked.path("l"), target="k")
        await linked.call("move", source=linked.path("k"), destination=linked.path("d"))
        assert linked.names("d") == ["a.txt", "k"]
        assert linked.eyes.names(linked.outside) == ["secret.txt"]
