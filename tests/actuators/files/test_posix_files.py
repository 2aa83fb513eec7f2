"""What holds for real files of POSIX: links that are swapped, writers that are killed, volumes that are full."""

import asyncio
import os
import signal
import stat
import subprocess
import sys
import tempfile
import textwrap
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("these are the files of POSIX", allow_module_level=True)

from actuators.files.platforms.linux import make_back_end
from actuators.files.posix.kernel import has_openat2, rename_without_replacing
from actuators.files.posix.store import PosixStore
from actuators.files.stores.temporary_names import bears_mark, is_stray, make_temporary_name
from core.base.errors import FileError
from fixtures.hostile.link_race import race, read_naively, swap_links
from tests.contracts.files.bench import FileBench, RealEyes, make_environment, make_real_bench
from tests.contracts.files.posix_bench import make_posix_back_end

ROOT = Path(__file__).resolve().parents[3]
TRIES = 2_000
KILLS = 12


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[FileBench]:
    back_end = make_back_end(make_environment(tmp_path, tmp_path / "work"))
    yield make_real_bench(back_end, tmp_path)
    await back_end.close()


def make_reader(store: PosixStore) -> Callable[[str, str], bytes | None]:
    def read(root: str, path: str) -> bytes | None:
        try:
            with store.find((root,), path) as spot:
                file = spot.folder.open(spot.name)
                content = file.stream.read()
                file.close()
                return content
        except (FileError, OSError):
            return None

    return read


@pytest.mark.parametrize("openat2", [True, False])
def test_who_swaps_links_gets_nothing_from_outside(tmp_path: Path, openat2: bool):
    if openat2 and not has_openat2():
        pytest.skip("the kernel has no openat2, or a sandbox hides it")
    with swap_links(tmp_path) as root:
        count = race(root, TRIES, make_reader(PosixStore(openat2=openat2)))
    assert count.escapes == 0
    assert count.inside > 0


def test_the_race_is_one_that_a_naive_reader_loses(tmp_path: Path):
    with swap_links(tmp_path) as root:
        assert any(race(root, TRIES, read_naively).escapes for _ in range(20))


WRITER = """
    import asyncio, sys
    from pathlib import Path
    sys.path.insert(0, {root!r})
    from actuators.files.platforms.linux import make_back_end
    from actuators.files.verbs.writing import FileWritingTools
    from core.tools.ports import ActionContext
    from tests.contracts.files.bench import make_environment

    async def main(folder):
        tools = make_back_end(make_environment(folder, folder / "work")).toolsets[FileWritingTools]
        for number in range(1_000_000):
            letter = "ab"[number % 2]
            await tools.write(ActionContext("g"), path=str(folder / "work" / "f.txt"), content=letter * 2_000_000)
            print(number, flush=True)

    asyncio.run(main(Path(sys.argv[1])))
"""


def write_and_kill(script: str, folder: Path, after_s: float) -> None:
    with subprocess.Popen([sys.executable, "-c", script, str(folder)], stdout=subprocess.PIPE) as writer:
        assert writer.stdout
        writer.stdout.readline()
        with pytest.raises(subprocess.TimeoutExpired):
            writer.wait(after_s)
        writer.send_signal(signal.SIGKILL)


async def test_a_writer_that_is_killed_leaves_old_or_new_and_no_litter(bench: FileBench, tmp_path: Path):
    bench.put("f.txt", "o" * 10)
    script = textwrap.dedent(WRITER.format(root=str(ROOT)))
    for number in range(KILLS):
        write_and_kill(script, tmp_path, 0.001 * (number + 1))
        content = bench.look("f.txt") or b""
        assert content in {b"a" * 2_000_000, b"b" * 2_000_000}
    await bench.call("write", path=bench.path("f.txt"), content="last")
    assert bench.names() == ["f.txt"]


def test_what_an_action_left_is_its_own_also_after_the_machine_got_another_name():
    left = ".surehand-abcdef-1-0123456789ab.part"
    assert bears_mark(left, "0123456789ab")
    assert not is_stray(left)  # to everybody else it is a stranger's, perhaps of a machine that still writes it


