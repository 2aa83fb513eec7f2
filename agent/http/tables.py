"""Tables: the verbs and their tools, what the machine can do, and how planners do."""

from typing import Annotated, Any, Protocol

from fastapi import APIRouter, Query

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


class TableRoutes:
    """What is asked about tables."""

    def __init__(self, facts: FactsPort) -> None:
        """Look at these facts."""
        self._facts = facts

    async def list_rules(self, asker: Asker, domain: Annotated[str, Query(max_length=64)] = "") -> DataResponse:
        """List the verbs, or those of a domain, as `surehand rules --json` prints them."""
        asker.require("read")
        return DataResponse(describe_rules(domain))

    async def list_tools(
        self, asker: Asker, shape: Annotated[ToolFormat | None, Query(alias="format")] = None
    ) -> DataResponse:
        """List the tools with their schemas, as `surehand tools --json` prints them, or as a model of others takes them."""
        asker.require("read")
        tools = await self._facts.describe_tools()
        return DataResponse(format_tools(tools, shape) if shape else tools)

    async def diagnose(self, asker: Asker) -> DataResponse:
        """Return what this machine can do, as `surehand doctor --json` prints it."""
        asker.require("read")
        return DataResponse(await self._facts.diagnose(asker.principal))

    async def tell_planners(self, asker: Asker) -> DataResponse:
        """Return how your planners do: coverage, stuck items, failures, alerts and from when on they are told."""
        asker.require("read")
        return DataResponse(await self._facts.tell_planners(asker.principal))

    async def acknowledge_alert(self, asker: Asker, alert: str) -> DataResponse:
        """Acknowledge an alert: nobody is told until it ends and begins again."""
        asker.require("approve")
        return DataResponse({"acknowledged": await self._facts.acknowledge(asker.principal, alert)})


def make_tables(facts: FactsPort) -> APIRouter:
    """Return the routes."""
    routes, router = TableRoutes(facts), APIRouter(tags=["tables"])
    tools: Any = list[dict[str, Any]] | dict[str, Any]
    router.add_api_route("/v1/rules", routes.list_rules, methods=["GET"], response_model=list[RuleAnswer])
    router.add_api_route("/v1/tools", routes.list_tools, methods=["GET"], response_model=tools)
    router.add_api_route("/v1/doctor", routes.diagnose, methods=["GET"], response_model=DoctorAnswer)
    planners = "/health/planners"
    router.add_api_route(planners, routes.tell_planners, methods=["GET"], response_model=PlannersAnswer)
    router.add_api_route(
        f"{planners}/alerts/{{alert}}/acknowledge",
        routes.acknowledge_alert,
        methods=["POST"],
        response_model=AcknowledgedAnswer,
    )
    return router
