"""What is left on a disk when the power fails: a model fed with the system calls that a program really made.

A program runs under strace. Its calls are played on a disk of two layers: what it asked for, and what it had synced. After
each call the power may fail. Then every file holds what was synced of it, and every folder the names that were synced, or
the disk may have written more by itself: the names alone, the content of one file alone, or everything. A promise of
durability must hold on each of these disks. Killing a process proves nothing of that kind: the kernel still writes all.
"""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_CALLS = (
    "openat,open,creat,close,dup,dup2,dup3,fcntl,lseek,read,pread64,write,pwrite64,ftruncate,rename,renameat,renameat2,link,"
    "linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,fsync,fdatasync"
)
# Calls that change a disk in ways that the model doesn't know: a program that makes one is not judged.
_UNKNOWN = (
    "writev,pwritev,pwritev2,truncate,fallocate,copy_file_range,sendfile,symlink,symlinkat,sync_file_range,sync,syncfs"
)
_LINE = re.compile(rb"^\d+ +(\w+)\((.*)\) += (-?\d+)(.*)$")
_ARG = re.compile(rb'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?|(?:[^,"<]|<[^>]*>)+')
_PLACE = re.compile(rb"<((?:\\x[0-9a-f]{2})*)>")
_LONGEST = 1 << 24


def can_watch() -> bool:
    """Tell whether programs can be watched here."""
    if shutil.which("strace") is None:
        return False
    return subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True, check=False).returncode == 0


@dataclass(eq=False)
class Node:
    """A file or folder; of each what was asked for, and what was synced."""

    is_folder: bool = False
    data: bytes = b""
    names: dict[str, "Node"] = field(default_factory=dict)
    synced_data: bytes = b""
    synced_names: dict[str, "Node"] = field(default_factory=dict)

    def sync(self) -> None:
        self.synced_data, self.synced_names = self.data, dict(self.names)


@dataclass
class _Handle:
    node: Node
    appends: bool = False
    position: int = 0


@dataclass(frozen=True)
class Call:
    """A system call that succeeded."""

    name: str
    args: tuple[bytes, ...]
    result: int


