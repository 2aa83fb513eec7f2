import re
import sys
from pathlib import Path

import pytest

from actuators.verb_table import PLANNER_RULES
from scripts import docs
from tests.cases import each_case
from tests.docs.examples import ROOT, list_documents

DOCUMENTS = [
    *list_documents(),
    ROOT / "ARCHITECTURE.md",
    ROOT / "CHANGELOG.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "fixtures" / "README.md",
]
LINK = re.compile(r"\]\((?!https?://)([^)#]+)(?:#[^)]*)?\)")


def test_a_document_that_is_out_of_date_is_told_and_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rules, errors = (tmp_path / name for name in docs.NAMES)
    docs.write(tmp_path, dict.fromkeys(docs.NAMES, "old"))
    monkeypatch.setattr(docs, "ROOT", tmp_path)
    monkeypatch.setattr(docs, "make", {docs.NAMES[0]: "new", docs.NAMES[1]: "old"}.__getitem__)
    monkeypatch.setattr(sys, "argv", ["docs.py", "--check"])
    capsys.readouterr()
    assert docs.main() == 1
    assert capsys.readouterr().out == "docs/rules.md: out of date; run scripts/docs.py\n"
    assert (rules.read_text(encoding="utf-8"), errors.read_text(encoding="utf-8")) == ("old", "old")
    docs.write(tmp_path, docs.list_stale())
    assert rules.read_text(encoding="utf-8") == "new"
    assert docs.main() == 0


def test_what_is_not_kept_can_be_made() -> None:
    tools = docs.write_tools()
    assert [f"{domain}_{verb}" for domain, verb in PLANNER_RULES if f"\n## {domain}_{verb}\n" not in tools] == []


def test_the_help_of_every_command_has_an_example_and_is_understood_without_code_words() -> None:
    pages = docs.write_help().split("\n$ ")
    assert len(pages) > 15
    assert [page.splitlines()[0] for page in pages if "\nExample" not in page] == []
    assert [
        page.splitlines()[0]
        for page in pages
        if re.search(r"<str>|\[default: |\.\.\.$", page.partition("COMMAND [ARGS]...")[2])
    ] == []


@each_case("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_leads_to_a_file(document: Path) -> None:
    targets = LINK.findall(document.read_text(encoding="utf-8"))
    assert [target for target in targets if not (document.parent / target).exists()] == []


def test_the_index_names_every_document() -> None:
    named = set(LINK.findall((ROOT / "docs" / "README.md").read_text(encoding="utf-8")))
    written = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert {name for name in written if not name.startswith("adr/")} - {"README.md"} <= named
