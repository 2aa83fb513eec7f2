import ast
import re
from functools import cache

from tests.cases import each_case
from tests.docs.examples import ROOT

README = ROOT / "README.md"
TABLE = ROOT / "docs" / "promises.md"
_NAMED = re.compile(r"`(?P<file>(?:tests|scripts)/[\w/]+\.py)(?:::(?P<name>\w+))?`")
_ROW = re.compile(r"^\| (?P<number>[A-DR]\d+) \|(?P<cells>.*)\|$", re.MULTILINE)
_QUOTED = re.compile(r"“(.+?)” \|")
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LISTED = re.compile(r"^(?:- .*(?:\n  .*)*|\|.*\|)$", re.MULTILINE)
_HEAD_OF_TABLE = re.compile(r"^\|.*\|\n\|[ :|-]+\|$", re.MULTILINE)
LIMITS = "What it does not do yet"
"""The section of README that promises nothing."""


@cache
def list_functions(file: str) -> frozenset[str]:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def list_rows() -> list[re.Match[str]]:
    return list(_ROW.finditer(TABLE.read_text(encoding="utf-8")))


@each_case("row", list_rows(), ids=lambda row: row["number"])
def test_each_promise_names_tests_that_there_are(row: re.Match[str]) -> None:
    named = list(_NAMED.finditer(row["cells"]))
    assert [each["file"] for each in named if not (ROOT / each["file"]).exists()] == []
    assert [each[0] for each in named if each["name"] and each["name"] not in list_functions(each["file"])] == []
    assert any((each["name"] or "").startswith("test_") for each in named)


def test_each_promise_has_a_number_of_its_own() -> None:
    numbers = [row["number"] for row in list_rows()]
    assert len(numbers) > 20
    assert len(set(numbers)) == len(numbers)


def join_lines(text: str) -> str:
    return " ".join(text.split())


def list_quoted() -> list[str]:
    """Return what is quoted of README."""
    cells = (row["cells"] for row in list_rows() if row["number"].startswith("R"))
    return [match[1].replace("\\|", "|") for each in cells for match in _QUOTED.finditer(each)]


def split_readme(text: str) -> dict[str, str]:
    """Return the sections of README that promise something, without examples, by their headings."""
    first, *others = re.split(r"^## ", _FENCED.sub("", text), flags=re.MULTILINE)
    sections = {title: body for title, _, body in (each.partition("\n") for each in others)}
    return {"": first} | {title: body for title, body in sections.items() if title != LIMITS}


def list_unheld(text: str, quoted: list[str]) -> list[str]:
    """Return the sections, bullets and rows of README of which nothing is quoted."""
    sections = split_readme(text)
    listed = [match[0] for body in sections.values() for match in _LISTED.finditer(_HEAD_OF_TABLE.sub("", body))]
    bare = [title for title, body in sections.items() if not any(each in join_lines(body) for each in quoted)]
    return bare + [each for each in listed if not any(part in join_lines(each) for part in quoted)]


def test_readme_says_what_is_quoted_of_it() -> None:
    said = join_lines(README.read_text(encoding="utf-8"))
    assert len(list_quoted()) == sum(row["number"].startswith("R") for row in list_rows())
    assert [each for each in list_quoted() if each not in said] == []


def test_every_section_bullet_and_row_of_readme_has_tests() -> None:
    assert list_unheld(README.read_text(encoding="utf-8"), list_quoted()) == []


@each_case(
    ("text", "unheld"),
    [
        ("a\n\n- one\n- two\n  a\n", ["- one"]),
        ("a\n| x | y |\n| --- | --- |\n| `c` | a |\n| `d` | e |\n", ["| `d` | e |"]),
        ("a\n## One\nb\n## Two\na\n", ["One"]),
        (f"a\n## {LIMITS}\n- none\n## Two\na\n```\n- in an example\n```\n", []),
    ],
)
def test_what_is_not_quoted_is_seen(text: str, unheld: list[str]) -> None:
    assert list_unheld(text, ["a"]) == unheld
