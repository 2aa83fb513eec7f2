"""What the tools of files need of a machine; every back end gives these.

A store reaches files through folders that it holds open, so that no link leads out of the roots: neither one that is
there when the way is looked for, nor one that takes a folder's place while it is used. Errors are those of the system
(``OSError`` with its ``errno``); what they mean for a person is said in one place, ``failures.py``.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import PurePath
from typing import TYPE_CHECKING, BinaryIO, Literal, Protocol, Self

from core.base.late_dataclasses import dataclass

if TYPE_CHECKING:
    from actuators.anchors import Anchor
    from actuators.base import Availability

Kind = Literal["file", "folder", "link", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileState:
    """What is known of a file or folder without reading it.

    Attributes:
        kind: What it is; a link is told as the link itself.
        modified_ns: Time of the last change of its content, in nanoseconds since 1970 (UTC).
        mode: Permission bits as POSIX has them; on Windows 0o444 for what is read-only, else 0o666.
        identity: Tells it from everything else that is there now, whatever its name.
        owner: User and group id; (-1, -1) where there are none.
    """

    kind: Kind
    size_bytes: int = 0
    modified_ns: int = 0
    mode: int = 0o644
    identity: str = ""
    volume: str = ""
    owner: tuple[int, int] = (-1, -1)
    links: int = 1
    sparse: bool = False

    @property
    def read_only(self) -> bool:
        """Whether nobody may write it."""
        return self.kind != "link" and not self.mode & 0o222

    def looks_like(self, other: "FileState | None") -> bool:
        """Tell whether another state is of the same thing and as fresh."""
        return other is not None and (self.identity, self.size_bytes, self.modified_ns) == (
            other.identity,
            other.size_bytes,
            other.modified_ns,
        )


class OpenFile(Protocol):
    """A file that is open, for reading or as a new one."""

    stream: BinaryIO

    def state(self) -> FileState:
        """Return what is known of it."""
        ...

    def adopt(self, like: FileState, *, times: bool) -> None:
        """Take mode and, where that is allowed, owner of another file."""
        ...

    def sync(self) -> None:
        """Return once its content would outlive a loss of power."""
        ...

    def close(self) -> None:
        """Let go of it; calling it again does nothing."""
        ...


class Held(Protocol):
    """What a ``with`` statement holds, and lets go of at its end."""

    def close(self) -> None:
        """Let go of it; calling it again does nothing."""
        ...

    def __enter__(self) -> Self:
        """Hold it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of it."""
        self.close()


class Folder(Held, Protocol):
    """A folder at a path without links, held open. Names are single names; no link is ever followed from here."""

    path: str

    def state(self, name: str = "") -> FileState:
        """Return what is known of an entry, or of the folder itself."""
        ...

    def names(self) -> list[str]:
        """Return the names of all entries, sorted."""
        ...

    def open(self, name: str) -> OpenFile:
        """Open a file for reading; what is not a plain file is refused with ``EISDIR`` or ``EINVAL``, a link with ``ELOOP``."""
        ...

    def create(self, name: str, *, private: bool = False) -> OpenFile:
        """Make a file that isn't there, for writing and reading; a private one may be read by its owner only."""
        ...

    def descend(self, name: str) -> "Folder":
        """Open a folder in this one."""
        ...

    def make(self, name: str, *, private: bool = False) -> None:
        """Make a folder that isn't there."""
        ...

    def rename(self, name: str, into: "Folder", new_name: str, *, replace: bool) -> None:
        """Move an entry, at once and as a whole; a file of that name is replaced, or else it is ``EEXIST``."""
        ...

    def remove(self, name: str) -> None:
        """Remove a file or link."""
        ...

    def remove_folder(self, name: str) -> None:
        """Remove an empty folder."""
        ...

    def read_link(self, name: str) -> str:
        """Return what a link points to; ``EINVAL`` if it is none."""
        ...

    def make_link(self, name: str, target: str) -> None:
        """Make a link that isn't there."""
        ...

    def adopt(self, name: str, like: FileState) -> None:
        """Give a folder the mode, owner and time of another."""
        ...

    def sync(self) -> None:
        """Return once its entries would outlive a loss of power."""
        ...


