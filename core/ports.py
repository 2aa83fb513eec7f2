"""What the core hands to the world and expects of it."""

from abc import ABC
from collections.abc import Collection
from dataclasses import dataclass
from typing import ClassVar

from core.policy import Policy

MAIN_LANE = "main"
"""The lane of the session itself; it outlives a run."""


class Advisory:
    """Marks a tool parameter that a resolver may set: ``Annotated[int, Advisory()]``.

    Only small scalars qualify (a limit, an output format); never what is acted on or what is said.
    """


@dataclass(frozen=True, slots=True)
class ActionContext:
    """What a tool is told beside its arguments; never part of its schema.

    Attributes:
        action_id: The action that is being executed.
        lane: Which of the run's parallel branches this is. Actions of one lane share the current page; ``main`` is the
            lane of the session itself and outlives the run.
        timeout_s: Seconds until the executor cancels the act; greater than zero.
        followers: ``domain.verb`` of the actions that directly depend on this one.
        policy: What may be reached and touched.
    """

    action_id: str
    lane: str = MAIN_LANE
    timeout_s: float = 30.0
    followers: Collection[str] = ()
    policy: Policy = Policy()


class Toolset(ABC):
    """Abstract tools of one family. Every abstract method is a tool named ``<domain>_<method>``.

    A back end is a subclass that implements all of them. The signature (after ``self`` and ``context``) and the
    docstring of the abstract method are the tool's schema, so that schemas never need a back end.
    """

    domain: ClassVar[str]
    intent: ClassVar[str]
    capability: ClassVar[str]
