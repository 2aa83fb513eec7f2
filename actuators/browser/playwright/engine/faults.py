"""Faults of our own script inside a page: what it failed with, and where.

The script marks whatever it throws (``shell.js``), with its place in what is sent to pages. ``scripts/engine.py place`` tells which module, line
and function that is.
"""

import json
import re
from dataclasses import dataclass
from urllib.parse import unquote

FAULT_MARK = "surehand-fault:"


@dataclass(frozen=True, slots=True)
class EngineFault:
    """What our own script inside a page failed with.

    Attributes:
        script: ``shell`` or a chunk of the engine, such as ``core``; empty where that isn't known.
        line: Of the script as it is sent, from 1.
        column: Of that line, from 1.
    """

    message: str
    script: str
    line: int
    column: int
    url: str

    @property
    def place(self) -> str:
        """Where it was thrown in what is sent to pages: ``core.js:12:345``."""
        return f"{self.script}.js:{self.line}:{self.column}" if self.script else "an unknown place"


def find_fault(message: str) -> EngineFault | None:
    """Return what our own script failed with, if that is what an error of Playwright's says."""
    found = re.search(rf"{FAULT_MARK}([\w%.!~*'()-]+)", message)
    return EngineFault(**json.loads(unquote(found[1]))) if found else None
