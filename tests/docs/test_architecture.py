"""ARCHITECTURE.md leads to files that there are, and its ways through the house are those that a request takes."""

import re
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from agent.assembly import make_session
from agent.requests.requests import Request
from agent.settings.settings import load_settings
from core.approvals.approvals import ClassGate
from tests.docs.examples import ROOT
from tests.docs.test_contributing import list_paths

TEXT = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
WAYS = dict(re.findall(r"^\*\*An? ([^.]+)\.\*\*(.*?)(?=^\*\*|^## )", TEXT, re.DOTALL | re.MULTILINE))
MOST_MODULES = 10


def list_modules(way: str) -> set[str]:
    return {path for path in list_paths(WAYS[way]) if path.endswith((".py", ".ts"))}


def test_every_path_leads_to_something() -> None:
    assert sorted({path for path in list_paths(TEXT) if not (ROOT / path).exists()}) == []


def test_a_sentence_a_click_a_change_and_a_crash_go_through_ten_modules_each_at_most() -> None:
    assert list(WAYS) == ["sentence", "click", "change of a file", "crash"]
    counts = {way: len(list_modules(way)) for way in WAYS}
    assert all(5 < count <= MOST_MODULES for count in counts.values()), counts


async def test_a_sentence_that_changes_a_file_goes_the_ways_that_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUREHAND_STATE", str(tmp_path / "state"))
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    entered = set[str]()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            entered.add(frame.f_code.co_filename)

    async with make_session(load_settings(workspace), workspace) as session:
        threading.setprofile(note)
        sys.setprofile(note)
        try:
            request = Request(utterance='create a file called "notes.txt" with "milk"', gate=ClassGate(("apply_diff",)))
            result = await session.run(request)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
    assert (workspace / "notes.txt").read_text(encoding="utf-8") == "milk", result.reply
    told = list_modules("sentence") | list_modules("change of a file")
    rows, undo = "core/planner_rules.py", "actuators/files/verbs/undo.py"  # data, and what is called later
    assert sorted(path for path in told - {rows, undo} if str(ROOT / path) not in entered) == []
