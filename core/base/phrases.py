"""Phrases out of the rules table's templates: what an action does, did, and must hold.

A template names params in braces. What stands in square brackets is left out where none of the params in it says
anything: ``Click {target}[ in the window {window}]``. ``{args:words}`` writes a list as a shell would, each piece quoted
where it must be; ``{checked:Tick|Untick}`` writes the first word for yes and the second for no.
"""

import re
import shlex
import string
from collections.abc import Collection, Mapping, Sequence
from importlib import import_module
from typing import Any

_LONGEST = 120
_INNER_QUOTES = str.maketrans("“”", "‘’")
_WEB = re.compile(r"https?:", re.IGNORECASE)
_HOST_ENDS = frozenset(("", "/", "?", "#", ":"))
_SPACES = re.compile(r"[ \t]{2,}")
_SECTION = re.compile(r"\[([^\[\]]*)\]")
_AS_WORDS = "words"
UNDRAWN = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef"
"""What Unicode counts as letters, marks or symbols although nothing is drawn for it; a class of a regular expression."""

_UNDRAWN = re.compile(f"[{UNDRAWN}]")


class _Lenient(string.Formatter):
    def get_value(self, key: int | str, args: Any, kwargs: Mapping[str, Any]) -> Any:
        del args
        return kwargs.get(str(key), "")

    def format_field(self, value: Any, format_spec: str) -> str:
        yes, either, no = format_spec.partition("|")
        if either:
            return yes if value else no
        told = cut_text(tell_value(value, as_words=format_spec == _AS_WORDS), _LONGEST)
        host = find_disguised_host(value)
        return f"{told} ({host})" if host else told


_FORMATTER = _Lenient()


def render_phrase(template: str, values: Mapping[str, Any]) -> str:
    """Return a template with its braces filled in; missing values leave nothing, long ones are cut."""
    if "{" not in template:
        return template
    if "[" in template:
        template = _SECTION.sub(lambda found: _keep_section(found.group(1), values), template)
    return _SPACES.sub(" ", _FORMATTER.vformat(template, (), values)).strip()


def _keep_section(section: str, values: Mapping[str, Any]) -> str:
    """Return a section, or nothing where none of its params says anything."""
    return section if any(_says_something(values.get(name)) for name in name_fields(section)) else ""


def _says_something(value: object) -> bool:
    """Tell whether a value is more than absent, empty, false or an amount of 0.0; a number 0 that counts says something."""
    return bool(value) or type(value) is int


def name_fields(template: str) -> set[str]:
    """Return the names that a template has in braces; ValueError if its braces can't be read."""
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def is_template(text: str) -> bool:
    """Tell whether a text can be read as a template: braces and brackets match, and every bracket holds a param."""
    sections = _SECTION.findall(text)
    try:
        name_fields(text)
        return all(map(name_fields, sections)) and not set("[]") & set(_SECTION.sub("", text))
    except ValueError:
        return False


def tell_value(value: Any, *, as_words: bool = False) -> str:
    """Return a value as people read it, in full."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {tell_value(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return shlex.join(map(tell_value, value)) if as_words else ", ".join(map(tell_value, value))
    return str(value)


def find_disguised_host(value: object) -> str:
    """Return the host that an address leads to, as a browser writes it; empty where it stands in the address just so, or there is none.

    It doesn't with look-alikes, user names, and hosts that are written as numbers.
    """
    if not isinstance(value, str) or not _WEB.match(value):
        return ""
    try:
        parsed: Any = import_module("ada_url").URL(value)  # loaded here, since much is done without any address
    except ValueError:
        return ""
    plain = value.lower().removeprefix(f"{parsed.protocol}//").removeprefix(parsed.host)
    return "" if len(plain) < len(value) - len(parsed.host) and plain[:1] in _HOST_ENDS else str(parsed.host)


def escape_text(text: str) -> str:
    """Return a text with control, bidirectional and other invisible characters shown as escapes."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char if char.isprintable() and not _UNDRAWN.match(char) else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


def split_lines(text: str) -> list[str]:
    """Return the lines of a text, escaped; only a line feed ends a line, so that none can be made to look like two."""
    return [escape_text(line) for line in text.removesuffix("\n").split("\n")] if text else []


def fold_text(text: str) -> str:
    """Return a text as one line without invisible characters."""
    return escape_text(" ".join(text.split()))


def cut_text(text: str, limit: int) -> str:
    """Return at most so many characters of a text; an ellipsis stands for the rest."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def quote_text(text: str, limit: int = 100) -> str:
    """Return the beginning of a text that was read, in so many characters on one line between quotation marks it can't close."""
    beginning = text.lstrip()[: limit * 4]  # the rest of a long text need not be looked at
    return f"“{cut_text(fold_text(beginning), limit).translate(_INNER_QUOTES)}”"


def join_phrases(phrases: Sequence[str]) -> str:
    """Return phrases as people list them: ``a, b and c``."""
    if len(phrases) <= 1:
        return "".join(phrases)
    return f"{', '.join(phrases[:-1])} and {phrases[-1]}"


def quote_values(values: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """Return values for a phrase, with the texts in those that are named between quotation marks."""
    return {**values, **{name: _quote_texts(values[name]) for name in names if name in values}}


def _quote_texts(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(map(_quote_texts, value))
    return quote_text(value) if isinstance(value, str) else value