class Disk:
    """A folder of a disk, as calls leave it."""

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._top = Node(is_folder=True)
        self._handles: dict[int, _Handle] = {}
        for path in sorted(root.rglob("*")):
            node = self._make(str(path), is_folder=path.is_dir())
            node.data = b"" if node.is_folder else path.read_bytes()
        for node in self._list_nodes(self._top):
            node.sync()

    def play(self, call: Call) -> bool:
        """Take a call, and tell whether it makes a difference to what a loss of power leaves."""
        act = getattr(self, f"_do_{call.name}", None)
        assert act, f"the model doesn't know {call.name}"
        return bool(act(call))

    def list_losses(self) -> Iterator[tuple[str, dict[str, bytes | None]]]:
        """Yield every disk that a loss of power may leave now: how it came to be, and its files (None is a folder)."""
        yield "only what was synced", self._read(set(), names=False)
        yield "and all names", self._read(set(), names=True)
        files = [node for node in self._list_nodes(self._top) if not node.is_folder and node.data != node.synced_data]
        for node in files:
            name = next((path for path, each in self._list_paths(self._top) if each is node), "?")
            yield f"and all names, and {name}", self._read({id(node)}, names=True)
        yield "everything", self._read({id(node) for node in files}, names=True)

    def _read(self, written: set[int], *, names: bool) -> dict[str, bytes | None]:
        found: dict[str, bytes | None] = {}

        def walk(node: Node, path: str) -> None:
            for name, each in (node.names if names else node.synced_names).items():
                below = f"{path}/{name}" if path else name
                found[below] = None if each.is_folder else each.data if id(each) in written else each.synced_data
                walk(each, below)

        walk(self._top, "")
        return found

    def _list_nodes(self, node: Node) -> list[Node]:
        return list(dict.fromkeys([node, *(below for each in node.names.values() for below in self._list_nodes(each))]))

    def _list_paths(self, node: Node, path: str = "") -> Iterator[tuple[str, Node]]:
        for name, each in node.names.items():
            below = f"{path}/{name}" if path else name
            yield below, each
            yield from self._list_paths(each, below)

    def _split(self, path: str) -> tuple[Node, str] | None:
        """Return the folder of a path and its name; None outside of the disk."""
        if not path.startswith(f"{self._root}/"):
            return None
        *folders, name = path[len(self._root) + 1 :].split("/")
        node = self._top
        for each in folders:
            if each not in node.names:
                return None
            node = node.names[each]
        return node, name

    def _find(self, path: str) -> Node | None:
        if path == self._root:
            return self._top
        place = self._split(path)
        return place[0].names.get(place[1]) if place else None

    def _make(self, path: str, *, is_folder: bool) -> Node:
        place = self._split(path)
        assert place, path
        return place[0].names.setdefault(place[1], Node(is_folder=is_folder))

    # --- opening ---

    def _do_openat(self, call: Call) -> bool:
        path, flags = _join(call.args[0], call.args[1]), call.args[2]
        existed, node = True, self._find(path)
        if node is None and b"O_CREAT" in flags and self._split(path):
            existed, node = False, self._make(path, is_folder=False)
        self._handles.pop(call.result, None)
        if node is not None:
            if b"O_TRUNC" in flags:
                node.data = b""
            self._handles[call.result] = _Handle(node, b"O_APPEND" in flags)
        return not existed

    def _do_open(self, call: Call) -> bool:
        return self._do_openat(Call("openat", (b"AT_FDCWD", *call.args), call.result))

    def _do_close(self, call: Call) -> bool:
        self._handles.pop(_number(call.args[0]), None)
        return False

    def _do_dup(self, call: Call) -> bool:
        if handle := self._handles.get(_number(call.args[0])):
            self._handles[call.result] = handle
        return False

    _do_dup2 = _do_dup3 = _do_dup

    def _do_fcntl(self, call: Call) -> bool:
        return self._do_dup(call) if b"F_DUPFD" in call.args[1] else False

    # --- content ---

    def _do_lseek(self, call: Call) -> bool:
        if handle := self._handles.get(_number(call.args[0])):
            handle.position = call.result
        return False

    def _do_read(self, call: Call) -> bool:
        if handle := self._handles.get(_number(call.args[0])):
            handle.position += call.result
        return False

    def _do_pread64(self, _: Call) -> bool:
        return False

    def _do_write(self, call: Call) -> bool:
        handle = self._handles.get(_number(call.args[0]))
        if handle is None:
            return False
        start = len(handle.node.data) if handle.appends else handle.position
        handle.position = start + call.result
        return _put(handle.node, start, call.args[1][: call.result])

    def _do_pwrite64(self, call: Call) -> bool:
        handle = self._handles.get(_number(call.args[0]))
        return handle is not None and _put(handle.node, int(call.args[3]), call.args[1][: call.result])

    def _do_ftruncate(self, call: Call) -> bool:
        if handle := self._handles.get(_number(call.args[0])):
            size = int(call.args[1])
            handle.node.data = handle.node.data[:size].ljust(size, b"\0")
        return handle is not None

    def _do_fsync(self, call: Call) -> bool:
        if handle := self._handles.get(_number(call.args[0])):
            handle.node.sync()
        return handle is not None

    _do_fdatasync = _do_fsync

    # --- names ---

    def _do_mkdirat(self, call: Call) -> bool:
        path = _join(call.args[0], call.args[1])
        if self._split(path) is None:
            return False
        self._make(path, is_folder=True)
        return True

    def _do_mkdir(self, call: Call) -> bool:
        return self._do_mkdirat(Call("mkdirat", (b"AT_FDCWD", *call.args), 0))

    def _do_renameat2(self, call: Call) -> bool:
        source, target = self._split(_join(*call.args[:2])), self._split(_join(*call.args[2:4]))
        if source and (node := source[0].names.pop(source[1], None)) and target:
            target[0].names[target[1]] = node
        return bool(source or target)

    _do_renameat = _do_renameat2

    def _do_rename(self, call: Call) -> bool:
        return self._do_renameat2(Call("renameat2", (b"AT_FDCWD", call.args[0], b"AT_FDCWD", call.args[1]), 0))

    def _do_linkat(self, call: Call) -> bool:
        node, target = self._find(_join(*call.args[:2])), self._split(_join(*call.args[2:4]))
        if node and target:
            target[0].names[target[1]] = node
        return bool(target)

    def _do_unlinkat(self, call: Call) -> bool:
        place = self._split(_join(call.args[0], call.args[1]))
        return place is not None and place[0].names.pop(place[1], None) is not None

    def _do_unlink(self, call: Call) -> bool:
        return self._do_unlinkat(Call("unlinkat", (b"AT_FDCWD", *call.args), 0))

    _do_rmdir = _do_unlink


