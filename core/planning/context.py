"""ContextFrame: what a goal's validated params leave for later goals, with where it came from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

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
        """Make the data read-only."""
        object.__setattr__(self, "data", MappingProxyType(dict(self.data)))


def produce_frames(rule: PlannerRule, params: Mapping[str, Any], goal_id: str) -> tuple[ContextFrame, ...]:
    """Return the frame that validated params leave: non-null scalars only, and none where no key is left."""
    production = rule.context_production
    if production is None:
        return ()
    data = {key: params[key] for key in production.keys if isinstance(params.get(key), str | int | float | bool)}
    return (ContextFrame(production.domain, data, goal_id),) if data else ()


def consume_frames(rule: PlannerRule, params: Mapping[str, Any], frames: Iterable[ContextFrame]) -> dict[str, Any]:
    """Return the params with missing ones filled from frames; explicit ones always win.

    Args:
        frames: The nearest ancestor's first, then the session's.
    """
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
