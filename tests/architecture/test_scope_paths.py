"""A ScopePath is made by its factory and by nothing else, so that no level of it is left out or in another's place."""

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.sources import Source, read_sources

HOME = "core/base/scope_paths.py"
NAME = "ScopePath"


def find_constructions(source: Source) -> Iterator[str]:
    """Complain about whatever makes a ScopePath: a call of the class under any name, a class below it, a copy of its parts."""
    if NAME not in source.text and "parts=" not in source.text:
        return
    names = {NAME} | {
        alias.asname
        for node in source.nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name == NAME and alias.asname
    }
    for node in source.nodes:
        if isinstance(node, ast.Call) and makes_one(node, names):
            yield f"{source.name}:{node.lineno}: {ast.unparse(node)}"
        elif isinstance(node, ast.ClassDef) and any(is_named(base, names) for base in node.bases):
            yield f"{source.name}:{node.lineno}: class {node.name}"
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None and is_named(node.value, names):
            yield f"{source.name}:{node.lineno}: {ast.unparse(node)}"


def makes_one(call: ast.Call, names: set[str]) -> bool:
    """Tell whether a call makes a ScopePath: directly, by replacing its parts, or through another function."""
    replaces = getattr(call.func, "id", getattr(call.func, "attr", "")) == "replace" and any(
        keyword.arg == "parts" and "scope" in ast.unparse(call.args[0]).lower()
        for keyword in call.keywords
        if call.args
    )
    is_check = getattr(call.func, "id", "") in {"isinstance", "issubclass"}
    handed = not is_check and any(is_named(each, names) for each in call.args)
    return is_named(call.func, names) or is_named(getattr(call.func, "value", None), names) or replaces or handed


def is_named(node: ast.AST | None, names: set[str]) -> bool:
    """Tell whether an expression is the class itself."""
    return (isinstance(node, ast.Name) and node.id in names) or (isinstance(node, ast.Attribute) and node.attr in names)


def test_nothing_makes_a_scope_path_but_its_factory() -> None:
    elsewhere = [
        source for source in read_sources() if source.name not in {HOME, "tests/architecture/test_scope_paths.py"}
    ]
    assert [complaint for source in elsewhere for complaint in find_constructions(source)] == []


def test_the_factory_is_where_it_is_looked_for() -> None:
    (home,) = (source for source in read_sources() if source.name == HOME)
    assert len(list(find_constructions(home))) == 1


@pytest.mark.parametrize(
    "text",
    [
        'ScopePath(("a",))',
        'scope_paths.ScopePath(("a",))',
        'from core.base.scope_paths import ScopePath as S\nS(("a",))',
        "class Mine(ScopePath): ...",
        "replace(scope, parts=())",
        "dataclasses.replace(context.scope, parts=())",
        "make = ScopePath",
        "map(ScopePath, rows)",
        "ScopePath.__new__(ScopePath)",
    ],
)
def test_every_way_to_make_one_is_found(text: str) -> None:
    assert list(find_constructions(Source("core/x.py", text))) != []


@pytest.mark.parametrize(
    "text",
    ["def f(scope: ScopePath) -> ScopePath | None: ...", "isinstance(x, ScopePath)", 'begin_scope("a").child("b")'],
)
def test_naming_the_class_is_no_construction(text: str) -> None:
    assert list(find_constructions(Source("core/x.py", text))) == []
