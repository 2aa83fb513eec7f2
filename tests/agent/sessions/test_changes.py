"""What a request would change, told before it, and how often the machine is looked at for it."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from agent.requests.flows import parse_flow
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.sessions.session_parts import MachineCapabilities
from core.approvals.approvals import ClassGate
from core.base.budgets import Budget
from core.base.errors import ActionError, FlowError, PolicyError
from core.goals.meta_goals import Goal
from core.goals.references import Reference
from core.policy.policy import Policy
from core.results.events import Event, Question
from tests.agent.lamps import Answers, LampFamily, make_lamp_session


@pytest.fixture
def family() -> LampFamily:
    return LampFamily()


@pytest.fixture
async def session(family: LampFamily) -> AsyncIterator[AgentSession]:
    async with make_lamp_session(family) as session:
        yield session


def lamp(verb: str, room: object, scope: str = "root") -> Goal:
    return Goal("lamp", verb, {"room": room}, scope=scope)


SMASH = Request(goals=(lamp("smash", "hall"),))

# --- changes


@pytest.mark.parametrize("mode", ["plan", "execute"])
async def test_a_result_tells_what_the_plan_would_change(mode: str, session: AgentSession, family: LampFamily) -> None:
    result = await session.run(replace(SMASH, mode=mode, gate=ClassGate(("apply_diff",))))
    (change,) = result.diff_preview
    assert (change["id"], change["text"]) == ("g0_smash_1", "Smash hall")
    assert change["operation"] == {"kind": "smash", "room": "hall"}
    assert change["diff"] == "-hall\n+shards\n"
    assert family.lamps.calls == ([] if mode == "plan" else ["smash hall"])


async def test_whoever_is_asked_sees_what_would_change(session: AgentSession) -> None:
    gate = Answers(answer=True)
    await session.run(replace(SMASH, gate=gate))
    assert [request.preview.diff for request in gate.asked if request.preview] == ["-hall\n+shards\n"]


@pytest.mark.parametrize(("foreseen", "diff"), [(True, "-hall\n+shards\n"), (False, "")])
async def test_the_event_of_a_question_tells_what_would_change(
    foreseen: bool, diff: str, session: AgentSession, family: LampFamily
) -> None:
    family.lamps.silent = not foreseen
    events: list[Event] = []
    await session.run(SMASH, events.append)
    (question,) = (event for event in events if isinstance(event, Question))
    assert question.diff == diff
    assert question.operation == ({"kind": "smash", "room": "hall"} if foreseen else {})


async def test_a_planned_request_can_be_asked_for_its_changes_and_nothing_is_done(
    session: AgentSession, family: LampFamily
) -> None:
    goals = lamp("switch", "hall"), lamp("look", "hall", "after:g0"), lamp("smash", Reference("g1", "text"), "after:g1")
    request = Request(goals=goals)
    (change,) = await session.preview(session.plan(request), request)
    assert change["note"] == "Not known yet: it depends on the result of an earlier step."
    assert "diff" not in change
    assert family.lamps.calls == []


async def test_a_request_that_can_t_be_planned_changes_nothing(session: AgentSession) -> None:
    request = Request(goals=(lamp("smash", "hall"), lamp("dim", "hall")))
    assert await session.preview(session.plan(request), request) == ()


@pytest.mark.parametrize(
    ("fault", "note"),
    [
        (ActionError("There is no lamp.", hint="Hang one up."), "There is no lamp. Hang one up."),
        (
            PermissionError("no"),
            "The preview of lamp.smash failed: PermissionError: no This is a fault in Surehand.",
        ),
    ],
)
async def test_a_change_that_can_t_be_foreseen_is_told_with_the_reason(
    fault: Exception, note: str, session: AgentSession, family: LampFamily
) -> None:
    family.lamps.fault = fault
    result = await session.run(replace(SMASH, mode="plan"))
    assert (result.outcome, result.diff_preview[0]["note"]) == ("success", note)
    done = await session.run(replace(SMASH, gate=ClassGate(("apply_diff",))))
    assert (done.outcome, [log.result.status for log in done.step_logs], family.lamps.calls) == (
        "failed",
        ["failed"],
        [],
    )


async def test_a_stop_while_changes_are_looked_for_ends_the_run(session: AgentSession, family: LampFamily) -> None:
    family.lamps.foresees = False
    running = asyncio.create_task(session.run(SMASH))
    await family.lamps.holding.wait()
    session.stop()
    result = await asyncio.wait_for(running, 5)
    assert (result.outcome, [log.result.status for log in result.step_logs]) == ("cancelled", ["cancelled"])
    assert family.lamps.calls == []


async def test_looking_for_changes_takes_no_longer_than_the_run_may(session: AgentSession, family: LampFamily) -> None:
    family.lamps.foresees = False
    result = await asyncio.wait_for(session.run(replace(SMASH, budget=Budget(seconds=0.05))), 5)
    assert (result.outcome, family.lamps.calls) == ("failed", [])


# --- capabilities


async def test_the_machine_is_looked_at_once_a_request(session: AgentSession, family: LampFamily) -> None:
    goals = tuple(lamp("switch", room) for room in ("hall", "attic", "shed"))
    await session.run(Request(goals=goals))
    assert family.assessed == ["lamps"]
    await session.run(Request(goals=goals))
    assert family.assessed == ["lamps", "lamps"]


async def test_what_no_goal_needs_is_not_looked_at(session: AgentSession, family: LampFamily) -> None:
    await session.run(Request(goals=(Goal("lamp", "dim", {}), Goal("moon", "rise", {}))))
    assert family.assessed == []


def test_capabilities_can_be_listed_without_being_looked_at() -> None:
    family = LampFamily()
    capabilities = MachineCapabilities((family,))
    assert (list(capabilities), len(capabilities), "moon" in capabilities) == (["lamps"], 1, False)
    assert family.assessed == []
    assert capabilities.get("moon") is None
    assert [capabilities["lamps"].reason for _ in range(3)] == ["they hang here"] * 3
    assert family.assessed == ["lamps"]


# --- verbs that are off


def test_a_flow_can_t_allow_a_verb_that_is_off() -> None:
    goals = "goals: [{lamp.switch: {room: hall}}]\n"
    with pytest.raises(FlowError, match="extra_verbs"):
        parse_flow(f"policy: {{extra_verbs: [system.run]}}\n{goals}")
    with pytest.raises(FlowError, match="allow"):
        parse_flow(f"policy: {{allow: [system.run]}}\n{goals}")
    assert parse_flow(f"policy: {{verbs: ['*', 'system.*', system.run]}}\n{goals}").policy.extra_verbs == ()


@pytest.mark.parametrize(("extra", "off"), [((), True), (("system.run",), False), (("system.*",), True)])
def test_a_verb_that_is_off_runs_only_where_the_request_names_it(extra: tuple[str, ...], off: bool) -> None:
    flow = Policy(verbs=("system.*",), extra_verbs=("system.run",))
    policy = Policy(extra_verbs=extra).narrow(flow)
    assert policy.extra_verbs == extra
    assert policy.verbs == ("system.*",)
    if off:
        with pytest.raises(PolicyError, match="off by default"):
            policy.check_verb("system.run", opt_in=True)
    else:
        policy.check_verb("system.run", opt_in=True)
    policy.check_verb("system.get")
