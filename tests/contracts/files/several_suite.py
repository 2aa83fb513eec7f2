"""What holds when one act concerns several files: a glob, or a list."""

from collections.abc import Mapping
from typing import Any

import pytest

from core.base.errors import FileError, PolicyError
from core.tools.previews import list_items
from tests.contracts.files.bench import FileBench
from tests.contracts.files.moving_suite import need_trash

PHOTOS = ("a.jpg", "b.jpg", "notes.txt")


def put_photos(bench: FileBench, *names: str) -> None:
    for name in names or PHOTOS:
        bench.put(name, f"content of {name}")
    bench.eyes.make(bench.path("album"))


async def refuse(bench: FileBench, verb: str, **args: Any) -> FileError:
    with pytest.raises(FileError) as caught:
        await bench.call(verb, **args)
    return caught.value


class GlobConformance:
    async def test_a_glob_copies_every_file_that_matches(self, bench: FileBench):
        put_photos(bench)
        outcome = await bench.call("copy", source=bench.path("*.jpg"), destination=bench.path("album"))
        assert bench.names("album") == ["a.jpg", "b.jpg"]
        assert bench.names() == ["a.jpg", "album", "b.jpg", "notes.txt"]
        assert (outcome.output["path"], outcome.output["count"], outcome.output["files"]) == (bench.path("album"), 2, 2)
        assert outcome.effect == "confirmed"
        assert len(outcome.evidence["items"]) == 2

    async def test_a_glob_of_several_endings_needs_only_one_of_them_and_leaves_names_out(self, bench: FileBench):
        put_photos(bench, "a.jpg", "b.jpg", "c.JPG", "notes.txt")
        source = bench.path("!{b.jpg}*.{jpg,JPG,png,PNG}")
        outcome = await bench.call("copy", source=source, destination=bench.path("album"))
        assert bench.names("album") == ["a.jpg", "c.JPG"]
        assert outcome.effect == "confirmed"

    async def test_taking_it_back_removes_every_copy(self, bench: FileBench):
        put_photos(bench)
        outcome = await bench.call("copy", source=bench.path("*.jpg"), destination=bench.path("album"))
        await bench.take_back(outcome)
        assert bench.names("album") == []

    async def test_one_copy_that_was_changed_keeps_all_from_being_taken_back(self, bench: FileBench):
        put_photos(bench)
        outcome = await bench.call("copy", source=bench.path("*.jpg"), destination=bench.path("album"))
        bench.put("album/a.jpg", "mine")
        with pytest.raises(FileError) as caught:
            await bench.take_back(outcome)
        assert caught.value.code == "changed_since"
        assert bench.names("album") == ["a.jpg", "b.jpg"]

    async def test_a_glob_moves_every_file_there_and_back(self, bench: FileBench):
        put_photos(bench)
        outcome = await bench.call("move", source=bench.path("?.jpg"), destination=bench.path("album"))
        assert (bench.names(), bench.names("album")) == (["album", "notes.txt"], ["a.jpg", "b.jpg"])
        await bench.take_back(outcome)
        assert (bench.names(), bench.names("album")) == (["a.jpg", "album", "b.jpg", "notes.txt"], [])

    async def test_a_glob_puts_every_file_into_the_trash_and_each_comes_back(self, bench: FileBench):
        need_trash(bench)
        put_photos(bench)
        outcome = await bench.call("delete", object_type="file", name=bench.path("*.jpg"))
        assert bench.names() == ["album", "notes.txt"]
        assert (outcome.output["path"], outcome.output["count"]) == (bench.root, 2)
        await bench.take_back(outcome)
        assert bench.look("a.jpg") == b"content of a.jpg"
        assert bench.look("b.jpg") == b"content of b.jpg"

    async def test_only_what_is_of_the_type_is_deleted(self, bench: FileBench):
        need_trash(bench)
        bench.put("old.d/a.txt")
        bench.put("old.txt")
        await bench.call("delete", object_type="folder", name=bench.path("old*"))
        assert bench.names() == ["old.txt"]

    async def test_a_glob_names_no_folders_to_copy(self, bench: FileBench):
        bench.put("one/a.txt")
        bench.eyes.make(bench.path("album"))
        error = await refuse(bench, "copy", source=bench.path("on*"), destination=bench.path("album"))
        assert error.code == "not_found"

    async def test_hidden_files_are_meant_only_where_the_pattern_says_so(self, bench: FileBench):
        put_photos(bench, ".a.jpg", "b.jpg")
        await bench.call("copy", source=bench.path("*.jpg"), destination=bench.path("album"))
        assert bench.names("album") == ["b.jpg"]
        await bench.call("copy", source=bench.path(".*.jpg"), destination=bench.path("album"))
        assert bench.names("album") == [".a.jpg", "b.jpg"]

    async def test_wildcards_in_folders_are_matched_folder_by_folder(self, bench: FileBench):
        put_photos(bench, "x/a.jpg", "y/b.jpg", "y/deep/c.jpg", "d.jpg")
        await bench.call("copy", source=bench.path("?/*.jpg"), destination=bench.path("album"))
        assert bench.names("album") == ["a.jpg", "b.jpg"]

    async def test_two_stars_stand_for_any_folders_that_are_not_hidden(self, bench: FileBench):
        put_photos(bench, "x/a.jpg", "y/deep/c.jpg", "d.jpg", ".kept/e.jpg")
        await bench.call("copy", source=bench.path("**/*.jpg"), destination=bench.path("album"))
        assert bench.names("album") == ["a.jpg", "c.jpg", "d.jpg"]

    async def test_a_name_with_brackets_is_a_name(self, bench: FileBench):
        put_photos(bench, "[ab].jpg", "a.jpg")
        await bench.call("copy", source=bench.path("[ab].jpg"), destination=bench.path("album"))
        assert bench.names("album") == ["[ab].jpg"]

    @pytest.mark.parametrize(
        ("verb", "args"),
        [
            ("copy", {"destination": "album"}),
            ("move", {"destination": "album"}),
            ("delete", {"object_type": "file"}),
            ("zip", {"destination": "all.zip"}),
            ("unzip", {"destination": "album"}),
        ],
    )
    async def test_a_glob_that_matches_nothing_is_an_error_and_names_what_is_there(
        self, bench: FileBench, verb: str, args: Mapping[str, str]
    ):
        put_photos(bench)
        named = "name" if verb == "delete" else "source"
        placed = {each: value if each == "object_type" else bench.path(value) for each, value in args.items()}
        error = await refuse(bench, verb, **{named: bench.path("*.png")}, **placed)
        assert (error.code, "notes.txt" in error.hint) == ("not_found", True)
        assert bench.names() == ["a.jpg", "album", "b.jpg", "notes.txt"]

    async def test_a_glob_leads_nowhere_else(self, bench: FileBench):
        with pytest.raises((FileError, PolicyError)) as caught:
            await bench.call(
                "copy", source=str(bench.flavour(bench.outside) / "*.txt"), destination=bench.path("album")
            )
        assert caught.value.code in {"outside_roots", "not_found"}

    async def test_what_no_path_may_name_is_no_match_either(self, bench: FileBench):
        need_trash(bench)
        put_photos(bench, "a.ini", "desktop.ini")
        with pytest.raises(PolicyError) as caught:
            await bench.call("delete", object_type="file", name=bench.path("*.ini"))
        assert caught.value.evidence["rule"] == "P17"
        assert bench.names() == ["a.ini", "album", "desktop.ini"]


