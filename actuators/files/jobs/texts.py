"""Texts in files: byte order marks, encodings and newlines, read and written back as they were."""

import codecs
import difflib
import re
from collections.abc import Sequence

from actuators.files.stores.failures import refuse
from core.base.errors import FileError
from core.base.late_dataclasses import dataclass, replace
from core.base.phrases import escape_text

MOST_TEXT_BYTES = 10_000_000
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MARKED = {"utf-16": "utf-16-le", "utf-32": "utf-32-le", "utf-8-sig": "utf-8"}
_CANDIDATES = ("utf-16", "cp1252", "cp1250", "iso-8859-2", "cp1251", "shift_jis", "gb18030", "iso-8859-15")
_LONE_LINE_FEED = re.compile(r"(?<!\r)\n")
_ODD = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_BREAKS = ("\n", "\r")
_SAMPLE = 65_536


@dataclass(frozen=True, slots=True)
class TextStyle:
    r"""How a text is written into a file: with which byte order mark, which may be empty, and which newline."""

    encoding: str = "utf-8"
    mark: bytes = b""
    newline: str = "\n"


@dataclass(frozen=True, slots=True)
class FileText:
    """The text of a file, and how it is written there."""

    text: str
    style: TextStyle


def read_text(data: bytes, path: str, encoding: str | None = None) -> FileText:
    """Return the text that bytes mean in an encoding, else in that of their mark, else in UTF-8; or ``bad_encoding``."""
    mark, marked = _find_mark(data)
    chosen = name_encoding(encoding, path) if encoding else marked
    if encoding and mark and marked in _list_orders(encoding):
        chosen = marked
    if chosen != marked:
        mark = b""
    try:
        text = data[len(mark) :].decode(chosen)
    except UnicodeDecodeError as error:
        raise _refuse_bytes(data, path, chosen, error) from None
    return FileText(text, TextStyle(chosen, mark, find_newline(text)))


def find_style(data: bytes, path: str, encoding: str | None = None) -> TextStyle:
    """Return how a file is written, for replacing its content in an encoding or its own; one that is not text counts as UTF-8."""
    try:
        present = read_text(data, path).style
    except FileError:
        present = TextStyle()
    if encoding is None:
        return present
    wanted = make_style(encoding, path)
    if present.encoding in _list_orders(encoding) or (wanted.encoding == present.encoding and not wanted.mark):
        return present
    return replace(wanted, newline=present.newline)


def make_style(encoding: str | None, path: str) -> TextStyle:
    """Return how a new file is written: UTF-8 without a mark, unless asked otherwise."""
    if encoding is None:
        return TextStyle()
    plain = name_encoding(encoding, path)
    normal = _normalise(encoding)
    if normal in _MARKED:
        return TextStyle(plain, next(mark for mark, name in _MARKS if name == plain))
    return TextStyle(plain)


def write_text(text: str, style: TextStyle, path: str, *, marked: bool = True) -> bytes:
    """Return the bytes of a text, with or without its mark; ``bad_encoding`` if the encoding lacks a character."""
    try:
        return (style.mark if marked else b"") + text.encode(style.encoding)
    except UnicodeEncodeError as error:
        wrong = escape_text(error.object[error.start : error.start + 1])
        what = f"is written in {style.encoding}, which has no “{wrong}”"
        hint = "Leave that character out, or use an encoding that has it, such as utf-8."
        facts = {"encoding": style.encoding, "character": wrong}
        raise refuse(path, what, hint, code="bad_encoding", **facts) from None


def fit_newlines(text: str, newline: str) -> str:
    """Return a text whose line feeds are the given newline; a line feed behind a carriage return stays as it is."""
    return text if newline == "\n" else _LONE_LINE_FEED.sub(newline, text)


def find_newline(text: str) -> str:
    r"""Return the newline that a text uses most: ``\n``, ``\r\n`` or ``\r``; ``\n`` if it has none."""
    pairs = text.count("\r\n")
    feeds, returns = text.count("\n") - pairs, text.count("\r") - pairs
    most = max(feeds, pairs, returns)
    if not most or feeds == most:
        return "\n"
    return "\r\n" if pairs == most else "\r"


def make_whole_lines(text: str, newline: str, before: str = "") -> str:
    """Return a text that stands on lines of its own: with a line break behind it, and one in front where that is missing."""
    front = newline if before and not before.endswith(_BREAKS) else ""
    return front + text + ("" if text.endswith(_BREAKS) else newline)


