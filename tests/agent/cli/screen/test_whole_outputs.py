"""What a run prints, keeps and tells of what was read: as lines, and whole where that is asked for."""

import json
from pathlib import Path

from tests.agent.conftest import Command


def read_list() -> str:
    """Write a flow that reads a text of many lines."""
    Path("numbers.txt").write_text("".join(f"{number} things\n" for number in range(1, 41)), encoding="utf-8")
    Path("flow.yaml").write_text("goals:\n  - file.read: {path: numbers.txt}\n", encoding="utf-8")
    return "flow.yaml"


def test_a_run_shows_the_first_lines_and_keeps_all_of_them(surehand: Command) -> None:
    said = surehand("run", read_list())
    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[0].startswith("1 ✓ ")
    assert "→ 40 lines" in lines[0]
    assert lines[1:21] == [f"    {number} things" for number in range(1, 21)]
    assert lines[21] == "    … 20 more lines: surehand sessions show last --full"
    assert lines[22].endswith("says: “1 things” and 39 more lines.")
    kept = surehand("sessions", "show", "last", "--full").out.splitlines()
    assert [line.strip() for line in kept if line.endswith(" things")] == [
        f"{number} things" for number in range(1, 41)
    ]
    assert "40 things" not in surehand("sessions", "show", "last").out


def test_all_lines_are_shown_where_they_are_asked_for(surehand: Command) -> None:
    said = surehand("run", read_list(), "--full")
    assert [line for line in said.out.splitlines() if line.endswith(" things")] == [
        f"    {number} things" for number in range(1, 41)
    ]


def test_data_is_whole_without_asking(surehand: Command) -> None:
    events = [json.loads(line) for line in surehand("run", read_list(), "--json").out.splitlines()]
    texts = [each["output"]["text"] for each in events if each["event"] == "step" and each["status"] == "ok"]
    assert texts == [Path("numbers.txt").read_text(encoding="utf-8")]


def test_quiet_and_full_contradict_each_other(surehand: Command) -> None:
    said = surehand("run", "go to example.com", "--quiet", "--full")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error (bad_usage): Choose one of --full and --quiet.")
