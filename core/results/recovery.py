"""Finding: what was found out about an act whose end nobody saw."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from core.results.tool_results import ToolOutcome

Recovery = Literal["repeat", "compare", "ask"]
"""What settles an act that was begun and whose end was not written down:

- ``repeat``: it is done again, since doing it twice is doing it once;
- ``compare``: what was written down before the act is compared with the world, and that decides;
- ``ask``: a verifier of the flow decides, or a person; it is never done again by itself.
"""

FindingState = Literal["done", "not_done", "unknown"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What the world says about an act that was begun.

    Attributes:
        state: ``done`` (all of it), ``not_done`` (nothing of it, so that it may be done now) or ``unknown``.
        evidence: What was read to say so, JSON-compatible.
        outcome: What the act would have said had it been seen to end; with ``done`` only, and its undo record with it.
    """

    state: FindingState
    evidence: Mapping[str, Any] = field(default_factory=dict[str, Any])
    outcome: ToolOutcome | None = None