def split_lines(text: str) -> list[str]:
    r"""Return the lines of a text with their newlines; only ``\n``, ``\r\n`` and ``\r`` end a line."""
    return re.findall(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z", text)


def name_encoding(encoding: str, path: str) -> str:
    """Return the name under which an encoding without a mark is known; ``bad_encoding`` if none of that name is for text."""
    try:
        "".encode(encoding)  # raises for codecs that are not for text as well
    except (LookupError, ValueError):
        raise FileError(
            f"Unknown encoding “{escape_text(encoding)}”.",
            code="bad_encoding",
            hint="Use one such as utf-8, utf-16, cp1252, iso-8859-2 or shift_jis.",
            evidence={"path": path, "encoding": encoding},
        ) from None
    normal = _normalise(encoding)
    return _MARKED.get(normal, normal)


def _normalise(encoding: str) -> str:
    return codecs.lookup(encoding).name


def _list_orders(encoding: str) -> Sequence[str]:
    normal = _normalise(encoding)
    return (f"{normal}-le", f"{normal}-be") if normal in {"utf-16", "utf-32"} else ()


def _find_mark(data: bytes) -> tuple[bytes, str]:
    for mark, name in _MARKS:
        if data.startswith(mark):
            return mark, name
    return b"", "utf-8"


def _refuse_bytes(data: bytes, path: str, encoding: str, error: UnicodeDecodeError) -> FileError:
    fitting = [name for name in _CANDIDATES if _fits(data[:_SAMPLE], name)]
    hint = (
        f"It is valid text in {', '.join(fitting)}; name the right one." if fitting else "It does not look like text."
    )
    what = f"is not {encoding}: byte {error.start} can't be read"
    return refuse(path, what, hint, code="bad_encoding", encoding=encoding, byte=error.start, fitting=fitting)


def _fits(data: bytes, encoding: str) -> bool:
    if encoding == "utf-16" and not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return False
    try:
        return _ODD.search(data.decode(encoding)) is None
    except UnicodeDecodeError:
        return False


_MOST_COMPARED = 4_000
_MOST_SPLIT = 1_000_000
_MOST_LINES = 400
_MOST_CHARS = 400


def render_diff(before: str | None, after: str | None, path: str) -> str:
    """Return the unified diff of a text, None where there is or will be no file; too long, its beginning and how much is left out."""
    head, skipped = _find_same_head(before, after) if before and after else (0, 0)
    old, new = split_lines((before or "")[head:]), split_lines((after or "")[head:])
    if before is not None and after is not None and (skipped or len(old) + len(new) > _MOST_COMPARED):
        start = _count_same(old, new)
        end = _count_same(old[start:][::-1], new[start:][::-1])
        old, new = old[start : len(old) - end], new[start : len(new) - end]
        first = skipped + start + 1
        if len(old) + len(new) > _MOST_COMPARED:
            return f"--- {path}\n+++ {path}\n@@ {len(old)} lines become {len(new)} from line {first} on @@\n"
        return _render(old, new, path, path) + f"\\ counted from line {first} on\n"
    return _render(old, new, "/dev/null" if before is None else path, "/dev/null" if after is None else path)


def _render(old: list[str], new: list[str], before: str, after: str) -> str:
    lines: list[str] = []
    for line in difflib.unified_diff(old, new, before, after):
        shown = line if len(line) <= _MOST_CHARS else f"{line[:_MOST_CHARS]}…\n"
        lines.append(shown if shown.endswith(("\n", "\r")) else f"{shown}\n\\ No newline at end of file\n")
    left = len(lines) - _MOST_LINES
    return "".join([*lines[:_MOST_LINES], f"\\ {left} more lines\n"] if left > 0 else lines)


def _find_same_head(before: str, after: str) -> tuple[int, int]:
    """Return how much large texts share at their beginning, and how many lines that is: only the rest is split into lines."""
    low, high = 0, min(len(before), len(after)) if len(before) + len(after) > _MOST_SPLIT else 0
    while low < high:
        middle = (low + high + 1) // 2
        if before[low:middle] == after[low:middle]:
            low = middle
        else:
            high = middle - 1
    head = before.rfind("\n", 0, low) + 1
    shared = before[:head]
    return head, shared.count("\n") + shared.count("\r") - shared.count("\r\n")


def _count_same(old: list[str], new: list[str]) -> int:
    pairs = enumerate(zip(old, new, strict=False))
    return next((number for number, (left, right) in pairs if left != right), min(len(old), len(new)))
