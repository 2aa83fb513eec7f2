"""UndoRecord: how an act is taken back, as data that outlives the process."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class UndoRecord:
    """How an act is taken back.

    Attributes:
        domain: The family that can do it.
        operation: What it does: a verb of the domain, or an operation that the family names in its documents.
        params: What the operation needs; JSON-compatible.
        guard: What must still be so, such as ``{"sha256": …}``; where it isn't, going back would destroy later work.
    """

    domain: str
    operation: str
    params: Mapping[str, Any] = field(default_factory=dict[str, Any])
    guard: Mapping[str, Any] = field(default_factory=dict[str, Any])
