"""What holds for making files and changing them."""

import hashlib
from typing import Any

import pytest

from core.base.errors import FileError
from tests.contracts.files.bench import FileBench


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


class CreateConformance:
    async def test_a_new_file_has_its_text_and_the_receipt_its_digest(self, bench: FileBench):
        outcome = await bench.call("create", object_type="file", name=bench.path("a/b/new.txt"), content="one\ntwo\n")
        assert bench.look("a/b/new.txt") == b"one\ntwo\n"
        assert outcome.effect == "confirmed"
        assert outcome.output["sha256"] == sha256(b"one\ntwo\n")
        assert outcome.output["created"] == [bench.path("a"), bench.path("a/b"), bench.path("a/b/new.txt")]
        assert outcome.output["anchor"]["name"] == "workspace"

    async def test_a_new_folder_is_there(self, bench: FileBench):
        await bench.call("create", object_type="folder", name=bench.path("Reports"))
        assert bench.names("Reports") == []

    async def test_what_is_there_is_never_replaced(self, bench: FileBench):
        path = bench.put("a.txt", "old")
        with pytest.raises(FileError) as caught:
            await bench.call("create", object_type="file", name=path, content="new")
        assert caught.value.code == "already_exists"
        assert bench.look("a.txt") == b"old"

    async def test_what_is_there_stays_where_that_is_allowed(self, bench: FileBench):
        path = bench.put("a.txt", "old")
        outcome = await bench.call("create", object_type="file", name=path, content="new", exist_ok=True)
        assert (outcome.output["created"], bench.look("a.txt")) == ([], b"old")

    async def test_a_folder_in_the_place_of_a_file_is_of_the_wrong_type(self, bench: FileBench):
        bench.eyes.make(bench.path("a"))
        with pytest.raises(FileError) as caught:
            await bench.call("create", object_type="file", name=bench.path("a"), exist_ok=True)
        assert caught.value.code == "wrong_type"

    async def test_a_file_that_appears_after_it_was_shown_is_not_replaced(self, bench: FileBench):
        path = bench.path("a.txt")
        shown = await bench.preview("create", object_type="file", name=path, content="new")
        assert shown.before == {path: "absent"}
        bench.put("a.txt", "theirs")
        with pytest.raises(FileError) as caught:
            await bench.call("create", shown=shown, object_type="file", name=path, content="new")
        assert caught.value.code in {"already_exists", "changed_since"}
        assert bench.look("a.txt") == b"theirs"

    async def test_taking_it_back_removes_what_was_made_and_nothing_else(self, bench: FileBench):
        bench.eyes.make(bench.path("a"))
        outcome = await bench.call("create", object_type="file", name=bench.path("a/b/c.txt"), content="x")
        await bench.take_back(outcome)
        assert bench.names() == ["a"]
        assert bench.names("a") == []

    async def test_it_is_not_taken_back_once_somebody_has_written_there(self, bench: FileBench):
        outcome = await bench.call("create", object_type="file", name=bench.path("a.txt"), content="x")
        bench.put("a.txt", "theirs")
        with pytest.raises(FileError) as caught:
            await bench.take_back(outcome)
        assert caught.value.code == "changed_since"
        assert bench.look("a.txt") == b"theirs"


