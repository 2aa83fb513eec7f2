"""Selectors: how an element on a page is named.

A selector is either *plain*, such as ``button "Log in" in "Billing" nth 2``, or a *literal* Playwright selector, which is
passed on byte for byte. This module tells the two apart and takes the plain forms to pieces; it knows no browser.
docs/selectors.md describes all forms.
"""

import difflib
import re
from dataclasses import dataclass
from typing import Literal, cast

from core.errors import TargetError

SelectorKind = Literal["role", "control", "field", "text", "value", "label", "placeholder", "testid", "ref"]

# What people call an element, and the ARIA roles that it may have.
ROLE_WORDS: dict[str, tuple[str, ...]] = {
    "button": ("button",),
    "link": ("link",),
    "checkbox": ("checkbox",),
    "radio": ("radio",),
    "switch": ("switch",),
    "tab": ("tab",),
    "menuitem": ("menuitem", "menuitemcheckbox", "menuitemradio"),
    "option": ("option",),
    "heading": ("heading",),
    "image": ("img",),
    "row": ("row",),
    "cell": ("cell", "gridcell"),
    "columnheader": ("columnheader",),
    "rowheader": ("rowheader",),
    "list": ("list",),
    "listitem": ("listitem",),
    "listbox": ("listbox",),
    "dialog": ("dialog", "alertdialog"),
    "alert": ("alert",),
    "status": ("status",),
    "slider": ("slider",),
    "spinbutton": ("spinbutton",),
    "combobox": ("combobox",),
    "textbox": ("textbox",),
    "searchbox": ("searchbox",),
    "menu": ("menu",),
    "menubar": ("menubar",),
    "toolbar": ("toolbar",),
    "tabpanel": ("tabpanel",),
    "tablist": ("tablist",),
    "table": ("table", "grid", "treegrid"),
    "tree": ("tree",),
    "treeitem": ("treeitem",),
    "group": ("group", "radiogroup"),
    "region": ("region",),
    "form": ("form",),
    "article": ("article",),
    "navigation": ("navigation",),
    "banner": ("banner",),
    "main": ("main",),
    "search": ("search",),
    "figure": ("figure",),
    "progressbar": ("progressbar",),
    "tooltip": ("tooltip",),
}
ALIASES = {
    "check box": "checkbox",
    "tick box": "checkbox",
    "radio button": "radio",
    "toggle": "switch",
    "menu item": "menuitem",
    "drop-down": "combobox",
    "dropdown": "combobox",
    "combo box": "combobox",
    "text box": "textbox",
    "search box": "searchbox",
    "list box": "listbox",
    "list item": "listitem",
    "item": "listitem",
    "img": "image",
    "picture": "image",
    "column header": "columnheader",
    "row header": "rowheader",
    "progress bar": "progressbar",
    "section": "region",
    "input": "field",
}
OTHER_WORDS: tuple[SelectorKind, ...] = ("control", "field", "text", "value")
PREFIXES: tuple[SelectorKind, ...] = ("label", "placeholder", "testid", "ref")
# Kinds that are looked for in frames as well, where the main frame has none.
SEARCHES_FRAMES = frozenset({"control", "field", "value"})

_WORD_AND_QUOTE = re.compile(r"([A-Za-z][A-Za-z-]*(?: [A-Za-z-]+)?)\s*([\"'“”„«])")
_WORD_AND_IN = re.compile(r"([A-Za-z][A-Za-z-]*(?: [A-Za-z-]+)?)(?=\s+in\s+(?:[A-Za-z][\w -]*\s*)?[\"'])")
_PREFIX = re.compile(rf"({'|'.join(PREFIXES)})=")
_BARE_VALUE = re.compile(r"(.*?)(?=\s+in\s+(?:[A-Za-z][\w -]*\s*)?[\"']|\s+nth\s+\S+\s*$|\s*$)", re.DOTALL)
_IN = re.compile(r"\s+in\s+")
_NTH = re.compile(r"\s+nth\s+(\S+)")
_CHAIN = re.compile(r"\s*>>\s*")


@dataclass(frozen=True, slots=True)
class Region:
    """The part of a page that an element is in.

    Attributes:
        name: Its name: of a section, field set, dialog, row, list item, or of the heading above it.
        word: Role word that it must have; empty for any.
    """

    name: str
    word: str = ""


