"""What was promised is on the disk when the power fails in any moment, whatever else the disk had or hadn't written by then.

Each kind of file is kept by a real process; what the disk may hold after each of its system calls is read by the real readers.
"""

import asyncio
import json
import os
import shutil
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from agent.planners.backlog.sqlite_backlog import SqliteBacklog
from agent.store.context_file import ContextFile
from agent.store.journal.sqlite_journal import SqliteJournal
from agent.store.seals import Seal
from agent.store.session_files import SessionFiles
from core.base.errors import SurehandError
from tests.agent.conftest import PROGRAM
from tests.agent.store.conftest import ROOT
from tests.agent.store.durable_child import ANN, STATES
from tests.power_loss import Call, Disk, can_watch, watch, write_disk
from tests.thoroughness import spread

pytestmark = pytest.mark.skipif(not can_watch(), reason="strace can't watch programs here")

CHILD = Path(__file__).with_name("durable_child.py")
Judge = Callable[[Path, str], Awaitable[str]]


def run_child(what: str, root: Path) -> list[Call]:
    environment = os.environ | {"PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(root / "state")}
    return watch([sys.executable, str(CHILD), what, str(root / ".surehand")], environment, root)


def list_losses(calls: list[Call], root: Path) -> Iterator[tuple[str, str, dict[str, bytes | None]]]:
    """Yield what had been promised last, where the power failed, and the files that are left, each once."""
    disk, kept = Disk(root), ""
    seen: set[int] = set()
    for number, call in enumerate(calls):
        if call.name == "write" and call.args[0].startswith(b"1<") and call.args[1].startswith(b"kept "):
            kept = call.args[1].decode().removeprefix("kept ").strip()
        elif not disk.play(call):
            continue
        for how, files in disk.list_losses():
            mark = hash((kept, frozenset(files.items())))
            if mark not in seen:
                seen.add(mark)
                yield kept, f"after call {number} ({call.name}), with {how}", files


async def judge_all(calls: list[Call], root: Path, place: Path, judge: Judge) -> int:
    """Judge the disks that may be left, all of them in the full lane; return how many there are."""
    losses = list(list_losses(calls, root))
    for kept, where, files in spread(losses, 60):
        await asyncio.to_thread(write_disk, files, place)
        fault = await judge(place, kept)
        assert not fault, f"promised {kept or 'nothing'}, {where}: {fault}"
        await asyncio.to_thread(shutil.rmtree, place)
    return len(losses)


async def judge_rows(place: Path, kept: str) -> str:
    run_id, _, number = kept.partition(" ")
    promised = {"r1": len(STATES) if run_id == "r2" else 0, "r2": 0} | ({run_id: int(number)} if kept else {})
    journal = SqliteJournal(place / ".surehand", seal=Seal(place / "state" / "surehand"))
    try:
        for each, least in promised.items():
            record = await journal.read(each)
            states = tuple(row.entry.state for row in record.rows)
            if record.damage or states != STATES[: len(states)] or len(states) < least:
                return f"{each} has {states}, {record.damage}"
    except SurehandError as error:
        return str(error)
    finally:
        await journal.close()
    return ""


async def test_every_row_that_was_promised_outlives_a_loss_of_power_and_no_row_is_damaged_by_one(
    tmp_path: Path,
) -> None:
    root = tmp_path / "disk"
    root.mkdir()
    calls = run_child_on(root, "journal")
    assert await judge_all(calls, root, tmp_path / "left", judge_rows) > 200


def run_child_on(root: Path, what: str) -> list[Call]:
    """Run the child on a folder that is empty, also once it has run."""
    calls = run_child(what, root)
    shutil.rmtree(root)
    root.mkdir()
    return calls


async def judge_memory(place: Path, kept: str) -> str:
    file = ContextFile(place / ".surehand")
    try:
        found = {each.key for each in (await file.look())[0].preferences}
    except SurehandError as error:
        return str(error)
    finally:
        await file.close()
    whole = [{f"k{number}" for number in range(count)} for count in range(4)]
    return "" if found in whole[int(kept or 0) :] else f"found {sorted(found)}"


async def judge_runs(place: Path, kept: str) -> str:
    sessions = SessionFiles(place / ".surehand")
    try:
        found = [sessions.find(each).document["n"] for each in sessions.list_ids()]
        if (marker := sessions.folder / "format.json").exists():
            json.loads(marker.read_bytes())
    except (SurehandError, ValueError) as error:
        return str(error)
    least = int(kept) if kept else -1
    return "" if (max(found, default=-1) >= least) else f"found {found}"


@pytest.mark.parametrize(("what", "judge"), [("memory", judge_memory), ("runs", judge_runs)])
async def test_a_file_that_is_replaced_is_the_old_one_or_the_new_one_whenever_the_power_fails(
    tmp_path: Path, what: str, judge: Judge
) -> None:
    root = tmp_path / "disk"
    root.mkdir()
    calls = run_child_on(root, what)
    assert await judge_all(calls, root, tmp_path / "left", judge) > 10


async def judge_items(place: Path, kept: str) -> str:
    number, _, state = kept.partition(" ")
    backlog = SqliteBacklog(place / ".surehand", seal=Seal(place / "state" / "surehand"))
    try:
        found = {item.item_id: item.state for item in await backlog.list_items(ANN)}
        last = {move.item_id: move.after for move in await backlog.list_transitions(ANN)}
        faults = await backlog.find_faults()
    except SurehandError as error:
        return str(error)
    finally:
        await backlog.close()
    least = {f"i{each}": "done" for each in range(int(number or 0))} | ({f"i{number}": state} if kept else {})
    is_there = all(found.get(item_id) in {promised, "done"} for item_id, promised in least.items())
    return "" if is_there and found == last and not faults else f"found {found}, moves {last}, {faults}"


async def test_every_item_and_move_that_was_promised_outlives_a_loss_of_power(tmp_path: Path) -> None:
    root = tmp_path / "disk"
    root.mkdir()
    calls = run_child_on(root, "backlog")
    assert await judge_all(calls, root, tmp_path / "left", judge_items) > 100


async def judge_act(place: Path, kept: str) -> str:
    """Hold what lies in the workspace to what the journal says: nothing without an intent, and done is done."""
    del kept
    path = place / "a.txt"
    content = path.read_bytes() if path.exists() else None
    if content not in {None, b"old", b"tea"}:
        return f"a.txt holds {content!r}"
    journal = SqliteJournal(place / ".surehand", seal=Seal(place / "state" / "surehand"))
    try:
        states: set[str] = set()
        for run_id in await journal.list_runs():
            record = await journal.read(run_id)
            if record.damage:
                return str(record.damage)
            states |= {row.entry.state for row in record.rows if row.entry.action_id}
    except SurehandError as error:
        return str(error)
    finally:
        await journal.close()
    if content == b"tea" and "intent" not in states:
        return f"the act is done, and the journal has {sorted(states)}"
    if "done" in states and content != b"tea":
        return f"the journal says done, and a.txt holds {content!r}"
    return ""


async def test_no_act_is_on_the_disk_before_its_intent_and_no_outcome_before_its_act(tmp_path: Path) -> None:
    root = tmp_path / "disk"
    root.mkdir()
    (root / "a.txt").write_text("old")
    goals = [{"domain": "file", "verb": "write", "params": {"path": "a.txt", "content": "tea"}}]
    (root / "goals.json").write_text(json.dumps(goals))
    command = [str(PROGRAM), "run", "--goals", "goals.json", "--yes", "apply_diff"]
    calls = watch(command, os.environ | {"XDG_STATE_HOME": str(root / "state")}, root)
    assert (root / "a.txt").read_text() == "tea"
    shutil.rmtree(root)
    root.mkdir()
    (root / "a.txt").write_text("old")
    (root / "goals.json").write_text(json.dumps(goals))
    assert await judge_all(calls, root, tmp_path / "left", judge_act) > 100