class WriteConformance:
    async def test_writing_replaces_all_of_it_and_is_read_back(self, bench: FileBench):
        path = bench.put("a.txt", "old")
        outcome = await bench.call("write", path=path, content="new\n")
        assert bench.look("a.txt") == b"new\n"
        assert outcome.output["created"] is False
        assert outcome.evidence["sha256"] == outcome.output["sha256"] == sha256(b"new\n")
        assert outcome.evidence["before"] == sha256(b"old")

    async def test_writing_makes_a_file_that_is_missing(self, bench: FileBench):
        outcome = await bench.call("write", path=bench.path("a.txt"), content="new")
        assert (outcome.output["created"], bench.look("a.txt")) == (True, b"new")

    async def test_the_change_is_shown_as_a_diff(self, bench: FileBench):
        path = bench.put("a.txt", "one\ntwo\nthree\n")
        shown = await bench.preview("write", path=path, content="one\nzwei\nthree\n")
        assert "-two\n+zwei\n" in shown.diff
        assert shown.before == {path: sha256(b"one\ntwo\nthree\n")}
        assert bench.look("a.txt") == b"one\ntwo\nthree\n"

    async def test_nothing_is_written_over_a_change_that_was_not_shown(self, bench: FileBench):
        path = bench.put("a.txt", "old")
        shown = await bench.preview("write", path=path, content="new")
        bench.put("a.txt", "theirs")
        with pytest.raises(FileError) as caught:
            await bench.call("write", shown=shown, path=path, content="new")
        assert caught.value.code == "changed_since"
        assert bench.look("a.txt") == b"theirs"

    async def test_another_digest_than_expected_is_refused(self, bench: FileBench):
        path = bench.put("a.txt", "old")
        with pytest.raises(FileError) as caught:
            await bench.call("write", path=path, content="new", expected_sha256=sha256(b"other"))
        assert caught.value.code == "changed_since"
        await bench.call("write", path=path, content="new", expected_sha256=sha256(b"old").upper())
        assert bench.look("a.txt") == b"new"

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            (b"a\r\nb\r\n", b"x\r\ny\r\n"),
            (b"a\rb\r", b"x\ry\r"),
            (b"\xef\xbb\xbfa\n", b"\xef\xbb\xbfx\ny\n"),
            ("\ufeffa\r\n".encode("utf-16-le"), "\ufeffx\r\ny\r\n".encode("utf-16-le")),
            ("\ufeffa\n".encode("utf-16-be"), "\ufeffx\ny\n".encode("utf-16-be")),
        ],
    )
    async def test_mark_newlines_and_encoding_are_kept(self, bench: FileBench, old: bytes, new: bytes):
        path = bench.put("a.txt", old)
        await bench.call("write", path=path, content="x\ny\n")
        assert bench.look("a.txt") == new

    async def test_an_encoding_that_lacks_a_character_is_refused_and_nothing_is_written(self, bench: FileBench):
        path = bench.put("a.txt", "old")
        with pytest.raises(FileError) as caught:
            await bench.call("write", path=path, content="日本", encoding="cp1252")
        assert caught.value.code == "bad_encoding"
        assert bench.look("a.txt") == b"old"

    async def test_an_encoding_by_name_is_used(self, bench: FileBench):
        await bench.call("write", path=bench.path("a.txt"), content="żółć", encoding="cp1250")
        assert bench.look("a.txt") == "żółć".encode("cp1250")

    async def test_a_folder_is_not_written(self, bench: FileBench):
        bench.eyes.make(bench.path("a"))
        with pytest.raises(FileError) as caught:
            await bench.call("write", path=bench.path("a"), content="x")
        assert caught.value.code == "wrong_type"

    async def test_a_read_only_file_is_left_alone(self, bench: FileBench):
        path = bench.put("a.txt", "old")
        bench.eyes.mark_read_only(path)
        with pytest.raises(FileError) as caught:
            await bench.call("write", path=path, content="new")
        assert caught.value.code == "read_only"
        assert bench.look("a.txt") == b"old"

    async def test_a_missing_folder_above_is_told(self, bench: FileBench):
        with pytest.raises(FileError) as caught:
            await bench.call("write", path=bench.path("no/a.txt"), content="x")
        assert caught.value.code == "not_found"

    async def test_nothing_unfinished_is_left_beside_it(self, bench: FileBench):
        await bench.call("write", path=bench.path("a.txt"), content="x")
        await bench.call("append", path=bench.path("a.txt"), content="y")
        assert bench.names() == ["a.txt"]

    async def test_taking_it_back_brings_the_old_bytes_back(self, bench: FileBench):
        path = bench.put("a.txt", b"\xff\xfe\x00old")
        outcome = await bench.call("write", path=path, content="new")
        await bench.take_back(outcome)
        assert bench.look("a.txt") == b"\xff\xfe\x00old"

    async def test_taking_back_would_not_destroy_later_work(self, bench: FileBench):
        outcome = await bench.call("write", path=bench.put("a.txt", "old"), content="new")
        bench.put("a.txt", "later")
        with pytest.raises(FileError) as caught:
            await bench.take_back(outcome)
        assert caught.value.code == "changed_since"
        assert bench.look("a.txt") == b"later"


