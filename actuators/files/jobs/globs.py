"""Globs: ``*`` and ``?`` within a name, ``[…]`` for one of several characters, ``{…,…}`` for one of several texts, ``**`` for any folders.

``!{…,…}`` in front of a name leaves names out: ``!{a.txt,*.log}*`` is every name but these.
"""

import re
from collections.abc import Sequence

_SET = re.compile(r"([!^]?)(\]?[^\]]*)\]")
_CHOICE = re.compile(r"(?<!!)\{([^{},/]*(?:,[^{},/]*)+)\}")
_LEFT_OUT = re.compile(r"!\{([^{}/]*)\}")
_MOST_CHOICES = 256


def compile_glob(pattern: str, *, any_case: bool) -> tuple[re.Pattern[str], bool]:
    """Return a regular expression for a whole name, or with a ``/`` for the path below the folder, and whether it is for paths."""
    slashed = pattern.replace("\\", "/")
    flags = re.DOTALL | (re.IGNORECASE if any_case else 0)
    return re.compile("|".join(map(_translate_path, _list_choices(slashed))), flags), "/" in slashed


def _list_choices(pattern: str) -> list[str]:
    """Return the patterns without braces that one with braces stands for; too many of them are taken as they are written."""
    found = [pattern]
    while any(_CHOICE.search(each) for each in found):
        found = [
            f"{each[: match.start()]}{text}{each[match.end() :]}" for each in found for match, text in _choose(each)
        ]
        if len(found) > _MOST_CHOICES:
            return [pattern]
    return found


def _choose(pattern: str) -> list[tuple[re.Match[str], str]]:
    match = _CHOICE.search(pattern)
    return [(match, text) for text in match[1].split(",")] if match else []


def _translate_path(slashed: str) -> str:
    parts = [part for part in slashed.split("/") if part]
    runs: list[list[str]] = [[]]  # of names, between any folders
    for part in parts:
        if part != "**":
            runs[-1].append(_translate(part))
        elif runs[-1] or len(runs) == 1:
            runs.append([])
    return _join_runs(runs)


def _join_runs(runs: Sequence[Sequence[str]]) -> str:
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
    left_out = _LEFT_OUT.match(part)
    if left_out is not None:
        names = "|".join(_translate(each) for each in left_out[1].split(",") if each)
        return f"(?!(?:{names})(?:/|\\Z))" * bool(names) + _translate(part[left_out.end() :])
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
