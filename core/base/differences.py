"""Differences between what was expected and what is there, for people."""

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
