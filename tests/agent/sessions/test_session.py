import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from agent.requests.flows import parse_flow
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from core.approvals.approvals import ClassGate
from core.base.budgets import Budget
from core.base.errors import InputError
from core.goals.meta_goals import Goal
from core.goals.references import Reference
from core.policy.policy import Policy
from core.results.events import Accepted, Final, Question, Rejected, Say, Step, to_record
from core.results.tool_results import RunResult, StepLog
from tests.agent.lamps import Answers, LampFamily, make_lamp_session


@pytest.fixture
def family() -> LampFamily:
    return LampFamily()


@pytest.fixture
async def session(family: LampFamily) -> AsyncIterator[AgentSession]:
    async with make_lamp_session(family) as session:
        yield session


def lamp(verb: str, room: object = None, scope: str = "root", **params: object) -> Goal:
    return Goal("lamp", verb, params if room is None else {"room": room, **params}, scope=scope)


def ask(*goals: Goal, **parts: Any) -> Request:
    return Request(goals=goals, **parts)


def read_code(log: StepLog) -> str:
    """Return the code of the error of a step."""
    return log.result.error.code if log.result.error else ""


async def run(session: AgentSession, *goals: Goal, **parts: Any) -> tuple[list[Any], RunResult]:
    events: list[Any] = []
    return events, await session.run(ask(*goals, **parts), events.append)


async def test_a_run_tells_its_events_in_order_without_gaps_and_ends_with_the_final_one(session: AgentSession) -> None:
    events, result = await run(session, lamp("switch", "hall"), lamp("look", "hall", "after:g0"))
    assert [event.seq for event in events] == list(range(len(events)))
    assert {event.run_id for event in events} == {result.run_id}
    assert [type(event) for event in events] == [Accepted, Step, Step, Step, Step, Say, Final]
    assert [event.status for event in events if isinstance(event, Step)] == ["started", "ok", "started", "ok"]
    assert [event.at_ms for event in events] == sorted(event.at_ms for event in events)
    assert list(to_record(events[0]))[:3] == ["event", "run_id", "seq"]


async def test_all_that_is_told_of_a_run_says_for_whom_and_within_what(session: AgentSession) -> None:
    events, result = await run(session, lamp("switch", "hall"), lamp("look", "hall", "after:g0"), principal="an/na")
    tenant, principal, _, run_id = result.scope.split("/")
    assert (tenant, principal, run_id) == ("local", "an%2Fna", result.run_id)
    goals = [f"{result.scope}/g0", f"{result.scope}/g1"]
    assert [log.scope for log in result.step_logs] == [call.scope for call in result.tool_calls] == goals
    assert [event.scope for event in events if isinstance(event, Step)] == [goals[0], goals[0], goals[1], goals[1]]
    assert {event.scope for event in events if not isinstance(event, Step)} == {result.scope}
    assert [line["scope"] for line in result.transcript if line["kind"] == "step"] == goals
    assert all(line["scope"].startswith(result.scope) for line in result.transcript)


async def test_runs_of_one_session_share_its_scope_and_those_of_another_do_not(
    session: AgentSession, family: LampFamily
) -> None:
    scopes = [(await session.run(ask(lamp("look", "hall")))).scope.rpartition("/")[0] for _ in range(2)]
    async with make_lamp_session(family) as other:
        elsewhere = (await other.run(ask(lamp("look", "hall")))).scope.rpartition("/")[0]
    assert scopes[0] == scopes[1] != elsewhere
    assert scopes[0].startswith("local/person/")


async def test_what_is_refused_or_never_begun_says_it_too(session: AgentSession) -> None:
    _, refused = await run(session, lamp("ghost"))
    assert refused.scope.endswith(f"/{refused.run_id}")
    _, failed = await run(session, lamp("smash", "nowhere"), lamp("look", "hall", "after:g0"), lamp("look", "hall"))
    assert [log.scope for log in failed.step_logs] == [f"{failed.scope}/g{number}" for number in range(3)]
    await session.close()
    assert (await session.run(ask(lamp("look", "hall")))).scope.startswith("local/person/none/")


async def test_the_final_event_and_the_result_agree(session: AgentSession) -> None:
    events, result = await run(session, lamp("switch", "hall"), lamp("look", "hall", "after:g0"))
    final = events[-1]
    assert (final.outcome, final.reply) == (result.outcome, result.reply) == ("success", events[-2].text)
    assert [step["action_id"] for step in final.steps] == ["g0_switch_1", "g1_look_1"]
    assert result.intermediate_results["g1_look_1"] == {"text": "hall is on"}
    assert [call.tool for call in result.tool_calls] == ["lamp_switch", "lamp_look"]
    assert result.metrics["ok"] == 2
    assert [entry["kind"] for entry in result.transcript] == ["plan", "step", "step", "reply"]


