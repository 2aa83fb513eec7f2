"""Trends: whether a series of measurements grows, told so that neither one odd value nor noise decides."""

import statistics
from collections.abc import Sequence
from itertools import combinations

LEAST_VALUES = 6
"""With fewer, any order of values may come about by chance."""

CLEAR_RISE = 0.5


def condense(values: Sequence[float], turn: int) -> list[float]:
    """Return the median of each whole turn, so that what differs from kind to kind of session is in every value alike.

    Args:
        values: One a session.
        turn: Sessions in a turn, one of each kind.
    """
    return [statistics.median(values[start : start + turn]) for start in range(0, len(values) - turn + 1, turn)]


def find_slope(values: Sequence[float]) -> float:
    """Return how much a series grows from one value to the next: the median of the slopes between any two (Theil and Sen)."""
    slopes = [(values[later] - values[earlier]) / (later - earlier) for earlier, later in _pair(values)]
    return statistics.median(slopes) if slopes else 0.0


def find_rise(values: Sequence[float]) -> float:
    """Return how steadily a series grows, from -1 to 1: the share of pairs that grow less that of those that shrink (Kendall)."""
    signs = [(values[later] > values[earlier]) - (values[later] < values[earlier]) for earlier, later in _pair(values)]
    return statistics.mean(signs) if signs else 0.0


def grows(values: Sequence[float], limit: float, noise: float = 0.0) -> bool:
    """Tell whether a series grows by more than a limit from one value to the next, steadily, and by more than noise in all.

    Args:
        values: In order; fewer than six are never said to grow.
        limit: What is allowed from one to the next.
        noise: What is allowed from the first to the last, so that the steps of a coarse measure say nothing in a short series.
    """
    slope = find_slope(values)
    is_clear = len(values) >= LEAST_VALUES and find_rise(values) >= CLEAR_RISE
    return is_clear and slope > limit and slope * (len(values) - 1) > noise


def _pair(values: Sequence[float]) -> list[tuple[int, int]]:
    return list(combinations(range(len(values)), 2))
