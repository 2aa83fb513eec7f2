"""Scene: what was there to see when a step failed, for people who look into it later."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from core.base.errors import tell_fault
from core.base.late_dataclasses import dataclass, field, replace

if TYPE_CHECKING:
    from core.results.tool_results import ToolResult

SNAPSHOT_S = 2.0
"""Seconds that looking may take; a failure never becomes a hang by it."""


@dataclass(frozen=True, slots=True)
class FailureSnapshot:
    """What was seen, JSON-compatible, and pictures that were made, as absolute paths."""

    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    artifacts: tuple[str, ...] = ()


async def add_snapshot(
    result: "ToolResult", look: Callable[[], Awaitable[FailureSnapshot | None]], left_s: float
) -> "ToolResult":
    """Return the receipt of a failed step with what there was to see, as ``scene`` of its evidence.

    Whatever goes wrong with the look is told there too, and changes nothing else; a run that is stopped meanwhile ends it.
    """
    timeout_s = min(SNAPSHOT_S, left_s)
    if timeout_s <= 0:
        return result
    task = asyncio.ensure_future(look())
    try:
        await asyncio.wait({task}, timeout=timeout_s)
    except asyncio.CancelledError:  # the run was stopped: the step has failed all the same
        return result
    finally:
        if not task.done():
            task.cancel()
    scene = _read_snapshot(task, timeout_s)
    if scene is None:
        return result
    return replace(
        result,
        evidence={**result.evidence, "scene": dict(scene.facts)},
        artifacts=(*result.artifacts, *scene.artifacts),
    )


def _read_snapshot(task: asyncio.Future[FailureSnapshot | None], timeout_s: float) -> FailureSnapshot | None:
    if not task.done() or task.cancelled():
        return FailureSnapshot({"missing": f"The failure snapshot took longer than {timeout_s:g} s."})
    if error := task.exception():
        return FailureSnapshot({"missing": tell_fault(error)})
    return task.result()
