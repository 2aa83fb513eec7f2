"""Goal and MetaGoal: what somebody wants, before anything is planned."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

from core.base.late_dataclasses import dataclass, field
from core.goals.step_terms import PLAIN_TERMS, StepTerms

MetaType = Literal["single", "independent_multi", "dependent_multi"]

ROOT = "root"


@dataclass(frozen=True, slots=True)
class Goal:
    """One thing to do.

    Attributes:
        params: What the verb needs; values are JSON-compatible, or references to earlier steps.
        object: What the goal is about, in the person's words; for people, never for machines.
        goal_id: ``g0``, ``g1``, … in order.
        scope: ``root``, ``after:<goal id or verb>``, ``inside:<target>`` or ``drive:<letter>``.
        resolved_path: What its first path was resolved to; set by the orchestrator only.
        verify: Goals that tell, after a crash, whether this one was carried out: all succeed if it was, and one that
            expects something else says that it wasn't. Only what is safe to repeat may be among them.
        written: Params that a model wrote, by name, each with the model's name. Nobody vouches for them: a step that acts on one
            asks first, as for a value that a page gave.
        author: The model that proposed the goal; empty where a person's own words, or a program, did. Every step of it that acts
            asks first, also one without params: the verb itself was the model's choice.
        groups: Titles of the groups and rounds that it stands in, the outermost first.
    """

    domain: str
    verb: str
    params: Mapping[str, Any] = field(default_factory=dict[str, Any])
    object: str = ""
    goal_id: str = ""
    scope: str = ROOT
    resolved_path: str | None = None
    verify: "tuple[Goal, ...]" = ()
    written: Mapping[str, str] = field(default_factory=dict[str, str])
    author: str = ""
    groups: tuple[str, ...] = ()
    terms: StepTerms = PLAIN_TERMS

    def __post_init__(self) -> None:
        """Make the params read-only, and what is said of them."""
        object.__setattr__(self, "params", MappingProxyType(dict(self.params)))
        object.__setattr__(self, "written", MappingProxyType(dict(self.written)))

    @property
    def name(self) -> str:
        """``domain.verb``, as flow files write it."""
        return f"{self.domain}.{self.verb}"


@dataclass(frozen=True, slots=True)
class MetaGoal:
    """All goals of one request and how they hang together.

    Attributes:
        goals: In the order in which they were said.
        dependencies: ``{child id: (parent id, …)}``.
        bases: What relative paths hang below, by goal id: the id of the earlier goal that creates the folder, or an
            anchored path such as ``drive:D:/``; goals that aren't here work in the workspace.
        source: The utterance, byte for byte.
    """

    meta_type: MetaType
    goals: tuple[Goal, ...]
    dependencies: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    bases: Mapping[str, str] = field(default_factory=dict[str, str])
    diagnostics: tuple[str, ...] = ()
    rationale: str = ""
    source: str = ""
