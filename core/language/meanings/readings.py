"""Reading: what a sentence that was put right means."""

from typing import NamedTuple


class Reading(NamedTuple):
    """What a mended sentence means.

    Attributes:
        said: What it comes to; two that mean the same are equal.
        is_goal: Whether it can be done as it stands; otherwise something is asked about it.
    """

    said: str
    is_goal: bool
