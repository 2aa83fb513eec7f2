"""Expressions, kept as Python keeps what it makes of modules: compiling those of a first sentence takes longer than understanding it.

What the library's compiler makes of an expression is kept by its text and flags, in the ``__pycache__`` beside this file and by the switches of
bytecode. It counts for the very Python that made it, which checks it before it is used. Where the library compiles in another way than is
known here, expressions are compiled as ever.
"""

import atexit
import json
import re
import sys
import zlib
from array import array
from base64 import b64decode, b64encode
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

_MOST = 1_000
"""Expressions that are kept: what all that a language says comes to, 1.4 MB."""

_Code = tuple[int, str, int, dict[str, int]]
"""Flags, code compressed in Base64, number of groups with the whole as one, and the groups that have names."""

_CODE = "_code"
_UNKNOWN = (AttributeError, OverflowError, RuntimeError, TypeError, ValueError, zlib.error)


class KeptPatterns:
    """What is kept in a file, and what was made since."""

    def __init__(self, place: Path) -> None:
        """Read what is kept; nothing where there is none, or where it is another Python's or damaged."""
        self._place, self._is_new = place, False
        self._kept: dict[str, _Code] = {}
        with suppress(OSError, *_UNKNOWN):
            made_by, kept = json.loads(place.read_bytes())
            self._kept = kept if made_by == sys.version else {}

    def compile(self, text: str, flags: int) -> re.Pattern[str]:
        """Return an expression as ``re.compile`` does."""
        key = f"{flags}:{text}"
        try:
            if (known := self._kept.get(key)) is None:
                known = _compile(text, flags)
                if len(self._kept) < _MOST:
                    self._kept[key] = known
                    self._is_new = True
            return _restore(text, known)
        except _UNKNOWN:
            return re.compile(text, flags)

    def keep(self) -> None:
        """Write it, where Python may write bytecode."""
        if self._is_new and not sys.dont_write_bytecode:
            data = json.dumps((sys.version, self._kept), separators=(",", ":")).encode()
            SourceFileLoader(__name__, __file__).set_data(str(self._place), data)


def _compile(text: str, flags: int) -> _Code:
    parsed = import_module("re._parser").parse(text, flags)
    code, state = getattr(import_module("re._compiler"), _CODE)(parsed, flags), parsed.state
    return (
        flags | int(state.flags),
        b64encode(zlib.compress(array("I", code), 1)).decode(),
        state.groups,
        dict(state.groupdict),
    )


def _restore(text: str, known: _Code) -> re.Pattern[str]:
    flags, data, groups, names = known
    named = {group: name for name, group in names.items()}
    code = array("I", zlib.decompress(b64decode(data))).tolist()
    made: Any = import_module("_sre")
    return made.compile(text, flags, code, groups - 1, names, tuple(named.get(group) for group in range(groups)))


@cache
def _find_kept() -> KeptPatterns:
    kept = KeptPatterns(Path(cache_from_source(__file__)).with_suffix(".patterns"))
    atexit.register(kept.keep)
    return kept


def compile_kept(text: str, flags: int) -> re.Pattern[str]:
    """Return an expression as ``re.compile`` does; once it was made in some process, none makes it again."""
    return _find_kept().compile(text, int(flags))