def watch(command: Sequence[str], environment: Mapping[str, str], root: Path) -> list[Call]:
    """Run a program and return the calls that touched files, in order, with what it said (``write`` to 1).

    Args:
        command: The program and its arguments.
        environment: Its variables.
        root: Where it runs; only this folder is on the disk.
    """
    with tempfile.TemporaryDirectory(prefix="sh-calls-") as place:
        log = Path(place) / "calls"
        strace = ["strace", "-f", "-y", "-xx", "-s", str(_LONGEST), "-e", "status=successful", "-o", str(log)]
        traced = [*strace, "-e", f"trace={_CALLS},{_UNKNOWN}", *command]
        done = subprocess.run(traced, cwd=root, env=dict(environment), capture_output=True, timeout=100, check=False)
        assert done.returncode == 0, done.stderr.decode(errors="replace")[-2000:]
        calls = [call for line in log.read_bytes().splitlines() if (call := _parse(line))]
    here = str(root).encode()
    unknown = [call for call in calls if call.name in _UNKNOWN.split(",") and any(here in arg for arg in call.args)]
    assert not unknown, unknown[:3]
    return [call for call in calls if call.name in _CALLS.split(",")]


def _parse(line: bytes) -> Call | None:
    found = _LINE.match(line)
    if found is None:
        return None
    name, text, result, _ = found.groups()
    args: list[bytes] = []
    for each in _ARG.finditer(text):
        assert not each[2], "a text was cut"
        args.append(_decode(each[1]) if each[1] is not None else each[0].strip())
    return Call(name.decode(), tuple(arg for arg in args if arg), int(result))


def _decode(text: bytes) -> bytes:
    return bytes.fromhex(text.replace(b"\\x", b"").decode())


def _join(folder: bytes, name: bytes) -> str:
    """Return the absolute path that a name stands for, of a folder as strace writes it."""
    path = os.fsdecode(name)
    place = _PLACE.search(folder)
    base = os.fsdecode(_decode(place[1])) if place else "/"
    return os.path.normpath(path if path.startswith("/") else f"{base}/{path}")


def _number(arg: bytes) -> int:
    return int(arg.partition(b"<")[0])


def _put(node: Node, start: int, data: bytes) -> bool:
    before = node.data.ljust(start, b"\0")
    node.data = before[:start] + data + before[start + len(data) :]
    return True


def write_disk(files: Mapping[str, bytes | None], folder: Path) -> None:
    """Make the files of a disk in a folder, for their owner only."""
    folder.mkdir(mode=0o700)
    for name, data in files.items():
        path = folder / name
        if data is None:
            path.mkdir(mode=0o700)
        else:
            path.touch(0o600)
            path.write_bytes(data)
