"""`surehand backlog`: what planners have to do, and setting it by hand."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar, get_args

from agent.cli.exits import BAD_INPUT, STEP_FAILED, SUCCEEDED
from agent.cli.screen.output import write_error, write_json, write_notes, write_result
from agent.planners.backlog.sqlite_backlog import SqliteBacklog
from agent.settings.folder_checks import locate_state
from core.base.errors import InputError, RefusedError, SurehandError
from core.base.phrases import cut_text, escape_text
from core.base.scope_paths import ScopePath, begin_scope
from core.planning.planners.backlog_moves import refuse_unknown
from core.planning.planners.ports import BacklogItem, BacklogState, Transition
from core.results.records import to_data
from core.rules.params import suggest

Result = TypeVar("Result")

BY_HAND = "set by hand"
_STATES: tuple[BacklogState, ...] = get_args(BacklogState)
_WIDTH = 100


def list_backlog(workspace: Path, state: str, plan_id: str, *, as_json: bool) -> int:
    """Print the items and how far each plan is; return the exit code.

    Args:
        state: Show only items that stand there; empty for all.
        plan_id: Show only items of this plan; empty for all.
    """

    async def read(backlog: SqliteBacklog, scope: ScopePath) -> tuple[list[BacklogItem], dict[str, float]]:
        items = await backlog.list_items(scope, _read_state(state) if state else None)
        shown = [item for item in items if plan_id in {"", item.plan_id}]
        plans = dict.fromkeys(item.plan_id for item in shown if item.plan_id)
        return shown, {plan: await backlog.find_coverage(scope, plan) for plan in plans}

    def tell(found: tuple[list[BacklogItem], dict[str, float]]) -> None:
        items, coverage = found
        if as_json:
            write_json({"items": to_data(items), "coverage": coverage})
            return
        lines = [*map(_describe_item, items), *(f"Plan {plan}: {share:.0%} done" for plan, share in coverage.items())]
        write_result("".join(f"{escape_text(line)}\n" for line in lines) or "The backlog is empty.\n")

    return _open(workspace, read, tell)


def show_item(workspace: Path, item_id: str, *, as_json: bool) -> int:
    """Print an item and how it got where it is; return the exit code."""

    async def read(backlog: SqliteBacklog, scope: ScopePath) -> tuple[list[BacklogItem], list[Transition]]:
        items = [item for item in await backlog.list_items(scope) if item.item_id == item_id]
        if not items:
            raise refuse_unknown(item_id, scope)
        return items, [move for move in await backlog.list_transitions(scope) if move.item_id == item_id]

    def tell(found: tuple[list[BacklogItem], list[Transition]]) -> None:
        items, moves = found
        if as_json:
            write_json([{**to_data(item), "moves": to_data(_select(moves, item))} for item in items])
            return
        lines = [line for item in items for line in _describe_whole(item, _select(moves, item))]
        write_result("".join(f"{escape_text(line)}\n" for line in lines))

    return _open(workspace, read, tell)


def add_item(workspace: Path, item: BacklogItem) -> int:
    """Add an item; return the exit code."""
    return _open(
        workspace,
        lambda backlog, scope: backlog.add(scope, item),
        lambda _: write_result(f"{escape_text(item.item_id)} is pending.\n"),
    )


def set_item(workspace: Path, item_id: str, state: str, because: str) -> int:
    """Set where an item stands; return the exit code.

    Args:
        because: Why; empty for no reason.
    """

    async def flip(backlog: SqliteBacklog, scope: ScopePath) -> Transition:
        if (after := _read_state(state)) == "pending" and not because.strip():
            raise InputError(f"{item_id} can't become pending again without a reason.", hint="Add --because WHY.")
        return await backlog.flip(scope, item_id, after, because or BY_HAND)

    return _open(
        workspace,
        flip,
        lambda move: write_result(f"{escape_text(move.item_id)}: {move.before} → {move.after}\n"),
    )


def _open(
    workspace: Path,
    work: Callable[[SqliteBacklog, ScopePath], Awaitable[Result]],
    tell: Callable[[Result], None],
) -> int:
    """Work on the backlog of a workspace and tell what came of it; return the exit code."""
    try:
        found, notes = asyncio.run(_work(_locate(workspace), work))
    except SurehandError as error:
        write_error(error)
        return BAD_INPUT if isinstance(error, InputError | RefusedError) else STEP_FAILED
    tell(found)
    write_notes(notes)
    return SUCCEEDED


async def _work(
    folder: Path, work: Callable[[SqliteBacklog, ScopePath], Awaitable[Result]]
) -> tuple[Result, tuple[str, ...]]:
    backlog = SqliteBacklog(folder)
    try:
        found = await work(backlog, begin_scope())
        return found, (*backlog.take_notes(), *await backlog.find_faults())
    finally:
        await backlog.close()


def _locate(workspace: Path) -> Path:
    if not workspace.is_dir():
        raise InputError(f'The workspace "{workspace}" is not a folder.', hint="Name another.")
    return locate_state(workspace)


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
