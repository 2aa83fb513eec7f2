"""PlannerHost: what a session needs of planners; it is imported when the first is asked for."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from core.base.errors import GoalError, ModelError
from core.base.late_dataclasses import dataclass

if TYPE_CHECKING:
    import asyncio

    from agent.models.guarding import Tell
    from agent.requests.requests import Request
    from agent.sessions.runs import RunRecorder
    from core.goals.meta_goals import MetaGoal
    from core.goals.secret_values import Vault
    from core.planning.context import ContextFrame
    from core.planning.planners.ports import Model
    from core.results.events import Emit
    from core.results.tool_results import RunResult
    from core.tools.registry import ToolSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerRequest:
    """A request for a planner, in the run that it becomes.

    Attributes:
        runs: The ``RequestRuns`` of the session; it is above this port.
        found: How the run stands, an ``InterruptedPlanner``, where an earlier process began it.
    """

    runs: Any
    request: "Request"
    recorder: "RunRecorder"
    stop: "asyncio.Event"
    frames: "tuple[ContextFrame, ...]" = ()
    found: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceRequest:
    """A sentence that the language has no words for, and who is told of how it is understood.

    Attributes:
        parts: The ``SessionParts`` of the session, which have the host.
        run_id: The run that it is for; empty outside of one.
    """

    parts: Any
    request: "Request"
    run_id: str
    stop: "asyncio.Event"
    tell: "Tell"
    emit: "Emit" = lambda _: None


class PlannerHost(Protocol):
    """Has all planners, and carries them out; ``agent.planners.host`` does."""

    async def carry_out(self, wanted: PlannerRequest) -> "tuple[RunResult | MetaGoal, tuple[ContextFrame, ...]]":
        """Carry out the planner that is wanted.

        Returns:
            What came of its run, or the goals that the run is to carry out; and the context that it leaves.
        """
        ...

    async def interpret(self, wanted: SentenceRequest) -> "tuple[MetaGoal | None, Mapping[str, Any]]":
        """Return what the planner of goals takes a sentence to mean, None if it was stopped; and what is kept of that planner.

        Raises:
            ModelError: If it failed.
            PolicyError: If a folder of the policy can't be resolved.
        """
        ...

    async def close(self) -> None:
        """Let go of files; calling it again does nothing."""
        ...


class NoPlanners:
    """Has none: for sessions that were put together without."""

    async def carry_out(self, wanted: PlannerRequest) -> "tuple[RunResult | MetaGoal, tuple[ContextFrame, ...]]":
        """Refuse."""
        error = GoalError("There are no planners here.", code="planner_missing")
        return wanted.recorder.refuse((error.info(),), ""), ()

    async def interpret(self, wanted: SentenceRequest) -> "tuple[MetaGoal | None, Mapping[str, Any]]":
        """Refuse.

        Raises:
            ModelError: ``planner_missing``.
        """
        del wanted
        raise ModelError("There are no planners here.", code="planner_missing")

    async def close(self) -> None:
        """Do nothing."""


NO_PLANNERS = NoPlanners()


def refuse_model(name: str, vault: "Vault") -> "Model":
    """Refuse a model by its name, where there are no settings.

    Raises:
        ModelError: ``model_unknown``.
    """
    del vault
    raise ModelError(f"No model is called “{name}” here.", code="model_unknown")


_HOST: Final = "agent.planners.host"


@dataclass(frozen=True, slots=True)
class PlannerPlaces:
    """Where what planners share lies.

    Attributes:
        templates: The person's own folder of templates; None for none.
    """

    state: Path
    config: Path
    templates: Path | None = None


@dataclass(slots=True)
class LatePlanners:
    """A ``PlannerHost`` that begins late: most runs need no planner.

    Attributes:
        places: Where things lie; None to keep nothing.
    """

    specs: "Callable[[], Sequence[ToolSpec]]"
    places: PlannerPlaces | None
    vault: "Vault"
    _host: PlannerHost | None = None

    async def carry_out(self, wanted: PlannerRequest) -> "tuple[RunResult | MetaGoal, tuple[ContextFrame, ...]]":
        """Carry out the planner that is wanted."""
        return await self._open().carry_out(wanted)

    async def interpret(self, wanted: SentenceRequest) -> "tuple[MetaGoal | None, Mapping[str, Any]]":
        """Return what the planner of goals takes a sentence to mean."""
        return await self._open().interpret(wanted)

    async def close(self) -> None:
        """Let go of files, where any were opened."""
        if self._host:
            await self._host.close()

    def _open(self) -> PlannerHost:
        host: PlannerHost = self._host or import_module(_HOST).WorkspacePlanners(
            self.specs, self.places, vault=self.vault
        )
        self._host = host
        return host
