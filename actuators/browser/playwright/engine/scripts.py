"""What runs inside pages: a selector engine for the plain forms, click receipts and probes, in a world of its own.

Playwright evaluates the engine in its isolated world: it shares the document with the page, but no variable or function,
so a page can neither see nor change what it says. A selector part ``surehand=<query>`` asks it for:

- ``role``, ``control``, ``field``, ``text``, ``value`` and the like: elements by what people call them (docs/guides/selectors.md has the
  rules). Exact names come first and parts of names where nothing has the exact one; both are decided in one go, anew at
  every attempt of Playwright's, so that an element which appears late is still the right one;
- ``receipt``: the element itself; from now on trusted pointer events are noted, and reported to the console when the
  click is complete. As Playwright resolves its selectors anew at each attempt, the receipt is always for the element
  that it really aims at, and costs no round trip;
- ``probe``: a loose element whose text is what was found out about the element, as JSON. Reading that text takes a
  quarter of the time of ``evaluate``, which has to bring the element into the page's own world. ``each`` does so for
  all elements that match, in one list;
- ``act``: the element itself, and that an act on it begins now; ``after`` is a probe after it, which also tells what the
  act has begun and is still under way (``settling.ts``).

Its sources are in the folders of this one; ``built`` has what ``scripts/engine.py build`` made of it (docs/adr/0033, 0072).
"""

import json
import re
import secrets
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from playwright.async_api import Playwright

from core.base.control_words import CONTROL_NAMES
from core.selectors.colour_names import COLOUR_FAMILIES
from core.selectors.icon_words import ICON_GROUPS, NOISE, alike
from core.selectors.selector_parts import LONE_WORDS, ROLE_WORDS

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


ENGINE_NAME = "surehand"
RECEIPT_MARK = "surehand-receipt:"
# By these names, in the engine's own world, the direct way finds the engine and hears of receipts.
ENGINE_HOME = "surehandEngine"
CHANNEL = "surehandChannel"
# What the engine throws where an entry of a menu or list is met in the place of a box.
ENTRY_MARK = "surehand-entry"
# What is thrown instead of a click that has to be aimed into the picture that an element is an area of.
AREA_MARK = "surehand-area"
# What is thrown, with both names behind it, instead of a click that answers a question about another thing than was chosen.
QUESTION_MARK = "surehand-question:"
# A little more than the 300 ms after which most pages look at what was typed.
SETTLING_MS = 340
# What goes off later than that is waited for at the end of a run only: what a page takes back after half a second, and what it saves then.
FOLLOWING_MS = 1000

# Parts of the engine, each of which is evaluated when something in it is first asked for.
CHUNKS = ("core", "more", "outline")
_BUILT = Path(__file__).parent / "built"
# By these events the engine and the script in the page's own world talk; pages can't know their names.
_EVENTS = (
    "aim_event",
    "press_event",
    "stop_event",
    "open_event",
    "begin_event",
    "kin_event",
    "ask_event",
    "pending_event",
    "ask_drawn_event",
    "tell_drawn_event",
    "ask_presses_event",
    "ask_keys_event",
    "ask_left_event",
)
SETTINGS = {
    **{name: f"surehand-{secrets.token_hex(8)}" for name in _EVENTS},
    "receipt_mark": RECEIPT_MARK,
    "channel": CHANNEL,
    "fault_mark": FAULT_MARK,
    "entry_mark": ENTRY_MARK,
    "area_mark": AREA_MARK,
    "question_mark": QUESTION_MARK,
    "settling_ms": SETTLING_MS,
    "following_ms": FOLLOWING_MS,
}
# The tables that people's words for things on pages are looked up in.
WORDS = {
    "colour_families": COLOUR_FAMILIES,
    "icon_noise": sorted(NOISE),
    "icon_words": sorted(set().union(*ICON_GROUPS)),
    "role_words": ROLE_WORDS,
    "lone_words": sorted(LONE_WORDS),
    "control_likes": {
        asked: {"names": list(names), "icons": [word for word in (asked, *alike(asked)) if " " not in asked]}
        for asked, names in CONTROL_NAMES.items()
    },
}


def _read(name: str) -> str:
    """Return a script that was built, an arrow function, as an expression."""
    return (_BUILT / f"{name}.js").read_text(encoding="ascii").rstrip().removesuffix(";")


def _write(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _name_source(script: str, name: str) -> str:
    """Name a script, so that its faults tell where they come from."""
    return f"{script}\n//# sourceURL=surehand-{name}.js"


def read_chunk(name: str) -> str:
    """Return a part of the engine, one of ``CHUNKS`` or ``recording``, as an expression that makes it."""
    script = _read(name)
    return f"(WORDS=>{script})({_write(WORDS)})" if name == "more" else script


def _make_engine(*names: str) -> str:
    """Return what makes the engine of a document, of these chunks, or gives them to the one that is there."""
    chunks = {name: read_direct(name) for name in names}
    home = f"globalThis.{ENGINE_HOME}"
    made = f"{_read('shell')}(chunks,{_write(SETTINGS)})"
    script = f"(chunks=>({home}?{home}.provide(chunks):{home}={made},{home}))({_write(chunks)})"
    return _name_source(script, "shell") + "\n"


@cache
def read_direct(lacking: str) -> str:
    """Return what the direct way sends where a chunk is lacking in a document, or the ``engine`` is."""
    return _make_engine(CHUNKS[0]) if lacking == "engine" else _name_source(read_chunk(lacking), lacking)


# Runs in every document before the page's own scripts (context/main.ts).
CONTEXT_SCRIPT = f"{_read('context')}({_write(SETTINGS)});"
ENGINE_SCRIPT = _make_engine(*CHUNKS)


# JSON is ASCII: what `quote` makes of it is known beforehand, character by character.
_ESCAPES = {code: escaped for code in range(128) if (escaped := quote(chr(code), safe="")) != chr(code)}


def engine_selector(op: str, **query: Any) -> str:
    """Write a selector part that asks the engine for something; any text is safe in it."""
    return f"{ENGINE_NAME}={json.dumps({'op': op, **query}).translate(_ESCAPES)}"


async def register_engine(playwright: Playwright) -> None:
    """Make the engine known; once for each driver, before any context is made."""
    await playwright.selectors.register(ENGINE_NAME, script=ENGINE_SCRIPT, content_script=True)
