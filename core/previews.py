"""Preview: what an act would change, made before it and checked when it is carried out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

ABSENT = "absent"
"""Stands for the digest of something that isn't there."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What an act would change.

    Attributes:
        operation: The change as data: its ``kind`` and what it concerns; JSON-compatible.
        diff: Unified diff of a change of text; empty where the operation says it all.
        before: By absolute path, the state that the act starts from: a SHA-256, ``absent``, or ``folder:`` and a
            fingerprint. The act is refused when it finds another.
    """

    operation: Mapping[str, Any]
    diff: str = ""
    before: Mapping[str, str] = field(default_factory=dict[str, str])
