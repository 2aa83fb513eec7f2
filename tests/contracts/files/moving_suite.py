"""What holds for copying, moving, renaming, deleting and removing."""

import pytest

from core.base.errors import FileError, PolicyError
from tests.contracts.files.bench import FileBench


def need_trash(bench: FileBench) -> None:
    if not bench.has_trash:
        pytest.skip("no trash here")


class CopyConformance:
    async def test_a_copy_has_the_content_and_the_original_stays(self, bench: FileBench):
        outcome = await bench.call("copy", source=bench.put("a.txt", "x"), destination=bench.path("b.txt"))
        assert (bench.look("a.txt"), bench.look("b.txt")) == (b"x", b"x")
        assert (outcome.output["path"], outcome.output["files"]) == (bench.path("b.txt"), 1)

    async def test_a_folder_takes_the_copy_in_under_its_own_name(self, bench: FileBench):
        bench.eyes.make(bench.path("d"))
        outcome = await bench.call("copy", source=bench.put("a.txt", "x"), destination=bench.path("d"))
        assert bench.look("d/a.txt") == b"x"
        assert outcome.output["path"] == bench.path("d/a.txt")

    async def test_a_folder_is_copied_with_all_that_is_in_it(self, bench: FileBench):
        bench.put("d/e/f.txt", "x")
        bench.put("d/g.txt", "yy")
        outcome = await bench.call("copy", source=bench.path("d"), destination=bench.path("k"))
        assert (bench.look("k/e/f.txt"), bench.look("k/g.txt")) == (b"x", b"yy")
        assert (outcome.output["files"], outcome.output["size_bytes"]) == (2, 3)

    async def test_folders_are_never_merged(self, bench: FileBench):
        bench.put("d/a.txt", "x")
        bench.put("k/d/b.txt", "y")
        with pytest.raises(FileError) as caught:
            await bench.call("copy", source=bench.path("d"), destination=bench.path("k"), overwrite=True)
        assert caught.value.code == "already_exists"
        assert bench.names("k/d") == ["b.txt"]

    async def test_a_folder_is_not_copied_into_itself(self, bench: FileBench):
        bench.put("d/a.txt", "x")
        with pytest.raises(FileError):
            await bench.call("copy", source=bench.path("d"), destination=bench.path("d/k"))
        assert bench.names("d") == ["a.txt"]

    async def test_what_is_there_is_replaced_only_where_that_is_said(self, bench: FileBench):
        need_trash(bench)
        source, destination = bench.put("a.txt", "new"), bench.put("b.txt", "old")
        with pytest.raises(FileError) as caught:
            await bench.call("copy", source=source, destination=destination)
        assert caught.value.code == "already_exists"
        outcome = await bench.call("copy", source=source, destination=destination, overwrite=True)
        assert bench.look("b.txt") == b"new"
        await bench.take_back(outcome)
        assert bench.look("b.txt") == b"old"

    async def test_a_file_is_not_copied_onto_itself(self, bench: FileBench):
        path = bench.put("a.txt", "x")
        with pytest.raises(FileError) as caught:
            await bench.call("copy", source=path, destination=path, overwrite=True)
        assert caught.value.code == "already_exists"
        assert bench.look("a.txt") == b"x"

    async def test_taking_it_back_removes_the_copy(self, bench: FileBench):
        bench.put("d/e/f.txt", "x")
        outcome = await bench.call("copy", source=bench.path("d"), destination=bench.path("k"))
        await bench.take_back(outcome)
        assert bench.names() == ["d"]

    async def test_a_copy_that_was_changed_is_not_taken_back(self, bench: FileBench):
        bench.put("d/f.txt", "x")
        outcome = await bench.call("copy", source=bench.path("d"), destination=bench.path("k"))
        bench.put("k/mine.txt", "y")
        with pytest.raises(FileError) as caught:
            await bench.take_back(outcome)
        assert caught.value.code == "changed_since"
        assert bench.look("k/mine.txt") == b"y"

    async def test_links_are_copied_as_links(self, bench: FileBench):
        if not bench.has_links:
            pytest.skip("no symbolic links here")
        bench.put("d/f.txt", "x")
        bench.eyes.link(bench.path("d/l"), bench.outside)
        await bench.call("copy", source=bench.path("d"), destination=bench.path("k"))
        assert (await bench.call("info", path=bench.path("k/l"))).output["type"] == "link"


