"""CONTRIBUTING.md leads to files that there are."""

import re

from tests.docs.examples import ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FOLDERS = "actuators|agent|core|docs|fixtures|scripts|tests"
NAMED = re.compile(rf"(?<![\w/.])(?:{FOLDERS})/[\w./-]*\w|pyproject\.toml")
PATTERNS = re.compile(r"<\w+>|[A-Z]{4,}|\*")


def list_paths(text: str) -> list[str]:
    """Return the paths that a text names; those with a part to be filled in are left out."""
    words = [word for word in re.findall(r"[^\s`()\[\]]+", text) if not PATTERNS.search(word)]
    return [match[0] for word in words for match in NAMED.finditer(word)]


def test_every_path_leads_to_something() -> None:
    paths = list_paths(TEXT)
    assert len(set(paths)) > 40
    assert sorted({path for path in paths if not (ROOT / path).exists()}) == []


def test_a_path_is_seen_wherever_it_stands() -> None:
    text = "see `core/x.py`, [y](docs/y.md); agent/DOOR.py and actuators/<family>/platforms/a.py are no paths"
    assert list_paths(text) == ["core/x.py", "docs/y.md"]
