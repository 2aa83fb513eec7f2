"""ContextFrame: what a goal's validated params leave for later goals, with where it came from."""

from collections.abc import Hashable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from core.base.late_dataclasses import dataclass
from core.goals.secret_values import NO_VAULT, Vault
from core.goals.world import WorldState
from core.policy.policy import Policy
from core.rules.rule_types import PlannerRule

Scalar = str | int | float | bool


@dataclass(frozen=True, slots=True)
class ContextFrame:
    """Small facts of one domain.

    Attributes:
        data: Scalars by key; read-only.
    """

    domain: str
    data: Mapping[str, Scalar]
    produced_by: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "data", MappingProxyType(dict(self.data)))


def produce_frames(rule: PlannerRule, params: Mapping[str, Any], goal_id: str) -> tuple[ContextFrame, ...]:
    """Return the frame that validated params leave: non-null scalars only, and none where no key is left."""
    production = rule.context_production
    if production is None:
        return ()
    data = {key: params[key] for key in production.keys if isinstance(params.get(key), str | int | float | bool)}
    return (ContextFrame(production.domain, data, goal_id),) if data else ()


def consume_frames(rule: PlannerRule, params: Mapping[str, Any], frames: Iterable[ContextFrame]) -> dict[str, Any]:
    """Return the params with missing ones filled from frames; explicit ones always win."""
    filled = dict(params)
    known = tuple(frames) if rule.context_consumption else ()
    for param, (domain, key) in rule.context_consumption.items():
        if filled.get(param) is not None:
            continue
        for frame in known:
            if frame.domain == domain and key in frame.data:
                filled[param] = frame.data[key]
                break
    return filled


@dataclass(frozen=True, slots=True)
class PlanningContext:
    """Everything that planning one goal may look at.

    Attributes:
        base: The folder that the goal's relative paths hang below and that all its paths must lie in, absolute or
            anchored; empty for the workspace, and then anchors and absolute paths may name others.
    """

    world: WorldState
    policy: Policy = Policy()
    frames: tuple[ContextFrame, ...] = ()
    lane: str = "main"
    base: str = ""
    vault: Vault = NO_VAULT


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
