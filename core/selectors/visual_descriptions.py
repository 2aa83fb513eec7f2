"""Looks: what people say of a thing that they see and that has no name, such as ``large red circle``.

A look is a bag of words: a colour, a size, a kind of drawing, a place. This module reads them; what is seen on a page is
compared with them by whatever shows the page.
"""

import re
from typing import Any

from core.base.errors import TargetError
from core.base.late_dataclasses import dataclass, fields, replace
from core.base.late_parts import compile_late
from core.selectors.colour_names import find_colour

# Kinds of drawings and things, and what people call them.
KINDS: dict[str, tuple[str, ...]] = {
    "circle": ("circle", "disc", "disk", "dot", "ball", "point"),
    "ellipse": ("ellipse", "oval"),
    "rectangle": ("rectangle", "rect", "bar"),
    "square": ("square",),
    "box": ("box", "frame", "container", "panel", "tile", "block"),
    "swatch": ("swatch", "colour", "color"),
    "triangle": ("triangle",),
    "diamond": ("diamond", "rhombus"),
    "star": ("star",),
    "polygon": ("polygon",),
    "line": ("line",),
    "path": ("path", "curve", "slice", "wedge", "segment", "sector"),
    "shape": ("shape", "figure", "drawing"),
    "letter": ("letter",),
    "digit": ("digit",),
    "number": ("number", "numeral", "figure"),
    "text": ("text", "word", "label"),
    "image": ("image", "picture", "photo", "img"),
    "icon": ("icon", "symbol"),
    "button": ("button",),
    "link": ("link",),
    "heading": ("heading", "title"),
    "checkbox": ("checkbox", "tickbox"),
    "radio": ("radio",),
    "field": ("field", "textbox", "input"),
    "textarea": ("textarea",),
    "": ("item", "thing", "object", "element", "one"),
}
SIZES = {
    "small": "small", "little": "small", "tiny": "small", "mini": "small", "medium": "medium", "large": "large",
    "big": "large", "huge": "large", "giant": "large",
}  # fmt: skip
EXTREMES = {
    "largest": "largest", "biggest": "largest", "larger": "largest", "bigger": "largest",
    "smallest": "smallest", "littlest": "smallest", "tiniest": "smallest", "smaller": "smallest",
    "leftmost": "leftmost", "rightmost": "rightmost", "topmost": "topmost", "uppermost": "topmost",
    "bottommost": "bottommost", "lowest": "bottommost", "lowermost": "bottommost",
    "left": "leftmost", "right": "rightmost", "top": "topmost", "upper": "topmost", "bottom": "bottommost",
    "lower": "bottommost", "widest": "widest", "narrowest": "narrowest", "tallest": "tallest", "longest": "widest", "shortest": "shortest",
}  # fmt: skip
# Words that may also say that something is the correct one, or where a menu is: alone they tell only shapes and boxes.
SIDE_WORDS = frozenset({"left", "right", "top", "upper", "bottom", "lower"})
SHADES = {"light": "light", "pale": "light", "dark": "dark", "deep": "dark"}
STYLES = {
    "filled": "filled", "solid": "filled", "hollow": "hollow", "empty": "hollow", "outlined": "hollow",
    "unfilled": "hollow", "bold": "bold", "italic": "italic", "underlined": "underlined",
}  # fmt: skip
SIDES = {
    "pentagon": 5, "hexagon": 6, "heptagon": 7, "septagon": 7, "octagon": 8, "nonagon": 9, "decagon": 10,
}  # fmt: skip
# Kinds that are said in two words.
_PAIRS = {
    "text area": "textarea", "text field": "field", "text box": "field", "input field": "field", "check box": "checkbox",
    "tick box": "checkbox", "radio button": "radio",
}  # fmt: skip
_COUNTS = {"three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_FILLERS = frozenset(
    {"a", "an", "the", "moving", "coloured", "colored", "colour", "color", "shaped", "sized", "with", "of", "marked"}
)
_KIND_OF = {word: kind for kind, words in reversed(KINDS.items()) for word in words}

_SIDED = compile_late(rf"\b(\d{{1,2}}|{'|'.join(_COUNTS)})[- ]sided\b")
_PIXELS = compile_late(
    r"\b(\d{1,4}(?:\.\d+)?)\s*(?:(?:px|pixels?)?\s*(?:[x×]|by)\s*(\d{1,4}(?:\.\d+)?)\s*)?(?:px|pixels?)\b"
    r"(?:\s+(?:wide|across|in diameter))?"
)


