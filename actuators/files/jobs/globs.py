"""Globs: ``*`` and ``?`` within a name, ``[…]`` for one of several characters, ``**`` for any folders."""

import re
from collections.abc import Sequence

_SET = re.compile(r"([!^]?)(\]?[^\]]*)\]")


def compile_glob(pattern: str, *, any_case: bool) -> tuple[re.Pattern[str], bool]:
    """Return a regular expression for a whole name or path, and whether it is for paths.

    Args:
        pattern: With a ``/`` it is matched against the path below the folder, otherwise against the name.
        any_case: Whether case makes no difference.
    """
    slashed = pattern.replace("\\", "/")
    parts = [part for part in slashed.split("/") if part]
    runs: list[list[str]] = [[]]  # of names, between any folders
    for part in parts:
        if part != "**":
            runs[-1].append(_translate(part))
        elif runs[-1] or len(runs) == 1:
            runs.append([])
    flags = re.DOTALL | (re.IGNORECASE if any_case else 0)
    return re.compile(_join_runs(runs), flags), "/" in slashed


def _join_runs(runs: Sequence[Sequence[str]]) -> str:
    """Return what matches runs of names with any folders between them."""
    first, *others = ("".join(f"{name}/" for name in run) for run in runs)
    if not others:
        return first.removesuffix("/")
    last = others.pop()
    between = "".join(f"(?>(?:[^/]+/)*?{run})" for run in others)
    return first + between + (f"(?:[^/]+/)*{last.removesuffix('/')}" if last else ".*")


def _translate(part: str) -> str:
    """Return what matches a name.

    What stands between two stars is taken where it comes first, and never looked for again: nothing is lost by that, and a
    glob of many stars takes no longer than the name is.
    """
    first, *others = _list_runs(part)
    if not others:
        return first
    last = others.pop()
    return first + "".join(f"(?>[^/]*?{run})" for run in others if run) + f"[^/]*{last}"


def _list_runs(part: str) -> list[str]:
    """Return what matches the pieces of a name between its stars, each of which has one length only."""
    runs, place = [""], 0
    while place < len(part):
        char, place = part[place], place + 1
        if char == "*":
            runs.append("")
            continue
        closing = _SET.match(part, place) if char == "[" else None
        if closing is None or not closing[2]:
            runs[-1] += "[^/]" if char == "?" else re.escape(char)
            continue
        runs[-1] += _translate_set(closing[2], negated=bool(closing[1]))
        place = closing.end()
    return runs


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
