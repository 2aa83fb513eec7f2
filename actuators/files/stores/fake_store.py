"""Files in memory: for dry runs, for simulation, and for faults that a real volume shows only when it breaks."""

import errno
import io
import itertools
import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import PurePath, PurePosixPath
from typing import Any, BinaryIO

from actuators.files.ports import FilePlace, FileState, Folder, Held, Kind, OpenFile
from actuators.files.stores.failures import refuse_outside
from core.addresses.path_parts import lies_inside
from core.base.late_dataclasses import dataclass, field


class DiedError(BaseException):
    """The process is thought to be dead: nothing that would tidy up is done any more."""


@dataclass(slots=True)
class FileFault:
    """One fault that waits for its moment, in an operation of a folder or file such as ``open`` or ``rename``.

    Attributes:
        number: The error number; 0 for the death of the process.
        name: Names that it concerns, as a glob.
        times: How often it strikes; 0 for ever.
    """

    operation: str
    number: int
    name: str = "*"
    after: int = 0
    times: int = 1


@dataclass(slots=True)
class Faults:
    """The faults of a store: a volume of some capacity (None for no limit), and what something else does before the next write."""

    waiting: list[FileFault] = field(default_factory=list[FileFault])
    capacity_bytes: int | None = None
    dead: bool = False
    done: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    meanwhile: Callable[[], object] | None = None

    def plan(self, operation: str, number: int = 0, *, name: str = "*", after: int = 0, times: int = 1) -> None:
        """Let an operation fail; all is as a ``FileFault`` has it."""
        self.waiting.append(FileFault(operation, number, name, after, times))

    def revive(self) -> None:
        """Start the process again, without faults."""
        self.dead = False
        self.waiting.clear()

    def meet(self, operation: str, name: str) -> None:
        """Let an operation happen, or fail as planned; a DiedError if the process is dead."""
        if self.dead:
            raise DiedError
        self.done.append((operation, name))
        if operation == "write" and self.meanwhile is not None:
            act, self.meanwhile = self.meanwhile, None
            act()
        for fault in self.waiting:
            if fault.operation == operation and fnmatchcase(name, fault.name):
                self._strike(fault, name)
                return

    def _strike(self, fault: FileFault, name: str) -> None:
        if fault.after:
            fault.after -= 1
            return
        if fault.times == 1:
            self.waiting.remove(fault)
        fault.times -= fault.times > 1
        if not fault.number:
            self.dead = True
            raise DiedError
        raise OSError(fault.number, os.strerror(fault.number), name)

    def check_room(self, used_bytes: int) -> None:
        """Refuse to grow beyond what the volume holds, by ``ENOSPC``."""
        if self.capacity_bytes is not None and used_bytes > self.capacity_bytes:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def fail(number: int, name: str = "") -> OSError:
    """Return an error as the system would raise it."""
    return OSError(number, os.strerror(number), name)


@dataclass(slots=True)
class FakeNode:
    """A file, folder or link in memory."""

    kind: Kind
    number: int
    mode: int = 0o644
    modified_ns: int = field(default_factory=time.time_ns)
    content: bytes = b""
    target: str = ""
    volume: str = "0"
    entries: dict[str, "FakeNode"] = field(default_factory=dict[str, "FakeNode"])

    def describe(self) -> FileState:
        """Return what is known of it."""
        return FileState(
            kind=self.kind,
            size_bytes=len(self.content),
            modified_ns=self.modified_ns,
            mode=self.mode,
            identity=f"{self.volume}:{self.number}",
            volume=self.volume,
        )

    def measure(self) -> int:
        """Return the bytes that it and all below it take."""
        return len(self.content) + sum(each.measure() for each in self.entries.values())


class _Stream(io.BytesIO):
    """Content that is being written; every write may meet a fault."""

    def __init__(self, store: "FakeStore", node: FakeNode, name: str) -> None:
        super().__init__(node.content)
        self._store, self._node, self._name = store, node, name

    def write(self, data: Any, /) -> int:
        """Write, if there is room."""
        self._store.faults.meet("write", self._name)
        self._store.faults.check_room(self._store.root.measure() + len(data))
        written = super().write(data)
        self._node.content = self.getvalue()
        self._node.modified_ns = time.time_ns()
        return written

    def truncate(self, size: int | None = None, /) -> int:
        """Cut or lengthen."""
        wanted = self.tell() if size is None else size
        self._node.content = self.getvalue()[:wanted].ljust(wanted, b"\0")
        return wanted


