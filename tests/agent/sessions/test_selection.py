"""A part of what a plan would change, and what a run needs a yes for."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from core.approvals.approvals import ClassGate
from core.goals.meta_goals import Goal
from core.goals.references import Reference
from core.policy.policy import Policy
from core.policy.policy_rules import PolicyRule
from core.results.events import Event, Final, Question
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


GOALS = (
    lamp("smash", "hall"),
    lamp("look", "hall", "after:g0"),
    lamp("smash", "attic"),
    lamp("switch", "shed"),
)
REQUEST = Request(goals=GOALS, gate=ClassGate(("apply_diff",)))


async def test_only_what_was_selected_is_changed_and_what_depends_on_the_rest_is_left_out(
    session: AgentSession, family: LampFamily
) -> None:
    result = await session.run(replace(REQUEST, selected_diff_ops=("g2_smash_1",)))
    ended = [(log.result.status, log.result.error.code if log.result.error else "") for log in result.step_logs]
    assert ended == [("skipped", "not_selected"), ("skipped", "not_selected"), ("ok", ""), ("ok", "")]
    assert sorted(family.lamps.calls) == ["smash attic", "switch shed on"]
    assert result.outcome == "success"
    assert result.reply == (
        "I smashed attic and switched shed on. I could not read back whether one step took effect. 2 steps were not selected."
    )
    assert [entry["action_id"] for entry in result.required_approvals] == ["g2_smash_1"]


async def test_a_change_may_be_selected_by_the_number_of_its_step(session: AgentSession, family: LampFamily) -> None:
    await session.run(replace(REQUEST, selected_diff_ops=("3",)))
    assert sorted(family.lamps.calls) == ["smash attic", "switch shed on"]


@pytest.mark.parametrize(("selected", "calls"), [(None, 4), ((), 1), (("g0_smash_1", "g2_smash_1"), 4)])
async def test_nothing_all_or_none_may_be_selected(
    selected: tuple[str, ...] | None, calls: int, session: AgentSession, family: LampFamily
) -> None:
    assert (await session.run(replace(REQUEST, selected_diff_ops=selected))).outcome == "success"
    assert len(family.lamps.calls) == calls


@pytest.mark.parametrize("name", ["g1_look_1", "g9_smash_1", "", "g0_smash_1 "])
@pytest.mark.parametrize("mode", ["plan", "execute"])
async def test_what_is_no_change_of_the_plan_is_refused_before_anything_runs(
    name: str, mode: str, session: AgentSession, family: LampFamily
) -> None:
    result = await session.run(replace(REQUEST, mode=mode, selected_diff_ops=("g0_smash_1", name)))
    assert [error.code for error in result.errors] == ["unknown_operation"]
    assert "g0_smash_1, g2_smash_1" in result.errors[0].hint
    assert (family.lamps.calls, len(result.diff_preview)) == ([], 2)
    assert [(each["action_id"], each["approved"]) for each in result.required_approvals] == [
        ("g0_smash_1", None),
        ("g2_smash_1", None),
    ]


async def test_ids_and_digests_are_the_same_in_a_plan_and_in_its_run(session: AgentSession, family: LampFamily) -> None:
    planned = await session.run(replace(REQUEST, mode="plan"))
    first = planned.diff_preview[0]
    name = f"{first['id']}@{first['digest'][:8]}"
    done = await session.run(replace(REQUEST, selected_diff_ops=(name,)))
    assert done.step_logs[0].result.args_digest == first["digest"]
    assert "smash hall" in family.lamps.calls
    assert "smash attic" not in family.lamps.calls


@pytest.mark.parametrize("prefix", ["", "0", "00000000", "zz"])
async def test_a_digest_that_differs_is_refused(prefix: str, session: AgentSession, family: LampFamily) -> None:
    result = await session.run(replace(REQUEST, selected_diff_ops=(f"g0_smash_1@{prefix}",)))
    assert [error.code for error in result.errors] == ["operation_differs"]
    assert family.lamps.calls == []


# --- what a run needs a yes for


async def test_a_plan_says_what_will_have_to_be_approved(session: AgentSession) -> None:
    goals = lamp("look", "hall"), lamp("switch", Reference("g0", "text"), "after:g0"), lamp("smash", "hall")
    result = await session.run(Request(goals=goals, mode="plan"))
    told = [(entry["action_id"], entry["approval"], entry["approved"]) for entry in result.required_approvals]
    assert told == [("g1_switch_1", "confirm", None), ("g2_smash_1", "apply_diff", None)]
    assert result.required_approvals[0]["sources"] == {"room": ["${g0.text}"]}
    assert "not known yet (from ${g0.text})" in result.required_approvals[0]["text"]
    assert result.required_approvals[1]["digest"] == result.diff_preview[-1]["digest"]


async def test_a_request_that_is_refused_says_it_too(session: AgentSession) -> None:
    events: list[Event] = []
    goals = lamp("smash", "hall"), lamp("dim", "hall")
    result = await session.run(Request(goals=goals), events.append)
    assert result.errors[0].code == "rule_not_found"
    assert [entry["action_id"] for entry in result.required_approvals] == ["g0_smash_1"]
    (final,) = (event for event in events if isinstance(event, Final))
    assert final.required_approvals == result.required_approvals


@pytest.mark.parametrize("answer", [True, False])
async def test_a_result_says_what_was_answered_and_what_was_never_asked(answer: bool, session: AgentSession) -> None:
    events: list[Event] = []
    goals = lamp("smash", "hall"), lamp("smash", "attic", "after:g0"), lamp("look", "shed")
    result = await session.run(Request(goals=goals, gate=Answers(answer)), events.append)
    told = [(entry["action_id"], entry["approved"]) for entry in result.required_approvals]
    assert told == [("g0_smash_1", answer), ("g1_smash_1", True if answer else None)]
    question = next(event for event in events if isinstance(event, Question))
    assert question.approval_id == result.required_approvals[0]["approval_id"] != ""
    assert (len(question.approval_digest), question.expires_in_s) == (64, 300.0)
    assert question.expires_at


async def test_rules_of_the_request_are_in_what_will_have_to_be_approved(session: AgentSession) -> None:
    rules = (PolicyRule(verdict="ask", verbs=("lamp.look",)),)
    result = await session.run(Request(goals=(lamp("look", "hall"),), mode="plan", policy=Policy(rules=rules)))
    assert [entry["approval"] for entry in result.required_approvals] == ["confirm"]


# --- the transcript


async def test_the_transcript_marks_who_or_what_every_line_is_from(session: AgentSession) -> None:
    result = await session.run(Request(utterance="colour me surprised"))
    assert [entry["origin"] for entry in result.transcript] == ["the person", "surehand"]
    result = await session.run(Request(goals=(lamp("look", "hall"),)))
    assert {entry["origin"] for entry in result.transcript} == {"surehand"}
