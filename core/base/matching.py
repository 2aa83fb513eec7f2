"""How an address or a title is compared with what somebody expects of it, and in what two texts differ, for people."""

import difflib

SHOWN_CHARS = 60


def describe_difference(expected: str, actual: str) -> str:
    """Say without a full stop where two texts part, with a little of both, invisible characters escaped; empty if they are equal."""
    if expected == actual:
        return ""
    place = next((i for i, (a, b) in enumerate(zip(expected, actual, strict=False)) if a != b), None)
    if place is None and not actual:
        return f"expected {_show(expected, 0)}, it is empty"
    if place is None:
        place = min(len(expected), len(actual))
        if len(actual) < len(expected):
            return f"it ends after {place} characters, {_show(expected, place)} is missing"
        return f"after {place} characters there is more: {_show(actual, place)}"
    return f"from character {place + 1} on, expected {_show(expected, place)}, found {_show(actual, place)}"


def diff_lines(expected: str, actual: str, limit: int = 40) -> list[str]:
    """Compare two texts line by line, as ``- expected`` and ``+ actual``; at most ``limit`` lines."""
    lines = [
        line for line in difflib.ndiff(expected.splitlines(), actual.splitlines()) if line.startswith(("- ", "+ "))
    ]
    return [*lines[:limit], f"… {len(lines) - limit} more"] if len(lines) > limit else lines


def _show(text: str, start: int) -> str:
    part = text[start : start + SHOWN_CHARS]
    more = "…" if len(text) > start + SHOWN_CHARS else ""
    return f"{ascii(part) if not part.isprintable() else repr(part)}{more}"


def matches_address(actual: str, wanted: str) -> bool:
    """Tell whether an address is what was wanted: exactly, as a glob where ``*`` stands for anything, or as a part.

    A trailing slash after the host makes no difference. Everything but ``*`` stands for itself.
    """
    if "*" in wanted:
        return matches_glob(actual, wanted)
    return wanted in actual or wanted == actual.removesuffix("/")


def matches_title(actual: str, wanted: str) -> bool:
    """Tell whether a title is what was wanted: exactly, or as a glob; white space is folded as browsers show it."""
    actual, wanted = fold_space(actual), fold_space(wanted)
    return matches_glob(actual, wanted) if "*" in wanted else actual == wanted


def matches_glob(actual: str, glob: str) -> bool:
    """Tell whether the whole of a text matches a glob; ``*`` stands for any characters, and any number of them."""
    first, *others = glob.split("*")
    if not others:
        return actual == first
    last = others.pop()
    if not actual.startswith(first) or not actual.endswith(last) or len(actual) < len(first) + len(last):
        return False
    place, end = len(first), len(actual) - len(last)
    for part in others:  # where each comes first: if there is a way at all, this is one
        found = actual.find(part, place, end)
        if found < 0:
            return False
        place = found + len(part)
    return True


def fold_space(text: str) -> str:
    """Make each run of white space one space, and cut it off at both ends."""
    return " ".join(text.split())
