"""Heritage: what a goal has from the goals before it, each thing from the nearest that has it.

It is handed from parent to child, so that nobody walks over all ancestors: planning a goal costs the same however many
came before it.
"""

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

from core.planning.context import ContextFrame

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")

Heritage = Mapping[_Key, tuple[int, _Value]]
"""Things by name, each with how many steps up the goal is that it comes from: 0 for the goal itself."""


def inherit(parents: Iterable[Heritage[_Key, _Value]]) -> dict[_Key, tuple[int, _Value]]:
    """Return what a goal has from its parents: of two things of a name the nearer, else that of the earlier parent."""
    found: dict[_Key, tuple[int, _Value]] = {}
    for parent in parents:
        for name, (distance, value) in parent.items():
            if name not in found or distance + 1 < found[name][0]:
                found[name] = (distance + 1, value)
    return found


def list_facts(frames: Iterable[ContextFrame]) -> dict[tuple[str, str], tuple[int, ContextFrame]]:
    """Return the facts that a goal leaves itself, each as a frame of its own, by domain and key."""
    return {
        (frame.domain, key): (0, ContextFrame(frame.domain, {key: value}, frame.produced_by))
        for frame in frames
        for key, value in frame.data.items()
    }
