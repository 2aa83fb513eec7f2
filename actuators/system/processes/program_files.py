"""What decides which program runs: its file, the interpreters behind it, and the scripts that it is given, with digests."""

import hashlib
import itertools
import os
import shutil
import stat
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

_HEAD = 256
"""Bytes of a script that the system reads for its interpreter."""
_MOST_INTERPRETERS = 4
_SETTLED_S = 2.0
"""Seconds after its last change from which on a file can't change again without its time of change saying so."""

_Stamp = tuple[int, int, int, int, int]


class ProgramFiles:
    """Looks at the files behind command lines."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._path = variables.get("PATH")
        self._known: dict[_Stamp, str] = {}

    def examine(self, own: Sequence[str], given: Sequence[str], folder: Path, *, code: bool) -> dict[str, str]:
        """Return the SHA-256 of every file that decides what runs, by path, links followed; arguments decide too where they are code."""
        paths = [Path(folder, own[0]), *self._list_files(own[1:], folder)]
        if code:
            paths += self._list_files(given, folder)
            paths += self._find_started(given)
        chain = (each for path in paths for each in self._follow(path))
        return {str(each): self._digest(each) for each in dict.fromkeys(chain)}

    def _list_files(self, arguments: Sequence[str], folder: Path) -> Iterator[Path]:
        for each in arguments:
            for name in {each, each.partition("=")[2]} - {""}:
                path = Path(folder, name) if "\0" not in name else folder
                if _is_file(path):
                    yield path

    def _find_started(self, arguments: Sequence[str]) -> Iterator[Path]:
        """Yield the program that a program which starts others would look for by the first name that there is."""
        names = (each for each in arguments if each and not each.startswith("-") and not set("=\0/\\") & set(each))
        found = (path for name in names if (path := shutil.which(name, path=self._path)))
        yield from map(Path, itertools.islice(found, 1))

    def _follow(self, path: Path) -> Iterator[Path]:
        for _ in range(_MOST_INTERPRETERS):
            path = _find_real(path)
            yield path
            words = _read_interpreter(path)
            if not words:
                return
            program = Path(words[0])
            if program.name == "env":
                yield _find_real(program)
                name = next((each for each in words[1:] if not each.startswith("-") and "=" not in each), "")
                program = Path(shutil.which(name, path=self._path) or name)
            path = program

    def _digest(self, path: Path) -> str:
        """Return the SHA-256 of a file; what can't be read is told by what the system says of it."""
        try:
            with path.open("rb") as file:
                facts = os.fstat(file.fileno())
                stamp = (facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns)
                known = self._known.get(stamp)
                if known is None:
                    settled = os.name == "posix" and time.time() - facts.st_ctime > _SETTLED_S
                    known = hashlib.file_digest(file, "sha256").hexdigest()
                    if settled:
                        self._known[stamp] = known
                return known
        except OSError as error:
            return f"unreadable ({error.strerror})"


def _read_interpreter(path: Path) -> list[str]:
    """Return the interpreter that a script names in its first line, with its argument; nothing for other files."""
    try:
        with path.open("rb") as file:
            first = file.read(_HEAD).partition(b"\n")[0]
    except OSError:
        return []
    return os.fsdecode(first[2:]).split() if first.startswith(b"#!") and b"\0" not in first else []


def _find_real(path: Path) -> Path:
    """Return the path behind all links; itself where those lead in a circle."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except (OSError, ValueError):
        return False