class FakeOpenFile:
    """An open file in memory."""

    def __init__(self, store: "FakeStore", node: FakeNode, name: str, *, writable: bool) -> None:
        self._store, self._node, self._name = store, node, name
        self.stream: BinaryIO = _Stream(store, node, name) if writable else io.BytesIO(node.content)

    def state(self) -> FileState:
        """Return what is known of it."""
        return self._node.describe()

    def adopt(self, like: FileState, *, times: bool) -> None:
        """Take mode and, where asked for, time of another file."""
        self._node.mode = like.mode
        if times:
            self._node.modified_ns = like.modified_ns

    def sync(self) -> None:
        """Count as durable."""
        self._store.faults.meet("sync", self._name)

    def close(self) -> None:
        """Let go of it."""
        self.stream.close()


class FakeFolder(Held):
    """A folder in memory, held by its node."""

    def __init__(self, store: "FakeStore", node: FakeNode, path: str) -> None:
        self._store, self.node, self.path = store, node, path

    def state(self, name: str = "") -> FileState:
        """Return what is known of an entry, or of the folder itself."""
        self._store.faults.meet("state", name)
        return (self.node if name in {"", "."} else self._get(name)).describe()

    def names(self) -> list[str]:
        """Return the names of all entries, sorted."""
        self._store.faults.meet("names", self.path)
        return sorted(self.node.entries)

    def open(self, name: str) -> OpenFile:
        """Open a file for reading."""
        self._store.faults.meet("open", name)
        node = self._get(name)
        if node.kind != "file":
            raise fail({"folder": errno.EISDIR, "link": errno.ELOOP}.get(node.kind, errno.EINVAL), name)
        return FakeOpenFile(self._store, node, name, writable=False)

    def create(self, name: str, *, private: bool = False) -> OpenFile:
        """Make a file that isn't there, for writing and reading."""
        self._store.faults.meet("create", name)
        node = self._add(name, FakeNode("file", self._store.count(), 0o600 if private else 0o644))
        return FakeOpenFile(self._store, node, name, writable=True)

    def descend(self, name: str) -> Folder:
        """Open a folder in this one."""
        self._store.faults.meet("descend", name)
        if name == ".":
            return FakeFolder(self._store, self.node, self.path)
        node = self._get(name)
        if node.kind != "folder":
            raise fail(errno.ENOTDIR, name)
        return FakeFolder(self._store, node, f"{self.path.rstrip('/')}/{name}")

    def make(self, name: str, *, private: bool = False) -> None:
        """Make a folder that isn't there."""
        self._store.faults.meet("make", name)
        self._add(name, FakeNode("folder", self._store.count(), 0o700 if private else 0o755, volume=self.node.volume))

    def rename(self, name: str, into: Folder, new_name: str, *, replace: bool) -> None:
        """Move an entry, at once and as a whole."""
        assert isinstance(into, FakeFolder)
        self._store.faults.meet("rename", new_name)
        node = self._get(name)
        if into.node.volume != self.node.volume:
            raise fail(errno.EXDEV, name)
        there = into.find(new_name)
        if there and there[1] is not node and (not replace or there[1].kind == "folder"):
            raise fail(errno.EEXIST, new_name)
        if there:
            del into.node.entries[there[0]]
        self._drop(name)
        into.node.entries[new_name] = node

    def remove(self, name: str) -> None:
        """Remove a file or link."""
        self._store.faults.meet("remove", name)
        if self._get(name).kind == "folder":
            raise fail(errno.EISDIR, name)
        self._drop(name)

    def remove_folder(self, name: str) -> None:
        """Remove an empty folder."""
        self._store.faults.meet("remove_folder", name)
        if self._get(name).entries:
            raise fail(errno.ENOTEMPTY, name)
        self._drop(name)

    def read_link(self, name: str) -> str:
        """Return what a link points to."""
        node = self._get(name)
        if node.kind != "link":
            raise fail(errno.EINVAL, name)
        return node.target

    def make_link(self, name: str, target: str) -> None:
        """Make a link that isn't there."""
        self._store.faults.meet("make_link", name)
        self._add(name, FakeNode("link", self._store.count(), 0o777, target=target))

    def adopt(self, name: str, like: FileState) -> None:
        """Give a folder the mode and time of another."""
        node = self._get(name)
        node.mode, node.modified_ns = like.mode, like.modified_ns

    def sync(self) -> None:
        """Count as durable."""
        self._store.faults.meet("sync", self.path)

    def close(self) -> None:
        """Let go of it."""

    def find(self, name: str) -> tuple[str, FakeNode] | None:
        """Return an entry with its name as it is written there."""
        if name in self.node.entries:
            return name, self.node.entries[name]
        if self._store.case_sensitive:
            return None
        return next(((key, node) for key, node in self.node.entries.items() if key.lower() == name.lower()), None)

    def _get(self, name: str) -> FakeNode:
        found = self.find(name)
        if found is None:
            raise fail(errno.ENOENT, name)
        return found[1]

    def _add(self, name: str, node: FakeNode) -> FakeNode:
        if self.find(name):
            raise fail(errno.EEXIST, name)
        node.volume = self.node.volume
        self.node.entries[name] = node
        self.node.modified_ns = time.time_ns()
        return node

    def _drop(self, name: str) -> None:
        found = self.find(name)
        if found:
            del self.node.entries[found[0]]


