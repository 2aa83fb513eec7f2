import ast
import re
from functools import cache

import pytest

from tests.docs.examples import ROOT

TABLE = ROOT / "docs" / "promises.md"
_NAMED = re.compile(r"`(?P<file>(?:tests|scripts)/[\w/]+\.py)(?:::(?P<name>\w+))?`")
_ROW = re.compile(r"^\| (?P<number>[A-D]\d+) \|(?P<cells>.*)\|$", re.MULTILINE)


@cache
def list_functions(file: str) -> frozenset[str]:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def list_rows() -> list[re.Match[str]]:
    return list(_ROW.finditer(TABLE.read_text(encoding="utf-8")))


@pytest.mark.parametrize("row", list_rows(), ids=lambda row: row["number"])
def test_each_promise_names_tests_that_there_are(row: re.Match[str]) -> None:
    named = list(_NAMED.finditer(row["cells"]))
    assert [each["file"] for each in named if not (ROOT / each["file"]).exists()] == []
    assert [each[0] for each in named if each["name"] and each["name"] not in list_functions(each["file"])] == []
    assert any((each["name"] or "").startswith("test_") for each in named)


def test_each_promise_has_a_number_of_its_own() -> None:
    numbers = [row["number"] for row in list_rows()]
    assert len(numbers) > 20
    assert len(set(numbers)) == len(numbers)