class AppendConformance:
    @pytest.mark.parametrize(
        ("old", "new"),
        [
            (b"one", b"one\nline\n"),
            (b"one\n", b"one\nline\n"),
            (b"", b"line\n"),
            (b"\n", b"\nline\n"),
            (b"one\r\ntwo", b"one\r\ntwo\r\nline\r\n"),
            (b"one\r\ntwo\r\n", b"one\r\ntwo\r\nline\r\n"),
            (b"one\rtwo", b"one\rtwo\rline\r"),
            (b"one\r", b"one\rline\r"),
            (b"\xef\xbb\xbf", b"\xef\xbb\xbfline\n"),
            (b"\xef\xbb\xbfone", b"\xef\xbb\xbfone\nline\n"),
            ("\ufeffone".encode("utf-16-le"), "\ufeffone\nline\n".encode("utf-16-le")),
            ("\ufeffone\r\ntwo".encode("utf-16-be"), "\ufeffone\r\ntwo\r\nline\r\n".encode("utf-16-be")),
        ],
    )
    @pytest.mark.parametrize("content", ["line", "line\n"])
    async def test_a_line_stands_by_itself_and_is_taken_back_byte_for_byte(
        self, bench: FileBench, old: bytes, new: bytes, content: str
    ):
        path = bench.put("a.txt", old)
        shown = await bench.preview("append", path=path, content=content, whole_lines=True)
        outcome = await bench.call("append", shown=shown, path=path, content=content, whole_lines=True)
        assert bench.look("a.txt") == new
        assert "+line" in shown.diff
        await bench.take_back(outcome)
        assert bench.look("a.txt") == old

    async def test_a_line_makes_a_file_that_is_missing(self, bench: FileBench):
        await bench.call("append", path=bench.path("a.txt"), content="line", whole_lines=True)
        assert bench.look("a.txt") == b"line\n"

    async def test_without_that_what_is_added_is_added_as_it_is(self, bench: FileBench):
        path = bench.put("a.txt", "one")
        await bench.call("append", path=path, content="line")
        assert bench.look("a.txt") == b"oneline"

    @pytest.mark.parametrize("verb", ["write", "create"])
    async def test_a_line_that_is_all_of_a_file_ends_as_lines_do(self, bench: FileBench, verb: str):
        made = {"name": bench.path("a.txt"), "object_type": "file"}
        name: dict[str, Any] = made if verb == "create" else {"path": bench.path("a.txt")}
        await bench.call(verb, **name, content="line", whole_lines=True)
        assert bench.look("a.txt") == b"line\n"

    async def test_a_line_is_replaced_only_where_it_is_all_of_one(self, bench: FileBench):
        path = bench.put("a.txt", b"mugs\r\nmug\r\na mug")
        outcome = await bench.call("edit", path=path, find="mug", replace="cup", whole_lines=True)
        assert bench.look("a.txt") == b"mugs\r\ncup\r\na mug"
        assert outcome.output["lines"] == [2]
        with pytest.raises(FileError) as caught:
            await bench.call("edit", path=path, find="mug", replace="cup", whole_lines=True)
        assert caught.value.code == "count_differs"

    async def test_text_is_added_at_the_end_with_the_files_newlines(self, bench: FileBench):
        path = bench.put("a.txt", b"a\r\n")
        outcome = await bench.call("append", path=path, content="b\n")
        assert bench.look("a.txt") == b"a\r\nb\r\n"
        assert outcome.output["size_bytes"] == 6

    async def test_a_mark_is_not_repeated(self, bench: FileBench):
        path = bench.put("a.txt", "\ufeffa".encode("utf-16-le"))
        await bench.call("append", path=path, content="b")
        assert bench.look("a.txt") == "\ufeffab".encode("utf-16-le")

    async def test_a_missing_file_is_made(self, bench: FileBench):
        outcome = await bench.call("append", path=bench.path("a.txt"), content="b")
        assert (outcome.output["created"], bench.look("a.txt")) == (True, b"b")

    async def test_what_is_no_text_is_refused(self, bench: FileBench):
        path = bench.put("a.bin", b"\xff\x00\xfe")
        with pytest.raises(FileError) as caught:
            await bench.call("append", path=path, content="b")
        assert caught.value.code == "bad_encoding"

    async def test_taking_it_back_cuts_it_off(self, bench: FileBench):
        outcome = await bench.call("append", path=bench.put("a.txt", "abc"), content="def")
        assert bench.look("a.txt") == b"abcdef"
        await bench.take_back(outcome)
        assert bench.look("a.txt") == b"abc"


