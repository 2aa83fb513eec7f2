"""What holds for looking at files and folders, and for opening them."""

import asyncio
import hashlib

import pytest

from core.base.errors import DeadlineError, FileError, InputError, PolicyError
from tests.contracts.files.bench import FileBench, list_entries


class ReadConformance:
    async def test_text_comes_with_its_digest_and_lines(self, bench: FileBench):
        path = bench.put("a.txt", "one\r\ntwo\r\n")
        output = (await bench.call("read", path=path)).output
        assert (output["text"], output["total_lines"], output["encoding"]) == ("one\r\ntwo\r\n", 2, "utf-8")
        assert output["sha256"] == hashlib.sha256(b"one\r\ntwo\r\n").hexdigest()
        assert output["truncated"] is False

    async def test_a_part_is_counted_in_lines(self, bench: FileBench):
        path = bench.put("a.txt", "1\n2\n3\n4")
        output = (await bench.call("read", path=path, offset=1, limit=2)).output
        assert (output["text"], output["lines"], output["total_lines"]) == ("2\n3\n", 2, 4)
        assert output["truncated"] is True

    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
    async def test_a_mark_tells_the_encoding(self, bench: FileBench, encoding: str):
        path = bench.put("a.txt", "żółć 日本 😀".encode(encoding))
        assert (await bench.call("read", path=path)).output["text"] == "żółć 日本 😀"

    async def test_what_is_not_utf_8_is_told_with_what_would_fit(self, bench: FileBench):
        path = bench.put("a.txt", "zażółć gęślą".encode("cp1250"))
        with pytest.raises(FileError) as caught:
            await bench.call("read", path=path)
        assert caught.value.code == "bad_encoding"
        assert "cp1250" in caught.value.evidence["fitting"]
        assert (await bench.call("read", path=path, encoding="cp1250")).output["text"] == "zażółć gęślą"

    async def test_an_unknown_encoding_is_told(self, bench: FileBench):
        with pytest.raises(FileError) as caught:
            await bench.call("read", path=bench.put("a.txt"), encoding="klingon")
        assert caught.value.code == "bad_encoding"

    async def test_a_folder_is_no_text(self, bench: FileBench):
        with pytest.raises(FileError) as caught:
            await bench.call("read", path=bench.root)
        assert caught.value.code == "wrong_type"

    async def test_what_is_too_large_is_refused(self, bench: FileBench):
        path = bench.put("a.txt", b"x" * 10_000_001)
        with pytest.raises(FileError) as caught:
            await bench.call("read", path=path)
        assert caught.value.code == "too_large"

    async def test_what_lies_outside_is_refused(self, bench: FileBench):
        with pytest.raises(FileError) as caught:
            await bench.call("read", path=str(bench.flavour(bench.outside) / "a.txt"))
        assert caught.value.code == "outside_roots"


class LookConformance:
    async def test_what_is_known_of_a_file_is_told(self, bench: FileBench):
        output = (await bench.call("info", path=bench.put("a.txt", "abc"))).output
        assert (output["exists"], output["type"], output["size_bytes"]) == (True, "file", 3)
        assert output["resolved"] == bench.path("a.txt")
        assert output["anchor"]["name"] == "workspace"

    async def test_what_is_not_there_is_no_error(self, bench: FileBench):
        assert (await bench.call("info", path=bench.path("no/a.txt"))).output["exists"] is False

    async def test_a_folder_tells_how_much_is_in_it(self, bench: FileBench):
        bench.put("d/a")
        bench.put("d/b")
        assert (await bench.call("info", path=bench.path("d"))).output["entries"] == 2

    @pytest.mark.parametrize("algorithm", ["sha256", "sha512", "sha1", "md5", "blake2b"])
    async def test_digests_are_those_of_the_library(self, bench: FileBench, algorithm: str):
        path = bench.put("a.txt", b"abc" * 1000)
        output = (await bench.call("hash", path=path, algorithm=algorithm)).output
        assert output["digest"] == output["text"] == hashlib.new(algorithm, b"abc" * 1000).hexdigest()


