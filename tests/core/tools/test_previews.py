import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from core.approvals.approvals import ApprovalRequest
from core.base.budgets import Budget
from core.base.errors import ErrorInfo, FileError
from core.goals.meta_goals import Goal
from core.goals.references import Reference
from core.results.tool_results import StepLog
from core.tools.previews import Preview
from tests.core.toys import Asker, ToyRun, plan_toys, statuses, toy

CHANGE = Preview({"kind": "write", "path": "/a"}, "-a\n+b\n", {"/a": "0" * 64})


def error_of(log: StepLog) -> tuple[str, str]:
    assert log.result.error is not None
    return log.result.error.code, log.result.error.message


async def show_change() -> Preview | None:
    return CHANGE


async def find_nothing() -> Preview | None:
    raise FileError("There is no /a.", code="not_found", hint="Make it.", evidence={"path": "/a"})


async def break_down() -> Preview | None:
    raise ZeroDivisionError("by zero")


async def wait_forever() -> Preview | None:
    await asyncio.Event().wait()
    return CHANGE


def make_run(predict: Any, answer: Any = True) -> tuple[ToyRun, Asker]:
    """Return a run whose tools predict so, and whoever is asked in it."""
    run, gate = ToyRun(), Asker(answer)
    run.toys.foreseeing = predict
    run.hold_to(gate=gate)
    return run, gate


def make_clinging(run: ToyRun) -> Any:
    """Return a preview that goes on when it is told to end, until the toys are released."""

    async def cling() -> Preview | None:
        run.toys.started.set()
        while not run.toys.release.is_set():
            try:
                await run.toys.release.wait()
            except asyncio.CancelledError:
                run.toys.noted.append("ignored")
        return CHANGE

    return cling


# --- before an act


async def test_what_would_change_is_shown_to_whoever_is_asked_and_given_to_the_tool() -> None:
    run, gate = make_run(show_change)
    assert statuses(await run.run(toy("change", text="a"))) == ["ok"]
    (request,) = gate.asked
    assert request.preview is CHANGE
    assert run.toys.contexts[0].preview is CHANGE
    first, again = run.toys.foreseen
    assert (first[0], first[1], first[2].preview) == ("change", {"text": "a"}, None)
    assert (again[0], again[1], again[2].preview) == ("change", {"text": "a"}, CHANGE)


@pytest.mark.parametrize("verb", ["note", "look"])
async def test_a_verb_that_nobody_agrees_to_is_not_asked_what_it_would_change(verb: str) -> None:
    run, _ = make_run(show_change)
    assert statuses(await run.run(toy(verb, text="a"))) == ["ok"]
    assert run.toys.foreseen == []
    assert run.toys.contexts[0].preview is None


async def test_a_change_that_is_described_in_full_needs_nothing_to_show() -> None:
    run, gate = make_run(ToyRun().toys.foreseeing)
    assert statuses(await run.run(toy("change", text="a"))) == ["ok"]
    assert gate.asked[0].preview is None


async def test_what_was_read_is_bound_before_a_tool_is_asked_what_it_would_change() -> None:
    run, gate = make_run(show_change)
    await run.run(toy("look", text="seen"), Goal("toy", "change", {"text": Reference("g0", "text")}))
    assert [args for _, args, _ in run.toys.foreseen] == [{"text": "seen"}] * 2
    assert (gate.asked[0].kind, gate.asked[0].preview) == ("confirm", CHANGE)


@pytest.mark.parametrize(
    ("predict", "code", "message"),
    [
        (find_nothing, "not_found", "There is no /a."),
        (break_down, "internal_error", "toy.change failed with ZeroDivisionError: by zero"),
    ],
)
async def test_a_step_that_is_known_to_fail_ends_before_anyone_is_asked(predict: Any, code: str, message: str) -> None:
    run, gate = make_run(predict)
    logs = await run.run(toy("change", text="a"), toy("note", "after:g0", text="b"))
    assert statuses(logs) == ["failed", "skipped"]
    assert error_of(logs[0]) == (code, message)
    assert (logs[0].result.effect, logs[0].tool, logs[0].args) == ("none", "", {})
    assert (gate.asked, run.toys.noted) == ([], [])


async def test_a_change_that_is_not_approved_is_not_made() -> None:
    run, gate = make_run(show_change, answer=False)
    (log,) = await run.run(toy("change", text="a"))
    assert error_of(log)[0] == "approval_missing"
    assert (len(gate.asked), run.toys.noted) == (1, [])


async def test_what_the_tool_keeps_of_its_arguments_changes_nothing() -> None:
    run, _ = make_run(show_change)

    async def spoil() -> Preview | None:
        args = run.toys.foreseen[-1][1]
        assert isinstance(args, dict)
        args["text"] = "evil"
        return CHANGE

    run.toys.foreseeing = spoil
    await run.run(toy("change", text="a"))
    assert run.toys.noted == ["a"]


# --- its time