async def test_the_reply_says_what_the_steps_gave_and_nothing_else(session: AgentSession) -> None:
    _, result = await run(session, lamp("switch", "hall"), lamp("look", "hall", "after:g0"))
    assert result.reply == "I switched hall on and looked at hall: “hall is on”."


async def test_a_failed_step_skips_what_depends_on_it_and_the_reply_says_so(
    session: AgentSession, family: LampFamily
) -> None:
    goals = lamp("switch", "cellar"), lamp("look", "cellar", "after:g0"), lamp("switch", "attic")
    events, result = await run(session, *goals)
    assert result.outcome == "partial"
    assert [log.result.status for log in result.step_logs] == ["failed", "skipped", "ok"]
    assert "The lamp in the cellar is broken. Buy another." in result.reply
    assert "I left out one step" in result.reply
    assert "look cellar" not in family.lamps.calls
    assert events[-1].outcome == "partial"


@pytest.mark.parametrize(
    ("goal", "code", "words"),
    [
        (lamp("swich", "hall"), "rule_not_found", 'did you mean "switch"?'),
        (Goal("lapm", "look", {}), "rule_not_found", 'did you mean "lamp.look"?'),
        (lamp("switch"), "validation_failed", "room is missing"),
        (lamp("switch", "hall", colour="red"), "validation_failed", 'there is no param "colour"'),
        (lamp("switch", room=5), "validation_failed", "room must be text, not empty, not 5"),
        (lamp("switch", "hall", state="onn"), "value_not_allowed", 'did you mean "on"?'),
    ],
)
async def test_a_goal_that_can_not_be_planned_is_refused_before_anything_runs(
    goal: Goal, code: str, words: str, session: AgentSession, family: LampFamily
) -> None:
    events, result = await run(session, lamp("switch", "hall"), goal)
    assert [type(event) for event in events] == [Rejected, Say, Final]
    assert [event.seq for event in events] == [0, 1, 2]
    assert [error.code for error in result.errors] == [code]
    assert words in str(result.errors[0])
    assert words in result.reply
    assert (result.outcome, result.step_logs, family.lamps.calls) == ("failed", (), [])


async def test_every_bad_goal_is_named_at_once(session: AgentSession) -> None:
    _, result = await run(session, lamp("switch"), lamp("look", "hall"), lamp("dim"))
    assert [error.code for error in result.errors] == ["validation_failed", "rule_not_found"]


async def test_a_bad_goal_of_a_flow_is_named_at_the_line_of_its_param(session: AgentSession) -> None:
    flow = parse_flow(
        "goals:\n"
        "  - lamp.switch:\n      room: hall\n      state: onn\n"
        "  - lamp.switch:\n      state: off\n      colour: red\n"
        "  - lamp.dim:\n      room: hall\n"
        "  - {scope: root, lamp.look: {room: ''}}\n",
        name="f.yaml",
    )
    result = await session.run(Request(flow=flow))
    assert [error.message.split(" ")[0] for error in result.errors] == [
        "f.yaml:4:7:",  # the param with a value that is not allowed
        "f.yaml:7:7:",  # the unknown param: the missing one has no line
        "f.yaml:8:5:",  # the unknown verb
        "f.yaml:10:31:",  # the empty text
    ]
    assert result.errors[0].evidence["line"] == 4
    assert result.errors[2].hint.endswith("switch, look, smash, enter, hold.")


async def test_a_missing_param_is_named_at_its_goal(session: AgentSession) -> None:
    flow = parse_flow("goals:\n  - id: x\n    lamp.switch: {}\n", name="f.yaml")
    result = await session.run(Request(flow=flow))
    assert result.errors[0].message.startswith("f.yaml:3:5: lamp.switch: room is missing")


async def test_a_bad_scope_of_a_program_is_an_error(session: AgentSession, family: LampFamily) -> None:
    _, result = await run(session, lamp("switch", "hall", "after:g1"), lamp("look", "hall"))
    assert [error.code for error in result.errors] == ["bad_scope"]
    assert "“g1” comes later" in result.reply
    assert family.lamps.calls == []


async def test_an_utterance_that_is_not_understood_is_refused_whole_with_what_would_be(session: AgentSession) -> None:
    events: list[Any] = []
    result = await session.run(Request(utterance="colour me surprised"), events.append)
    assert [type(event) for event in events] == [Rejected, Say, Final]
    assert result.errors[0].code == "no_intent_match"
    assert result.errors[0].evidence["nearest"]
    assert result.transcript[0]["text"] == "colour me surprised"


