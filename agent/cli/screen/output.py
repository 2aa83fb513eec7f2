"""Where the command line writes: results to stdout, errors to stderr, as UTF-8, and on with the work if nobody reads."""

import io
import json
import os
import sys
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TextIO

from core.base.errors import ErrorInfo, InputError, SurehandError
from core.base.late_parts import compile_late
from core.base.phrases import UNDRAWN, escape_text
from core.results.tool_results import RunResult

MARKS: Mapping[str, tuple[str, str]] = {
    "ok": ("✓", "green"),
    "failed": ("✗", "red"),
    "refused": ("⊘", "red"),
    "skipped": ("–", "yellow"),
    "cancelled": ("■", "yellow"),
}
"""The mark and the colour of each status."""

_PLAIN: Mapping[int, str] = str.maketrans(
    {
        "✓": "+",
        "✗": "x",
        "⊘": "!",
        "■": "#",
        "◐": "~",
        "·": "-",
        "–": "-",
        "—": "-",
        "→": "->",
        "…": "...",
        "“": '"',
        "”": '"',
        "‘": "'",
        "’": "'",
        "├": "|",
        "└": "`",
        "│": "|",
        "─": "-",
    }
)


def fit_encoding(text: str, encoding: str) -> str:
    """Return a text with ASCII marks and quotes where an encoding lacks the others; everything else stays as it is."""
    if text.isascii():
        return text
    try:
        text.encode(encoding)
    except UnicodeError:
        return text.translate({code: plain for code, plain in _PLAIN.items() if not _has(encoding, chr(code))})
    return text


def _has(encoding: str, char: str) -> bool:
    try:
        char.encode(encoding)
    except UnicodeError:
        return False
    return True


_INVISIBLE = compile_late(
    "[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f" + UNDRAWN + "]"
)


def prepare_streams() -> None:
    """Make stdout and stderr take any text, and UTF-8 where they aren't a terminal with a code of its own.

    A stream that was closed before the start leads nowhere, so that no file which is opened later takes its number.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            flags = os.O_RDONLY if mode == "r" else os.O_WRONLY
            setattr(sys, name, os.fdopen(os.open(os.devnull, flags), mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def write_prompt(text: str) -> None:
    """Write a question to stderr as it is: its lines are escaped and broken already."""
    _write(sys.stderr, text)


def write_result(text: str) -> None:
    """Write to stdout at once; once its reader has gone, write nothing more and go on."""
    _write(sys.stdout, text)


def write_json(value: Any, *, indent: int | None = 2) -> None:
    """Write a value to stdout as JSON: indented, or as one line where ``indent`` is None.

    What a terminal might obey, or a person not see, stands as a JSON escape: the values are the same.
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    write_result(_INVISIBLE.sub(lambda found: json.dumps(found[0])[1:-1], text) + "\n")


def write_lines(lines: Iterable[str]) -> None:
    """Write lines to stdout, with everything invisible in them shown as escapes."""
    write_result("".join(f"{escape_text(line)}\n" for line in lines))


def show(data: Any, lines: Iterable[str], *, as_json: bool, notes: Iterable[str] = ()) -> None:
    """Write what there is to stdout: for programs as JSON, for people as lines, and then notes to stderr."""
    if as_json:
        write_json(data)
        return
    write_lines(lines)
    write_notes(notes)


def write_error(error: SurehandError | ErrorInfo) -> None:
    """Write an error to stderr: what happened, and below it what to do."""
    info = error.info() if isinstance(error, SurehandError) else error
    hint = f"\n  hint: {info.hint}" if info.hint else ""
    write_error_text(f"error ({info.code}): {info.message}{hint}\n")


def write_notes(notes: Iterable[str]) -> None:
    """Write to stderr what else a person should know of a run that was carried out."""
    for note in notes:
        write_error_text(f"note: {note}\n")


def write_error_text(text: str) -> None:
    """Write to stderr, with everything invisible but line ends shown as escapes."""
    _write(sys.stderr, "\n".join(map(escape_text, text.split("\n"))))


def silence(stream: TextIO) -> None:
    """Let everything that is still written to a stream vanish."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


class Outlet(io.TextIOBase):
    """A stream that goes on in silence once nobody reads it any more, be it a pipe or a terminal that was closed."""

    encoding: str = "utf-8"

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.encoding = stream.encoding or "utf-8"

    def isatty(self) -> bool:
        """Tell whether the stream is a terminal."""
        return self._stream.isatty()

    def fileno(self) -> int:
        """Return the descriptor of the stream."""
        return self._stream.fileno()

    def write(self, text: str, /) -> int:
        """Write a text at once."""
        _write(self._stream, text)
        return len(text)

    def flush(self) -> None:
        """Do nothing: everything is written at once."""


def _write(stream: TextIO, text: str) -> None:
    try:
        stream.write(fit_encoding(text, stream.encoding or "utf-8"))
        stream.flush()
    except OSError:  # its reader has gone, or the terminal, or the disk is full: that must not end the work
        silence(stream)


Detail = Literal["quiet", "normal", "verbose"]


def choose_detail(*, quiet: bool, verbose: bool, as_json: bool = False) -> Detail:
    """Return how much is told."""
    if quiet + verbose + as_json > 1:
        raise InputError("Choose one of --json, --quiet and --verbose.", code="bad_usage")
    return "quiet" if quiet else "verbose" if verbose else "normal"


def report(result: RunResult, detail: Detail) -> None:
    """Write to stderr why a run was refused, what it lacks, and what else is to be known of it."""
    for error in result.errors:
        write_error(error)
    if result.question:
        write_error_text(f"  question: {result.question}\n")
    if detail != "quiet":
        write_notes(result.diagnostics)


def is_at_terminal() -> bool:
    """Tell whether a person can be asked."""
    return sys.stdin is not None and sys.stdin.isatty()
