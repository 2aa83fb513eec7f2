import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.approvals.approvals import Approval, ApprovalRequest, ApprovalTerms, ClassGate, PendingApprovals, bind_request
from core.base.budgets import Budget
from core.base.errors import ApprovalError
from core.goals.meta_goals import Goal
from core.goals.references import Reference
from core.planning.plans import PlannedAction
from core.policy.policy import Policy
from core.policy.policy_rules import PolicyRule
from core.results.tool_results import StepLog, ToolCall
from core.tools.previews import ABSENT, Preview, compute_fingerprint
from core.tools.registry import ToolSpec
from tests.core.toys import Asker, ToyRun, Toys, statuses, toy

SHOWN = Preview({"kind": "write"}, "-a\n+b\n", {"/a": "0" * 64}, {"role": "button", "name": "Buy"})
REQUEST = ApprovalRequest("g0_risk_1", "d" * 64, "confirm", "Risk a", {}, SHOWN)


@dataclass
class Clock:
    """Goes forward when it is told to."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


def error_of(log: StepLog) -> tuple[str, str]:
    assert log.result.error is not None
    return log.result.error.code, log.result.error.message


def bind(clock: Clock, **parts: Any) -> ApprovalRequest:
    return bind_request(REQUEST, ApprovalTerms(clock=clock, **parts))


# --- what a yes is bound to


def test_every_question_has_a_name_and_a_digest_of_its_own() -> None:
    clock = Clock()
    bound = [bind(clock) for _ in range(50)]
    assert len({each.approval_id for each in bound}) == len({each.approval_digest for each in bound}) == 50
    assert all(len(each.approval_id) == 32 and len(each.approval_digest) == 64 for each in bound)
    assert {(each.expires, each.expires_in_s) for each in bound} == {(1300.0, 300.0)}
    assert all(each.expires_at.endswith("+00:00") for each in bound)


def test_a_yes_is_used_once() -> None:
    clock = Clock()
    approval = Approval(bind(clock), SHOWN, clock)
    approval.redeem(REQUEST.digest, SHOWN)
    with pytest.raises(ApprovalError, match="it was used already") as caught:
        approval.redeem(REQUEST.digest, SHOWN)
    assert caught.value.code == "approval_void"


@pytest.mark.parametrize(("later_s", "holds"), [(0, True), (299.9, True), (300, False), (10**9, False)])
def test_a_yes_holds_for_a_limited_time(later_s: float, holds: bool) -> None:
    clock = Clock()
    approval = Approval(bind(clock), SHOWN, clock)
    clock.now += later_s
    if holds:
        approval.redeem(REQUEST.digest, SHOWN)
        return
    with pytest.raises(ApprovalError, match="it has expired"):
        approval.redeem(REQUEST.digest, SHOWN)


def test_a_yes_to_one_action_is_no_yes_to_another() -> None:
    clock = Clock()
    with pytest.raises(ApprovalError, match="the action is a different one"):
        Approval(bind(clock), SHOWN, clock).redeem("e" * 64, SHOWN)


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (replace(SHOWN, before={"/a": "1" * 64}), "/a has changed"),
        (replace(SHOWN, before={"/a": ABSENT}), "/a is gone"),
        (replace(SHOWN, before={}), "/a is no longer affected"),
        (replace(SHOWN, before={"/a": "0" * 64, "/b": "1"}), "/b is affected now and was not before"),
        (replace(SHOWN, target={"role": "button", "name": "Pay"}), 'name was "Buy" and is "Pay"'),
        (replace(SHOWN, target={"role": "button"}), 'name was "Buy" and is nothing'),
        (replace(SHOWN, diff="-a\n+c\n"), "its preview is different now"),
        (replace(SHOWN, operation={"kind": "delete"}), "its preview is different now"),
        (None, "its preview is no longer available"),
    ],
)
def test_what_is_not_as_it_was_shown_voids_a_yes_and_is_told(now: Preview | None, told: str) -> None:
    clock = Clock()
    with pytest.raises(ApprovalError) as caught:
        Approval(bind(clock), SHOWN, clock).redeem(REQUEST.digest, now)
    assert (caught.value.code, caught.value.evidence["changed"]) == ("approval_void", [told])
    assert told in caught.value.message


values = st.recursive(st.one_of(st.text(max_size=5), st.integers(), st.booleans(), st.none()), st.lists, max_leaves=4)
facts = st.dictionaries(st.text(max_size=3), values, max_size=3)
previews = st.builds(
    Preview, facts, st.text(max_size=5), st.dictionaries(st.text(max_size=3), st.text(max_size=3)), facts
)


@given(previews, previews)
def test_previews_have_one_fingerprint_only_if_they_say_the_same(left: Preview, right: Preview) -> None:
    same = repr(left) == repr(right)
    assert (compute_fingerprint(left) == compute_fingerprint(right)) or not same
    if left.before != right.before or left.diff != right.diff:
        assert compute_fingerprint(left) != compute_fingerprint(right)


# --- in a run


async def test_a_target_that_changes_while_a_person_thinks_is_not_acted_on() -> None:
    run = ToyRun()
    states = iter(["0" * 64, "1" * 64])

    async def predict() -> Preview:
        return Preview({"kind": "write"}, before={"/a": next(states)})

    run.toys.foreseeing = predict
    run.hold_to(gate=Asker())
    logs = await run.run(toy("change", text="a"), toy("note", "after:g0", text="b"))
    assert statuses(logs) == ["refused", "skipped"]
    assert error_of(logs[0]) == ("approval_void", "The approval is no longer valid: /a has changed.")
    assert (logs[0].result.effect, run.toys.noted) == ("none", [])


async def test_a_yes_that_comes_too_late_by_the_clock_is_void() -> None:
    run, clock = ToyRun(), Clock()

    class Slow:
        async def decide(self, request: ApprovalRequest) -> bool:
            clock.now += 301
            return True

    run.hold_to(gate=Slow(), approvals=ApprovalTerms(clock=clock))
    (log,) = await run.run(toy("risk", text="a"))
    assert error_of(log)[0] == "approval_void"
    assert run.toys.noted == []


async def test_nobody_waits_longer_for_an_answer_than_a_question_lives() -> None:
    run, questions = ToyRun(), PendingApprovals()
    run.hold_to(gate=questions, approvals=ApprovalTerms(lifetime_s=0.02))
    (log,) = await asyncio.wait_for(run.run(toy("risk", text="a")), 5)
    assert error_of(log) == ("approval_missing", "Nobody answered within 0.02 s (confirm): Risk a.")
    assert questions.list_open() == ()


async def test_a_question_knows_the_plan_and_who_asked() -> None:
    gate, run = Asker(), ToyRun()
    run.hold_to(gate=gate, approvals=ApprovalTerms(plan_digest="p", principal="ada"))
    await run.run(toy("risk", text="a"), toy("risk", text="a"))
    first, second = gate.asked
    assert first.digest == second.digest
    assert first.approval_digest != second.approval_digest


# --- questions that are answered from elsewhere


async def ask(run: ToyRun, questions: PendingApprovals, *goals: Goal) -> tuple[asyncio.Task[Any], ApprovalRequest]:
    """Begin a run and return it with the question that it waits for."""
    asked: asyncio.Future[ApprovalRequest] = asyncio.get_running_loop().create_future()
    run.hold_to(
        gate=questions,
        on_question=lambda request, answer: answer is not None or asked.done() or asked.set_result(request),
    )
    running = asyncio.create_task(run.run(*goals))
    request = await asked
    await asyncio.sleep(0)
    return running, request


@pytest.mark.parametrize(("yes", "status"), [(True, "ok"), (False, "refused"), ("yes", "refused"), (1, "refused")])
async def test_a_client_answers_by_id_and_digest_and_only_true_is_yes(yes: Any, status: str) -> None:
    run, questions = ToyRun(), PendingApprovals()
    running, request = await ask(run, questions, toy("risk", text="a"))
    assert questions.list_open() == (request,)
    questions.answer(request.approval_id, request.approval_digest, yes=yes)
    assert statuses(await running) == [status]
    assert run.toys.noted == (["a"] if status == "ok" else [])


def refuse(questions: PendingApprovals, approval_id: object, digest: object) -> str:
    with pytest.raises(ApprovalError) as caught:
        questions.answer(approval_id, digest, yes=True)
    return caught.value.code


async def test_a_wrong_digest_is_refused_and_leaves_the_question_open() -> None:
    run, questions = ToyRun(), PendingApprovals()
    running, request = await ask(run, questions, toy("risk", text="a"))
    for digest in ("", "0" * 64, request.digest, request.approval_digest.upper(), "ü\udcff"):
        assert refuse(questions, request.approval_id, digest) == "approval_mismatch"
    questions.answer(request.approval_id, request.approval_digest, yes=True)
    assert refuse(questions, request.approval_id, request.approval_digest) == "approval_used"
    assert statuses(await running) == ["ok"]
    assert refuse(questions, request.approval_id, request.approval_digest) == "approval_used"


async def test_an_unknown_question_and_one_whose_run_was_stopped_can_t_be_answered() -> None:
    run, questions = ToyRun(), PendingApprovals()
    assert refuse(questions, "", "") == "approval_unknown"
    running, request = await ask(run, questions, toy("risk", text="a"))
    run.context.limits.stop.set()
    await running
    assert refuse(questions, request.approval_id, request.approval_digest) == "approval_expired"
    assert refuse(questions, request.action_id, request.digest) == "approval_unknown"
    assert run.toys.noted == []


async def test_an_answer_after_the_time_is_refused_although_nobody_has_noticed_yet() -> None:
    clock = Clock()
    run, questions = ToyRun(), PendingApprovals(clock)
    run.hold_to(approvals=ApprovalTerms(clock=clock))
    running, request = await ask(run, questions, toy("risk", text="a"))
    clock.now += 300
    assert refuse(questions, request.approval_id, request.approval_digest) == "approval_expired"
    assert questions.list_open() == ()
    run.context.limits.stop.set()
    await running


async def test_whatever_a_client_sends_is_answered_by_a_code() -> None:
    run, questions = ToyRun(), PendingApprovals()
    running, request = await ask(run, questions, toy("risk", text="a"))
    for name in (None, 1, [], {}, b"", request.approval_id.encode()):
        assert refuse(questions, name, request.approval_digest) == "approval_unknown"
    for digest in (None, 1, [], {}, b"", request.approval_digest.encode()):
        assert refuse(questions, request.approval_id, digest) == "approval_mismatch"
    questions.answer(request.approval_id, request.approval_digest, yes=None)
    assert statuses(await running) == ["refused"]


async def test_two_questions_about_the_same_have_answers_of_their_own() -> None:
    run, questions = ToyRun(), PendingApprovals()
    running, _ = await ask(run, questions, toy("risk", text="a"), toy("risk", text="a"))
    first, second = questions.list_open()
    assert refuse(questions, first.approval_id, second.approval_digest) == "approval_mismatch"
    questions.answer(second.approval_id, second.approval_digest, yes=True)
    questions.answer(first.approval_id, first.approval_digest, yes=False)
    assert statuses(await running) == ["refused", "ok"]


@pytest.mark.parametrize("says", [True, False])
async def test_a_gate_that_goes_on_when_its_time_is_up_holds_nobody_up_and_is_not_heard(says: bool) -> None:
    run, release = ToyRun(), asyncio.Event()

    class Clinging:
        async def decide(self, request: ApprovalRequest) -> bool:
            while not release.is_set():
                with contextlib.suppress(asyncio.CancelledError):
                    await release.wait()
                if says:
                    return True
            return True

    run.hold_to(gate=Clinging(), approvals=ApprovalTerms(lifetime_s=0.02))
    (log,) = await asyncio.wait_for(run.run(toy("risk", text="a")), 5)
    release.set()
    await asyncio.sleep(0)
    assert error_of(log) == ("approval_missing", "Nobody answered within 0.02 s (confirm): Risk a.")
    assert run.toys.noted == []


async def test_a_question_without_a_name_is_not_opened() -> None:
    with pytest.raises(ApprovalError):
        await PendingApprovals().decide(REQUEST)


# --- rules of the policy


def rule(verdict: Any, **scope: Any) -> PolicyRule:
    return PolicyRule(verdict=verdict, **scope)


@pytest.mark.parametrize(
    ("rules", "verb", "ended", "asked"),
    [
        ((), "change", "refused", ["apply_diff"]),
        ((rule("allow", verbs=("toy.*",)),), "change", "ok", []),
        ((rule("allow", verbs=("toy.*",)),), "risk", "refused", ["confirm"]),
        ((rule("allow", verbs=("toy.change",)), rule("ask", effects=("actuate",))), "change", "refused", ["confirm"]),
        ((rule("ask", verbs=("toy.note",)),), "note", "refused", ["confirm"]),
        ((rule("ask", effects=("observe",)),), "look", "refused", ["confirm"]),
        ((rule("ask", effects=("irreversible",)),), "look", "ok", []),
        ((rule("ask", verbs=("toy.look",)),), "note", "ok", []),
    ],
)
async def test_rules_allow_and_ask(rules: tuple[PolicyRule, ...], verb: str, ended: str, asked: list[str]) -> None:
    run, gate = ToyRun(), Asker(answer=False)
    run.hold_to(gate=gate, policy=Policy(rules=rules))
    assert statuses(await run.run(toy(verb, text="a"))) == [ended]
    assert [request.kind for request in gate.asked] == asked


async def test_a_class_named_beforehand_is_no_answer_to_a_rule_that_asks() -> None:
    run = ToyRun()
    run.hold_to(gate=ClassGate(("apply_diff",)), policy=Policy(rules=(rule("ask", verbs=("toy.change",)),)))
    assert statuses(await run.run(toy("change", text="a"))) == ["refused"]


async def test_an_approval_by_a_rule_is_told_without_a_question() -> None:
    told: list[bool | None] = []
    run = ToyRun()
    run.hold_to(
        policy=Policy(rules=(rule("allow", verbs=("toy.*",)),)), on_question=lambda _, answer: told.append(answer)
    )
    await run.run(toy("change", text="a"))
    assert told == [True]


async def test_a_rule_lets_no_value_through_that_was_read() -> None:
    run, gate = ToyRun(), Asker(answer=False)
    run.hold_to(gate=gate, policy=Policy(rules=(rule("allow", verbs=("toy.*",)),)))
    await run.run(toy("look", text="seen"), Goal("toy", "change", {"text": Reference("g0", "text")}))
    assert [request.kind for request in gate.asked] == ["confirm"]


async def test_what_a_rule_denies_is_refused_when_it_comes_to_it() -> None:
    run, gate = ToyRun(), Asker()
    run.hold_to(gate=gate, policy=Policy(rules=(rule("deny", verbs=("toy.note",), because="it is loud"),)))
    (log,) = await run.run(toy("note", text="a"))
    assert error_of(log) == ("refused_by_policy", "A policy rule denies toy.note here: it is loud.")
    assert (gate.asked, run.toys.noted) == ([], [])


@dataclass
class Wandering:
    """A resolver in whose time the page goes elsewhere."""

    toys: Toys
    to: str

    async def resolve(self, action: PlannedAction, candidates: Sequence[ToolSpec]) -> ToolCall:
        self.toys.target = {"address": self.to}
        return ToolCall(candidates[0].name, {})


@pytest.mark.parametrize(("verdict", "code"), [("deny", "refused_by_policy"), ("ask", "approval_void"), ("allow", "")])
async def test_a_page_that_goes_to_a_limited_host_between_the_judgement_and_the_act_is_not_acted_on(
    verdict: Any, code: str
) -> None:
    run = ToyRun()
    run.toys.target = {"address": "http://a.example/"}
    run.resolve_by(Wandering(run.toys, "http://bank.example./pay"))
    run.hold_to(gate=Asker(), policy=Policy(rules=(rule(verdict, hosts=("bank.example",)),)))
    (log,) = await run.run(toy("note", text="a"))
    assert (log.result.error.code if log.result.error else "") == code
    assert run.toys.noted == ([] if code else ["a"])


async def test_a_question_says_no_longer_time_than_the_run_has() -> None:
    run, gate = ToyRun(), Asker()
    run.hold_to(gate=gate, budget=Budget(seconds=20))
    await run.run(toy("risk", text="a"))
    assert 0 < gate.asked[0].expires_in_s <= 20


# --- who may say yes


@pytest.mark.parametrize("kind", ["apply_diff", "run_job", "confirm"])
async def test_classes_are_approved_beforehand_and_confirm_is_not_even_if_it_is_named(kind: str) -> None:
    gate = ClassGate(("apply_diff", "run_job", "confirm"))
    assert await gate.decide(replace(REQUEST, kind=kind)) is (kind != "confirm")


@dataclass
class Mumbler:
    """A gate that answers, and not with a yes."""

    answer: Any

    async def decide(self, request: ApprovalRequest) -> bool:
        return self.answer


@pytest.mark.parametrize("answer", ["no", "False", 1, ["yes"], None, False], ids=repr)
async def test_nothing_but_true_is_a_yes(answer: Any) -> None:
    run = ToyRun()
    run.hold_to(gate=Mumbler(answer))
    (log,) = await run.run(toy("risk", text="a"))
    assert (log.result.status, error_of(log)[0], run.toys.noted) == ("refused", "approval_missing", [])
