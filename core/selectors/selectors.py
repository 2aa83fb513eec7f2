"""Selectors: how an element on a page is named.

A selector is either *plain*, such as ``button "Log in" in "Billing" nth 2``, or a *literal* Playwright selector, which is
passed on byte for byte. This module tells the two apart and takes the plain forms to pieces; it knows no browser.
docs/guides/selectors.md describes all forms.
"""

import re
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from core.base.late_dataclasses import dataclass
from core.base.late_parts import compile_late
from core.selectors.selector_parts import (
    ALIASES,
    LAST,
    OTHER_WORDS,
    PREFIXES,
    REVEALED,
    ROLE_WORDS,
    SEARCHES_FRAMES,
    Order,
    Placement,
    PlainSelector,
    Quantity,
    Ranking,
    Region,
    Relation,
    SelectorKind,
    Spot,
    list_weaker,
    narrow_plain,
    quote_name,
    render_plain,
)

__all__ = [
    "ALIASES",
    "LAST",
    "OTHER_WORDS",
    "PREFIXES",
    "REVEALED",
    "ROLE_WORDS",
    "Order",
    "Placement",
    "PlainSelector",
    "Quantity",
    "Ranking",
    "Region",
    "Relation",
    "SelectorKind",
    "SelectorSpec",
    "Spot",
    "list_weaker",
    "narrow_plain",
    "parse_selector",
    "parse_single_selector",
    "quote_name",
    "render_plain",
    "render_selector",
]

_FRAME = compile_late(r"frame\s*(?=[\"'])")
_CHAIN = compile_late(r"\s*>>\s*")
_REMEMBERED = 256
_END = compile_late(r"\s*(\s#(\s.*)?)?$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SelectorSpec:
    """A parsed selector: a plain form or Playwright's own, in frames by title, name or part of the address, outermost first."""

    source: str
    core: PlainSelector | str
    frames: tuple[str, ...] = ()

    @property
    def searches_frames(self) -> bool:
        """Whether frames are searched as well when the main frame has no match."""
        is_searched = isinstance(self.core, PlainSelector) and self.core.kind in SEARCHES_FRAMES
        return not self.frames and (is_searched or self.is_ref)

    @property
    def is_ref(self) -> bool:
        """Whether it is a ref of a look at the page, which is unique in all its frames."""
        return isinstance(self.core, PlainSelector) and self.core.kind == "ref" and self.core.name != REVEALED

    @property
    def names_several(self) -> bool:
        """Whether several elements are meant, rather than one."""
        return isinstance(self.core, PlainSelector) and self.core.names_several


@lru_cache(_REMEMBERED, typed=True)
def parse_selector(source: str) -> SelectorSpec:
    """Take a selector to pieces; those of late are remembered, since a step asks for its own several times.

    Args:
        source: A plain form or any Playwright selector.

    Returns:
        The parts. A literal selector is in ``core`` byte for byte.

    Raises:
        TargetError: With code ``bad_selector``, if it is empty, or begins like a plain form and isn't one; names the
            position and what was expected.
    """
    if not source.strip():
        raise _load_reading().refuse_selector(
            source, 0, "it is empty", 'Name an element, for example: button "Log in".'
        )
    frames: list[str] = []
    start = len(source) - len(source.lstrip())
    while match := _FRAME.match(source, start):
        reader = _load_reading().SelectorReader(source, match.end())
        name = reader.read_quoted()
        chain = _CHAIN.match(source, reader.position)
        if chain is None and _END.match(source, reader.position):
            return SelectorSpec(source, PlainSelector("frame", name), tuple(frames))
        if chain is None or chain.end() == len(source):
            hint = f'Write what to find in it: frame {quote_name(name)} >> button "Pay".'
            raise reader.refuse(reader.position, "a frame must be followed by >> and a selector", hint)
        frames.append(name)
        start = chain.end()
    core = _load_reading().SelectorReader(source, start).read_plain()
    return SelectorSpec(source, source[start:] if core is None and frames else core or source, tuple(frames))


def parse_single_selector(source: str) -> SelectorSpec:
    """Take a selector to pieces that must name one element; else ``bad_selector``."""
    spec = parse_selector(source)
    if spec.names_several:
        start = len(source) - len(source.lstrip())
        hint = "Several elements can be clicked, ticked, dragged, read as text and counted; name one for anything else."
        raise _load_reading().refuse_selector(
            source, start, "it names several elements, and only one can be meant here", hint
        )
    return spec


def render_selector(spec: SelectorSpec) -> str:
    """Write a parsed selector in its canonical form; parsing that gives the same parts."""
    prefix = "".join(f"frame {quote_name(name)} >> " for name in spec.frames)
    return prefix + (spec.core if isinstance(spec.core, str) else render_plain(spec.core))


@cache
def _load_reading() -> Any:
    # Loaded here, since many write selectors and read none.
    return import_module("core.selectors.selector_reader")
