"""How much of a long table or of a property's examples this run goes through: all in the full lane, a part that changes by the day elsewhere.

The full lane sets `SUREHAND_THOROUGH`. `SUREHAND_DAY`, a whole number, stands for the day, so that all processes of a run draw the same.
"""

import datetime as dt
import os
from collections.abc import Iterable
from typing import TypeVar

Case = TypeVar("Case")

THOROUGH = "SUREHAND_THOROUGH"
DAY = "SUREHAND_DAY"
_FEWER = 5  # times fewer examples of a property than in the full lane
_LEAST = 10


def is_thorough() -> bool:
    """Tell whether this run leaves nothing out."""
    return bool(os.environ.get(THOROUGH))


def read_day() -> int:
    """Return the number of the day that draws what is run."""
    return int(os.environ.get(DAY) or dt.datetime.now(tz=dt.UTC).toordinal())


def spread(cases: Iterable[Case], most: int) -> list[Case]:
    """Return all cases in the full lane, else at most so many, evenly drawn; in time, every case has its day.

    Args:
        cases: The table.
        most: How many at the most, 1 or more.
    """
    listed = list(cases)
    if is_thorough() or len(listed) <= most:
        return listed
    step = -(-len(listed) // most)
    return listed[read_day() % step :: step]


def examples(count: int) -> int:
    """Return how many examples a property is tried with: `count` in the full lane, else a fifth of it, but 10 at the least."""
    return count if is_thorough() else min(count, max(_LEAST, count // _FEWER))
