import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cases import each_case
from tests.docs.examples import ROOT, list_documents

DOCUMENTS = [
    *list_documents(),
    ROOT / "ARCHITECTURE.md",
    ROOT / "CHANGELOG.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "fixtures" / "README.md",
]
GENERATED = (
    *("docs/rules.md", "docs/tools.md", "docs/errors.md", "docs/messages.md", "fixtures/sentences/readings.txt"),
    "tests/agent/snapshots/help.txt",
)
LINK = re.compile(r"\]\((?!https?://)([^)#]+)(?:#[^)]*)?\)")


def run_docs(*arguments: str, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "scripts/docs.py", *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.timeout(400)
def test_the_generated_documents_are_up_to_date() -> None:
    done = run_docs("--check")
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


@pytest.mark.timeout(700)
def test_a_document_that_is_out_of_date_is_told_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "rules.md").write_text("old", encoding="utf-8")
    script = "import sys; from pathlib import Path; from scripts import docs; docs.ROOT = Path(sys.argv.pop(1)); sys.exit(docs.main())"
    command = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run([*command, "--check"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stdout) == (1, f"{', '.join(GENERATED)}: out of date; run scripts/docs.py\n")
    assert (tmp_path / "docs" / "rules.md").read_text(encoding="utf-8") == "old"
    written = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert written.returncode == 0, written.stderr
    # The names alone: pytest takes minutes to tell two long documents apart.
    assert [name for name in GENERATED if (tmp_path / name).read_bytes() != (ROOT / name).read_bytes()] == []


def test_the_help_of_every_command_has_an_example_and_is_understood_without_code_words() -> None:
    pages = (ROOT / GENERATED[-1]).read_text(encoding="utf-8").split("\n$ ")
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