async def test_what_another_living_process_has_begun_is_left_alone(bench: FileBench):
    begun = bench.put(make_temporary_name().replace(f"-{os.getpid()}-", f"-{os.getppid()}-"), "theirs")
    await bench.call("write", path=bench.path("f.txt"), content="x")
    assert bench.eyes.look(begun) == b"theirs"


async def test_a_file_that_would_be_too_large_leaves_the_old_one(tmp_path: Path, bench: FileBench):
    bench.put("f.txt", "old")
    script = """
        import asyncio, resource, signal, sys
        from pathlib import Path
        sys.path.insert(0, {root!r})
        from actuators.files.platforms.linux import make_back_end
        from actuators.files.verbs.writing import FileWritingTools
        from core.base.errors import FileError
        from core.tools.ports import ActionContext
        from tests.contracts.files.bench import make_environment

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        folder = Path(sys.argv[1])

        async def main():
            tools = make_back_end(make_environment(folder, folder / "work")).toolsets[FileWritingTools]
            try:
                await tools.write(ActionContext("g"), path=str(folder / "work" / "f.txt"), content="x" * 200_000)
            except FileError as error:
                print(error.code)

        asyncio.run(main())
    """
    command = [sys.executable, "-c", textwrap.dedent(script.format(root=str(ROOT))), str(tmp_path)]
    done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "no_space"
    assert (bench.look("f.txt"), bench.names()) == (b"old", ["f.txt"])


def run(*command: str) -> bool:
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


def look(path: str) -> os.stat_result:
    return Path(path).stat()


def set_mode(path: str, mode: int) -> None:
    Path(path).chmod(mode)


def make_sparse(path: str, size_bytes: int) -> None:
    with Path(path).open("wb") as file:
        file.truncate(size_bytes)
        file.seek(size_bytes // 2)
        file.write(b"x")


OTHER_USER = """
    import asyncio, os, sys
    from pathlib import Path
    sys.path.insert(0, {root!r})
    from actuators.files.platforms.linux import make_back_end
    from actuators.files.verbs.writing import FileWritingTools
    from core.base.errors import FileError
    from core.tools.ports import ActionContext
    from tests.contracts.files.bench import make_environment

    async def main(folder):
        tools = make_back_end(make_environment(folder, folder / "work")).toolsets[FileWritingTools]
        for verb, args in (("create", {{"object_type": "file"}}), ("append", {{"content": "x"}})):
            name = {{"create": "name", "append": "path"}}[verb]
            try:
                await getattr(tools, verb)(ActionContext("g"), **args, **{{name: str(folder / "work" / f"{{verb}}.txt")}})
            except FileError as error:
                print(verb, error.code)

    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
    asyncio.run(main(Path(sys.argv[1])))
"""


async def test_what_belongs_to_another_user_is_not_written():
    if os.getuid() != 0:
        pytest.skip("only root can become another user")
    with tempfile.TemporaryDirectory(prefix="sh-") as folder:
        set_mode(folder, 0o755)
        RealEyes().put(str(Path(folder, "work", "append.txt")), b"old")
        command = [sys.executable, "-c", textwrap.dedent(OTHER_USER.format(root=str(ROOT))), folder]
        done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=True)
        assert done.stdout.splitlines() == ["create no_permission", "append no_permission"]
        assert RealEyes().names(str(Path(folder, "work"))) == ["append.txt"]


async def test_a_full_volume_leaves_the_old_file_and_says_so(bench: FileBench):
    stick = bench.path("stick")
    bench.eyes.make(stick)
    if os.getuid() != 0 or not run("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", stick):
        pytest.skip("nothing can be mounted here")
    try:
        bench.put("stick/f.txt", "old")
        with pytest.raises(FileError) as caught:
            await bench.call("write", path=bench.path("stick/f.txt"), content="x" * 1_000_000)
        assert caught.value.code == "no_space"
        assert (bench.look("stick/f.txt"), bench.names("stick")) == (b"old", ["f.txt"])
        bench.put("g.txt", "from another volume")
        await bench.call("move", source=bench.path("g.txt"), destination=bench.path("stick"))
        assert (bench.look("g.txt"), bench.look("stick/g.txt")) == (None, b"from another volume")
        outcome = await bench.call("delete", object_type="file", name=bench.path("stick/f.txt"))
        assert outcome.output["trashed"] == bench.path(f"stick/.Trash-{os.getuid()}/files/f.txt")
        await bench.take_back(outcome)
        assert bench.look("stick/f.txt") == b"old"
    finally:
        await bench.back_end.close()
        assert run("umount", stick)


