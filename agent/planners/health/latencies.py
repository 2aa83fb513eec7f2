"""How long planners' runs took."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

from core.planning.planners.planner_runs import KeptPlannerRun

DURATION = "ms"
"""The metric of a run that says how long it took, in milliseconds."""


def group_runs(runs: Iterable[KeptPlannerRun]) -> dict[str, tuple[KeptPlannerRun, ...]]:
    """Return runs by planner, the planners by name."""
    grouped: dict[str, list[KeptPlannerRun]] = defaultdict(list)
    for run in runs:
        grouped[run.planner_id].append(run)
    return {planner_id: tuple(grouped[planner_id]) for planner_id in sorted(grouped)}


def has_begun(run: KeptPlannerRun) -> bool:
    """Tell whether a run began; one that was refused before, as for wrong parameters, says nothing of its planner."""
    return bool(run.steps) or run.metrics.get(DURATION, 1.0) > 0


def list_durations_s(runs: Iterable[KeptPlannerRun]) -> list[float]:
    """Return how many seconds runs took, as far as they say it; those that were stopped tell nothing."""
    whole = (run for run in runs if run.outcome != "cancelled" and has_begun(run))
    return [run.metrics[DURATION] / 1000 for run in whole if DURATION in run.metrics]


def find_percentile(values: Sequence[float], percent: float) -> float:
    """Return the smallest of the values that so many percent of them don't exceed (nearest rank).

    Args:
        values: At least one.
        percent: Above 0, at most 100.
    """
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]
