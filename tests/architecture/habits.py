"""The habits of the house that ruff has no rule for, each as a function from one file to its complaints."""

import ast
import re
from collections.abc import Collection, Iterator

from tests.architecture.sources import SHIPPED, Source

FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "service", "misc"}
# The one service that there is: what every door speaks to.
SERVICE_ROOM = "agent/service/"
WAIVER = re.compile(r"#\s*(?:type:\s*ignore|pyright:\s*ignore|noqa|pragma)\b.*")
# A waiver names the code that it waives, then says why after a dash.
FULL_WAIVER = re.compile(
    r"#\s*(?:(?:type|pyright):\s*ignore\[[\w-]+(?:,\s*[\w-]+)*\]|noqa:\s*[A-Z]+\d+(?:,\s*[A-Z]+\d+)*|pragma:\s*no cover)"
    r"\s+(?:#|--?)\s*\w.*"
)
SLEEPERS = {"time": "sleep", "asyncio": "sleep", "anyio": "sleep"}


def find_forbidden_names(source: Source) -> Iterator[str]:
    """Complain about modules and folders whose name says nothing."""
    parts = source.name.removesuffix(".py").replace(SERVICE_ROOM, "agent/").split("/")
    yield from (f"{source.name}: '{part}' says nothing about its content" for part in parts if part in FORBIDDEN_NAMES)


def find_waivers(source: Source) -> Iterator[str]:
    """Yield every comment that silences a check."""
    for number, line in enumerate(source.lines, 1):
        match = WAIVER.search(line)
        if match:
            yield f"{source.name}:{number}: {match.group()}"


def is_explained(waiver: str) -> bool:
    """Tell whether a waiver, as `find_waivers` gives it, has a code and a reason."""
    return FULL_WAIVER.search(waiver) is not None


def find_whole_imports(source: Source) -> Iterator[str]:
    """Complain about `import core.x`: names are imported from their modules."""
    for node in source.nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] in SHIPPED:
                    yield f"{source.name}:{node.lineno}: import {alias.name}; write `from {alias.name} import …`"


def find_network_imports(source: Source) -> Iterator[str]:
    """Complain about parts of `urllib` other than `urllib.parse`; import-linter sees packages of the library whole."""
    for node in source.nodes:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            if name.partition(".")[0] == "urllib" and not f"{name}.".startswith("urllib.parse."):
                yield f"{source.name}:{node.lineno}: {name} reaches for the network"


def find_private_imports(source: Source) -> Iterator[str]:
    """Complain about names that another of our modules keeps to itself."""
    for node in source.nodes:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] in SHIPPED:
            for alias in node.names:
                if alias.name.startswith("_"):
                    yield f"{source.name}:{node.lineno}: {alias.name} is private to {node.module}"


def find_sleeps(source: Source) -> Iterator[str]:
    """Complain about sleeping; `asyncio.sleep(0)`, which only lets others run, is allowed."""
    imported = {
        alias.asname or alias.name
        for node in source.nodes
        if isinstance(node, ast.ImportFrom) and node.module in SLEEPERS
        for alias in node.names
        if alias.name == SLEEPERS[node.module]
    }
    for node in source.nodes:
        if isinstance(node, ast.Call) and is_sleep(node.func, imported) and not is_zero(node.args):
            yield f"{source.name}:{node.lineno}: sleeps; wait for what must happen instead"


def is_sleep(function: ast.expr, imported: Collection[str]) -> bool:
    """Tell whether an expression names one of the sleeping functions."""
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        return SLEEPERS.get(function.value.id) == function.attr
    return isinstance(function, ast.Name) and function.id in imported


def is_zero(arguments: list[ast.expr]) -> bool:
    """Tell whether the only argument is the number zero."""
    return len(arguments) == 1 and isinstance(arguments[0], ast.Constant) and arguments[0].value == 0


def find_lost_stops(source: Source) -> Iterator[str]:
    """Complain about `asyncio.wait_for`, which loses a stop that comes together with what it waits for."""
    for node in source.nodes:
        match node:
            case ast.Attribute(value=ast.Name(id="asyncio"), attr="wait_for"):
                pass
            case ast.ImportFrom(module="asyncio") if any(alias.name == "wait_for" for alias in node.names):
                pass
            case _:
                continue
        yield f"{source.name}:{node.lineno}: may lose a stop; take `finish_within` or `asyncio.timeout`"


def find_verb_lists(source: Source, verbs: Collection[str], names: Collection[str]) -> Iterator[str]:
    """Complain about lists of verbs, comparisons with a verb, and verbs by their full names.

    A dict from verbs to functions is how a family finds what carries a verb out, and no list.

    Args:
        source: Where to look.
        verbs: Of the family that the module belongs to; none elsewhere.
        names: ``domain.verb`` and ``domain_verb`` of the whole table.
    """
    for node in source.nodes:
        where = f"{source.name}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Constant) and node.value in names:
            yield f"{where}: {node.value!r} is a verb by its full name"
        elif isinstance(node, ast.Set | ast.List | ast.Tuple):
            texts = [each.value if isinstance(each, ast.Constant) else None for each in node.elts]
            if len(texts) > 1 and all(text in verbs for text in texts):
                yield f"{where}: a list of verbs: {texts}"
        elif isinstance(node, ast.Compare) and getattr(node.left, "attr", getattr(node.left, "id", "")) == "verb":
            texts = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant)]
            yield from (f"{where}: compares with {text!r}" for text in texts if text in verbs)


def find_words(source: Source, words: Collection[str]) -> Iterator[str]:
    """Complain about string literals that are one of the words, or name one in a joined form such as `browser.click` or `browser_`.

    Whatever is done with a literal is complained about: whether it is compared, matched, a key, an item or a part of a text.
    """
    for node in source.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            parts = {node.value, node.value.rstrip("_"), *node.value.split(".")}
            for word in sorted(parts & set(words)):
                yield f"{source.name}:{node.lineno}: {node.value!r} names '{word}'"
