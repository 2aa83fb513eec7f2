"""KeptWords: what was made of word files, kept as Python keeps what it makes of modules.

Word files are written for people, and reading them takes longer than understanding a sentence does. So what comes of them is kept
in the ``__pycache__`` beside them, as JSON, which is read and never run. It counts while the files that it was made of, and the code
that made it, are the same to the byte. It goes by the switches of bytecode: it lies where ``PYTHONPYCACHEPREFIX``
says, and nothing is written where Python writes no bytecode or may not.
"""

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import cache_from_source, find_spec, source_hash
from typing import TYPE_CHECKING, Any, NamedTuple, cast

if TYPE_CHECKING:
    from zipimport import zipimporter

Reader = Callable[[str], str]
"""Returns what a file holds, by its name."""

_PACKAGE = "core.language"
_BYTECODE_ENDING = ".pyc"
_ENDING = ".json"


class _Kept(NamedTuple):
    """What was made, and the hashes of the files that it was made of and by."""

    hashes: Mapping[str, str]
    made: Any


class KeptWords:
    """Keeps what is made of the files of a folder."""

    def __init__(self, folder: str, loader: "SourceFileLoader | zipimporter") -> None:
        """Take the folder; nothing is read yet, and only a loader that writes bytecode as well keeps anything."""
        self._folder, self._loader = folder, loader

    def read(self, name: str) -> str:
        """Return what a file holds.

        Raises:
            OSError: If there is none, or it can't be read.
        """
        return self._get(name).decode("utf-8")

    def make(self, name: str, make: Callable[[Reader], Any], code: Sequence[str]) -> Any:
        """Return what was made before under a name, while that holds; else what is made now, which is kept.

        Args:
            name: The name; what is kept lies beside the files of the folder in front of it.
            make: Makes what JSON can hold of the files that it reads with what it is given.

        Raises:
            OSError: If a file of words can't be read.
        """
        place = cache_from_source(f"{self._folder}{name}.py").removesuffix(_BYTECODE_ENDING) + _ENDING
        kept = self._read_kept(place)
        if kept and self._hash(kept.hashes) == kept.hashes:
            return kept.made
        hashes = self._hash(code)

        def read(file: str) -> str:
            data = self._get(file)
            hashes[file] = source_hash(data).hex()
            return data.decode("utf-8")

        made = make(read)
        if hashes.keys() >= {*code}:
            self._keep(place, _Kept(hashes, made))
        return made

    def _get(self, name: str) -> bytes:
        return self._loader.get_data(self._folder + name)

    def _hash(self, names: Iterable[str]) -> dict[str, str]:
        hashes: dict[str, str] = {}
        for name in names:
            try:
                hashes[name] = source_hash(self._get(name)).hex()
            except OSError:
                continue
        return hashes

    def _read_kept(self, place: str) -> _Kept | None:
        try:
            return _Kept(**json.loads(self._loader.get_data(place)))
        except (OSError, ValueError, TypeError):  # there is none, or it is damaged
            return None

    def _keep(self, place: str, kept: _Kept) -> None:
        if isinstance(self._loader, SourceFileLoader) and not sys.dont_write_bytecode:
            self._loader.set_data(place, json.dumps(kept._asdict(), separators=(",", ":")).encode())


@cache
def find_words() -> KeptWords:
    """Return the words that the package ships."""
    spec = find_spec(_PACKAGE)
    assert spec is not None
    assert spec.submodule_search_locations, "it is the package that this module is in"
    return KeptWords(f"{spec.submodule_search_locations[0]}/", cast("SourceFileLoader | zipimporter", spec.loader))
