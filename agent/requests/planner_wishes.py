"""PlannerWish: a planner that is to be carried out, as requests and orders name it."""

from collections.abc import Mapping
from typing import Any

from core.base.late_dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerWish:
    """A planner that is to be carried out.

    Attributes:
        capability: What it can do, such as ``explore``; or the name of a planner.
        tokens: Tokens of models that it may use; None for no limit.
        item: Id of the item of the backlog that it works on; its data are what the planner is given where nothing is given.
        settings: What counts more than the person's settings of planners.
    """

    capability: str
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])
    tokens: int | None = None
    item: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
