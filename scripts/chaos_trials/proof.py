"""Proof: a trial in which nothing was broken, attacked or noticed has kept no promise, whatever it counted."""

import math
from collections.abc import Mapping


def scale(asked: float, share: float) -> float:
    """Return the least that a trial must have seen: a share of what was asked for, and never nothing."""
    return float(max(1, math.floor(asked * share)))


def find_unproven(figures: Mapping[str, float], least: Mapping[str, float]) -> list[str]:
    """Return which figures are below what they must be at least, in words.

    Args:
        figures: What was counted, by name.
        least: What must have been counted at least; a name that isn't among the figures was never counted.
    """
    return [
        f"{name.replace('_', ' ')} {figures.get(name, 0):g} of at least {wanted:g}"
        for name, wanted in least.items()
        if not figures.get(name, 0) >= wanted
    ]


def is_proven(figures: Mapping[str, float], least: Mapping[str, float]) -> bool:
    """Tell whether enough was seen; print what wasn't."""
    unproven = find_unproven(figures, least)
    if unproven:
        print(f"proved nothing: {'; '.join(unproven)}")
    return not unproven
