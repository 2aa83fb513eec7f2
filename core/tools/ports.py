"""What the core hands to the world and expects of it."""

from abc import ABC
from collections.abc import Collection, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TYPE_CHECKING, Any, ClassVar

from core.base.late_dataclasses import dataclass
from core.goals.secret_values import NO_VAULT, Vault
from core.outlines.sightings import StepSightings
from core.policy.policy import Policy
from core.results.failure_snapshots import FailureSnapshot
from core.results.provenance import Origin
from core.results.tool_results import Finding, UndoRecord

if TYPE_CHECKING:
    from core.tools.previews import Preview

MAIN_LANE = "main"
"""The lane of the session itself; it outlives a run."""


@dataclass(frozen=True, slots=True)
class ActionContext:
    """What a tool is told beside its arguments; never part of its schema.

    Attributes:
        lane: Which of the run's parallel branches this is. Actions of one lane share the current page; ``main`` is the
            lane of the session itself and outlives the run.
        timeout_s: Seconds until the executor cancels the act; greater than zero.
        followers: ``domain.verb`` of the actions that directly depend on this one.
        preview: What the act would change, as it was shown; None where nothing was.
        scope: For whom and within what it is done: the scope path of the goal, written out; empty outside of a run.
        origins: Where the values came from that it is done with, as far as they were read.
        vault: Says what the handles of secrets stand for. Whatever it gives may go to the world and nowhere else.
        holds_seat: Whether pointer, keyboard and focus are the act's alone while it goes on.
        ends_programs: Whether it is there to end programs, so that nobody has to be told which ended.
        sightings: Where a step of a flow notes what it sees of its elements, and reads what was seen before; None elsewhere.
        begun_before: Whether taking back was begun before and cut short: what of it is done already is no change by others.
    """

    action_id: str
    lane: str = MAIN_LANE
    timeout_s: float = 30.0
    followers: Collection[str] = ()
    policy: Policy = Policy()
    preview: "Preview | None" = None
    run_id: str = ""
    origins: tuple[Origin, ...] = ()
    vault: Vault = NO_VAULT
    holds_seat: bool = False
    ends_programs: bool = False
    begun_before: bool = False
    scope: str = ""
    sightings: StepSightings | None = None


class Toolset(ABC):
    """Abstract tools of one family. Every abstract method is a tool named ``<domain>_<method>``.

    A back end is a subclass that implements all of them. The signature (after ``self`` and ``context``) and the
    docstring of the abstract method are the tool's schema, so that schemas never need a back end.
    """

    domain: ClassVar[str]
    intent: ClassVar[str]
    capability: ClassVar[str]

    async def preview(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> "Preview | None":
        """Say what a verb would change, without changing it; None where its description says it all.

        A SurehandError if it is known now that the act can't succeed.
        """
        del verb, context, args
        return None

    async def preview_back(self, context: ActionContext, record: UndoRecord) -> "Preview | None":
        """Say what taking an act back would change, without changing it; None where its description says it all.

        A SurehandError if it is known now that it can't succeed.
        """
        del context, record
        return None

    async def identify(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what a verb aims at as it is now, without touching it; nothing where its arguments say it all.

        Asked right before an act that needs an approval, and again once that is given: what differs voids it.

        Returns:
            Of an element its ``role``, ``name`` and what it leads to, of a page its ``address``; JSON-compatible.

        Raises:
            SurehandError: If it is known now that the act can't succeed.
        """
        del verb, context, args
        return {}

    async def predict(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the facts that will tell, after a crash, whether a verb was carried out; changes nothing.

        They are written to the journal before the act, for verbs whose rule says ``recovery="compare"``.

        Args:
            context: About the action, with the preview if there is one.

        Raises:
            SurehandError: If it is known now that the act can't succeed.
        """
        del verb, context, args
        return {}

    async def reconcile(
        self, verb: str, context: ActionContext, args: Mapping[str, Any], facts: Mapping[str, Any]
    ) -> Finding:
        """Compare what was foreseen with the world, after a crash; changes nothing but what a broken act left half made.

        Raises:
            SurehandError: If the world can't be asked.
        """
        del verb, context, args, facts
        return Finding("unknown")

    def attend(self, verb: str, context: ActionContext) -> AbstractAsyncContextManager[dict[str, Any]]:
        """Hold what a verb must hold alone on this machine while it acts, and watch what it may end.

        Entered once it is allowed to act, and left when it has acted, however that went. What it waits for first is no part
        of the act: if it can't be had, nothing was done.

        Args:
            context: About the action; ``timeout_s`` is how long it may be waited.

        Returns:
            A block that yields notes, JSON-compatible; when it is left they are complete and go to the evidence.

        Raises:
            SurehandError: If what must be held can't be had in time.
        """
        del verb, context
        notes: dict[str, Any] = {}
        return nullcontext(notes)

    async def show_snapshot(self, context: ActionContext) -> FailureSnapshot | None:
        """Return what there is to see after a tool failed, for people; None where there is nothing. Changes nothing."""
        del context
        return None
