"""A store that dies at a certain step, over any other: from then on nothing is done any more, not even tidying up."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Self

from actuators.files.ports import FilePlace, FileState, FileStore, Folder, OpenFile
from actuators.files.stores.fake_store import DiedError


@dataclass
class Life:
    """How long it lives.

    Attributes:
        left: How many more changes of the disk it lives to see; None for ever.
        steps: Changes of the disk so far.
    """

    left: int | None = None
    steps: int = 0

    def look(self) -> None:
        """Do nothing, if it lives."""
        if self.left is not None and self.left < 0:
            raise DiedError

    def step(self) -> None:
        """Change the disk, or die."""
        self.look()
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                self.die()
        self.steps += 1

    def die(self) -> None:
        """End."""
        raise DiedError


class MortalStream:
    """A stream whose last write is torn."""

    def __init__(self, inner: Any, life: Life) -> None:
        self._inner, self._life = inner, life

    def write(self, data: bytes) -> int:
        try:
            self._life.step()
        except DiedError:
            if self._life.left == -1:
                self._life.left = -2
                self._inner.write(bytes(data)[: len(data) // 2])
            raise
        return self._inner.write(data)

    def read(self, *args: int) -> bytes:
        self._life.look()
        return self._inner.read(*args)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class MortalFile:
    """An open file."""

    def __init__(self, inner: OpenFile, life: Life) -> None:
        self._inner, self._life = inner, life
        self.stream: Any = MortalStream(inner.stream, life)

    def state(self) -> FileState:
        self._life.look()
        return self._inner.state()

    def adopt(self, like: FileState, *, times: bool) -> None:
        self._life.step()
        self._inner.adopt(like, times=times)

    def sync(self) -> None:
        self._life.step()
        self._inner.sync()

    def close(self) -> None:
        self._inner.close()


class MortalFolder:
    """A folder that is held open."""

    def __init__(self, inner: Folder, life: Life) -> None:
        self.inner, self._life, self.path = inner, life, inner.path

    def state(self, name: str = "") -> FileState:
        self._life.look()
        return self.inner.state(name)

    def names(self) -> list[str]:
        self._life.look()
        return self.inner.names()

    def open(self, name: str) -> OpenFile:
        self._life.look()
        return MortalFile(self.inner.open(name), self._life)

    def create(self, name: str, *, private: bool = False) -> OpenFile:
        self._life.step()
        return MortalFile(self.inner.create(name, private=private), self._life)

    def descend(self, name: str) -> Folder:
        self._life.look()
        return MortalFolder(self.inner.descend(name), self._life)

    def make(self, name: str, *, private: bool = False) -> None:
        self._life.step()
        self.inner.make(name, private=private)

    def rename(self, name: str, into: Folder, new_name: str, *, replace: bool) -> None:
        assert isinstance(into, MortalFolder)
        self._life.step()
        self.inner.rename(name, into.inner, new_name, replace=replace)

    def remove(self, name: str) -> None:
        self._life.step()
        self.inner.remove(name)

    def remove_folder(self, name: str) -> None:
        self._life.step()
        self.inner.remove_folder(name)

    def read_link(self, name: str) -> str:
        self._life.look()
        return self.inner.read_link(name)

    def make_link(self, name: str, target: str) -> None:
        self._life.step()
        self.inner.make_link(name, target)

    def adopt(self, name: str, like: FileState) -> None:
        self._life.step()
        self.inner.adopt(name, like)

    def sync(self) -> None:
        self._life.step()
        self.inner.sync()

    def close(self) -> None:
        self.inner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class MortalStore:
    """The files of a machine, for a process that dies."""

    def __init__(self, inner: FileStore, life: Life) -> None:
        self.inner, self._life = inner, life
        self.flavour: type[PurePath] = inner.flavour
        self.platform = inner.platform

    def find(self, roots: Sequence[str], path: str, *, follow: bool = True) -> FilePlace:
        self._life.look()
        spot = self.inner.find(roots, path, follow=follow)
        return FilePlace(MortalFolder(spot.folder, self._life), spot.name)
