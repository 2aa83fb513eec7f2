"""`surehand resume` goes on in the middle of a loop over rows that were read: no round is done twice, and none is left out."""

import json
import signal
import subprocess
import sys
from io import FileIO
from pathlib import Path
from typing import Any

import pytest

from fixtures.site_server import SiteServer
from tests.agent.conftest import PROGRAM
from tests.agent.terminals import open_terminal, read_screen

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL and no pseudo-terminals there")

QUESTION = b"[y/N] "
FLOW = """
goals:
  - browser.navigate: {{url: "{url}/shop/catalogue"}}
  - id: items
    browser.extract: {{rows: "css=ul.plain li:nth-child(-n+3)", fields: {{name: a}}}}
  - repeat: {{rows: "${{items.rows}}", as: item}}
    goals:
      - browser.navigate: {{url: "{url}/elements/till"}}
      - browser.click: {{selector: 'button "Pay"'}}
      - file.append: {{path: log.txt, content: "${{item.name}};"}}
  - browser.expect: {{text: Till}}
"""


def answer(terminal: FileIO, *answers: bytes) -> None:
    """Answer questions in turn; the next one is only shown once the one before was answered."""
    for each in answers:
        read_screen(terminal, QUESTION)
        terminal.write(each)


def read_last(folder: Path) -> dict[str, Any]:
    shown = subprocess.run(
        [str(PROGRAM), "sessions", "show", "last", "--json"], cwd=folder, capture_output=True, timeout=60, check=True
    )
    return json.loads(shown.stdout)


def write_files(folder: Path, site: SiteServer) -> None:
    (folder / "log.txt").write_text("start;")
    (folder / "flow.yaml").write_text(FLOW.format(url=site.url))


def kill_at_second_round(folder: Path) -> None:
    """Run the flow, agree to its first round, and kill it where the second asks."""
    with open_terminal(folder, str(PROGRAM), "run", "flow.yaml") as (terminal, process):
        answer(terminal, b"y\n")
        read_screen(terminal, QUESTION)
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=30)


def test_a_killed_loop_is_gone_on_with_in_its_second_round(tmp_path: Path, site: SiteServer) -> None:
    write_files(tmp_path, site)
    kill_at_second_round(tmp_path)
    assert len(site.events("paid")) == 2
    (first,) = (tmp_path / "log.txt").read_text().removeprefix("start;").removesuffix(";").split(";")
    with open_terminal(tmp_path, str(PROGRAM), "resume", "last") as (terminal, process):
        answer(terminal, b"y\n", b"y\n")
        shown = read_screen(terminal)
        assert process.wait(timeout=60) == 0, shown.decode()
    assert len(site.events("paid")) == 3
    names = (tmp_path / "log.txt").read_text().removeprefix("start;").removesuffix(";").split(";")
    assert names[0] == first
    assert len(set(names)) == len(names) == 3
    kept = read_last(tmp_path)
    assert kept["outcome"] == "success"
    rounds = [
        f"g{goal}r{number}_{verb}_1"
        for number in (1, 2, 3)
        for goal, verb in ((2, "navigate"), (3, "click"), (4, "append"))
    ]
    steps = ["g0_navigate_1", "g1_extract_1", *rounds, "g5_expect_1"]
    assert [(log["action_id"], log["result"]["status"]) for log in kept["step_logs"]] == [
        (each, "ok") for each in steps
    ]