async def test_mode_and_time_are_kept(bench: FileBench):
    path = bench.put("a.sh", "x")
    set_mode(path, 0o750)
    await bench.call("write", path=path, content="y")
    assert stat.S_IMODE(look(path).st_mode) == 0o750
    os.utime(path, ns=(1_600_000_000_123_456_789, 1_600_000_000_123_456_789))
    await bench.call("copy", source=path, destination=bench.path("b.sh"))
    copied = look(bench.path("b.sh"))
    assert (stat.S_IMODE(copied.st_mode), copied.st_mtime_ns) == (0o750, 1_600_000_000_123_456_789)


async def test_a_sparse_file_stays_sparse(bench: FileBench):
    make_sparse(bench.path("a.img"), 50_000_000)
    await bench.call("copy", source=bench.path("a.img"), destination=bench.path("b.img"))
    assert look(bench.path("b.img")).st_blocks * 512 < 10_000_000
    assert bench.look("a.img") == bench.look("b.img")


@pytest.mark.parametrize("verb", ["read", "hash", "open"])
async def test_a_pipe_is_refused_at_once(bench: FileBench, verb: str):
    os.mkfifo(bench.path("pipe"))
    with pytest.raises(Exception, match="device, pipe or socket"):
        await asyncio.wait_for(bench.call(verb, path=bench.path("pipe")), 5)


async def test_a_link_through_proc_is_no_way_out(bench: FileBench, tmp_path: Path):
    with (tmp_path / "outside" / "secret.txt").open("w") as file:
        bench.eyes.link(bench.path("l"), f"/proc/self/fd/{file.fileno()}")
        with pytest.raises(FileError) as caught:
            await bench.call("read", path=bench.path("l"))
    assert caught.value.code == "outside_roots"


@pytest.mark.parametrize("openat2", [True, False])
async def test_a_root_may_be_named_by_a_link_and_paths_by_where_it_is(tmp_path: Path, openat2: bool):
    back_end = make_posix_back_end(tmp_path, openat2=openat2)
    bench = make_real_bench(back_end, tmp_path)
    bench.eyes.link(str(tmp_path / "named"), bench.root)
    bench.root = str(tmp_path / "named")
    outcome = await bench.call("create", object_type="file", name=bench.path("d/a.txt"), content="x")
    assert outcome.evidence["resolved"] == str(tmp_path / "work" / "d" / "a.txt")
    await bench.take_back(outcome)
    assert bench.names() == []
    await back_end.close()


@pytest.mark.parametrize("name", ["b.txt", "A.txt"])
@pytest.mark.parametrize("verb", ["move", "copy"])
async def test_another_hard_link_of_the_same_file_is_no_destination(bench: FileBench, verb: str, name: str):
    os.link(bench.put("a.txt", "x"), bench.path(name))
    with pytest.raises(FileError) as caught:
        await bench.call(verb, source=bench.path("a.txt"), destination=bench.path(name), overwrite=True)
    assert caught.value.code == "already_exists"
    with pytest.raises(FileError):
        await bench.call("rename", source=bench.path("a.txt"), target=name)
    assert sorted(bench.names() or []) == sorted(["a.txt", name])


