"""Hands act through a session on terms that only ever narrow, and spend of one budget."""

from collections.abc import AsyncIterator
from functools import partial

import pytest

from agent.planners.session_hands import HandsTerms, SessionHands, Spending
from agent.requests.flows import parse_flow
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from agent.simulation.machines import build_simulation
from agent.simulation.sessions import open_simulation
from core.approvals.approvals import ClassGate
from core.base.budgets import Budget
from core.base.errors import ActionError, BudgetError
from core.goals.meta_goals import Goal
from core.policy.policy import Policy

LIST = Goal("audio", "list_devices", goal_id="g0")
MAKE = Goal("file", "create", {"object_type": "file", "name": "notes.txt", "content": "mine"}, goal_id="g0")


@pytest.fixture
async def session() -> AsyncIterator[AgentSession]:
    """A session on a machine in memory."""
    async with open_simulation(partial(build_simulation, None), (), Settings()) as session:
        yield session


async def test_goals_are_carried_out_on_the_terms_of_the_hands(session: AgentSession):
    refused = await SessionHands(session, HandsTerms(policy=Policy(verbs=("browser.*",)))).run((MAKE,))
    assert (refused.outcome, refused.errors[0].code) == ("failed", "refused_by_policy")
    done = await SessionHands(session, HandsTerms(gate=ClassGate(["apply_diff"]))).run((MAKE,))
    assert done.outcome == "success", done.errors


async def test_narrowing_never_widens(session: AgentSession):
    hands = SessionHands(session, HandsTerms(policy=Policy(verbs=("audio.*",)), secrets=("shop",)))
    wider = hands.narrow(Policy(verbs=("file.*", "audio.*")), ("shop", "bank"))
    refused = await wider.run((MAKE,))
    assert refused.errors[0].code == "refused_by_policy"
    typed = Goal("browser", "type", {"selector": 'field "x"', "text": "secret:bank"}, goal_id="g0")
    assert (await wider.run((typed,))).errors[0].code == "refused_by_policy"


async def test_a_dry_run_changes_nothing(session: AgentSession):
    hands = SessionHands(session, HandsTerms(gate=ClassGate(["apply_diff"])))
    planned = await hands.run((MAKE,), dry=True)
    assert (planned.outcome, planned.step_logs) == ("success", ())
    assert (await hands.run((MAKE,))).outcome == "success"


async def test_a_flow_is_followed_within_the_terms(session: AgentSession):
    hands = SessionHands(session, HandsTerms(policy=Policy(verbs=("audio.*",))))
    flow = parse_flow("goals: [{file.create: {object_type: file, name: x.txt}}]")
    assert (await hands.run(flow)).errors[0].code == "refused_by_policy"


async def test_actions_of_all_runs_and_of_narrowed_hands_are_counted_together(session: AgentSession):
    hands = SessionHands(session, HandsTerms(budget=Budget(actions=2)))
    memory = Goal("memory", "list", goal_id="g0")
    assert (await hands.run((memory,))).outcome == "success"
    assert (await hands.narrow(Policy(), ()).run((memory,))).outcome == "success"
    with pytest.raises(BudgetError):
        await hands.run((memory,))


async def test_seconds_are_counted_from_the_first_run(session: AgentSession):
    now = [100.0]
    hands = SessionHands(session, HandsTerms(budget=Budget(seconds=5)), spending=Spending(clock=lambda: now[0]))
    memory = Goal("memory", "list", goal_id="g0")
    assert (await hands.run((memory,))).outcome == "success"
    now[0] += 5
    with pytest.raises(BudgetError):
        await hands.run((memory,))


async def test_a_look_that_shows_nothing_says_why(session: AgentSession):
    with pytest.raises(ActionError) as caught:
        await SessionHands(session).look()
    assert caught.value.code == "no_session"
