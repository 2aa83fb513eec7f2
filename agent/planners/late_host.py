"""LatePlanners: the planners of a session, which are imported and opened when the first is asked for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from agent.sessions.planner_port import PlannerHost, PlannerRequest, SentenceRequest
from core.goals.secret_values import Vault

if TYPE_CHECKING:
    from core.goals.meta_goals import MetaGoal
    from core.planning.context import ContextFrame
    from core.results.tool_results import RunResult
    from core.tools.registry import ToolSpec

_HOST: Final = "agent.planners.host"


@dataclass(frozen=True, slots=True)
class PlannerPlaces:
    """Where what planners share lies.

    Attributes:
        state: Where what is kept of the workspace's runs lies.
        config: The person's own folder of settings.
        templates: The person's own folder of templates; None for none.
    """

    state: Path
    config: Path
    templates: Path | None = None


@dataclass(slots=True)
class LatePlanners:
    """A ``PlannerHost`` that begins late: most runs need no planner.

    Attributes:
        specs: Returns every tool.
        places: Where things lie; None to keep nothing.
    """

    specs: "Callable[[], Sequence[ToolSpec]]"
    places: PlannerPlaces | None
    vault: Vault
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
