"""RunKeeper: what is kept of every run that is carried out, so that it can be looked at later."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from agent.requests.plan_views import describe_graph, digest_plan
from core.base.late_dataclasses import dataclass
from core.outlines.sightings import SightingBook
from core.planning.graph import PlanGraph
from core.results.records import to_data
from core.results.tool_results import RunResult

if TYPE_CHECKING:
    from agent.requests.flows import Flow
    from agent.requests.requests import Request
    from core.base.scope_paths import ScopePath


@dataclass(frozen=True, slots=True, kw_only=True)
class BegunRun:
    """A run that is about to be carried out.

    Attributes:
        request: What was asked for, as data: the utterance, the name of the flow, or the goals.
        scope: For whom and within what it is: a scope path, written out.
        sightings: What its steps see of their elements; None where that isn't kept.
    """

    run_id: str
    request: Mapping[str, Any]
    plan: Mapping[str, Any]
    plan_digest: str
    scope: str = ""
    sightings: SightingBook | None = None


class RunArchive(Protocol):
    """Keeps what runs were, from their beginning on; nothing that it can't keep stops a run."""

    async def begin(self, run: BegunRun) -> tuple[str, ...]:
        """Keep that a run begins, and return what the person should know about what is kept.

        Raises:
            SchemaError: If what is kept was made by another version, so that it must not be touched.
        """
        ...

    async def open_book(self, flow: "Flow | None") -> SightingBook | None:
        """Return where a run of a flow file notes what its steps see, with what was seen when it last went well; None for no such run."""
        ...

    async def end(self, result: RunResult) -> RunResult:
        """Keep what came of a run, and return it; its diagnostics say so where that couldn't be kept.

        Args:
            result: The result; of a run that was never begun, nothing is kept.
        """
        ...

    async def close(self) -> None:
        """Let go of everything; calling it again does nothing."""
        ...


class NoArchive:
    """Keeps nothing: for simulations."""

    async def begin(self, run: BegunRun) -> tuple[str, ...]:
        """Keep nothing."""
        del run
        return ()

    async def open_book(self, flow: "Flow | None") -> SightingBook | None:
        """Keep nothing."""
        del flow

    async def end(self, result: RunResult) -> RunResult:
        """Return the result."""
        return result

    async def close(self) -> None:
        """Do nothing."""


NO_ARCHIVE = NoArchive()


def describe_run(
    scope: "ScopePath", request: "Request", graph: PlanGraph, sightings: SightingBook | None = None
) -> BegunRun:
    """Return what is kept of a run at its beginning."""
    return BegunRun(
        run_id=scope.read_level("run"),
        request=_describe_request(request),
        plan=describe_graph(graph),
        plan_digest=digest_plan(graph),
        scope=str(scope),
        sightings=sightings,
    )


def _describe_request(request: "Request") -> dict[str, Any]:
    asked: dict[str, Any] = {}
    if request.utterance is not None:
        asked["utterance"] = request.utterance
    elif request.flow is not None:
        asked["flow"] = request.flow.name
        asked |= {"path": request.flow.document.path} if request.flow.document.path else {}
        asked["goals"] = to_data(request.flow.goals)
    elif request.planner is not None:
        asked["planner"] = request.planner.capability
        asked["parameters"] = to_data(request.planner.parameters)
    else:
        asked["goals"] = to_data(request.goals)
    ids = {"request_id": request.request_id, "principal": request.principal}
    return asked | {name: value for name, value in ids.items() if value}
