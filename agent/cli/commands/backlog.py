"""`surehand backlog`: what planners have to do, and setting it by hand."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args

from agent.cli.asking import locate_kept
from agent.cli.declaring import command, make_group
from agent.cli.exits import SUCCEEDED
from agent.cli.options import HERE, AsJson, Option, Workspace
from agent.cli.screen.output import show, write_lines, write_notes
from agent.planners.backlog.sqlite_backlog import SqliteBacklog
from core.base.errors import InputError
from core.base.late_dataclasses import dataclass
from core.base.phrases import cut_text
from core.base.scope_paths import ScopePath, begin_scope
from core.planning.planners.backlog_moves import refuse_unknown
from core.planning.planners.ports import BacklogItem, BacklogState, Transition
from core.results.records import to_data
from core.rules.params import suggest

Result = TypeVar("Result")

BY_HAND = "set by hand"
_STATES: tuple[BacklogState, ...] = get_args(BacklogState)
_WIDTH = 100

app = make_group("See what planners have to do, or set it by hand.", "surehand backlog list")
Item = Annotated[str, Option("ITEM", "Id of the item.")]


@command(app, "list", "surehand backlog list --state pending")
def list_backlog(
    state: Annotated[str, Option("--state STATE", "Show only items that stand there.")] = "",
    plan: Annotated[str, Option("--plan PLAN", "Show only items of this plan.")] = "",
    as_json: AsJson = False,
    workspace: Workspace = HERE,
) -> int:
    """List what is to be done, the oldest first, and how far each plan is."""

    async def read(backlog: SqliteBacklog, scope: ScopePath) -> tuple[list[BacklogItem], dict[str, float]]:
        items = await backlog.list_items(scope, _read_state(state) if state else None)
        shown = [item for item in items if plan in {"", item.plan_id}]
        plans = dict.fromkeys(item.plan_id for item in shown if item.plan_id)
        return shown, {each: await backlog.find_coverage(scope, each) for each in plans}

    items, coverage = _work(workspace, read)
    lines = [*map(_describe_item, items), *(f"Plan {each}: {share:.0%} done" for each, share in coverage.items())]
    show({"items": to_data(items), "coverage": coverage}, lines or ["The backlog is empty."], as_json=as_json)
    return SUCCEEDED


@command(app, "show", "surehand backlog show page-7")
def show_item(item_id: Item, as_json: AsJson = False, workspace: Workspace = HERE) -> int:
    """Show an item, and how it got where it is."""

    async def read(backlog: SqliteBacklog, scope: ScopePath) -> tuple[list[BacklogItem], list[Transition]]:
        items = [item for item in await backlog.list_items(scope) if item.item_id == item_id]
        if not items:
            raise refuse_unknown(item_id, scope)
        return items, [move for move in await backlog.list_transitions(scope) if move.item_id == item_id]

    items, moves = _work(workspace, read)
    data = [{**to_data(item), "moves": to_data(_select(moves, item))} for item in items]
    show(data, (line for item in items for line in _describe_whole(item, _select(moves, item))), as_json=as_json)
    return SUCCEEDED


@dataclass(frozen=True, slots=True)
class NewItem:
    """What is to be done."""

    item_id: Item
    title: Annotated[str, Option("TITLE", "What is to be done.")] = ""
    plan: Annotated[str, Option("--plan PLAN", "The plan that it is a part of.")] = ""
    capability: Annotated[str, Option("--for CAPABILITY", "Which planners may take it; none where absent.")] = ""
    data: Annotated[str, Option("--data JSON", "What the planner is given: an object, or @FILE with one.")] = ""
    priority: Annotated[int, Option("--priority N", "The higher, the sooner.")] = 0


@command(
    app,
    "add",
    "surehand backlog add page-7 'Read page 7' --plan catalogue",
    "surehand backlog add mugs --for extract --data @mugs.json --priority 5",
)
def add_item(item: NewItem, workspace: Workspace = HERE) -> int:
    """Add something for planners to do."""
    wanted = BacklogItem(
        item_id=item.item_id,
        title=item.title or item.item_id,
        plan_id=item.plan,
        consumed_by=item.capability,
        data=_read_data(item.data),
        priority=item.priority,
    )
    _work(workspace, lambda backlog, scope: backlog.add(scope, wanted))
    write_lines([f"{item.item_id} is pending."])
    return SUCCEEDED


@command(app, "set", "surehand backlog set page-7 pending --because 'the page has changed'")
def set_item(
    item_id: Item,
    state: Annotated[str, Option("STATE", "pending, active, blocked, done or failed.")],
    because: Annotated[str, Option("--because WHY", "The reason; needed to set an item back to pending.")] = "",
    workspace: Workspace = HERE,
) -> int:
    """Set where an item stands."""

    async def flip(backlog: SqliteBacklog, scope: ScopePath) -> Transition:
        if (after := _read_state(state)) == "pending" and not because.strip():
            raise InputError(f"{item_id} can't become pending again without a reason.", hint="Add --because WHY.")
        return await backlog.flip(scope, item_id, after, because or BY_HAND)

    move = _work(workspace, flip)
    write_lines([f"{move.item_id}: {move.before} → {move.after}"])
    return SUCCEEDED


def _work(workspace: Path, work: Callable[[SqliteBacklog, ScopePath], Awaitable[Result]]) -> Result:
    """Return what comes of work on the backlog of a workspace; what is wrong with the backlog is noted."""
    folder = locate_kept(workspace)

    async def perform() -> tuple[Result, tuple[str, ...]]:
        backlog = SqliteBacklog(folder)
        try:
            found = await work(backlog, begin_scope())
            return found, (*backlog.take_notes(), *await backlog.find_faults())
        finally:
            await backlog.close()

    found, notes = asyncio.run(perform())
    write_notes(notes)
    return found


def _read_data(told: str) -> Mapping[str, Any]:
    """Return what a planner is given."""
    if not told:
        return {}
    try:
        read = json.loads(Path(told[1:]).read_text("utf-8") if told.startswith("@") else told)
    except ValueError as error:
        raise InputError(f"--data is not JSON: {error}.") from None
    if not isinstance(read, dict):
        raise InputError("--data is not an object.", hint='Write it like \'{"task": "…"}\'.')
    return read


def _read_state(state: str) -> BacklogState:
    for each in _STATES:
        if each == state:
            return each
    text = f'An item can\'t be "{state}"{suggest(state, _STATES)}.'
    raise InputError(text, hint=f"It can be {', '.join(_STATES)}.")


def _select(moves: Sequence[Transition], item: BacklogItem) -> list[Transition]:
    return [move for move in moves if move.scope == item.scope]


def _describe_item(item: BacklogItem) -> str:
    told = cut_text(item.title, _WIDTH) if item.title != item.item_id else ""
    return f"{item.state:<8} {item.changed_at[:19]:19}Z  {item.item_id}  {told}".rstrip()


def _describe_whole(item: BacklogItem, moves: Sequence[Transition]) -> Iterator[str]:
    yield f"{item.item_id}: {item.state}"
    for name, value in (
        ("title", item.title),
        ("plan", item.plan_id),
        ("for", item.consumed_by),
        ("from", item.produced_by),
        ("scope", item.scope),
    ):
        if value:
            yield f"{name:<7} {value}"
    yield "moves" if moves else "No move of the last 30 days."
    for move in moves:
        came = f"{move.before} → {move.after}" if move.before else move.after
        yield f"  {move.at[:19]}Z  {came}  {cut_text(move.because, _WIDTH)}".rstrip()