class MoveConformance:
    async def test_a_file_is_moved(self, bench: FileBench):
        outcome = await bench.call("move", source=bench.put("a.txt", "x"), destination=bench.path("b.txt"))
        assert (bench.look("a.txt"), bench.look("b.txt")) == (None, b"x")
        assert outcome.output["path"] == bench.path("b.txt")
        await bench.take_back(outcome)
        assert (bench.look("a.txt"), bench.look("b.txt")) == (b"x", None)

    async def test_a_folder_is_moved_into_a_folder(self, bench: FileBench):
        bench.put("d/a.txt", "x")
        bench.eyes.make(bench.path("k"))
        await bench.call("move", source=bench.path("d"), destination=bench.path("k"))
        assert bench.look("k/d/a.txt") == b"x"
        assert bench.names() == ["k"]

    async def test_what_is_replaced_goes_to_the_trash_and_comes_back(self, bench: FileBench):
        need_trash(bench)
        source, destination = bench.put("a.txt", "new"), bench.put("b.txt", "old")
        outcome = await bench.call("move", source=source, destination=destination, overwrite=True)
        assert (bench.look("a.txt"), bench.look("b.txt")) == (None, b"new")
        await bench.take_back(outcome)
        assert (bench.look("a.txt"), bench.look("b.txt")) == (b"new", b"old")

    async def test_a_folder_is_not_moved_into_itself(self, bench: FileBench):
        bench.put("d/a.txt", "x")
        with pytest.raises(FileError):
            await bench.call("move", source=bench.path("d"), destination=bench.path("d"))
        assert bench.look("d/a.txt") == b"x"

    async def test_a_source_that_changed_after_it_was_shown_stays(self, bench: FileBench):
        path = bench.put("a.txt", "x")
        shown = await bench.preview("move", source=path, destination=bench.path("b.txt"))
        bench.put("a.txt", "y")
        with pytest.raises(FileError) as caught:
            await bench.call("move", shown=shown, source=path, destination=bench.path("b.txt"))
        assert caught.value.code == "changed_since"
        assert bench.names() == ["a.txt"]

    async def test_the_folder_of_the_run_stays(self, bench: FileBench):
        with pytest.raises(PolicyError):
            await bench.call("move", source=bench.root, destination=bench.path("k"))

    async def test_a_missing_source_is_told(self, bench: FileBench):
        with pytest.raises(FileError) as caught:
            await bench.call("move", source=bench.path("no.txt"), destination=bench.path("b.txt"))
        assert caught.value.code == "not_found"


class RenameConformance:
    async def test_a_file_gets_another_name(self, bench: FileBench):
        outcome = await bench.call("rename", source=bench.put("d/a.txt", "x"), target="b.txt")
        assert bench.names("d") == ["b.txt"]
        await bench.take_back(outcome)
        assert bench.names("d") == ["a.txt"]

    async def test_another_spelling_of_the_same_name_is_allowed(self, bench: FileBench):
        outcome = await bench.call("rename", source=bench.put("a.txt", "x"), target="A.txt")
        assert bench.names() == ["A.txt"]
        await bench.take_back(outcome)
        assert bench.names() == ["a.txt"]

    async def test_a_folder_may_be_spelled_another_way(self, bench: FileBench):
        bench.put("docs/a.txt", "x")
        await bench.call("rename", source=bench.path("docs"), target="Docs")
        assert bench.names() == ["Docs"]

    async def test_a_name_that_is_taken_stays(self, bench: FileBench):
        bench.put("b.txt", "y")
        with pytest.raises(FileError) as caught:
            await bench.call("rename", source=bench.put("a.txt", "x"), target="b.txt")
        assert caught.value.code == "already_exists"
        assert bench.look("b.txt") == b"y"

    @pytest.mark.parametrize("name", ["../b.txt", "d/b.txt", "NUL", "a:b", "b. ", ".."])
    async def test_what_is_not_one_good_name_is_refused(self, bench: FileBench, name: str):
        with pytest.raises(PolicyError) as caught:
            await bench.call("rename", source=bench.put("a.txt", "x"), target=name)
        assert caught.value.code == "path_refused"


