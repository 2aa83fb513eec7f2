"""Faults of our own script inside a page: what it failed with, and where in the sources that was.

The script marks whatever it throws (``shell.js``), with its place in what is sent to pages. ``engine_built`` has maps that lead from there
to the modules (source maps, ECMA-426).
"""

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import unquote

FAULT_MARK = "surehand-fault:"

_BUILT = Path(__file__).parents[1] / "engine_built"
_DIGITS = {sign: at for at, sign in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")}
_DECLARED = re.compile(r"(?:export )?(?:async )?(?:function|const|let) (\w+)")


@dataclass(frozen=True, slots=True)
class EngineFault:
    """What our own script inside a page failed with.

    Attributes:
        message: Of the exception.
        function: Of the script as it is sent, in which it was thrown; empty where that isn't known.
        script: ``shell`` or a chunk of the engine, such as ``core``; empty where that isn't known.
        line: Of the script as it is sent, from 1.
        column: Of that line, from 1.
        url: Of the document.
    """

    message: str
    function: str
    script: str
    line: int
    column: int
    url: str


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """Where in the sources a fault was.

    Attributes:
        module: Its path, ``engine/naming.js``; empty where that isn't known.
        line: Of the module, from 1.
        function: What the module declares there; empty for nothing.
    """

    module: str
    line: int
    function: str

    def __str__(self) -> str:
        """Write the place for people."""
        return f"{self.module}, line {self.line}" if self.module else "an unknown place"


# Of a line of what was built: the column from which something stands there, the source's number, and its line, both from 0.
Segments = list[tuple[int, int, int]]


def find_fault(message: str) -> EngineFault | None:
    """Return what our own script failed with, if that is what an error of Playwright's says.

    Args:
        message: Playwright's message.
    """
    found = re.search(rf"{FAULT_MARK}([\w%.!~*'()-]+)", message)
    return EngineFault(**json.loads(unquote(found[1]))) if found else None


def find_place(fault: EngineFault) -> SourcePlace:
    """Return where in the sources a fault was.

    Args:
        fault: What our own script failed with.
    """
    if not fault.script:
        return SourcePlace("", 0, fault.function)
    sources, lines = _read_map(fault.script)
    segments = lines[fault.line - 1] if fault.line <= len(lines) else []
    before = [(source, line) for column, source, line in segments if column < fault.column]
    if not before:
        return SourcePlace("", 0, fault.function)
    source, line = before[-1]
    return SourcePlace(sources[source].removeprefix("../"), line + 1, _find_function(sources[source], line))


def _find_function(source: str, line: int) -> str:
    file = _BUILT / source
    above = file.read_text(encoding="utf-8").splitlines()[: line + 1] if file.is_file() else []
    return next((found[1] for text in reversed(above) if (found := _DECLARED.match(text))), "")


@cache
def _read_map(script: str) -> tuple[list[str], list[Segments]]:
    """Return the sources of a script that was built, and what stands on each line of it."""
    read = json.loads((_BUILT / f"{script}.js.map").read_text(encoding="utf-8"))
    lines: list[Segments] = []
    source = line = 0
    for text in read["mappings"].split(";"):
        column, segments = 0, Segments()
        for numbers in (_read_numbers(segment) for segment in text.split(",") if segment):
            column += numbers[0]
            if len(numbers) > 1:
                source, line = source + numbers[1], line + numbers[2]
                segments.append((column, source, line))
        lines.append(segments)
    return read["sources"], lines


def _read_numbers(segment: str) -> list[int]:
    """Read the numbers of a segment: digits of five bits, the last of each without a sixth one, the first with the sign in its lowest."""
    numbers: list[int] = []
    value = shift = 0
    for sign in segment:
        digit = _DIGITS[sign]
        value += (digit & 31) << shift
        shift += 5
        if not digit & 32:
            numbers.append(-(value >> 1) if value & 1 else value >> 1)
            value = shift = 0
    return numbers
