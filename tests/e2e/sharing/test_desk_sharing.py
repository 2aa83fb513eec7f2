"""Runs that share a desktop with other runs."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from actuators.base import Environment
from actuators.desktop.platforms.linux import make_back_end
from fixtures.machine.desktop import PrivateDesktop
from tests.actuators.desktop.perception.programs import Programs
from tests.e2e.sharing.test_desk import ask, read_final

EDITOR = "Untitled 1 - Mousepad"
_LENGTH = 400


async def run(desk: PrivateDesktop, folder: Path, goals: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Run goals as a process of their own and return its last event."""

    def start() -> dict[str, Any]:
        folder.mkdir()
        (folder / "goals.json").write_text(json.dumps(goals), encoding="utf-8")
        return read_final(ask(desk.environ, folder, "run", "--goals", "goals.json", "--json"))

    return await asyncio.to_thread(start)


def goal(verb: str, scope: str = "root", **params: Any) -> dict[str, Any]:
    """Return a goal of the desktop."""
    return {"domain": "desktop", "verb": verb, "params": params, "scope": scope}


async def test_two_runs_that_type_into_one_desktop_take_turns(desk: PrivateDesktop, tmp_path: Path):
    programs = Programs(desk, make_back_end(Environment(platform="linux", variables=desk.environ, state_dir=tmp_path)))
    try:
        await check_turns(programs, desk, tmp_path)
    finally:
        await programs.close()


async def check_turns(programs: Programs, desk: PrivateDesktop, tmp_path: Path) -> None:
    """Let two runs type into one editor at once, and look at what it holds then."""
    await programs.open(EDITOR, "mousepad", "--disable-server")
    await programs.call("wait", role="textbox", window=EDITOR, timeout=20)
    await programs.call("type", text="begin: ", window=EDITOR)
    texts = ("ab" * (_LENGTH // 2), "12" * (_LENGTH // 2))
    goals = [[goal("focus_window", window=EDITOR), goal("type", "after:g0", text=text)] for text in texts]
    finals = await asyncio.gather(*(run(desk, tmp_path / str(place), each) for place, each in enumerate(goals)))
    assert [final["outcome"] for final in finals] == ["success", "success"]
    held = (await programs.call("read", role="textbox", window=EDITOR)).output["text"]
    assert held in {f"begin: {texts[0]}{texts[1]}", f"begin: {texts[1]}{texts[0]}"}
    seats = [step["result"]["evidence"]["seat"] for final in finals for step in final["steps"]]
    assert {seat["on"] for seat in seats} == {f"display {desk.environ['DISPLAY']}"}
