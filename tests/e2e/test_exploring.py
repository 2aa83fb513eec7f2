"""Open-ended tasks in a real browser: a model proposes, what may be done is done, and what it leaves needs no model."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agent.planners.explore.planner import ExplorePlanner
from agent.planners.hands import HandsTerms, SessionHands
from agent.planners.templates.template_files import TemplateFiles
from agent.requests.flows import parse_flow
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.testing.scripted_models import ScriptedModel
from core.approvals.approvals import ApprovalGate, ApprovalRequest
from core.base.scope_paths import begin_scope
from core.planning.planners.context import PlannerContextParts
from core.planning.planners.results import PlannerResult
from core.planning.planners.running import run_planner
from fixtures.site_server import SiteServer
from tests.agent.planners.tools import describe_tools

TASK = "Order two blue mugs in white, by express, to Ada Lovelace, 12 Ockham Park, London, W1J 7NT, card 4242 4242 4242 4242"


class Person:
    """Agrees to what is within the task, and remembers everything that was asked."""

    def __init__(self, *allowed: str) -> None:
        self._allowed = [re.compile(each) for each in allowed]
        self.asked: list[ApprovalRequest] = []

    async def decide(self, request: ApprovalRequest) -> bool:
        self.asked.append(request)
        return any(each.search(request.text) for each in self._allowed)


def call(name: str, **params: object) -> dict[str, Any]:
    """Return a proposed call."""
    return {"name": name, "params": params}


def propose(*calls: Mapping[str, Any], is_done: bool = False, why: str = "Next.") -> dict[str, Any]:
    """Return the answer of a model."""
    return {"calls": list(calls), "rationale": why, "is_done": is_done}


async def explore(
    session: AgentSession, model: ScriptedModel, gate: ApprovalGate, task: str, url: str, **more: Any
) -> PlannerResult:
    """Explore a task as the command does."""
    hands = SessionHands(session, HandsTerms(gate=gate, secrets=()))
    parts = PlannerContextParts(scope=begin_scope("ada").child("s").child("r"), model=model, templates=TemplateFiles())
    return await run_planner(ExplorePlanner(hands, describe_tools()), {"task": task, "url": url, **more}, parts)


PURCHASE: Sequence[Mapping[str, Any]] = (
    propose(call("browser.click", selector='link "Catalogue"')),
    propose(call("browser.click", selector='link "Blue mug"')),
    propose(
        call("browser.type", selector='field "Quantity"', text="2"),
        call("browser.select", selector='field "Colour"', value="White"),
        call("browser.click", selector='button "Add to basket"'),
    ),
    propose(call("browser.click", selector='link "Basket"')),
    propose(call("browser.click", selector='link "Checkout"')),
    propose(
        call("browser.type", selector='field "Full name"', text="Ada Lovelace"),
        call("browser.type", selector='field "Street"', text="12 Ockham Park"),
        call("browser.type", selector='field "City"', text="London"),
        call("browser.type", selector='field "Postcode"', text="W1J 7NT"),
        call("browser.check", selector='radio "Express"'),
    ),
    propose(
        call("browser.type", selector='frame "Pay" >> field "Name on card"', text="Ada Lovelace"),
        call("browser.type", selector='frame "Pay" >> frame "Card" >> field "Card number"', text="4242 4242 4242 4242"),
        call("browser.check", selector='checkbox "I accept the terms"'),
        call("browser.click", selector='button "Place order"'),
    ),
    propose(is_done=True, why="The order is placed."),
)


async def test_a_whole_purchase_is_explored_and_then_repeated_by_the_flow_that_it_left_without_a_model(
    session: AgentSession, site: SiteServer, tmp_path: Path
):
    person, model = Person(".*"), ScriptedModel(*PURCHASE)
    result = await explore(session, model, person, TASK, f"{site.url}/shop/")
    assert result.outcome == "success", (result.errors, result.artifacts.get("deeds"))
    (order,) = site.received.requests("/shop/order", "POST")
    wanted = {name: order.field(name) for name in ("name", "street", "city", "postcode", "delivery", "card_number")}
    assert wanted == {
        "name": "Ada Lovelace",
        "street": "12 Ockham Park",
        "city": "London",
        "postcode": "W1J 7NT",
        "delivery": "express",
        "card_number": "4242 4242 4242 4242",
    }
    assert all("the model “scripted”" in each.text for each in person.asked)
    flow = result.artifacts["flow"]
    assert "ref=" not in flow
    assert "/shop/order/" in flow

    site.reset()
    repeated = await session.run(Request(flow=parse_flow(flow)))
    assert repeated.outcome == "success", repeated.reply
    (again,) = site.received.requests("/shop/order", "POST")
    assert {name: again.field(name) for name in wanted} == wanted
    assert len(model.asked) == len(PURCHASE)
