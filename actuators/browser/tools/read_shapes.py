"""The output of ``browser.read``: always a text, and the same as a value with a type."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from actuators.browser.ports.reading import ReadRequest
from core.base.errors import TargetError


def list_words(text: str) -> list[str]:
    """Return the words of a text: what stands between white space, without the punctuation around it.

    Punctuation inside a word stays, as in ``don't`` and ``e-mail``; what is nothing but punctuation is no word.
    """
    marks = "".join(filter(_is_mark, text))
    bare = (each.strip(marks) for each in text.split())
    return [each for each in bare if each]


def pick_word(text: str, index: int) -> str:
    """Return one word, by its number from 1, or from -1 backwards; ``word_missing`` if there are fewer."""
    words = list_words(text)
    place = index - 1 if index > 0 else len(words) + index
    if index and 0 <= place < len(words):
        return words[place]
    raise TargetError(
        f"Word {index} does not exist: the text has {len(words)}.",
        code="word_missing",
        hint="Count from 1, or backwards from -1.",
        evidence={"count": len(words)},
    )


def _is_mark(char: str) -> bool:
    """Tell whether a character is punctuation around words; signs such as ``$`` and ``+`` belong to them."""
    return unicodedata.category(char).startswith("P") and char not in "%&@#*"


MOST_CHARS = 1_000_000
"""The longest text that is read at all."""


def shape(request: ReadRequest, found: Any) -> dict[str, Any]:
    """Return the output for what was read; ``target_unsuitable`` if there is no table where one was asked for."""
    if found is None and request.target in _ABSENT:
        subject, why, hint = _ABSENT[request.target]
        raise TargetError(f"{request.selector or subject} {why}.", code="target_unsuitable", hint=hint)
    if isinstance(found, list) and request.target == "text":
        return _shape_texts(found, request.most_chars)
    return _SHAPES.get(request.target, _shape_element)(found, request.most_chars)


def _shape_text(text: str, most_chars: int) -> dict[str, Any]:
    cut = text[:most_chars]
    return {"text": cut, "value": cut, "truncated": len(text) > most_chars}


def _shape_texts(texts: Sequence[str], most_chars: int) -> dict[str, Any]:
    text = "\n".join(texts)
    is_cut = len(text) > most_chars
    value = text[:most_chars].split("\n") if is_cut else list(texts)
    return {"text": text[:most_chars], "value": value, "truncated": is_cut, "count": len(texts)}


def _shape_attribute(value: str | None, most_chars: int) -> dict[str, Any]:
    return {**_shape_text(value or "", most_chars), "value": value}


def _shape_count(count: int, _: int) -> dict[str, Any]:
    return {"text": str(count), "value": count, "truncated": False}


def _shape_element(found: Mapping[str, Any], _: int) -> dict[str, Any]:
    return {"text": found["text"], "value": found["text"], "truncated": found["truncated"]}


def _shape_value(found: Mapping[str, Any], _: int) -> dict[str, Any]:
    return {"text": found["text"], "value": found.get("value"), "truncated": found["truncated"]}


def _shape_colour(found: Mapping[str, str], _: int) -> dict[str, Any]:
    return {"text": found["text"], "value": found["text"], "truncated": False, "name": found["name"]}


def _shape_links(links: Sequence[Mapping[str, str]], most_chars: int) -> dict[str, Any]:
    lines = [f"{link['text']} <{link['url']}>" for link in links]
    kept = sum(size <= most_chars + 1 for size in accumulate(len(line) + 1 for line in lines))
    cut = kept < len(links)
    return {"text": "\n".join(lines[:kept]), "value": list(links[:kept]), "truncated": cut, "count": len(links)}


def _shape_table(table: Mapping[str, Any], _: int) -> dict[str, Any]:
    headers: list[str] = table["headers"]
    records = [dict(zip(headers, row, strict=True)) for row in table["rows"]]
    lines = ["\t".join(headers), *("\t".join(row) for row in table["rows"])]
    more = {"headers": headers, "caption": table["caption"], "count": table["total"]}
    return {"text": "\n".join(lines), "value": records, "truncated": table["truncated"], **more}


_ABSENT = {
    "table": (
        "table",
        "is not in a table and has none in it",
        "Name the table, or leave out the selector if the page has only one.",
    ),
    "colour": ("The page", "has no colour of its own", "Name the shape or box that has it."),
}
_SHAPES: Mapping[str, Callable[[Any, int], dict[str, Any]]] = {
    "title": _shape_text,
    "url": _shape_text,
    "attribute": _shape_attribute,
    "count": _shape_count,
    "colour": _shape_colour,
    "value": _shape_value,
    "links": _shape_links,
    "table": _shape_table,
}
