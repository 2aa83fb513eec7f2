"""Planting: finds a place in the tree by a qualified name and by syntax, and writes something else there.

A defect says in which definition it lies (``JournalWriter.append``), which expression or statement stands there, and what to put in its
place. Where the file is, how it is laid out and what is around it makes no difference; so code can be moved without the table.
"""

import ast
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("mutants.toml")
SHIPPED = ("core", "actuators", "agent")
_WHATEVER = frozenset({"lineno", "col_offset", "end_lineno", "end_col_offset", "ctx", "type_comment", "kind"})


_CONDITION = re.compile(r"if (.*):", re.DOTALL)


class PlantingError(Exception):
    """The place of a defect isn't there, isn't the only one, or what is put there is no code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Defect:
    """A fault that some test must notice.

    Attributes:
        name: What it is called.
        area: What it would break.
        where: Qualified name of the definition that holds it, such as ``JournalWriter.append``.
        find: The expression or the statement that stands there, in any layout; ``if x:`` for the condition of such a statement.
        put: What is written in its place.
        why: What it would do to somebody.
        tests: Ids of the tests that must fail, each of them.
        module: Module of the definition; needed only where several have one of that name.
    """

    name: str
    area: str
    where: str
    find: str
    put: str
    why: str
    tests: tuple[str, ...]
    module: str = ""


@dataclass(frozen=True, slots=True)
class Planted:
    """A file with a defect in it.

    Attributes:
        file: Its path below the root.
        text: Its text.
        line: Where the defect begins.
    """

    file: str
    text: str
    line: int


def read_table(file: Path = TABLE) -> tuple[Defect, ...]:
    """Return the defects.

    Raises:
        PlantingError: If two have the same name.
    """
    found = [_read(each) for each in tomllib.loads(file.read_text(encoding="utf-8"))["defect"]]
    names = [each.name for each in found]
    if twice := {name for name in names if names.count(name) > 1}:
        raise PlantingError(f"more than one defect is called {', '.join(sorted(twice))}")
    return tuple(found)


def _read(entry: dict[str, Any]) -> Defect:
    parts: dict[str, Any] = {**entry, "tests": tuple(entry.get("tests", ()))}
    return Defect(**parts)


def plant(root: Path, defect: Defect) -> Planted:
    """Return the file of a defect as it would be with it; nothing is written.

    Args:
        root: The tree.
        defect: The defect.

    Raises:
        PlantingError: If its definition or its place isn't found, or isn't the only one.
    """
    found = [place for file in _list_files(root, defect.module) for place in _find_definitions(file, defect.where)]
    if len(found) != 1:
        where = f"{defect.where}{f' in {defect.module}' if defect.module else ''}"
        raise PlantingError(f"{len(found)} definitions are called {where}: {', '.join(str(file) for file, _ in found)}")
    file, definition = found[0]
    places = _find_places(definition, defect.find)
    if len(places) != 1:
        raise PlantingError(f"{defect.where} has {len(places)} times: {defect.find}")
    text = _put(file.read_text(encoding="utf-8"), places[0], defect.put)
    try:
        ast.parse(text)
    except SyntaxError as error:
        raise PlantingError(f"what is put into {defect.where} is no code: {error}") from error
    return Planted(str(file.relative_to(root)), text, places[0].lineno)


def _list_files(root: Path, module: str) -> Iterator[Path]:
    if module:
        yield root / f"{module.replace('.', '/')}.py"
        return
    for folder in SHIPPED:
        yield from sorted((root / folder).rglob("*.py"))


def _find_definitions(file: Path, name: str) -> Iterator[tuple[Path, ast.AST]]:
    if not file.exists():
        return
    text = file.read_text(encoding="utf-8")
    if name.rpartition(".")[2] in text:
        found: list[ast.AST] = [ast.parse(text)]
        for part in name.split("."):
            found = [child for each in found for child in _list_children(each) if getattr(child, "name", "") == part]
        yield from ((file, each) for each in found)


def _list_children(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the definitions in another, those under conditions as well."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield child
        elif isinstance(child, ast.If | ast.Try):
            yield from _list_children(child)


def _find_places(definition: ast.AST, text: str) -> list[ast.expr | ast.stmt]:
    """Return the nodes that a text stands for; ``if x:`` stands for the condition of such a statement."""
    nodes = list(_list_nodes(definition))
    if found := _CONDITION.fullmatch(text.strip()):
        text = found[1]
        nodes = [node.test for node in nodes if isinstance(node, ast.If)]
    wanted = _parse(text)
    return [node for node in nodes if _is_same(node, wanted)]


def _list_nodes(definition: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    for node in ast.walk(definition):
        if isinstance(node, ast.expr | ast.stmt) and node is not definition:
            yield node


def _parse(text: str) -> ast.expr | ast.stmt:
    """Return the expression or the statement that a text is; a call on a line of its own is taken for the expression."""
    try:
        statements: Sequence[ast.stmt] = ast.parse(text.strip()).body
    except SyntaxError:
        # Such as ``await something``, ``return x`` or ``continue``, which stand in functions only.
        function = ast.parse("async def _():\n while True:\n  " + text.strip()).body[0]
        assert isinstance(function, ast.AsyncFunctionDef)
        loop = function.body[0]
        assert isinstance(loop, ast.While)
        statements = loop.body
    if len(statements) != 1:
        raise PlantingError(f"not one expression or statement: {text}")
    only = statements[0]
    return only.value if isinstance(only, ast.Expr) else only


def _is_expression(text: str) -> bool:
    try:
        ast.parse(text.strip(), mode="eval")
    except SyntaxError:
        return False
    return True


def _is_same(node: Any, wanted: Any) -> bool:
    """Tell whether two pieces of syntax are the same, wherever they stand."""
    if isinstance(wanted, ast.AST):
        return type(node) is type(wanted) and all(
            _is_same(getattr(node, name, None), getattr(wanted, name, None))
            for name in wanted._fields
            if name not in _WHATEVER
        )
    if isinstance(wanted, list):
        return isinstance(node, list) and len(node) == len(wanted) and all(map(_is_same, node, wanted))
    return type(node) is type(wanted) and node == wanted


def _put(text: str, node: ast.expr | ast.stmt, instead: str) -> str:
    """Return a text with something else at the place of a node."""
    lines = text.encode().splitlines(keepends=True)
    assert node.end_lineno
    assert node.end_col_offset
    start = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: node.end_lineno - 1])) + node.end_col_offset
    fresh = instead.strip().replace("\n", "\n" + " " * node.col_offset)
    if _is_expression(instead):
        fresh = f"({fresh})"
    data = text.encode()
    return (data[:start] + fresh.encode() + data[end:]).decode()