@pytest.mark.parametrize(("parts", "seconds"), [({"timeout_s": 0.02}, None), ({}, 0.02)])
async def test_looking_ahead_ends_with_the_time_of_the_step_and_of_the_run(parts: Any, seconds: float | None) -> None:
    run, gate = make_run(wait_forever)
    run.hold_to(budget=Budget(seconds=seconds))
    graph = plan_toys([toy("change", text="a")])
    graph.nodes = {name: replace(action, **parts) for name, action in graph.nodes.items()}
    (log,) = await asyncio.wait_for(run.executor.execute(graph, run.context), 5)
    assert (log.result.status, log.result.effect, error_of(log)[0]) == ("failed", "none", "timed_out")
    assert error_of(log)[1].startswith("The preview of toy.change took longer than 0.0")
    assert (gate.asked, run.toys.noted) == ([], [])


async def test_the_tool_is_told_how_long_it_may_look_ahead() -> None:
    run, _ = make_run(show_change)
    run.hold_to(budget=Budget(seconds=3))
    await run.run(toy("change", text="a"))
    assert 0 < run.toys.foreseen[0][2].timeout_s <= 3


async def test_a_look_ahead_that_does_not_end_is_given_up_and_never_leads_to_an_act() -> None:
    run, gate = make_run(None)
    run.toys.foreseeing = make_clinging(run)
    run.hold_to(budget=Budget(seconds=0.05))
    (log,) = await asyncio.wait_for(run.run(toy("change", text="a")), 5)
    assert (log.result.status, log.result.effect) == ("failed", "none")
    run.toys.release.set()
    await run.executor.close()
    assert (gate.asked, run.toys.noted) == ([], ["ignored"])


async def test_a_stop_while_a_tool_looks_ahead_leads_to_no_act_whatever_the_tool_does() -> None:
    run, _ = make_run(None)
    run.toys.foreseeing = make_clinging(run)
    running = asyncio.create_task(run.run(toy("change", text="a")))
    await run.toys.started.wait()
    run.context.limits.stop.set()
    (log,) = await asyncio.wait_for(running, 5)
    assert (log.result.status, log.result.effect) == ("cancelled", "none")
    run.toys.release.set()
    await run.executor.close()
    assert run.toys.noted == ["ignored"]


async def test_a_gate_that_answers_yes_after_a_stop_lets_nothing_through() -> None:
    run, asked = ToyRun(), asyncio.Event()

    class Stubborn:
        async def decide(self, request: ApprovalRequest) -> bool:
            asked.set()
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
            return True

    run.hold_to(gate=Stubborn())
    running = asyncio.create_task(run.run(toy("risk", text="a")))
    await asked.wait()
    run.context.limits.stop.set()
    (log,) = await asyncio.wait_for(running, 5)
    assert (log.result.status, log.result.effect, error_of(log)[0]) == ("cancelled", "none", "stopped")
    assert run.toys.noted == []


# --- of a whole plan


async def predict(run: ToyRun, *goals: Goal) -> list[Any]:
    found = await asyncio.wait_for(run.executor.preview(plan_toys(goals), run.context), 5)
    return [found.get(f"g{index}_{goal.verb}_1") for index, goal in enumerate(goals)]


def code_of(found: object) -> str:
    assert isinstance(found, ErrorInfo)
    return found.code


async def test_a_plan_tells_what_it_would_change_and_does_nothing() -> None:
    run, gate = make_run(show_change)
    goals = toy("note", text="a"), toy("change", text="b"), toy("risk", text="c")
    assert await predict(run, *goals) == [None, CHANGE, CHANGE]
    assert (run.toys.noted, run.toys.contexts, gate.asked) == ([], [], [])


async def test_what_depends_on_an_earlier_step_is_not_known_yet() -> None:
    run, _ = make_run(show_change)
    found = await predict(run, toy("look", text="a"), Goal("toy", "change", {"text": Reference("g0", "text")}))
    assert code_of(found[1]) == "not_known_yet"
    assert run.toys.foreseen == []


@pytest.mark.parametrize(("break_off", "code"), [(find_nothing, "not_found"), (break_down, "internal_error")])
async def test_a_change_that_can_t_be_foreseen_is_told_and_the_others_are_still_asked(
    break_off: Any, code: str
) -> None:
    run, _ = make_run(break_off)
    found = await predict(run, toy("change", text="a"), toy("change", text="b"))
    assert [code_of(each) for each in found] == [code, code]


async def test_all_that_a_plan_foresees_ends_with_the_seconds_of_the_run() -> None:
    run, _ = make_run(wait_forever)
    run.hold_to(budget=Budget(seconds=0.05))
    found = await predict(run, *(toy("change", text=str(number)) for number in range(50)))
    assert {code_of(each) for each in found} == {"timed_out"}


async def test_a_stop_ends_what_a_plan_foresees() -> None:
    run, _ = make_run(None)
    run.toys.foreseeing = make_clinging(run)
    asking = asyncio.create_task(predict(run, toy("change", text="a"), toy("change", text="b")))
    await run.toys.started.wait()
    run.context.limits.stop.set()
    assert [code_of(each) for each in await asking] == ["stopped", "stopped"]
    assert len(run.toys.foreseen) == 1
    run.toys.release.set()
    await run.executor.close()


async def test_looking_at_a_plan_begins_nothing_more_when_it_has_taken_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("core.execution.executor._LOOKING_S", -1.0)
    run, _ = make_run(show_change)
    found = await predict(run, toy("risk", text="a"), toy("change", text="b"))
    assert [code_of(each) for each in found] == ["not_known_yet", "not_known_yet"]
    assert run.toys.foreseen == []
