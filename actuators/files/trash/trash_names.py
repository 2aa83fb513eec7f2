"""Names under which things lie in the trash."""

from collections.abc import Iterator

_MOST_NAMES = 10_000
_LONGEST_BYTES = 220
"""File systems take 255 bytes; a number and the ending of a record must find room as well."""


def propose_names(name: str, joint: str) -> Iterator[str]:
    """Yield names to try, one after the other: its own, then numbered ones; a long name is cut."""
    pure, dot, end = name.rpartition(".")
    stem, ending = (pure, f".{end}") if dot and pure and len(end) <= _LONGEST_BYTES // 8 else (name, "")
    room = _LONGEST_BYTES - len(ending.encode("utf-8", "surrogateescape"))
    if len(stem.encode("utf-8", "surrogateescape")) > room:
        stem = stem.encode("utf-8", "surrogateescape")[:room].decode("utf-8", "ignore")
    for number in range(1, _MOST_NAMES):
        yield f"{stem}{joint}{number}{ending}" if number > 1 else f"{stem}{ending}"
