"""The files of a POSIX system: by openat2 where the kernel has it, by a walk from folder to folder elsewhere.

The walk opens one folder after the other and never lets the system follow a link: it reads links itself, keeps the
folders above open so that ``..`` needs no name, and begins again at a root where a link is absolute. openat2 does the
same in one call, but refuses absolute links, so that those go to the walk.
"""

import contextlib
import errno
import os
from collections import deque
from collections.abc import Sequence
from pathlib import Path, PurePath, PurePosixPath

from actuators.files.ports import FilePlace
from actuators.files.posix.folders import HOLD, PosixFolder
from actuators.files.posix.kernel import has_openat2, open_beneath
from actuators.files.stores.failures import refuse_outside
from core.addresses.path_parts import lies_inside
from core.base.errors import FileError

_MOST_LINKS = 40
_ROOT = HOLD & ~os.O_NOFOLLOW  # a root may be named by a link: it was chosen by a person


class PosixStore:
    """Files, reached through descriptors of folders."""

    flavour: type[PurePath] = PurePosixPath
    platform: str = "posix"

    def __init__(self, *, openat2: bool | None = None) -> None:
        """Use the kernel's call or not; where nothing is said, if the kernel has it."""
        self.uses_openat2 = has_openat2() if openat2 is None else openat2

    def find(self, roots: Sequence[str], path: str, *, follow: bool = True) -> FilePlace:
        """Find the place of a path and hold its folder open."""
        if self.uses_openat2 and (spot := self._find_beneath(roots, path, follow=follow)):
            return spot
        with contextlib.closing(_FolderWalk(roots, path)) as walk:
            return walk.go(follow=follow)

    def _find_beneath(self, roots: Sequence[str], path: str, *, follow: bool) -> FilePlace | None:
        root, parts = choose_root(roots, path)
        held = os.open(root, _ROOT)
        try:
            if not parts:
                return FilePlace(PosixFolder(os.dup(held), os.path.realpath(root)), "")
            try:
                folder = open_beneath(held, "/".join(parts[:-1]) or ".", HOLD & ~os.O_NOFOLLOW)
            except OSError as error:
                if error.errno in {errno.EXDEV, errno.ELOOP, errno.EAGAIN}:
                    return None
                raise
        finally:
            os.close(held)
        spot = FilePlace(PosixFolder(folder, _find_real_path(folder, path)), parts[-1])
        if follow and _is_link(folder, parts[-1]):
            spot.close()
            return None
        return spot


def choose_root(roots: Sequence[str], path: str) -> tuple[str, tuple[str, ...]]:
    """Return the outermost root that an absolute path lies in, by where it is written or really is, and the parts below it."""
    normal = os.path.normpath(path)
    around = [(each, each) for each in roots if lies_inside(normal, each, "posix")]
    if not around:
        real = ((os.path.realpath(each), each) for each in roots)
        around = [(place, each) for place, each in real if lies_inside(normal, place, "posix")]
    if not around:
        raise refuse_outside(path, list(roots))
    place, root = min(around, key=lambda each: len(each[0]))
    return root, PurePosixPath(normal).relative_to(os.path.normpath(place)).parts


def _is_link(folder: int, name: str) -> bool:
    try:
        os.readlink(name, dir_fd=folder)
    except OSError:
        return False
    return True


def _find_real_path(descriptor: int, path: str) -> str:
    try:
        return str(Path(f"/proc/self/fd/{descriptor}").readlink())
    except OSError:
        return str(PurePosixPath(path).parent)


class _FolderWalk:
    def __init__(self, roots: Sequence[str], path: str) -> None:
        self._roots = list(roots)
        self._asked = path
        self._trail: list[PosixFolder] = []
        self._pending: deque[str] = deque()
        self._links = 0
        self._begin(path)

    def close(self) -> None:
        """Let go of all folders."""
        while self._trail:
            self._trail.pop().close()

    def go(self, *, follow: bool) -> FilePlace:
        """Walk to the end."""
        while self._pending:
            part = self._pending.popleft()
            if part in {"", "."}:
                continue
            if part == "..":
                self._ascend()
            elif not self._pending and not follow:
                return FilePlace(self._trail.pop(), part)
            elif target := self._read_link(part):
                self._follow(target)
            elif not self._pending:
                return FilePlace(self._trail.pop(), part)
            else:
                self._enter(part)
        return FilePlace(self._trail.pop(), "")

    def _begin(self, path: str) -> None:
        try:
            root, parts = choose_root(self._roots, path)
        except FileError:
            raise refuse_outside(self._asked, self._roots) from None
        self.close()
        self._trail.append(PosixFolder(os.open(root, _ROOT), os.path.realpath(root)))
        self._pending = deque(parts)

    def _read_link(self, part: str) -> str:
        try:
            return self._trail[-1].read_link(part)
        except OSError as error:
            if error.errno == errno.EINVAL or (error.errno == errno.ENOENT and not self._pending):
                return ""
            raise

    def _follow(self, target: str) -> None:
        self._count_link()
        if target.startswith("/"):
            self._restart(target)
        else:
            self._pending.extendleft(reversed(target.split("/")))

    def _ascend(self) -> None:
        if len(self._trail) > 1:
            self._trail.pop().close()
            return
        self._count_link()  # above the root there may be another root that allows it
        self._restart(str(PurePosixPath(self._trail[0].path).parent))

    def _restart(self, path: str) -> None:
        rest = list(self._pending)
        # ``..`` in what a link says is taken away by its letters only up to the root; links below are walked.
        self._begin("/".join([path, *rest]) if ".." not in rest else path)
        if ".." in rest:
            self._pending.extend(rest)

    def _enter(self, part: str) -> None:
        above = self._trail[-1]
        try:
            folder = above.descend(part)
        except OSError as error:
            if error.errno not in {errno.ELOOP, errno.ENOTDIR} or not _is_link(above.descriptor, part):
                raise
            self._count_link()  # it became a link meanwhile
            self._pending.appendleft(part)
            return
        assert isinstance(folder, PosixFolder)
        self._trail.append(folder)

    def _count_link(self) -> None:
        self._links += 1
        if self._links > _MOST_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), self._asked)