class SeveralConformance:
    async def test_a_list_is_copied_into_a_folder(self, bench: FileBench):
        put_photos(bench)
        source = (bench.path("a.jpg"), bench.path("notes.txt"))
        await bench.call("copy", source=source, destination=bench.path("album"))
        assert bench.names("album") == ["a.jpg", "notes.txt"]

    async def test_several_need_a_folder_that_is_there(self, bench: FileBench):
        put_photos(bench)
        source = (bench.path("a.jpg"), bench.path("b.jpg"))
        error = await refuse(bench, "move", source=source, destination=bench.path("new"))
        assert error.code == "not_found"
        error = await refuse(bench, "move", source=source, destination=bench.path("notes.txt"))
        assert error.code == "wrong_type"
        assert bench.names() == ["a.jpg", "album", "b.jpg", "notes.txt"]

    async def test_one_in_the_way_keeps_all_where_they_are(self, bench: FileBench):
        put_photos(bench)
        bench.put("album/b.jpg", "theirs")
        error = await refuse(bench, "move", source=bench.path("*.jpg"), destination=bench.path("album"))
        assert error.code == "already_exists"
        assert (bench.names("album"), bench.look("album/b.jpg")) == (["b.jpg"], b"theirs")
        assert bench.names() == ["a.jpg", "album", "b.jpg", "notes.txt"]

    async def test_two_of_the_same_name_are_not_put_into_one_folder(self, bench: FileBench):
        put_photos(bench, "x/a.jpg", "y/a.jpg")
        error = await refuse(bench, "copy", source=bench.path("*/a.jpg"), destination=bench.path("album"))
        assert (error.code, bench.names("album")) == ("already_exists", [])

    async def test_one_that_only_fails_at_the_act_takes_the_others_back(self, bench: FileBench):
        put_photos(bench, "d/in.txt", "a.jpg")
        source = (bench.path("a.jpg"), bench.path("d"), bench.path("d/in.txt"))
        await refuse(bench, "move", source=source, destination=bench.path("album"))
        assert (bench.names(), bench.names("d"), bench.names("album")) == (["a.jpg", "album", "d"], ["in.txt"], [])

    async def test_what_is_replaced_comes_back_with_all(self, bench: FileBench):
        need_trash(bench)
        put_photos(bench)
        bench.put("album/b.jpg", "theirs")
        outcome = await bench.call("copy", source=bench.path("*.jpg"), destination=bench.path("album"), overwrite=True)
        assert bench.look("album/b.jpg") == b"content of b.jpg"
        await bench.take_back(outcome)
        assert (bench.names("album"), bench.look("album/b.jpg")) == (["b.jpg"], b"theirs")

    async def test_a_file_that_came_after_it_was_shown_stops_it(self, bench: FileBench):
        need_trash(bench)
        put_photos(bench)
        shown = await bench.preview("delete", object_type="file", name=bench.path("*.jpg"))
        bench.put("c.jpg")
        error = await refuse(bench, "delete", shown=shown, object_type="file", name=bench.path("*.jpg"))
        assert (error.code, bench.names()) == ("changed_since", ["a.jpg", "album", "b.jpg", "c.jpg", "notes.txt"])

    @pytest.mark.parametrize("verb", ["copy", "move", "delete", "zip"])
    async def test_whoever_agrees_is_shown_every_file(self, bench: FileBench, verb: str):
        if verb == "delete":
            need_trash(bench)
        put_photos(bench)
        placed = {"object_type": "file"} if verb == "delete" else {"destination": bench.path("album")}
        placed = {"destination": bench.path("all.zip")} if verb == "zip" else placed
        shown = await bench.preview(verb, **{"name" if verb == "delete" else "source": bench.path("*.jpg")}, **placed)
        told = list_items(shown.operation)
        assert len(told) == 2
        for name, line in zip(("a.jpg", "b.jpg"), told, strict=True):
            assert bench.path(name) in line
            assert bench.path(name) in shown.before

    async def test_a_glob_is_packed_without_the_archive_itself(self, bench: FileBench):
        put_photos(bench, "a.txt", "b.txt")
        outcome = await bench.call("zip", source=bench.path("*.*"), destination=bench.path("all.zip"))
        assert outcome.output["entries"] == 2
        await bench.call("unzip", source=bench.path("all.zip"), destination=bench.path("out"))
        assert bench.names("out") == ["a.txt", "b.txt"]

    async def test_several_archives_are_unpacked_and_that_is_taken_back(self, bench: FileBench):
        put_photos(bench, "a.txt", "b.txt")
        for name in ("a", "b"):
            await bench.call("zip", source=bench.path(f"{name}.txt"), destination=bench.path(f"{name}.zip"))
        outcome = await bench.call("unzip", source=bench.path("*.zip"), destination=bench.path("album"))
        assert bench.names("album") == ["a.txt", "b.txt"]
        assert (outcome.output["count"], len(outcome.output["entries"])) == (2, 2)
        await bench.take_back(outcome)
        assert bench.names("album") == []

    async def test_archives_that_hold_the_same_name_are_not_mixed(self, bench: FileBench):
        put_photos(bench, "x/a.txt", "y/a.txt")
        for name in ("x", "y"):
            await bench.call("zip", source=bench.path(f"{name}/a.txt"), destination=bench.path(f"{name}.zip"))
        error = await refuse(bench, "unzip", source=bench.path("*.zip"), destination=bench.path("album"))
        assert (error.code, bench.names("album")) == ("already_exists", [])
