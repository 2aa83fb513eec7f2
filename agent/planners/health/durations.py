"""Ages and long durations as people say them."""

_UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"))
_EXACT_BELOW_S = 60


def tell_age(seconds: float) -> str:
    """Return a duration in its two largest units: ``4 s``, ``0.25 s``, ``1 h 5 min``, ``3 d``.

    Args:
        seconds: 0 or more.
    """
    if seconds < _EXACT_BELOW_S:
        return f"{seconds:.3g} s"
    for index, (size, unit) in enumerate(_UNITS):
        count, rest = divmod(int(seconds), size)
        if count and index + 1 < len(_UNITS):
            less, name = _UNITS[index + 1]
            return f"{count} {unit} {rest // less} {name}" if rest >= less else f"{count} {unit}"
    return f"{int(seconds) // 60} min"
