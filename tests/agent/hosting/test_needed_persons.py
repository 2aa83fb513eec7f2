"""A question says whether the yes of whoever lists it counts."""

import pytest

from agent.hosting.local_service import LocalService
from agent.service.callers import Caller, Door
from agent.service.orders import RunOrder


@pytest.mark.parametrize(
    ("door", "needs_person"), [("chat", False), ("console", False), ("voice", True), ("mcp", True)]
)
async def test_a_question_says_whose_yes_it_needs(door: Door, needs_person: bool, service: LocalService) -> None:
    ticket = await service.begin(Caller(), RunOrder(text="smash hall", session="main"))
    async for event in service.follow(Caller(), ticket.run_id):
        if event["event"] == "question":
            break
    (asked,) = await service.list_questions(Caller(door=door))
    assert asked.needs_person is needs_person