async def test_a_sentence_that_lacks_one_thing_asks_for_it(session: AgentSession) -> None:
    events: list[Any] = []
    result = await session.run(Request(utterance="click"), events.append)
    assert [type(event) for event in events] == [Rejected, Question, Say, Final]
    assert [event.seq for event in events] == [0, 1, 2, 3]
    assert (events[1].kind, events[1].prompt, events[1].digest) == ("slot", result.question, "")
    assert result.question
    assert result.reply == result.question
    assert events[-1].expects_reply
    assert to_record(events[1])["event"] == "question"


async def test_planning_does_nothing_and_says_so(session: AgentSession, family: LampFamily) -> None:
    events, result = await run(session, lamp("switch", "hall"), lamp("smash", "hall", "after:g0"), mode="plan")
    assert [type(event) for event in events] == [Accepted, Say, Final]
    assert result.reply == "2 steps planned; nothing was done."
    assert [change["text"] for change in result.diff_preview] == ["Smash hall"]
    assert family.lamps.calls == []
    assert (await session.run(ask(lamp("look")))).errors[0].code == "validation_failed"


async def test_context_of_a_run_is_remembered_for_the_next_and_explicit_params_win(
    session: AgentSession, family: LampFamily
) -> None:
    await run(session, lamp("switch", "hall"))
    await run(session, lamp("look"))
    await run(session, lamp("look", "attic"))
    await run(session, lamp("switch", "attic"), lamp("look", scope="after:g0"))
    await run(session, lamp("look"))
    assert [call for call in family.lamps.calls if call.startswith("look")] == [
        "look hall",
        "look attic",
        "look attic",
        "look attic",
    ]


async def test_context_of_a_refused_request_is_not_remembered(session: AgentSession) -> None:
    await run(session, lamp("switch", "hall"), lamp("dim"))
    _, result = await run(session, lamp("look"))
    assert "room is missing" in result.reply


async def test_the_same_request_id_never_executes_twice(session: AgentSession, family: LampFamily) -> None:
    first = await session.run(ask(lamp("switch", "hall"), request_id="r1"))
    second = await session.run(ask(lamp("switch", "attic"), request_id="r1"))
    assert second is first
    assert family.lamps.calls == ["switch hall on"]
    await session.run(ask(lamp("switch", "attic"), request_id="r2"))
    assert family.lamps.calls == ["switch hall on", "switch attic on"]


async def test_the_same_request_id_at_the_same_time_executes_once(session: AgentSession, family: LampFamily) -> None:
    runs = [asyncio.create_task(session.run(ask(lamp("hold", "hall"), request_id="r1"))) for _ in range(5)]
    await family.lamps.holding.wait()
    family.lamps.released.set()
    results = await asyncio.gather(*runs)
    assert family.lamps.calls == ["hold hall"]
    assert all(result is results[0] for result in results)


async def test_who_gives_up_waiting_does_not_end_the_run_that_others_wait_for(
    session: AgentSession, family: LampFamily
) -> None:
    first = asyncio.create_task(session.run(ask(lamp("hold", "hall"), request_id="r1")))
    await family.lamps.holding.wait()
    second = asyncio.create_task(session.run(ask(lamp("hold", "hall"), request_id="r1")))
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    family.lamps.released.set()
    assert (await second).outcome == "success"
    assert family.lamps.calls == ["hold hall"]


async def test_a_request_id_is_still_known_when_its_result_is_no_longer_kept(
    session: AgentSession, family: LampFamily
) -> None:
    for number in range(202):
        await session.run(ask(lamp("switch", "hall"), request_id=f"r{number}"))
    count = len(family.lamps.calls)
    result = await session.run(ask(lamp("switch", "hall"), request_id="r0"))
    assert result.errors[0].code == "already_executed"
    assert (await session.run(ask(lamp("switch", "hall"), request_id="r201"))).outcome == "success"
    assert len(family.lamps.calls) == count


async def test_stop_ends_every_run_in_time_and_later_runs_go_on(session: AgentSession, family: LampFamily) -> None:
    runs = [asyncio.create_task(session.run(ask(lamp("hold", room), lamp("look", room, "after:g0")))) for room in "ab"]
    await family.lamps.wait_for_calls(2)
    loop = asyncio.get_running_loop()
    began = loop.time()
    session.stop()
    results = await asyncio.gather(*runs)
    assert (
        loop.time() - began < 2
    )  # 0.2 s where nothing else goes on; a busy machine takes longer, and what is held never ends
    assert [result.outcome for result in results] == ["cancelled", "cancelled"]
    assert [log.result.status for log in results[0].step_logs] == ["cancelled", "cancelled"]
    assert "I was stopped" in results[0].reply
    assert (await session.run(ask(lamp("switch", "hall")))).outcome == "success"