@dataclass(frozen=True, slots=True)
class PlainSelector:
    """A plain form, taken to pieces.

    Attributes:
        kind: ``role`` for the words of ROLE_WORDS, otherwise the word or prefix itself.
        name: Name, text or value that was asked for; empty for whatever is of that role or kind in the region.
        word: The role word, for kind ``role``.
        regions: What the element is in, innermost first.
        nth: Which of several matches is meant, from 1; None where there must be only one.
    """

    kind: SelectorKind
    name: str
    word: str = ""
    regions: tuple[Region, ...] = ()
    nth: int | None = None

    @property
    def roles(self) -> tuple[str, ...]:
        """ARIA roles that the element may have; empty unless the kind is ``role``."""
        return ROLE_WORDS.get(self.word, ())


@dataclass(frozen=True, slots=True)
class SelectorSpec:
    """A parsed selector.

    Attributes:
        source: The selector as it was given.
        core: The plain form, or the literal Playwright selector.
        frames: Title, name or part of the address of the frames to go through, outermost first.
    """

    source: str
    core: PlainSelector | str
    frames: tuple[str, ...] = ()

    @property
    def searches_frames(self) -> bool:
        """Whether frames are searched as well when the main frame has no match."""
        return not self.frames and isinstance(self.core, PlainSelector) and self.core.kind in SEARCHES_FRAMES


def parse_selector(source: str) -> SelectorSpec:
    """Take a selector to pieces.

    Args:
        source: A plain form or any Playwright selector.

    Returns:
        The parts. A literal selector is in ``core`` byte for byte.

    Raises:
        TargetError: With code ``bad_selector``, if it is empty, or begins like a plain form and isn't one; names the
            position and what was expected.
    """
    if not source.strip():
        raise _fail(source, 0, "it is empty", 'Name an element, for example: button "Log in".')
    frames: list[str] = []
    start = len(source) - len(source.lstrip())
    while match := re.compile(r"frame\s*(?=[\"'])").match(source, start):
        name, end = _read_quoted(source, match.end())
        chain = _CHAIN.match(source, end)
        if chain is None or chain.end() == len(source):
            hint = f'Write what to find in it: frame {quote_name(name)} >> button "Pay".'
            raise _fail(source, end, "a frame must be followed by >> and a selector", hint)
        frames.append(name)
        start = chain.end()
    core = _parse_plain(source, start)
    return SelectorSpec(source, source[start:] if core is None and frames else core or source, tuple(frames))


def render_selector(spec: SelectorSpec) -> str:
    """Write a parsed selector in its canonical form; parsing that gives the same parts."""
    prefix = "".join(f"frame {quote_name(name)} >> " for name in spec.frames)
    return prefix + (spec.core if isinstance(spec.core, str) else render_plain(spec.core))


def render_plain(plain: PlainSelector) -> str:
    """Write a plain form in its canonical form."""
    head = f"{plain.kind}=" if plain.kind in PREFIXES else f"{plain.word or plain.kind} "
    regions = "".join(
        f" in {region.word + ' ' if region.word else ''}{quote_name(region.name)}" for region in plain.regions
    )
    name = quote_name(plain.name) if plain.name else ""
    return (head + name).rstrip() + regions + (f" nth {plain.nth}" if plain.nth is not None else "")


