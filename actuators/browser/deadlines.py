"""How much of an action's time is left."""

import time

MOST_RESERVE_S = 0.5


def allow_s(wait_s: float) -> float:
    """Return the time-out whose deadline comes after just that many seconds."""
    return wait_s + min(MOST_RESERVE_S, wait_s / 9)


class Deadline:
    """The end of an action's time, a little before the executor's, so that there is time to say what was missing."""

    def __init__(self, timeout_s: float) -> None:
        """Start counting.

        Args:
            timeout_s: Seconds until the executor cancels the action; greater than zero.
        """
        self._start_s = time.monotonic()
        self._end_s = self._start_s + timeout_s - min(MOST_RESERVE_S, timeout_s * 0.1)

    @property
    def elapsed_s(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self._start_s

    @property
    def remaining_s(self) -> float:
        """Seconds left; never less than a millisecond, because Playwright takes zero for "for ever"."""
        return max(self._end_s - time.monotonic(), 0.001)

    @property
    def remaining_ms(self) -> float:
        """Milliseconds left, at least one."""
        return self.remaining_s * 1000