class EditConformance:
    async def test_exact_text_is_replaced_and_its_lines_are_told(self, bench: FileBench):
        path = bench.put("a.txt", "one\ntwo\none\n")
        outcome = await bench.call("edit", path=path, find="one", replace="1", count=2)
        assert bench.look("a.txt") == b"1\ntwo\n1\n"
        assert (outcome.output["replaced"], outcome.output["lines"]) == (2, [1, 3])

    async def test_another_count_is_refused_with_the_lines(self, bench: FileBench):
        path = bench.put("a.txt", "one\ntwo\none\n")
        with pytest.raises(FileError) as caught:
            await bench.call("edit", path=path, find="one", replace="1")
        assert caught.value.code == "count_differs"
        assert caught.value.evidence["lines"] == [1, 3]
        assert "1, 3" in caught.value.hint

    async def test_a_miss_names_the_nearest_text(self, bench: FileBench):
        path = bench.put("a.txt", "alpha\nthe quick brown fox\nomega\n")
        with pytest.raises(FileError) as caught:
            await bench.call("edit", path=path, find="the quick brwon fox", replace="x")
        assert caught.value.code == "count_differs"
        assert caught.value.evidence["nearest"] == "the quick brown fox"
        assert caught.value.evidence["nearest_line"] == 2

    async def test_a_line_feed_stands_for_the_files_newline(self, bench: FileBench):
        path = bench.put("a.txt", b"a\r\nb\r\nc\r\n")
        await bench.call("edit", path=path, find="a\nb", replace="x\ny\nz")
        assert bench.look("a.txt") == b"x\r\ny\r\nz\r\nc\r\n"

    async def test_other_newlines_of_the_file_stay_as_they_are(self, bench: FileBench):
        path = bench.put("a.txt", b"a\r\nb\r\nc\nd")
        await bench.call("edit", path=path, find="d", replace="e")
        assert bench.look("a.txt") == b"a\r\nb\r\nc\ne"

    async def test_a_missing_file_is_told_with_what_is_nearby(self, bench: FileBench):
        bench.put("total.txt")
        with pytest.raises(FileError) as caught:
            await bench.call("edit", path=bench.path("totals.txt"), find="a", replace="b")
        assert caught.value.code == "not_found"
        assert caught.value.evidence["nearby"] == ["total.txt"]

    async def test_taking_it_back_brings_the_old_text_back(self, bench: FileBench):
        outcome = await bench.call("edit", path=bench.put("a.txt", "one"), find="one", replace="two")
        await bench.take_back(outcome)
        assert bench.look("a.txt") == b"one"
