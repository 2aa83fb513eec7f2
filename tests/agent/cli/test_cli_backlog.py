"""`surehand backlog`, and `surehand migrate` for what planners keep."""

import asyncio
import json
from pathlib import Path

import pytest

from agent.planners.backlog.sqlite_backlog import SqliteBacklog
from agent.planners.drift.shape_file import SHAPES_FILE, Contract, ShapeFile
from agent.store.seals import Seal
from core.base.scope_paths import begin_scope
from core.planning.planners.ports import BacklogItem
from tests.agent.conftest import Command

PERSON = begin_scope()


def work(folder: Path, *items: str, seal: Seal | None = None) -> None:
    """Let planners leave items."""

    async def add() -> None:
        backlog = SqliteBacklog(folder / ".surehand", seal=seal)
        for item_id in items:
            scope = PERSON.child("s1").child("r1")
            await backlog.add(scope, BacklogItem(item_id=item_id, title=f"Read {item_id}", plan_id="catalogue"))
        await backlog.close()

    asyncio.run(add())


def test_an_empty_backlog_is_told_and_not_made(surehand: Command, tmp_path: Path) -> None:
    said = surehand("backlog", "list")
    assert (said.code, said.out, said.err) == (0, "The backlog is empty.\n", "")
    assert list(tmp_path.iterdir()) == []


def test_what_planners_left_is_listed_with_how_far_each_plan_is(surehand: Command, tmp_path: Path) -> None:
    work(tmp_path, "page-1", "page-2")
    assert surehand("backlog", "set", "page-1", "done").out == "page-1: pending → done\n"
    lines = surehand("backlog", "list").out.splitlines()
    assert [line.split()[::2] for line in lines[:2]] == [["done", "page-1", "page-1"], ["pending", "page-2", "page-2"]]
    assert lines[2] == "Plan catalogue: 50% done"
    assert "page-2" not in surehand("backlog", "list", "--state", "done").out
    assert surehand("backlog", "list", "--plan", "other").out == "The backlog is empty.\n"
    found = json.loads(surehand("backlog", "list", "--json").out)
    assert [item["state"] for item in found["items"]] == ["done", "pending"]
    assert found["coverage"] == {"catalogue": 0.5}


def test_an_item_is_added_set_and_shown_with_its_moves(surehand: Command) -> None:
    said = surehand("backlog", "add", "page-7", "Read page 7", "--plan", "catalogue", "--for", "extract")
    assert (said.code, said.out) == (0, "page-7 is pending.\n")
    surehand("backlog", "set", "page-7", "failed", "--because", "no such page")
    said = surehand("backlog", "set", "page-7", "pending")
    assert said.code == 2
    assert "without a reason" in said.err
    assert "--because" in said.err
    surehand("backlog", "set", "page-7", "pending", "--because", "it is back")
    shown = surehand("backlog", "show", "page-7").out
    assert shown.splitlines()[:5] == [
        "page-7: pending",
        "title   Read page 7",
        "plan    catalogue",
        "for     extract",
        "scope   local/person",
    ]
    moves = [line.partition("Z  ")[2] for line in shown.splitlines()[6:]]
    assert moves == ["pending  added", "pending → failed  no such page", "failed → pending  it is back"]
    (found,) = json.loads(surehand("backlog", "show", "page-7", "--json").out)
    assert [move["after"] for move in found["moves"]] == ["pending", "failed", "pending"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("show", "gone"), "backlog_item_missing"),
        (("set", "gone", "done"), "backlog_item_missing"),
        (("set", "page-1", "dine"), 'An item can\'t be "dine" (did you mean "done"?)'),
        (("list", "--state", "open"), 'An item can\'t be "open"'),
        (("set", "page-1", "pending", "--because", "again"), "bad_backlog_move"),
        (("add", "a\nb"), "bad_backlog_item"),
        (("list", "--workspace", "nowhere"), "is not a folder"),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(
    surehand: Command, tmp_path: Path, arguments: tuple[str, ...], told: str
) -> None:
    work(tmp_path, "page-1")
    said = surehand("backlog", *arguments)
    assert (said.code, said.out) == (2, "")
    assert told in said.err


def test_what_a_page_wrote_into_a_title_moves_no_cursor(surehand: Command) -> None:
    surehand("backlog", "add", "a", "title \x1b[2J\u202e end")
    for command in (("list",), ("show", "a")):
        out = surehand("backlog", *command).out
        assert "\x1b" not in out
        assert "\u202e" not in out


def test_the_backlog_of_somebody_else_is_not_shown_as_ones_own(surehand: Command, tmp_path: Path) -> None:
    work(tmp_path, "planted", seal=Seal(tmp_path / "other"))
    said = surehand("backlog", "list")
    assert said.out == "The backlog is empty.\n"
    assert "may not be yours" in said.err
    said = surehand("migrate")
    assert said.code == 1
    assert "planners.sqlite: left unchanged. It may not be yours" in said.out
    said = surehand("migrate", "--adopt")
    assert (said.code, "planners.sqlite: now yours" in said.out) == (0, True)
    assert "planted" in surehand("backlog", "list").out


def test_migrating_takes_up_changed_shapes_and_says_what_changed(surehand: Command, tmp_path: Path) -> None:
    file = ShapeFile(tmp_path / ".surehand")
    file.hold({"rules": {"browser.teleport": Contract()}, "stores": {"journal": Contract(meaning="version 1")}})
    stated = file.path.read_bytes()
    said = surehand("migrate", "--dry-run")
    assert said.code == 0
    assert (
        f"{SHAPES_FILE}: rule browser.teleport is gone; store journal was “version 1”, and is “version 2”" in said.out
    )
    assert file.path.read_bytes() == stated
    said = surehand("migrate")
    assert "rule browser.teleport is gone" in said.out
    assert surehand("migrate").out == "Everything is up to date.\n"