def quote_name(name: str) -> str:
    r"""Put a name in double quotes, with ``\"`` and ``\\`` where it has such characters itself."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _parse_plain(source: str, start: int) -> PlainSelector | None:
    """Return the plain form that begins at ``start``, or None if a literal selector does."""
    if match := _PREFIX.match(source, start):
        kind = cast("SelectorKind", match[1])
        value, end = _read_value(source, match.end())
        if not value:
            raise _fail(source, end, f"{kind}= needs a value", "")
        return _parse_rest(source, end, PlainSelector(kind, value))
    if (match := _WORD_AND_IN.match(source, start)) and (word := _nameable_word(match[1])):
        plain = PlainSelector("field", "") if word == "field" else PlainSelector("role", "", word)
        return _parse_rest(source, match.end(), plain)
    match = _WORD_AND_QUOTE.match(source, start)
    if match is None:
        return None
    word = _known_word(source, start, match[1])
    name, end = _read_quoted(source, match.start(2))
    if word in OTHER_WORDS:
        return _parse_rest(source, end, PlainSelector(word, name))
    return _parse_rest(source, end, PlainSelector("role", name, word))


def _parse_rest(source: str, start: int, plain: PlainSelector) -> PlainSelector:
    """Add ``in …`` and ``nth …`` to a plain form."""
    regions: list[Region] = []
    nth: int | None = None
    while start < len(source.rstrip()):
        if match := _IN.match(source, start):
            region, start = _read_region(source, match.end())
            regions.append(region)
        elif nth is None and (match := _NTH.match(source, start)):
            nth, start = _read_nth(source, match), match.end()
        else:
            hint = 'After the name may come: in "a region", nth 2. Inside a quoted name, write \\" for a quote.'
            raise _fail(source, start, f"nothing is known to do with {source[start:].strip()!r}", hint)
    return PlainSelector(plain.kind, plain.name, plain.word, tuple(regions), nth)


def _read_region(source: str, start: int) -> tuple[Region, int]:
    match = _WORD_AND_QUOTE.match(source, start)
    word = _known_word(source, start, match[1]) if match else ""
    if word in OTHER_WORDS:
        raise _fail(source, start, f"{word} can't hold other elements", 'Write in "name", or in dialog "name".')
    name, end = _read_quoted(source, match.start(2) if match else start)
    return Region(name, word), end


def _read_nth(source: str, match: re.Match[str]) -> int:
    if match[1].isdecimal() and match[1].isascii() and int(match[1]) > 0:
        return int(match[1])
    raise _fail(
        source, match.start(1), f"nth takes a whole number from 1, not {match[1]!r}", "The first match is nth 1."
    )


def _read_value(source: str, start: int) -> tuple[str, int]:
    """Read what follows ``label=`` and the like: quoted, or up to ``in "…"``, ``nth …`` or the end."""
    if source[start : start + 1] in {'"', "'"}:
        return _read_quoted(source, start)
    match = _BARE_VALUE.match(source, start)
    return (match[1], match.end(1)) if match else ("", start)


def _read_quoted(source: str, start: int) -> tuple[str, int]:
    """Read a quoted name; return it and the position after its closing quote."""
    quote = source[start : start + 1]
    if quote not in {'"', "'"}:
        raise _fail(source, start, "a name in straight quotes is expected here", 'For example: button "Log in".')
    parts: list[str] = []
    position = start + 1
    while position < len(source) and source[position] != quote:
        if source[position] == "\\" and source[position + 1 : position + 2] in {"\\", '"', "'"}:
            position += 1
        parts.append(source[position])
        position += 1
    if position >= len(source):
        raise _fail(source, start, "this quote is never closed", f"Put {quote} at the end of the name.")
    name = "".join(parts)
    if not name.strip():
        raise _fail(source, start, "the name is empty", "Name the element by what people read on it.")
    return name, position + 1


def _nameable_word(word: str) -> str:
    """Return the role word, or ``field``, that needs no name within a region; empty if it is neither."""
    folded = " ".join(word.lower().split())
    folded = ALIASES.get(folded, folded)
    return folded if folded in ROLE_WORDS or folded == "field" else ""


def _known_word(source: str, start: int, word: str) -> str:
    folded = " ".join(word.lower().split())
    folded = ALIASES.get(folded, folded)
    if folded in ROLE_WORDS or folded in OTHER_WORDS:
        return folded
    near = difflib.get_close_matches(folded, (*ROLE_WORDS, *OTHER_WORDS, *ALIASES, "frame"), 1, 0.6)
    hint = f"Did you mean {near[0]}?" if near else 'For anything with that name write control "…".'
    raise _fail(source, start, f"{word!r} is no kind of element", hint)


def _fail(source: str, position: int, reason: str, hint: str) -> TargetError:
    shown = source if len(source) <= 200 else source[:200] + "…"
    message = f"The selector {shown!r} can't be understood: at character {position + 1}, {reason}."
    return TargetError(message, code="bad_selector", hint=hint, evidence={"selector": source, "position": position + 1})
