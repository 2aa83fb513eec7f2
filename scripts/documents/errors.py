"""Writes docs/errors.md: every code, what it means, what to do, and who raises it."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from scripts.documents.messages import read_codes, read_tree
from scripts.documents.texts import is_code

_NAMED = re.compile(r"``?([a-z_]+)``?")


def list_codes() -> frozenset[str]:
    """Return every code that the tree gives an error; ``unknown_{what}`` stands for several."""
    told = read_tree()
    return told.defaults.union(
        (text.code for text in told.texts if is_code(text.code)), *(each for _, each in told.given)
    )


def list_texts_of_code() -> frozenset[str]:
    """Return every string of the tree that has the form of a code."""
    return frozenset[str]().union(*(each for _, each in read_tree().codelike))


def find_families() -> Mapping[str, list[str]]:
    """Return for each code the families whose code says it."""
    told = read_tree()
    said = [(text.family, {text.code}) for text in told.texts]
    families: dict[str, set[str]] = {}
    for family, codes in (*said, *told.given):
        for code in codes:
            families.setdefault(code, set()).add(family)
    for code in set(read_codes()) - set(families):
        families[code] = {family for family, found in told.codelike if code in found}
    return {code: sorted(found) for code, found in families.items()}


def find_verbs(tools: Iterable[dict[str, Any]]) -> Mapping[str, list[str]]:
    """Return for each code the verbs whose documentation names it.

    Args:
        tools: As `describe_tools` gives them.
    """
    verbs: dict[str, list[str]] = {}
    for tool in tools:
        named = {code for when in tool["raises"].values() for code in _NAMED.findall(when)}
        for code in named & set(read_codes()):
            verbs.setdefault(code, []).append(tool["name"].replace("_", ".", 1))
    return verbs


def write_errors(tools: Iterable[dict[str, Any]]) -> str:
    """Return docs/errors.md.

    Args:
        tools: As `describe_tools` gives them.
    """
    families, verbs = find_families(), find_verbs(tools)
    lines = [
        "# Errors",
        "",
        f"Every code that a result, an event or a command can carry: {len(read_codes())}. Made by `scripts/docs.py` from",
        "`scripts/documents/error_codes.toml`, the code and the tools' docstrings. The message of an error says what happened to you and",
        "names the thing; the code stays the same for programs. `surehand tools` says what each tool raises.",
        "",
        "| code | what it means | what to do | who raises it |",
        "| --- | --- | --- | --- |",
    ]
    lines += [
        f"| `{code}` | {means} | {todo} | {_name_raisers(code, families, verbs)} |"
        for code, (means, todo) in sorted(read_codes().items())
    ]
    return "\n".join([*(line.rstrip() for line in lines), ""])


def _name_raisers(code: str, families: Mapping[str, list[str]], verbs: Mapping[str, list[str]]) -> str:
    told = ", ".join(families[code] or families["unknown_{what}"])
    named = ", ".join(f"`{verb}`" for verb in verbs.get(code, []))
    return "; ".join(filter(None, (told, named)))
