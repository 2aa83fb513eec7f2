"""The flows benchmark: how much of a task a small program gets done that sees only outlines, on our sites and on pages and kits of others.

The program knows nothing of a page but the text of `browser.snapshot`. It picks the lines that share most words with a step, pastes them, and looks at
what has changed. The end is judged by the site's own state. What worked is then kept as a flow file, and run again by `surehand run`, without any
outline, on a site that is as it was at first. The files lie in `build/flows` afterwards.
"""

import asyncio
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agent.assembly import make_session
from agent.settings.settings import Settings
from scripts.benchmarks.looks.tools import MissingToolError
from scripts.benchmarks.outlined.kept import run_flow, save_flow, write_flow
from scripts.benchmarks.outlined.sites import Place
from scripts.benchmarks.outlined.tasks import Task
from scripts.benchmarks.outlined.tasks_ours import OURS
from scripts.benchmarks.outlined.tasks_theirs import THEIRS
from scripts.benchmarks.outlined.walking import StuckError, Walk, Walker

TASKS = (*OURS, *THEIRS)
SETTLE_S = 2.0
_POLL_S = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """What came of a task.

    Attributes:
        task: Its name.
        steps: How many it has.
        looks: How often the page was looked at.
        tokens: Of all that was seen.
        seconds: How long it took.
        trouble: Why it didn't end right; empty where it did.
        kept: Why the flow file that was kept didn't end right; empty where it did.
        notes: What went wrong on the way.
        flow: The flow file.
    """

    task: str
    steps: int
    looks: int
    tokens: int
    seconds: float
    trouble: str
    kept: str
    notes: tuple[str, ...]
    flow: str


async def measure_flows(only: Sequence[str] = ()) -> dict[str, Any]:
    """Return the report.

    Args:
        only: Parts of the names of tasks; empty for all.

    Raises:
        SystemExit: If there is no such task.
    """
    tasks = [task for task in TASKS if not only or any(part.casefold() in task.name.casefold() for part in only)]
    if not tasks:
        raise SystemExit(f"no such task: {', '.join(only)}")
    endings: list[Ending] = []
    for task in tasks:
        try:
            endings.append(await run_task(task))
        except MissingToolError as error:
            print(f"– {task.name} is left out: {error}", flush=True)
            continue
        print(describe_ending(endings[-1]), flush=True)
        if not endings[-1].trouble:
            save_flow(task.name, endings[-1].flow)
    return {"name": "flows", **add_up(endings), "samples": {"flows": [asdict(each) for each in endings]}}


async def run_task(task: Task, *, again: bool = True) -> Ending:
    """Do a task by outlines, and once more by the flow that was kept of it.

    Args:
        task: The task.
        again: Whether the kept flow is run.

    Raises:
        MissingToolError: If its page can't be had.
    """
    with task.serve() as place:
        began = time.perf_counter()
        walk, trouble = await _walk(task, place)
        seconds = time.perf_counter() - began
        trouble = trouble or await _find_difference(task, place)
        start = place.address
    flow = write_flow(task.name, walk.goals)
    kept = await _run_kept(task, walk, start) if again and not trouble else "not run"
    return Ending(
        task=task.name,
        steps=len(task.steps),
        looks=walk.looks,
        tokens=walk.tokens,
        seconds=round(seconds, 1),
        trouble=trouble,
        kept=kept,
        notes=tuple(walk.notes),
        flow=flow,
    )


async def _walk(task: Task, place: Place) -> tuple[Walk, str]:
    settings = Settings(failure_pictures=False, log_file="off")
    with tempfile.TemporaryDirectory(prefix="surehand-bench-") as folder:
        async with make_session(settings, Path(folder)) as session:
            walker = Walker(session)
            try:
                await walker.open(place.address)
                for step in task.steps:
                    await walker.do(step)
                # A page that is left at once could not tell its server any more.
                return walker.walk, await _find_difference(task, place)
            except StuckError as error:
                return walker.walk, str(error)


async def _run_kept(task: Task, walk: Walk, start: str) -> str:
    with task.serve() as place, tempfile.TemporaryDirectory(prefix="surehand-bench-") as folder:
        here = [
            (verb, {**params, "url": place.address} if params.get("url") == start else params)
            for verb, params in walk.goals
        ]
        trouble = await asyncio.to_thread(run_flow, write_flow(task.name, here), Path(folder))
        return trouble or await _find_difference(task, place)


async def _find_difference(task: Task, place: Place) -> str:
    """Return what the site says instead of what is wanted, once it has had time to settle; nothing where that is the same."""
    until = time.monotonic() + SETTLE_S
    while (found := await asyncio.to_thread(place.read)) != task.wanted:
        if time.monotonic() > until:
            return f"the site says {found!r}, not {task.wanted!r}"
        await asyncio.sleep(_POLL_S)
    return ""


def describe_ending(ending: Ending) -> str:
    """Return what came of a task, with what went wrong below it."""
    mark = "✗" if ending.trouble else "✓"
    cost = f"{ending.steps} steps, {ending.looks} looks, {ending.tokens:,} tokens, {ending.seconds} s"
    if ending.trouble:
        return "\n".join(
            [
                f"{mark} {ending.task}: {cost}",
                f"    {ending.trouble}",
                *(f"    on the way: {note}" for note in ending.notes),
            ]
        )
    kept = f"as a flow file it does not: {ending.kept}" if ending.kept else "and again as a flow file"
    return "\n".join([f"{mark} {ending.task}: {cost}; {kept}", *(f"    on the way: {note}" for note in ending.notes)])


def add_up(endings: Sequence[Ending]) -> dict[str, Any]:
    """Return figures and notes."""
    right = [each for each in endings if not each.trouble]
    figures = {
        "right": len(right),
        "right_as_flow_files": sum(not each.kept for each in right),
        "tokens_a_task": sum(each.tokens for each in endings) / max(1, len(endings)),
        "tokens_a_look": sum(each.tokens for each in endings) / max(1, sum(each.looks for each in endings)),
    }
    return {
        "figures": figures,
        "notes": {"right": f"of {len(endings)} tasks", "right_as_flow_files": f"of {len(right)}"},
    }
