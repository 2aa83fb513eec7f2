"""What holds for packing and unpacking."""

import io
import stat
import zipfile
from collections.abc import Callable

import pytest

from core.base.errors import FileError, PolicyError
from tests.contracts.files.bench import FileBench


def pack(*members: tuple[str, bytes], change: Callable[[zipfile.ZipInfo], None] | None = None) -> bytes:
    """Return an archive with these members, made without the tools."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            info = zipfile.ZipInfo("x")
            info.filename = info.orig_filename = name
            info.create_system = 3
            info.compress_type = zipfile.ZIP_DEFLATED
            if change:
                change(info)
            archive.writestr(info, content)
    return stream.getvalue()


def make_link(info: zipfile.ZipInfo) -> None:
    info.external_attr = (stat.S_IFLNK | 0o777) << 16


def make_device(info: zipfile.ZipInfo) -> None:
    info.external_attr = (stat.S_IFCHR | 0o666) << 16


class ZipConformance:
    async def test_what_was_packed_is_unpacked_as_it_was(self, bench: FileBench):
        bench.put("d/żółć.txt", "x")
        bench.put("d/e/f.bin", bytes(range(256)) * 100)
        packed = await bench.call("zip", source=bench.path("d"), destination=bench.path("d.zip"))
        assert packed.output["entries"] == 4
        outcome = await bench.call("unzip", source=bench.path("d.zip"), destination=bench.path("out"))
        assert bench.look("out/d/żółć.txt") == b"x"
        assert bench.look("out/d/e/f.bin") == bytes(range(256)) * 100
        assert bench.path("out/d/e/f.bin") in outcome.output["entries"]
        assert bench.names() == ["d", "d.zip", "out"]

    async def test_without_a_destination_an_archive_is_made_and_unpacked_where_the_source_is(self, bench: FileBench):
        bench.put("d/a.txt", "x")
        await bench.call("zip", source=bench.path("d/a.txt"))
        assert bench.names("d") == ["a.txt", "a.txt.zip"]
        bench.put("e/b.zip", pack(("b.txt", b"y")))
        outcome = await bench.call("unzip", source=bench.path("e/b.zip"))
        assert bench.look("e/b.txt") == b"y"
        assert bench.path("e/b.txt") in outcome.output["entries"]

    async def test_several_archives_are_each_unpacked_into_their_own_folder(self, bench: FileBench):
        bench.put("d/a.zip", pack(("a.txt", b"x")))
        bench.put("e/b.zip", pack(("b.txt", b"y")))
        await bench.call("unzip", source=bench.path("*/*.zip"))
        assert (bench.look("d/a.txt"), bench.look("e/b.txt")) == (b"x", b"y")

    async def test_an_archive_of_several_needs_a_name(self, bench: FileBench):
        bench.put("a.txt", "x")
        with pytest.raises(FileError) as caught:
            await bench.call("zip", source=bench.path("*.txt"))
        assert caught.value.code == "missing_destination"

    async def test_several_sources_go_into_one_archive(self, bench: FileBench):
        sources = (bench.put("a.txt", "1"), bench.put("d/b.txt", "2"))
        await bench.call("zip", source=sources, destination=bench.path("z.zip"))
        with zipfile.ZipFile(io.BytesIO(bench.look("z.zip") or b"")) as archive:
            assert archive.namelist() == ["a.txt", "b.txt"]

    async def test_two_sources_of_one_name_are_refused(self, bench: FileBench):
        sources = (bench.put("a.txt", "1"), bench.put("d/A.txt", "2"))
        with pytest.raises(FileError) as caught:
            await bench.call("zip", source=sources, destination=bench.path("z.zip"))
        assert caught.value.code == "already_exists"

    async def test_an_archive_that_is_there_stays(self, bench: FileBench):
        with pytest.raises(FileError) as caught:
            await bench.call("zip", source=bench.put("a.txt"), destination=bench.put("z.zip", "old"))
        assert caught.value.code == "already_exists"
        assert bench.look("z.zip") == b"old"

    async def test_times_are_kept(self, bench: FileBench):
        bench.put("d/a.txt", "x")
        before = (await bench.call("info", path=bench.path("d/a.txt"))).output["modified"]
        await bench.call("zip", source=bench.path("d"), destination=bench.path("z.zip"))
        await bench.call("unzip", source=bench.path("z.zip"), destination=bench.path("out"))
        after = (await bench.call("info", path=bench.path("out/d/a.txt"))).output["modified"]
        assert after[:19] == before[:19]

    async def test_packing_and_unpacking_are_taken_back(self, bench: FileBench):
        bench.put("a.txt", "x")
        packed = await bench.call("zip", source=bench.path("a.txt"), destination=bench.path("z.zip"))
        unpacked = await bench.call("unzip", source=bench.path("z.zip"), destination=bench.path("out/in"))
        await bench.take_back(unpacked)
        await bench.take_back(packed)
        assert bench.names() == ["a.txt"]

    async def test_an_existing_folder_takes_in_what_is_not_there_yet(self, bench: FileBench):
        bench.put("out/mine.txt", "mine")
        outcome = await bench.call(
            "unzip", source=bench.put("z.zip", pack(("a.txt", b"x"))), destination=bench.path("out")
        )
        assert bench.names("out") == ["a.txt", "mine.txt"]
        await bench.take_back(outcome)
        assert bench.names("out") == ["mine.txt"]


async def refuse(bench: FileBench, content: bytes) -> FileError | PolicyError:
    bench.eyes.make(bench.path("out"))
    with pytest.raises((FileError, PolicyError)) as caught:
        await bench.call("unzip", source=bench.put("z.zip", content), destination=bench.path("out"))
    assert bench.names("out") == []
    assert bench.names() == ["out", "z.zip"]
    return caught.value


class UnzipRefusalConformance:
    @pytest.mark.parametrize(
        ("name", "rule"),
        [
            ("../evil.txt", "P11"),
            ("a/../../evil.txt", "P11"),
            ("..\\evil.txt", "P11"),
            ("/etc/evil", "P10"),
            ("C:/evil.txt", "P21"),
            ("C:evil.txt", "P10"),
            ("NUL.txt", "P5"),
            ("a/con", "P5"),
            ("a.txt:stream", "P4"),
            ("//server/share/a", "P9"),
            ("trailing. ", "P6"),
            ("desktop.ini", "P17"),
        ],
    )
    async def test_a_bad_name_refuses_all_of_it(self, bench: FileBench, name: str, rule: str):
        error = await refuse(bench, pack(("good.txt", b"x"), (name, b"evil")))
        assert error.code == "path_refused"
        assert error.evidence["rule"] == rule

    async def test_names_that_differ_in_case_only_are_refused(self, bench: FileBench):
        assert (await refuse(bench, pack(("a.txt", b"1"), ("A.TXT", b"2")))).code == "bad_archive"

    async def test_a_member_below_a_file_is_refused(self, bench: FileBench):
        assert (await refuse(bench, pack(("a", b"1"), ("a/b", b"2")))).code == "bad_archive"

    @pytest.mark.parametrize("target", [b"../../outside", b"/etc/passwd", b"C:\\Windows"])
    async def test_a_member_that_links_out_is_refused(self, bench: FileBench, target: bytes):
        error = await refuse(bench, pack(("l", target), change=make_link))
        assert error.code in {"path_refused", "bad_archive"}

    async def test_nothing_is_written_through_a_link(self, bench: FileBench):
        archive = pack(
            ("d", b"elsewhere"),
            ("d/a.txt", b"x"),
            change=lambda info: make_link(info) if info.filename == "d" else None,
        )
        assert (await refuse(bench, archive)).code == "bad_archive"

    async def test_a_link_that_is_endless_is_refused(self, bench: FileBench):
        assert (await refuse(bench, pack(("l", b"a" * 5_000), change=make_link))).code == "bad_archive"

    async def test_a_method_that_takes_memory_as_it_likes_is_refused(self, bench: FileBench):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_LZMA) as archive:
            archive.writestr("a", b"x" * 1_000)
        assert (await refuse(bench, stream.getvalue())).code == "bad_archive"

    @pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
    async def test_a_damaged_member_is_refused(self, bench: FileBench, method: int):
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", method) as archive:
            archive.writestr("good", b"x")
            archive.writestr("a", bytes(range(256)) * 40)
        content = bytearray(stream.getvalue())
        content[100] ^= 0xFF
        assert (await refuse(bench, bytes(content))).code == "bad_archive"

    async def test_a_device_is_refused(self, bench: FileBench):
        assert (await refuse(bench, pack(("d", b""), change=make_device))).code == "bad_archive"

    async def test_what_grows_too_much_is_refused(self, bench: FileBench):
        assert (await refuse(bench, pack(("zeros", bytes(20_000_000))))).code == "archive_limit"

    async def test_too_many_members_are_refused(self, bench: FileBench):
        members = [(f"f{number}", b"") for number in range(10_001)]
        assert (await refuse(bench, pack(*members))).code == "archive_limit"

    async def test_a_damaged_archive_leaves_nothing(self, bench: FileBench):
        whole = pack(("a.txt", b"x"), ("b.txt", bytes(range(256)) * 200))
        broken = bytearray(whole)
        broken[len(whole) // 2] ^= 0xFF
        assert (await refuse(bench, bytes(broken))).code == "bad_archive"
        assert (await refuse(bench, b"no archive")).code == "bad_archive"

    async def test_an_encrypted_member_is_refused(self, bench: FileBench):
        content = bytearray(pack(("a.txt", b"x")))
        content[6] |= 1
        content[content.index(b"PK\x01\x02") + 8] |= 1
        assert (await refuse(bench, bytes(content))).code == "bad_archive"

    async def test_a_member_that_lies_about_its_size_leaves_nothing(self, bench: FileBench):
        content = bytearray(pack(("a.txt", b"x" * 5000)))
        place = content.index(b"PK\x01\x02") + 24
        content[place : place + 4] = (10).to_bytes(4, "little")
        assert (await refuse(bench, bytes(content))).code in {"archive_limit", "bad_archive"}

    async def test_what_is_in_the_way_stays(self, bench: FileBench):
        bench.put("out/a.txt", "mine")
        with pytest.raises(FileError) as caught:
            await bench.call(
                "unzip",
                source=bench.put("z.zip", pack(("a.txt", b"x"), ("b.txt", b"y"))),
                destination=bench.path("out"),
            )
        assert caught.value.code == "already_exists"
        assert (bench.names("out"), bench.look("out/a.txt")) == (["a.txt"], b"mine")