async def test_a_run_that_is_stopped_before_it_began_does_nothing_to_its_end(
    session: AgentSession, family: LampFamily
) -> None:
    run = asyncio.create_task(session.run(ask(lamp("hold", "hall"), request_id="r1")))
    await asyncio.sleep(0)
    session.stop()
    assert (await run).outcome == "cancelled"


async def test_closing_stops_what_runs_waits_for_it_and_can_be_repeated(family: LampFamily) -> None:
    session = make_lamp_session(family)
    run = asyncio.create_task(session.run(ask(lamp("hold", "hall"))))
    await family.lamps.holding.wait()
    await session.close()
    assert run.done() or (await asyncio.wait_for(run, 0.2)).outcome == "cancelled"
    await session.close()
    assert family.calls_when_closed == ("hold hall",)


async def test_a_closed_session_refuses_to_run(family: LampFamily) -> None:
    session = make_lamp_session(family)
    first = await session.run(ask(lamp("switch", "hall"), request_id="r1"))
    await session.close()
    result = await session.run(ask(lamp("switch", "attic")))
    assert result.errors[0].code == "session_closed"
    assert await session.run(ask(lamp("switch", "hall"), request_id="r1")) is first
    assert family.lamps.calls == ["switch hall on"]


async def test_an_approval_is_asked_for_and_silence_is_no(session: AgentSession, family: LampFamily) -> None:
    events, result = await run(session, lamp("smash", "hall"))
    question = next(event for event in events if isinstance(event, Question))
    assert question.kind == "confirm"
    assert question.digest == result.required_approvals[0]["digest"]
    assert (question.approval, question.prompt) == ("apply_diff", "Smash hall")
    assert read_code(result.step_logs[0]) == "approval_missing"
    assert result.required_approvals[0]["approved"] is False
    assert family.lamps.calls == []


async def test_an_approval_names_the_action_that_is_then_executed(session: AgentSession, family: LampFamily) -> None:
    gate = Answers(answer=True)
    _, result = await run(session, lamp("smash", "hall"), gate=gate)
    assert gate.asked[0].digest == result.step_logs[0].result.args_digest
    assert result.artifacts == ("/shards/hall",)
    assert "could not read back" in result.reply


async def test_a_value_that_was_read_needs_a_person_before_it_moves_anything(
    session: AgentSession, family: LampFamily
) -> None:
    goals = lamp("look", "hall"), lamp("switch", scope="after:g0", room=Reference("g0", "text"))
    _, refused = await run(session, *goals, gate=ClassGate(("apply_diff", "run_job")))
    assert read_code(refused.step_logs[1]) == "approval_missing"
    gate = Answers(answer=True)
    _, allowed = await run(session, *goals, gate=gate)
    assert allowed.outcome == "success"
    assert "room = “hall is off” (from ${g0.text})" in gate.asked[0].text
    assert family.lamps.shown == {"hall is off": "on"}
    assert allowed.tool_calls[1].params["room"] == "hall is off"


async def test_the_policy_and_budget_of_a_flow_hold_narrowed_by_those_of_the_request(
    session: AgentSession, family: LampFamily
) -> None:
    text = "policy: {verbs: [lamp.switch, lamp.look]}\nbudget: {actions: 5}\ngoals:\n"
    flow = parse_flow(text + "  - lamp.switch: {room: hall}\n  - lamp.look: {room: hall}\n")
    narrowed = await session.run(Request(flow=flow, policy=Policy(verbs=("lamp.look", "lamp.hold"))))
    assert narrowed.errors[0].code == "refused_by_policy"
    spent = await session.run(Request(flow=flow, budget=Budget(actions=1)))
    assert [log.result.status for log in spent.step_logs] == ["ok", "refused"]
    assert read_code(spent.step_logs[1]) == "budget_exhausted"
    assert (await session.run(Request(flow=flow))).outcome == "success"


@pytest.mark.parametrize("parts", [{}, {"utterance": "x", "goals": ()}, {"goals": (), "utterance": ""}])
def test_a_request_is_exactly_one_of_utterance_goals_flow_and_planner(parts: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="one of utterance, goals, flow and planner"):
        Request(**parts)


async def test_branches_have_lanes_of_their_own_that_end_with_the_run(
    session: AgentSession, family: LampFamily
) -> None:
    _, result = await run(session, lamp("enter", "hall"), lamp("enter", "attic"), lamp("enter", "den", "after:g1"))
    assert sorted(family.lamps.calls) == ["enter attic in g1", "enter den in g1", "enter hall in main"]
    assert family.ended == [f"{result.run_id}:g1"]


async def test_no_goals_are_nothing_to_do(session: AgentSession) -> None:
    events, result = await run(session)
    assert (result.outcome, result.reply) == ("success", "There was nothing to do.")
    assert isinstance(events[-1], Final)
