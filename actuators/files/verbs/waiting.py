"""Waiting until a file or folder is there, has changed, or is gone."""

import time
from contextlib import closing
from functools import partial

from actuators.deadlines import pause
from actuators.files.jobs.jobs import FileJob, JobRunner
from actuators.files.jobs.parents import is_above_root
from actuators.files.jobs.states import tell_state
from actuators.files.ports import FilePlace, FileState, Folder
from core.base.errors import DeadlineError, FileError
from core.base.late_dataclasses import dataclass
from core.base.phrases import escape_text
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext
from core.tools.previews import ABSENT

_REST_S = 0.25
"""A file that hasn't changed for this long is no longer being written."""

_STEP_S = 1.0
"""Nothing is trusted to tell of every change: at least this often somebody looks."""

_RESERVE_S = 0.2


@dataclass(frozen=True, slots=True)
class _WaitState:
    """What was seen: the state, and where content matters its short text."""

    state: FileState | None
    mark: str = ABSENT


async def wait_for_state(
    runner: JobRunner, context: ActionContext, path: str, state: str, timeout_s: float
) -> ToolOutcome:
    """Wait for a state of a path, ``exists``, ``changed`` or ``removed``, so many seconds at most; else raise a DeadlineError."""
    began = time.monotonic()
    limit_s = max(0.0, min(timeout_s, context.timeout_s - min(_RESERVE_S, context.timeout_s / 10)))
    looking = partial(_look, path=path, marking=state == "changed")
    first = await runner.run(context, looking)
    with (
        closing(await runner.run(context, partial(_find_watched, path=path))) as folder,
        runner.hands.watcher.watch(FilePlace(folder, "").bare.folder) as watch,
    ):
        look = await runner.run(context, looking)
        while not _is_met(state, first, look) or not await _rests(runner, context, path, look):
            left_s = limit_s - (time.monotonic() - began)
            if left_s <= 0:
                raise DeadlineError(
                    f"“{escape_text(path)}” did not become “{state}” within {limit_s:g} s: {_tell(look.state)}.",
                    hint="Wait longer, or check what should cause it.",
                    evidence={"path": path, "state": _tell(look.state)},
                )
            await watch.pause(min(left_s, _STEP_S))
            look = await runner.run(context, looking)
    output = {"state": state, "waited_s": round(time.monotonic() - began, 3)}
    place = runner.open_job(context).describe(path)
    return ToolOutcome(output={**place, **output}, evidence={"state": _tell(look.state)})


def _look(job: FileJob, path: str, *, marking: bool) -> _WaitState:
    try:
        spot = job.find(path)
        state = spot.state()
        if state is None or not marking:
            return _WaitState(state)
        return _WaitState(state, tell_state(job, spot))
    except FileError as error:
        if error.code not in {"not_found", "wrong_type"}:
            raise
        return _WaitState(None)


def _find_watched(job: FileJob, path: str) -> Folder:
    """Return the deepest folder above a path that is there; in it something will happen first."""
    for above in job.path(path).parents:
        try:
            spot = job.find_own(str(above)) if is_above_root(job, str(above)) else job.find(str(above))
        except FileError as error:
            if error.code != "not_found":
                raise
            continue
        if spot.state() is not None:
            return spot.descend()
    raise FileError(f"No folder exists above “{escape_text(path)}”.", code="not_found")


def _is_met(state: str, first: _WaitState, now: _WaitState) -> bool:
    if state == "removed":
        return now.state is None
    if state == "exists":
        return now.state is not None
    return now.state is not None and now.mark != first.mark


async def _rests(runner: JobRunner, context: ActionContext, path: str, look: _WaitState) -> bool:
    """Tell whether a file is as it was seen, and stays so for a while; what is gone, and a folder, rests."""
    before = look.state
    if before is None or before.kind == "folder":
        return True
    if time.time_ns() - before.modified_ns > 2 * _REST_S * 1_000_000_000:
        return True
    await pause(_REST_S)
    return before.looks_like((await runner.run(context, partial(_look, path=path, marking=False))).state)


def _tell(state: FileState | None) -> str:
    return "nothing is there" if state is None else f"a {state.kind} of {state.size_bytes} bytes is there"
