"""The client against a real service over HTTP: what it asks, follows, answers, stops and raises."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypedDict

import pytest

from agent.client.endpoints import Endpoint
from agent.client.events import QuestionAsked, RunEnded, RunEvent, StepBegun, StepEnded
from agent.client.hands import Surehand
from agent.client.questions import AnswerMaker, AskedQuestion, leave_open
from agent.client.reports import (
    ApprovalNeededError,
    BadOrderError,
    HandError,
    NotAllowedError,
    NotThereError,
    QuotaError,
    RunFailedError,
    RunTimeoutError,
    ServiceGoneError,
    UnknownEffectError,
)
from tests.agent.client.conftest import LampService

LIGHT = {"goal_id": "lit", "domain": "lamp", "verb": "switch", "params": {"room": "hall"}}
HOLD = {"domain": "lamp", "verb": "hold", "params": {"room": "hall"}}
BREAK = {"domain": "lamp", "verb": "switch", "params": {"room": "cellar"}}


class Answering(TypedDict, total=False):
    answer: AnswerMaker


def run_beside(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_a_sentence_is_done_and_its_receipts_are_told(service: LampService, hand: Surehand) -> None:
    done = hand.run("light hall")
    assert (done.outcome, done.session, done.exit_code) == ("success", "home", 0)
    assert [(each.name, each.status, each.effect) for each in done] == [("lamp.switch", "ok", "confirmed")]
    assert done["hall"]["state"] == "on"
    assert service.find_lamps("home").shown == {"hall": "on"}


def test_goals_and_flows_are_done_in_the_same_session(service: LampService, hand: Surehand) -> None:
    assert hand.run(goals=[LIGHT])["lit"].output == {"state": "on"}
    hand.run(flow="vars: {room: attic}\ngoals:\n  - lamp.look: {room: '${room}'}\n", variables={"room": "hall"})
    assert service.find_lamps("home").calls == ["switch hall on", "look hall"]


def test_a_step_that_fails_raises_with_its_code_hint_and_report(hand: Surehand) -> None:
    with pytest.raises(RunFailedError) as caught:
        hand.run(goals=[BREAK])
    error = caught.value
    assert (error.code, error.hint) == ("action_failed", "Buy another.")
    assert error.report
    assert error.report.outcome == "failed"
    assert hand.run(goals=[BREAK], check=False).exit_code == 1


def test_what_is_not_understood_raises_and_nothing_was_done(service: LampService, hand: Surehand) -> None:
    with pytest.raises(BadOrderError) as caught:
        hand.run("make me a sandwich")
    assert caught.value.code == "no_intent_match"
    assert service.find_lamps("home").calls == []


def test_what_needs_a_yes_is_refused_at_once_where_nobody_answers(service: LampService, hand: Surehand) -> None:
    with pytest.raises(ApprovalNeededError):
        hand.run("smash hall")
    assert service.find_lamps("home").calls == []
    assert hand.list_questions() == ()


def test_a_callback_sees_what_would_change_and_says_yes(service: LampService, hand: Surehand) -> None:
    asked: list[AskedQuestion] = []

    def agree(question: AskedQuestion) -> bool:
        asked.append(question)
        return True

    done = hand.run("smash hall", answer=agree)
    assert [(each.kind, each.approval, each.diff) for each in asked] == [("confirm", "apply_diff", "-hall\n+shards\n")]
    assert done.artifacts == ("/shards/hall",)
    assert service.find_lamps("home").calls == ["smash hall"]


def test_an_approval_given_beforehand_asks_nobody(hand: Surehand) -> None:
    assert hand.run("smash hall", approvals=["apply_diff"]).is_success


def test_words_that_are_missing_are_asked_of_the_callback(service: LampService, hand: Surehand) -> None:
    asked: list[AskedQuestion] = []

    def reply(question: AskedQuestion) -> str:
        asked.append(question)
        return "hall"

    assert hand.run("light", answer=reply).is_success
    assert [(each.kind, each.prompt) for each in asked] == [("slot", "Which room?")]
    assert service.find_lamps("home").shown == {"hall": "on"}


def test_without_an_answer_the_question_is_told_as_an_error_with_its_report(hand: Surehand) -> None:
    with pytest.raises(BadOrderError) as caught:
        hand.run("light")
    assert caught.value.code == "missing_slot"
    assert caught.value.report
    assert caught.value.report.question == "Which room?"


def test_what_is_said_answers_what_was_asked_before(service: LampService, hand: Surehand) -> None:
    assert hand.say("light", check=False).expects_reply
    assert hand.say("hall").is_success
    assert service.find_lamps("home").shown == {"hall": "on"}


def test_a_question_left_open_is_answered_by_another_client(service: LampService, hand: Surehand) -> None:
    with Surehand(service.address, token="owner") as other:
        events: list[RunEvent] = []
        for event in hand.stream("smash hall", answer=leave_open):
            events.append(event)
            if isinstance(event, QuestionAsked):
                (question,) = other.list_questions(session="home")
                other.answer(question, answer=True)
        assert isinstance(events[-1], RunEnded)
        assert events[-1].report.is_success


def test_a_yes_of_a_token_that_may_not_say_it_is_refused_and_the_run_is_stopped(service: LampService) -> None:
    with Surehand(service.address, token="runner", session="home") as hand:
        with pytest.raises(NotAllowedError) as caught:
            hand.run("smash hall", answer=lambda _: True)
        assert caught.value.code == "approval_needs_a_person"
        assert hand.list_questions() == ()
    assert service.find_lamps("home").calls == []


def test_a_stream_yields_the_events_in_order_and_the_report_last(hand: Surehand) -> None:
    events = list(hand.stream(goals=[LIGHT]))
    assert [each.seq for each in events] == list(range(len(events)))
    assert [type(each) for each in events if "step" in each.event] == [StepBegun, StepEnded]
    assert isinstance(events[-1], RunEnded)
    assert events[-1].report["lit"].effect == "confirmed"


def test_leaving_the_loop_stops_the_run(service: LampService, hand: Surehand) -> None:
    for event in hand.stream(goals=[HOLD]):
        if isinstance(event, StepBegun):
            break
    hand.run("look at hall")  # runs of a session take turns
    assert [each.outcome for each in hand.find_runs()] == ["success", "cancelled"]


def test_an_exception_of_the_callback_stops_the_run_and_is_raised(service: LampService, hand: Surehand) -> None:
    def fail(_: AskedQuestion) -> bool:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        hand.run("smash hall", answer=fail)
    assert hand.list_questions() == ()
    assert service.find_lamps("home").calls == []


@pytest.mark.parametrize("who", [{"answer": leave_open}, {}], ids=["attended", "alone"])
def test_a_run_that_takes_too_long_is_stopped_and_told_with_its_report(hand: Surehand, who: Answering) -> None:
    with pytest.raises(RunTimeoutError) as caught:
        hand.run(goals=[HOLD], timeout_s=0.3, **who)
    assert caught.value.report
    assert caught.value.report.outcome == "cancelled"
    assert isinstance(caught.value, TimeoutError)


def test_another_client_stops_a_run(service: LampService, hand: Surehand) -> None:
    def stop() -> None:
        service.await_hold("home", 2)
        with Surehand(service.address, token="owner", session="home") as other:
            assert other.stop() == 1

    hand.run("light hall")
    stopping = run_beside(stop)
    with pytest.raises(UnknownEffectError, match="stopped"):
        hand.run(goals=[HOLD])
    stopping.join()


@pytest.mark.parametrize("who", [{"answer": leave_open}, {}], ids=["attended", "alone"])
def test_a_client_that_drops_at_every_event_runs_once(
    service: LampService, open_cut: Callable[[int], str], who: Answering
) -> None:
    with Surehand(open_cut(1), token="owner", session="home") as hand:
        events = list(hand.stream(goals=[LIGHT, {**LIGHT, "goal_id": "again"}]))
        assert [each.seq for each in events] == list(range(len(events)))
        first = hand.run(goals=[LIGHT], request_id="one", **who)
        assert hand.run(goals=[LIGHT], request_id="one", **who).run_id == first.run_id
    assert service.find_lamps("home").calls == ["switch hall on"] * 3


def test_one_connection_does_for_what_is_asked_one_behind_the_other(
    hand: Surehand, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[object] = []
    connect = Endpoint.connect
    monkeypatch.setattr(Endpoint, "connect", lambda *asked: opened.append(asked) or connect(*asked))
    hand.run("light hall")
    list(hand.stream("light attic"))
    with pytest.raises(HandError):
        hand.read_run("nothing")
    assert hand.list_sessions()
    assert len(opened) == 1


def test_many_threads_may_use_one_hand(service: LampService, hand: Surehand) -> None:
    rooms = [f"room{number}" for number in range(12)]
    with ThreadPoolExecutor(12) as threads:
        done = list(threads.map(lambda room: hand.run(f"light {room}"), rooms))
    assert all(each.is_success for each in done)
    assert sorted(service.find_lamps("home").shown) == sorted(rooms)


def test_a_hand_closes_its_own_session_and_leaves_a_named_one(service: LampService) -> None:
    with Surehand(service.address, token="owner") as own:
        own.run("light hall")
        assert [each.name for each in own.list_sessions()] == [own.session]
    with Surehand(service.address, token="owner", session="kept") as named:
        named.run("light hall")
    with Surehand(service.address, token="owner") as third:
        assert [each.name for each in third.list_sessions()] == ["kept"]


def test_a_plan_is_told_and_nothing_is_done(service: LampService, hand: Surehand) -> None:
    plan = hand.plan("light hall")
    assert [each["description"] for each in plan["plan"]["nodes"]] == ["Switch hall on"]
    assert service.find_lamps("home").calls == []
    with pytest.raises(BadOrderError):
        hand.plan("make me a sandwich")


def test_runs_are_found_by_words_and_read_by_id(hand: Surehand) -> None:
    done = hand.run("light hall")
    hand.run("look at hall")
    assert [each.run_id for each in hand.find_runs("light")] == [done.run_id]
    assert hand.read_run(done.run_id).steps == done.steps
    with pytest.raises(NotThereError) as caught:
        hand.read_run("r0")
    assert (caught.value.code, isinstance(caught.value, LookupError)) == ("unknown_run", True)


def test_what_cannot_be_undone_is_told(hand: Surehand) -> None:
    undone = hand.undo(hand.run("light hall"))
    assert not undone.is_complete
    assert undone.reply


def test_a_wrong_token_is_told_as_one(service: LampService) -> None:
    with Surehand(service.address, token="nobody") as hand, pytest.raises(NotAllowedError) as caught:
        hand.run("light hall")
    assert caught.value.code == "token_unknown"


def test_too_much_at_once_says_when_to_try_again(service: LampService) -> None:
    with Surehand(service.address, token="hasty", session="home") as hand:
        hand.run("light hall")
        hand.run("light hall")
        with pytest.raises(QuotaError) as caught:
            hand.run("light hall")
    assert 1 <= caught.value.retry_after_s <= 60


def test_a_service_that_does_not_answer_is_told_with_its_place() -> None:
    with Surehand("http://127.0.0.1:9", token="x") as hand, pytest.raises(ServiceGoneError) as caught:
        hand.run("light hall")
    assert caught.value.evidence["at"] == "http://127.0.0.1:9"


def test_a_closed_hand_says_so(service: LampService) -> None:
    hand = Surehand(service.address, token="owner")
    hand.close()
    hand.close()
    with pytest.raises(HandError, match="closed"):
        hand.run("light hall")
