"""Availability: whether this machine can do something, why not, and how to fix it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether a capability is here.

    Attributes:
        capability: Its name, as the rules table's ``needs`` writes it.
        available: Whether it can be used now.
        reason: Why, or why not.
        remedy: What to do where it isn't available; empty otherwise.
    """

    capability: str
    available: bool
    reason: str
    remedy: str = ""