async def test_folders_that_nest_too_deep_are_told(bench: FileBench):
    folder = os.open(bench.root, os.O_RDONLY)
    for _ in range(310):
        os.mkdir("d", dir_fd=folder)
        below = os.open("d", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = below
    os.close(folder)
    outcome = await bench.call("find", path=bench.root, pattern="none")
    assert outcome.output["unreadable_count"] == 1
    with pytest.raises(FileError) as caught:
        await bench.call("purge", path=bench.path("d"))
    assert caught.value.code == "too_large"


async def test_names_that_are_no_text_are_listed_and_not_packed(bench: FileBench):
    os.close(os.open(os.fsencode(bench.root) + b"/caf\xe9", os.O_CREAT, 0o600))
    outcome = await bench.call("list", path=bench.root)
    assert outcome.output["entries"][0]["name"] == "caf\\udce9"
    outcome.output["text"].encode()
    with pytest.raises(FileError) as caught:
        await bench.call("zip", source=bench.root, destination=bench.path("z.zip"))
    assert caught.value.code == "bad_encoding"


async def test_no_descriptor_is_left_open(bench: FileBench):
    bench.put("d/e/f.txt", "x")
    bench.eyes.link(bench.path("l"), bench.path("d"))
    bench.eyes.link(bench.path("out"), bench.outside)

    async def work() -> None:
        await bench.call("write", path=bench.path("l/e/f.txt"), content="y")
        await bench.call("find", path=bench.root, content="y")
        await bench.call("copy", source=bench.path("d"), destination=bench.path("k"))
        await bench.take_back(await bench.call("delete", object_type="folder", name=bench.path("k")))
        await bench.call("purge", path=bench.path("k"))
        await bench.call("wait", path=bench.path("d"), timeout=1)
        with pytest.raises(FileError):
            await bench.call("write", path=bench.path("out/a"), content="y")

    await work()
    before = bench.eyes.names("/proc/self/fd") or []
    for _ in range(5):
        await work()
    after = bench.eyes.names("/proc/self/fd") or []
    assert len(after) < len(before) + 5  # each round would leave at least one


async def test_what_was_deleted_is_where_other_programs_look_for_it(bench: FileBench, tmp_path: Path):
    await bench.call("delete", object_type="file", name=bench.put("ä b%.txt", "x"))
    note = (tmp_path / "home/.local/share/Trash/info/ä b%.txt.trashinfo").read_text(encoding="utf-8")
    assert note.splitlines()[0] == "[Trash Info]"
    assert note.splitlines()[1] == f"Path={bench.root}/%C3%A4%20b%25.txt"
    assert note.splitlines()[2].startswith("DeletionDate=20")


async def test_what_others_put_into_the_trash_is_restored(bench: FileBench, tmp_path: Path):
    trash = tmp_path / "home/.local/share/Trash"
    for name in ("files", "info"):
        (trash / name).mkdir(parents=True)
    (trash / "files" / "x").write_bytes(b"theirs")
    note = f"[Trash Info]\nPath={bench.root}/caf%C3%A9.txt\nDeletionDate=2026-05-01T12:00:00\n"
    (trash / "info" / "x.trashinfo").write_text(note, encoding="utf-8")
    await bench.call("restore", path=bench.path("café.txt"))
    assert bench.look("café.txt") == b"theirs"
    assert list((trash / "info").iterdir()) == []


def test_a_rename_never_replaces_even_without_the_kernels_help(tmp_path: Path):
    for name in ("a", "b"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    folder = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with pytest.raises(FileExistsError):
            rename_without_replacing(folder, "a", folder, "b")
        rename_without_replacing(folder, "a", folder, "c")
    finally:
        os.close(folder)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b", "c"]


async def test_cancelling_a_copy_leaves_nothing_and_the_loop_goes_on(bench: FileBench):
    make_sparse(bench.path("large"), 4_000_000_000)
    copying = asyncio.ensure_future(
        bench.call("copy", shown=None, source=bench.path("large"), destination=bench.path("copy"))
    )
    await asyncio.wait([copying], timeout=0.1)
    assert not copying.done()
    copying.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(copying, 5)
    assert bench.names() == ["large"]


async def test_disk_work_is_done_in_other_threads(bench: FileBench):
    before = set(threading.enumerate())
    await bench.call("write", path=bench.path("a.txt"), content="x")
    assert any(thread.name.startswith("files") for thread in set(threading.enumerate()) - before)


async def test_a_file_that_still_grows_is_not_there_yet(bench: FileBench):
    waiting = asyncio.ensure_future(bench.call("wait", path=bench.path("a.txt"), timeout=10))
    for number in range(40):
        bench.put("a.txt", b"x" * 1000 * (number + 1))
        await asyncio.wait([waiting], timeout=0.02)
    assert (await waiting).evidence["state"] == "a file of 40000 bytes is there"
