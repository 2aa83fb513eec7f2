"""Tables: the verbs and their tools, what the machine can do, and how planners do."""

from typing import Annotated, Any, Protocol

from fastapi import APIRouter, Depends, Query
from starlette.requests import HTTPConnection

from agent.http.record_bodies import AcknowledgedAnswer, DoctorAnswer, PlannersAnswer, RuleAnswer
from agent.offers.tool_formats import ToolFormat, format_tools
from agent.rule_tables import describe_rules
from agent.web.answers import DataResponse
from agent.web.asking import Asker


class FactsPort(Protocol):
    """Looks at a machine and a workspace."""

    async def diagnose(self, principal: str) -> Any:
        """Return what `surehand doctor --json` prints, with the runs of one principal."""
        ...

    async def tell_planners(self, principal: str) -> Any:
        """Return how a principal's planners do; nobody is told of alerts."""
        ...

    async def acknowledge(self, principal: str, alert: str) -> int:
        """Take note of a principal's alerts; return how many."""
        ...

    async def describe_tools(self) -> list[dict[str, Any]]:
        """Return the tools of all verbs as data."""
        ...


async def _find_facts(connection: HTTPConnection) -> FactsPort:
    return await connection.app.state.find_facts()


Facts = Annotated[FactsPort, Depends(_find_facts)]
"""What the app looks at."""

router = APIRouter(tags=["tables"])


@router.get("/v1/rules", response_model=list[RuleAnswer])
async def list_rules(asker: Asker, domain: Annotated[str, Query(max_length=64)] = "") -> DataResponse:
    """List the verbs, or those of a domain, as `surehand rules --json` prints them."""
    asker.require("read")
    return DataResponse(describe_rules(domain))


@router.get("/v1/tools", response_model=list[dict[str, Any]] | dict[str, Any])
async def list_tools(
    asker: Asker, facts: Facts, shape: Annotated[ToolFormat | None, Query(alias="format")] = None
) -> DataResponse:
    """List the tools with their schemas, as `surehand tools --json` prints them, or as a model of others takes them."""
    asker.require("read")
    tools = await facts.describe_tools()
    return DataResponse(format_tools(tools, shape) if shape else tools)


@router.get("/v1/doctor", response_model=DoctorAnswer)
async def diagnose(asker: Asker, facts: Facts) -> DataResponse:
    """Return what this machine can do, as `surehand doctor --json` prints it."""
    asker.require("read")
    return DataResponse(await facts.diagnose(asker.principal))


@router.get("/health/planners", response_model=PlannersAnswer)
async def tell_planners(asker: Asker, facts: Facts) -> DataResponse:
    """Return how your planners do: coverage, stuck items, failures, alerts and from when on they are told."""
    asker.require("read")
    return DataResponse(await facts.tell_planners(asker.principal))


@router.post("/health/planners/alerts/{alert}/acknowledge", response_model=AcknowledgedAnswer)
async def acknowledge_alert(asker: Asker, facts: Facts, alert: str) -> DataResponse:
    """Acknowledge an alert: nobody is told until it ends and begins again."""
    asker.require("approve")
    return DataResponse({"acknowledged": await facts.acknowledge(asker.principal, alert)})