class FindConformance:
    async def test_a_folder_is_listed_in_order(self, bench: FileBench):
        for name in ("b.txt", "a.txt", "d/c.txt"):
            bench.put(name)
        outcome = await bench.call("list", path=bench.root)
        assert list_entries(outcome, bench) == ["a.txt", "b.txt", "d"]
        assert [each["type"] for each in outcome.output["entries"]] == ["file", "file", "folder"]

    async def test_a_list_may_go_deeper_and_be_cut(self, bench: FileBench):
        for name in ("b.txt", "a.txt", "d/c.txt"):
            bench.put(name)
        outcome = await bench.call("list", path=bench.root, recursive=True, pattern="*.txt", limit=2)
        assert list_entries(outcome, bench) == ["a.txt", "b.txt"]
        assert (outcome.output["count"], outcome.output["truncated"]) == (2, True)

    @pytest.mark.parametrize(
        ("pattern", "found"),
        [
            ("*.txt", ["a.txt", "d/b.txt", "d/e/c.txt"]),
            ("?.md", ["d/x.md"]),
            ("[ab].txt", ["a.txt", "d/b.txt"]),
            ("[!a].txt", ["d/b.txt", "d/e/c.txt"]),
            ("d/*.txt", ["d/b.txt"]),
            ("d/**/*.txt", ["d/b.txt", "d/e/c.txt"]),
            ("**/c.txt", ["d/e/c.txt"]),
            ("no*", []),
        ],
    )
    async def test_globs_match_names_and_with_a_slash_paths(self, bench: FileBench, pattern: str, found: list[str]):
        for name in ("a.txt", "d/b.txt", "d/x.md", "d/e/c.txt"):
            bench.put(name)
        assert list_entries(await bench.call("find", path=bench.root, pattern=pattern), bench) == found

    async def test_content_is_found_in_any_case_and_binary_files_are_counted(self, bench: FileBench):
        bench.put("a.txt", "x" * 2_000_000 + "NeedLe")
        bench.put("b.txt", "hay")
        bench.put("c.bin", b"needle\xff\x00")
        outcome = await bench.call("find", path=bench.root, content="nEEdle")
        assert list_entries(outcome, bench) == ["a.txt"]
        assert outcome.output["not_text"] == 1

    async def test_age_limits_what_is_found(self, bench: FileBench):
        bench.put("a.txt")
        assert list_entries(await bench.call("find", path=bench.root, newer="1h"), bench) == ["a.txt"]
        assert list_entries(await bench.call("find", path=bench.root, older="1h"), bench) == []
        assert list_entries(await bench.call("find", path=bench.root, newer="2020-01-01"), bench) == ["a.txt"]
        with pytest.raises(InputError):
            await bench.call("find", path=bench.root, newer="yesterday-ish")

    async def test_a_missing_folder_is_told(self, bench: FileBench):
        with pytest.raises(FileError) as caught:
            await bench.call("find", path=bench.path("no"))
        assert caught.value.code == "not_found"


class WaitConformance:
    async def test_what_is_there_is_not_waited_for(self, bench: FileBench):
        outcome = await bench.call("wait", path=bench.put("a.txt", "x"), timeout=10)
        assert outcome.output["waited_s"] < 5

    async def test_a_file_that_comes_is_seen(self, bench: FileBench):
        waiting = asyncio.ensure_future(bench.call("wait", path=bench.path("a.txt"), timeout=10))
        await asyncio.wait([waiting], timeout=0.2)
        assert not waiting.done()
        bench.put("a.txt", "x")
        assert (await waiting).output["state"] == "exists"

    async def test_a_change_is_seen(self, bench: FileBench):
        waiting = asyncio.ensure_future(bench.call("wait", path=bench.put("a.txt", "x"), state="changed", timeout=10))
        await asyncio.wait([waiting], timeout=0.2)
        assert not waiting.done()
        bench.put("a.txt", "longer")
        assert (await waiting).output["state"] == "changed"

    async def test_what_goes_is_seen(self, bench: FileBench):
        path = bench.put("a.txt", "x")
        waiting = asyncio.ensure_future(bench.call("wait", path=path, state="removed", timeout=10))
        await asyncio.wait([waiting], timeout=0.2)
        await bench.call("purge", path=path)
        assert (await waiting).output["state"] == "removed"

    async def test_what_does_not_come_about_is_told_with_what_was_there(self, bench: FileBench):
        with pytest.raises(DeadlineError) as caught:
            await bench.call("wait", path=bench.put("a.txt", "abc"), state="removed", timeout=0.3)
        assert "3 bytes" in caught.value.message


class OpenConformance:
    @pytest.mark.parametrize(
        ("name", "content"),
        [
            ("a.sh", b"echo"),
            ("a.desktop", b"x"),
            ("a.exe", b"x"),
            ("a.lnk", b"x"),
            ("a.JAR", b"x"),
            ("plain", b"#!/bin/sh\n"),
            ("picture.png", b"MZ\x90"),
            ("text.txt", b"\x7fELF"),
        ],
    )
    async def test_what_would_run_is_not_opened(self, bench: FileBench, name: str, content: bytes):
        with pytest.raises(PolicyError):
            await bench.call("open", path=bench.put(name, content))