@dataclass(frozen=True, slots=True)
class VisualDescription:
    """What a thing looks like. Nothing is asked of what is empty or 0.

    Attributes:
        kind: One of KINDS; empty for anything.
        character: The one letter or digit that it is.
        colour: A name of ``colour_names``: of a family, such as ``red``, or a certain one, such as ``crimson``.
        shade: ``light`` or ``dark``.
        size: ``small``, ``medium`` or ``large`` among what is like it.
        extreme: What it is most of, among those of which all else is true: ``largest``, ``leftmost`` and the like.
        style: ``filled``, ``hollow``, ``bold``, ``italic`` or ``underlined``.
        height_px: Height in CSS pixels; if 0, ``width_px`` is the longer of both.
    """

    kind: str = ""
    character: str = ""
    sides: int = 0
    colour: str = ""
    shade: str = ""
    size: str = ""
    extreme: str = ""
    style: str = ""
    width_px: float = 0
    height_px: float = 0


def read_visual_description(text: str) -> VisualDescription:
    """Read what a thing looks like, such as ``the large red circle``, ``5-sided polygon``, ``dark blue Q``, ``40x30 px box``.

    Raises:
        TargetError: With code ``bad_selector``, if a word is not understood, or two say different things of the same.
    """
    rest, found = _take_numbers(text)
    words = [word for word in re.split(r"[\s,-]+", rest) if word]
    position = 0
    while position < len(words):
        told, taken = _read_words(words, position)
        for key, value in told.items():
            if found.get(key, value) != value:
                raise _fail(text, f"it can't be both {found[key]!r} and {value!r}")
            found[key] = value
        if not taken:
            raise _fail(text, f"{words[position]!r} is not a colour, size or shape")
        position += taken
    return _settle(VisualDescription(**found), text)


def read_kind(word: str) -> str:
    """Return the kind of thing that a word means; empty where it means none."""
    return next((_KIND_OF[each] for each in _singulars(word) if each in _KIND_OF), "")


def is_look(words: str) -> bool:
    """Tell whether words say what a thing looks like."""
    try:
        read_visual_description(words)
    except TargetError:
        return False
    return True


def _take_numbers(text: str) -> tuple[str, dict[str, Any]]:
    found: dict[str, Any] = {}
    if match := _SIDED.search(text.lower()):
        found["sides"] = _COUNTS.get(match[1]) or int(match[1])
        text = text[: match.start()] + text[match.end() :]
    if match := _PIXELS.search(text.lower()):
        found["width_px"] = float(match[1])
        if match[2]:
            found["height_px"] = float(match[2])
        text = text[: match.start()] + text[match.end() :]
    return text, found


def _read_words(words: list[str], position: int) -> tuple[dict[str, Any], int]:
    """Read one word, or two of a colour; return what they say and how many they are."""
    word = words[position]
    folded = word.lower()
    is_last = position == len(words) - 1
    if len(word) == 1 and word.isalnum() and (is_last or folded != "a"):
        return {"character": word}, 1
    following = "" if is_last else words[position + 1].lower()
    for each in _singulars(following):
        if kind := _PAIRS.get(f"{folded} {each}"):
            return {"kind": kind}, 2
    pair = find_colour(folded + following) if following else ""
    if pair and folded not in SHADES:
        return {"colour": pair}, 2
    if folded in SHADES:
        return {"shade": SHADES[folded]}, 1
    if colour := find_colour(folded):
        return {"colour": colour}, 1
    return _read_plain_word(folded)


def _read_plain_word(word: str) -> tuple[dict[str, Any], int]:
    for key, meanings in (("size", SIZES), ("extreme", EXTREMES), ("style", STYLES), ("kind", _KIND_OF)):
        for spelled in _singulars(word):
            if spelled in meanings:
                return {key: meanings[spelled]}, 1
    for spelled in _singulars(word):
        if spelled in SIDES:
            return {"kind": "polygon", "sides": SIDES[spelled]}, 1
    return {}, 1 if word in _FILLERS else 0


def _singulars(word: str) -> tuple[str, str, str]:
    return word, word.removesuffix("s"), word.removesuffix("es")


def _settle(look: VisualDescription, text: str) -> VisualDescription:
    if look == VisualDescription():
        return look
    if look.character and look.kind not in {"", "letter", "digit", "number", "text"}:
        raise _fail(text, f"{look.character!r} is a character, not a {look.kind}")
    if look.sides in {1, 2} or (look.sides and look.kind not in {"", "polygon", "shape"}):
        raise _fail(text, f"a {look.kind or 'shape'} does not have {look.sides} sides")
    return replace(look, kind="polygon") if look.sides else look


def visual_query(look: VisualDescription) -> dict[str, Any]:
    """Return a look as plain data."""
    return {each.name: getattr(look, each.name) for each in fields(look)}


def _fail(text: str, reason: str) -> TargetError:
    return TargetError(
        f"The look {text!r} can't be understood: {reason}.",
        code="bad_selector",
        hint='Say a colour, a size, a shape: look "large red circle", look "blue letter", look "5-sided polygon".',
        evidence={"look": text},
    )
