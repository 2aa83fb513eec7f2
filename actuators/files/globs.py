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
        inner = re.sub(r"([\\\[&~|])", r"\\\1", closing[2])
        inner = f"\\{inner}" if inner.startswith(("]", "^")) else inner
        text += f"(?!/)[{'^' if closing[1] else ''}{inner}]"
        rest = rest[closing.end() :]
    return text
