"""The programs in the documents: each is run as it stands, in a folder of its own, and says what is shown below it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fixtures.site_server import SiteServer
from tests.docs.examples import Example, list_documents, list_examples, matches_output, read_examples

SITES = "127.0.0.1:8123"


def find_output(program: Example) -> str:
    """Return what is shown right below a program, if anything is."""
    document = next(path for path in list_documents() if path.as_posix().endswith(program.file))
    blocks = list(read_examples(document))
    after = blocks[blocks.index(program) + 1 :][:1]
    return after[0].text if after and after[0].kind == "text output" else ""


def run_python(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run Python as somebody else would: in their folder, with nothing of ours on the path."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


@pytest.mark.parametrize("example", list_examples("python program"), ids=str)
def test_every_program_does_what_is_shown(example: Example, tmp_path: Path) -> None:
    with SiteServer() as site:
        place = site.url.removeprefix("http://")
        (tmp_path / "program.py").write_text(example.text.replace(SITES, place), encoding="utf-8")
        done = run_python(["program.py"], tmp_path)
    assert done.returncode == 0, done.stderr
    said = "\n".join(filter(None, done.stdout.replace(place, SITES).splitlines()))
    assert not (shown := find_output(example)) or matches_output(said, shown), said


@pytest.mark.parametrize("example", list_examples("python planner-test"), ids=str)
def test_every_test_of_a_planner_passes(example: Example, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(example.text, encoding="utf-8")
    options = ["-q", "-p", "no:cacheprovider", "-o", "asyncio_mode=auto"]
    done = run_python(["-m", "surehand.testing", *options, "test_it.py"], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
