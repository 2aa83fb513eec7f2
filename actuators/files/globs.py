"""Globs: ``*`` and ``?`` within a name, ``[…]`` for one of several characters, ``**`` for any folders."""

import re


def compile_glob(pattern: str, *, any_case: bool) -> tuple[re.Pattern[str], bool]:
    """Return a regular expression for a whole name or path, and whether it is for paths.

    Args:
        pattern: With a ``/`` it is matched against the path below the folder, otherwise against the name.
        any_case: Whether case makes no difference.
    """
    slashed = pattern.replace("\\", "/")
    parts = [part for part in slashed.split("/") if part]
    text = ""
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        if part == "**":
            text += ".*" if last else "(?:[^/]+/)*"
        else:
            text += _translate(part) + ("" if last else "/")
    return re.compile(text, re.IGNORECASE if any_case else 0), "/" in slashed


def _translate(part: str) -> str:
    text, rest = "", part
    while rest:
        char, rest = rest[0], rest[1:]
        if char in "*?":
            text += "[^/]*" if char == "*" else "[^/]"
            continue
        closing = re.match(r"([!^]?)(\]?[^\]]*)\]", rest) if char == "[" else None
        if closing is None or not closing[2]:
            text += re.escape(char)
            continue
        text += _translate_set(closing[2], negated=bool(closing[1]))
        rest = rest[closing.end() :]
    return text


def _translate_set(characters: str, *, negated: bool) -> str:
    """Return what matches one of several characters; a range that runs backwards has none."""
    inner, rest = "", characters
    while rest:
        if len(rest) > 2 and rest[1] == "-":
            first, last, rest = rest[0], rest[2], rest[3:]
            inner += f"{re.escape(first)}-{re.escape(last)}" if first <= last else ""
        else:
            inner, rest = inner + re.escape(rest[0]), rest[1:]
    if not inner:
        return "[^/]" if negated else "(?!)"
    return f"(?!/)[{'^' if negated else ''}{inner}]"