class TrashConformance:
    async def test_what_was_deleted_can_be_restored(self, bench: FileBench):
        need_trash(bench)
        outcome = await bench.call("delete", object_type="file", name=bench.put("a ż.txt", "x"))
        assert bench.look("a ż.txt") is None
        assert outcome.effect == "confirmed"
        assert bench.eyes.look(outcome.output["trashed"]) == b"x"
        await bench.call("restore", path=bench.path("a ż.txt"))
        assert bench.look("a ż.txt") == b"x"
        assert bench.eyes.look(outcome.output["trashed"]) is None

    async def test_what_must_be_empty_and_is_not_stays(self, bench: FileBench):
        need_trash(bench)
        bench.put("d/a.txt", "x")
        bench.eyes.make(bench.path("e"))
        for kind, name, held in (("folder", "d", ["a.txt"]), ("file", "d/a.txt", [])):
            with pytest.raises(FileError) as caught:
                await bench.call("delete", object_type=kind, name=bench.path(name), only_empty=True)
            assert (caught.value.code, caught.value.evidence["held"]) == ("not_empty", held)
        await bench.call("delete", object_type="folder", name=bench.path("e"), only_empty=True)
        await bench.call("delete", object_type="file", name=bench.put("f.txt"), only_empty=True)
        assert (bench.names(), bench.names("d")) == (["d"], ["a.txt"])

    async def test_of_several_the_latest_comes_back(self, bench: FileBench):
        need_trash(bench)
        await bench.call("delete", object_type="file", name=bench.put("a.txt", "first"))
        outcome = await bench.call("delete", object_type="file", name=bench.put("b.txt", "second"))
        await bench.call("restore", path=bench.path("b.txt"))
        assert bench.look("b.txt") == b"second"
        assert bench.look("a.txt") is None
        assert outcome.undo_record is not None

    async def test_a_folder_goes_with_all_that_is_in_it(self, bench: FileBench):
        need_trash(bench)
        bench.put("d/e/f.txt", "x")
        shown = await bench.preview("delete", object_type="folder", name=bench.path("d"))
        assert (shown.operation["files"], shown.operation["size_bytes"]) == (1, 1)
        outcome = await bench.call("delete", shown=shown, object_type="folder", name=bench.path("d"))
        await bench.take_back(outcome)
        assert bench.look("d/e/f.txt") == b"x"

    async def test_the_wrong_type_is_refused(self, bench: FileBench):
        bench.eyes.make(bench.path("d"))
        with pytest.raises(FileError) as caught:
            await bench.call("delete", object_type="file", name=bench.path("d"))
        assert caught.value.code == "wrong_type"

    async def test_what_the_trash_lacks_is_told_with_what_it_has(self, bench: FileBench):
        need_trash(bench)
        await bench.call("delete", object_type="file", name=bench.put("a.txt", "x"))
        with pytest.raises(FileError) as caught:
            await bench.call("restore", path=bench.path("b.txt"))
        assert caught.value.code == "not_found"
        assert [each["path"] for each in caught.value.evidence["candidates"]] == [bench.path("a.txt")]

    async def test_nothing_is_restored_over_something(self, bench: FileBench):
        need_trash(bench)
        await bench.call("delete", object_type="file", name=bench.put("a.txt", "x"))
        bench.put("a.txt", "theirs")
        with pytest.raises(FileError) as caught:
            await bench.call("restore", path=bench.path("a.txt"))
        assert caught.value.code == "already_exists"
        assert bench.look("a.txt") == b"theirs"

    async def test_without_a_trash_nothing_is_deleted(self, bench: FileBench):
        if bench.has_trash:
            pytest.skip("there is a trash here")
        with pytest.raises(FileError) as caught:
            await bench.call("delete", object_type="file", name=bench.put("a.txt", "x"))
        assert caught.value.code == "no_trash"
        assert bench.look("a.txt") == b"x"


class PurgeConformance:
    async def test_what_is_purged_is_gone(self, bench: FileBench):
        bench.put("d/e/f.txt", "xyz")
        bench.put("d/g.txt", "1")
        outcome = await bench.call("purge", path=bench.path("d"))
        assert bench.names() == []
        assert (outcome.output["files"], outcome.output["size_bytes"]) == (2, 4)
        assert outcome.undo_record is None

    async def test_a_link_goes_and_what_it_leads_to_stays(self, bench: FileBench):
        if not bench.has_links:
            pytest.skip("no symbolic links here")
        bench.put("d/f.txt", "x")
        bench.eyes.put(f"{bench.outside}/keep.txt", b"kept")
        bench.eyes.link(bench.path("d/out"), bench.outside)
        bench.eyes.link(bench.path("in"), bench.path("d"))
        await bench.call("purge", path=bench.path("in"))
        assert bench.look("d/f.txt") == b"x"
        await bench.call("purge", path=bench.path("d"))
        assert bench.eyes.look(f"{bench.outside}/keep.txt") == b"kept"

    async def test_the_folders_that_everything_hangs_on_stay(self, bench: FileBench):
        with pytest.raises(PolicyError):
            await bench.call("purge", path=bench.root)
