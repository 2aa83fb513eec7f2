import re
import subprocess
import sys
from pathlib import Path

from tests.cases import each_case
from tests.docs.examples import ROOT, list_documents

DOCUMENTS = [*list_documents(), ROOT / "ARCHITECTURE.md", ROOT / "CHANGELOG.md", ROOT / "fixtures" / "README.md"]
LINK = re.compile(r"\]\((?!https?://)([^)#]+)(?:#[^)]*)?\)")


def run_docs(*arguments: str, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "scripts/docs.py", *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, timeout=60)


def test_the_generated_documents_are_up_to_date() -> None:
    done = run_docs("--check")
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def test_a_document_that_is_out_of_date_is_told_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "rules.md").write_text("old", encoding="utf-8")
    script = "import sys; from pathlib import Path; from scripts import docs; docs.ROOT = Path(sys.argv.pop(1)); sys.exit(docs.main())"
    command = [sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run([*command, "--check"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (1, "docs/rules.md, docs/tools.md: out of date; run scripts/docs.py\n")
    assert (tmp_path / "docs" / "rules.md").read_text(encoding="utf-8") == "old"
    written = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert written.returncode == 0, written.stderr
    assert (tmp_path / "docs" / "rules.md").read_bytes() == (ROOT / "docs" / "rules.md").read_bytes()
    assert (tmp_path / "docs" / "tools.md").read_bytes() == (ROOT / "docs" / "tools.md").read_bytes()


@each_case("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_leads_to_a_file(document: Path) -> None:
    targets = LINK.findall(document.read_text(encoding="utf-8"))
    assert [target for target in targets if not (document.parent / target).exists()] == []


def test_the_index_names_every_document() -> None:
    named = set(LINK.findall((ROOT / "docs" / "README.md").read_text(encoding="utf-8")))
    assert {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"} <= named