class FakeStore:
    """A tree of files in memory, with paths as POSIX writes them, in which ``a`` and ``A`` may be two files."""

    flavour: type[PurePath] = PurePosixPath
    platform: str = "posix"

    def __init__(self, *, case_sensitive: bool = True) -> None:
        self._numbers: Iterator[int] = itertools.count(1)
        self.case_sensitive = case_sensitive
        self.faults = Faults()
        self.root = FakeNode("folder", self.count(), 0o755)

    def count(self) -> int:
        """Return a number that no node has."""
        return next(self._numbers)

    def make_folders(self, path: str, *, volume: str = "") -> FakeNode:
        """Make a folder with those above it, as a person would; a new volume begins there where one is named."""
        node = self.root
        for part in PurePosixPath(path).parts[1:]:
            made = FakeNode("folder", self.count(), 0o755, volume=node.volume)
            node = node.entries.setdefault(part, made)
        node.volume = volume or node.volume
        return node

    def put(self, path: str, content: bytes, *, mode: int = 0o644) -> None:
        """Make a file, or write another content into it, as a person would."""
        folder = self.make_folders(str(PurePosixPath(path).parent))
        there = folder.entries.get(PurePosixPath(path).name)
        number = there.number if there and there.kind == "file" else self.count()
        node = FakeNode("file", number, mode, content=content, volume=folder.volume)
        folder.entries[PurePosixPath(path).name] = node

    def look(self, path: str) -> FakeNode | None:
        """Return what is there, links not followed."""
        node: FakeNode | None = self.root
        for part in PurePosixPath(path).parts[1:]:
            node = node.entries.get(part) if node else None
        return node

    def find(self, roots: Sequence[str], path: str, *, follow: bool = True) -> FilePlace:
        """Find the place of a path and hold its folder."""
        self.faults.meet("find", path)
        pending, trail = deque(PurePosixPath(path).parts[1:]), [FakeFolder(self, self.root, "/")]
        for _ in range(10_000):
            if not pending:
                self._check(roots, trail[-1].path, path)
                return FilePlace(trail[-1], "")
            part = pending.popleft()
            if part == "..":
                del trail[max(1, len(trail) - 1) :]
                continue
            found = trail[-1].find(part)
            if found and found[1].kind == "link" and (pending or follow):
                pending.extendleft(reversed([each for each in found[1].target.split("/") if each]))
                trail = trail[:1] if found[1].target.startswith("/") else trail
                continue
            if not pending:
                self._check(roots, f"{trail[-1].path.rstrip('/')}/{part}", path)
                return FilePlace(trail[-1], part)
            folder = trail[-1].descend(part)
            assert isinstance(folder, FakeFolder)
            trail.append(folder)
        raise fail(errno.ELOOP, path)

    def _check(self, roots: Sequence[str], real: str, path: str) -> None:
        if not any(lies_inside(real, root, "posix") for root in roots):
            raise refuse_outside(path, list(roots))
