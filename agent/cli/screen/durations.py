"""Durations as people say them."""

_SECOND_MS = 999.5
"""From here on milliseconds round to a second."""
_MINUTE_S = 60


def tell_duration(ms: float) -> str:
    """Return a duration: ``12 ms``, ``1.8 s``, ``2 min 5 s``.

    Args:
        ms: Milliseconds.
    """
    if ms < 999.5:
        return f"{ms:.0f} ms"
    seconds = round(ms / 1000, 1)
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), _MINUTE_S)
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"