@dataclass(slots=True)
class FilePlace(Held):
    """A place for a file: the folder that it is in, held open, and its name there; no name means the folder itself."""

    folder: Folder
    name: str

    @property
    def bare(self) -> "FilePlace":
        """The same place in the folder itself, for what knows nothing of what is hidden in it: the trash, and who watches."""
        return FilePlace(getattr(self.folder, "bare", self.folder), self.name)

    def state(self) -> FileState | None:
        """Return what is known of what is there, or None if nothing is."""
        try:
            return self.folder.state(self.name)
        except FileNotFoundError:
            return None

    def descend(self) -> Folder:
        """Open the folder that is there."""
        return self.folder.descend(self.name or ".")

    def close(self) -> None:
        """Let go of the folder."""
        self.folder.close()


class FileStore(Protocol):
    """The files of a machine; on the platform ``win32`` case makes no difference between roots."""

    flavour: type[PurePath]
    platform: str

    def find(self, roots: Sequence[str], path: str, *, follow: bool = True) -> FilePlace:
        """Find the place of a path and hold its folder open; links on the way are followed if they stay in the roots.

        Args:
            roots: The absolute folders that everything must lie in; those that aren't there are passed over.
            follow: Whether a link at the end of the path is followed as well.

        Raises:
            FileNotFoundError: If a folder on the way is missing.
            FileError: ``outside_roots`` if the path or a link leads out of the roots.
            OSError: Whatever else the system says.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Trashed:
    """Something in the trash, since when in ISO 8601, local time; ``mark`` is its identity, if we put it there."""

    original: str
    place: str
    deleted: str
    mark: str


class TrashCan(Protocol):
    """The trash of the person at this machine."""

    def assess(self) -> "Availability":
        """Say whether there is one for the home folder."""
        ...

    def put(self, spot: FilePlace, mark: str) -> Trashed:
        """Put something into the trash.

        Args:
            mark: Of the action; what a death in the middle leaves is found by it.

        Raises:
            FileError: ``no_trash`` if its volume has none; nothing is touched then.
        """
        ...

    def find(self, original: str) -> list[Trashed]:
        """Return what lies there from a path, and its neighbours, the latest first."""
        ...

    def take_out(self, trashed: Trashed, spot: FilePlace) -> None:
        """Bring something back; what is in the way stays (``EEXIST``)."""
        ...

    def sweep(self, original: str, mark: str) -> None:
        """Remove notes of what isn't there that a death left, by the action's mark, or the time in the note."""
        ...


@dataclass(frozen=True, slots=True)
class Opened:
    """What opened a file: the name of an application, empty if unknown, and its process."""

    application: str = ""
    pid: int | None = None


class ProgramOpener(Protocol):
    """Hands files to the programs that a person has chosen for them."""

    def assess(self) -> "Availability":
        """Say whether there is a desktop to ask."""
        ...

    def open(self, path: str) -> Opened:
        """Open a file or folder; an UnsupportedError if nothing is registered for its type."""
        ...


class FolderWatch(Protocol):
    """Tells when something in a folder may have changed."""

    async def pause(self, limit_s: float) -> None:
        """Return when something may have changed, or when the time is up."""
        ...


class Watcher(Protocol):
    """Watches folders."""

    def watch(self, folder: Folder) -> AbstractContextManager[FolderWatch]:
        """Watch a folder while the context lasts; called in the event loop."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FileHands:
    """Everything that the tools of files work with."""

    store: FileStore
    trash: TrashCan
    opener: ProgramOpener
    watcher: Watcher
    anchors: Sequence["Anchor"] = ()
