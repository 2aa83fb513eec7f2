"""Writes docs/errors.md: every code, what it means, what to do, and who raises it."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from scripts.documents.messages import collect_texts, read_class_codes, read_codes
from scripts.documents.texts import ROOT, Module, is_code, read_modules, render

_NAMED = re.compile(r"``?([a-z_]+)``?")


@cache
def list_codes() -> frozenset[str]:
    """Return every code that the tree gives an error; ``unknown_{what}`` stands for several."""
    modules = read_modules(ROOT)
    given = {text.code for text in collect_texts() if is_code(text.code)}
    given |= set(read_class_codes(modules).values())
    return frozenset(given.union(*map(_list_given, modules)))


def _list_given(module: Module) -> Iterator[str]:
    """Yield what stands behind ``code=`` and ``code =``."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.keyword) and node.arg == "code":
            yield from (
                text for text in render(node.value, module.names) if is_code(text) or text.startswith("unknown_{")
            )
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "code":
            yield from (text for text in render(node.value, module.names) if is_code(text))


def list_texts_of_code() -> frozenset[str]:
    """Return every string of the tree that has the form of a code."""
    return frozenset().union(*map(_list_strings, read_modules(ROOT)))


def _list_strings(module: Module) -> set[str]:
    nodes = (node for node in ast.walk(module.tree) if isinstance(node, ast.Constant))
    return {node.value for node in nodes if isinstance(node.value, str) and is_code(node.value)}


def find_families() -> Mapping[str, list[str]]:
    """Return for each code the families whose code says it."""
    families: dict[str, set[str]] = {}
    for text in collect_texts():
        families.setdefault(text.code, set()).add(text.family)
    for module in read_modules(ROOT):
        for code in _list_given(module):
            families.setdefault(code, set()).add(module.family)
    strings = [(module.family, _list_strings(module)) for module in read_modules(ROOT)]
    for code in set(read_codes()) - set(families):
        families[code] = {family for family, found in strings if code in found}
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
        "names the thing; the code stays the same for programs. [messages.md](messages.md) has the messages themselves,",
        "[tools.md](tools.md) what each tool raises.",
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
