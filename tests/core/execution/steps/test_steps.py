import asyncio
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.approvals.approvals import ApprovalTerms, ClassGate
from core.execution.asking import find_request
from core.execution.run_context import RunContext, StepContext
from core.execution.steps import StepPerformer
from core.goals.meta_goals import Goal
from core.goals.references import Reference, Template
from core.planning.authority import RulesResolver
from core.planning.graph import PlanGraph
from core.policy.policy import Policy
from core.results.tool_results import StepLog
from tests.core.samples import WORLD, make_registry, plan_action
from tests.core.toys import Asker, ToyRun, plan_toys, statuses, toy

TEXT = Reference("g0", "text")


def error_of(log: StepLog) -> tuple[str, str]:
    assert log.result.error is not None
    return log.result.error.code, str(log.result.error)


def follow(verb: str, **params: Any) -> tuple[Goal, Goal]:
    return toy("look", text="seen"), Goal("toy", verb, params)


async def ask(run: ToyRun, *goals: Goal) -> tuple[Asker, tuple[StepLog, ...]]:
    """Run goals with a gate that says yes to everything; return what it was asked."""
    gate = Asker()
    run.hold_to(gate=gate)
    return gate, await run.run(*goals)


# --- receipts


async def test_a_receipt_says_what_was_done_and_what_was_read_back() -> None:
    run = ToyRun()
    graph = plan_toys([toy("note", text="a")])
    (log,) = await run.executor.execute(graph, run.context)
    action = graph.nodes["g0_note_1"]
    assert (log.name, log.tool, log.description, log.summary) == ("toy.note", "toy_note", "Note a", "did note a")
    assert (log.result.status, log.result.effect, log.result.error) == ("ok", "confirmed", None)
    assert (log.result.output, log.result.evidence) == ({"text": "a"}, {"noted": "a"})
    assert (log.result.undo, log.result.artifacts, log.result.tainted) == ("strike it out", ("/tmp/note",), {})
    assert log.result.args_digest == action.digest
    assert log.args == action.args


@given(st.text())
def test_what_is_executed_equals_what_was_planned_byte_for_byte(text: str) -> None:
    async def execute() -> tuple[list[Any], StepLog]:
        run = ToyRun()
        return run.toys.noted, (await run.run(toy("note", text=text)))[0]

    noted, log = asyncio.run(execute())
    assert [each.encode() for each in noted] == [text.encode()]
    assert log.result.args_digest == plan_toys([toy("note", text=text)]).nodes["g0_note_1"].digest


async def test_a_step_that_was_never_tried_has_no_digest_of_executed_args() -> None:
    (log,) = await ToyRun().run(toy("change", text="a"))
    assert (log.result.status, log.result.args_digest, log.tool, log.args) == ("refused", "", "", {})


# --- approvals


@pytest.mark.parametrize(
    ("verb", "classes", "status"),
    [
        ("change", (), "refused"),
        ("change", ("run_job",), "refused"),
        ("change", ("apply_diff",), "ok"),
        ("risk", ("apply_diff", "run_job"), "refused"),
        ("risk", ("confirm",), "refused"),
        ("note", (), "ok"),
    ],
)
async def test_a_class_named_beforehand_lets_its_steps_through_but_never_confirm(
    verb: str, classes: Any, status: str
) -> None:
    run = ToyRun()
    run.hold_to(gate=ClassGate(classes))
    (log,) = await run.run(toy(verb, text="a"))
    assert log.result.status == status
    assert run.toys.noted == (["a"] if status == "ok" else [])


async def test_a_missing_approval_refuses_the_step_and_says_how_to_give_it() -> None:
    logs = await ToyRun().run(toy("change", text="a"), toy("note", "after:g0", text="b"), toy("risk", text="c"))
    assert statuses(logs) == ["refused", "skipped", "refused"]
    assert error_of(logs[0]) == (
        "approval_missing",
        "Not approved (apply_diff): Change a. Approve it: --yes apply_diff.",
    )
    assert error_of(logs[2])[1].endswith("Only a person at the terminal can approve it.")
    assert logs[0].result.effect == "none"


@pytest.mark.parametrize("answer", [False, None])
async def test_a_denial_refuses_the_step_and_so_does_silence(answer: Any) -> None:
    run = ToyRun()
    run.hold_to(gate=Asker(answer))
    (log,) = await run.run(toy("risk", text="a"))
    assert error_of(log)[0] == "approval_missing"
    assert run.toys.noted == []


async def test_what_is_asked_carries_the_digest_of_what_is_done() -> None:
    gate, (log,) = await ask(ToyRun(), toy("risk", text="a"))
    (request,) = gate.asked
    assert (request.action_id, request.kind, request.text) == ("g0_risk_1", "confirm", "Risk a")
    assert request.digest == log.result.args_digest


async def test_the_question_and_its_answer_are_told() -> None:
    told: list[tuple[str, bool | None]] = []
    run = ToyRun()
    run.hold_to(on_question=lambda request, answer: told.append((request.action_id, answer)))
    await ask(run, toy("risk", text="a"))
    assert told == [("g0_risk_1", None), ("g0_risk_1", True)]


class DigestGate:
    """Approves one digest and nothing else."""

    def __init__(self, digest: str) -> None:
        self.digest = digest

    async def decide(self, request: Any) -> bool:
        return request.digest == self.digest


@pytest.mark.parametrize(("text", "status"), [("a", "ok"), ("b", "refused"), ("a ", "refused")])
async def test_an_approval_holds_for_exactly_the_action_that_was_approved(text: str, status: str) -> None:
    run = ToyRun()
    approved = plan_toys([toy("risk", text="a")]).nodes["g0_risk_1"].digest
    run.hold_to(gate=DigestGate(approved))
    assert statuses(await run.run(toy("risk", text=text))) == [status]


async def test_an_action_that_changed_after_its_approval_is_not_executed() -> None:
    run = ToyRun()
    graph = plan_toys([toy("risk", text="a")])
    action = graph.nodes["g0_risk_1"]
    graph.nodes = {"g0_risk_1": replace(action, args={"text": "b"})}
    run.hold_to(gate=DigestGate(action.digest))
    (log,) = await run.executor.execute(graph, run.context)
    assert error_of(log)[0] == "authority_violation"
    assert run.toys.noted == []


def test_the_question_shows_every_text_in_full_and_what_is_invisible() -> None:
    text = f"{'a' * 150}/\u202etxt.exe"
    (action,) = plan_toys([toy("change", text=text)]).nodes.values()
    request = find_request(action, {})
    assert request is not None
    assert f"{'a' * 150}/\\u202etxt.exe" in request.text
    assert "\u202e" not in request.text


LONG = "x" * 200


@pytest.mark.parametrize(
    ("name", "params", "shown"),
    [
        ("system.run", {"argv": ["sh", "-c", LONG]}, f"argv = sh -c {LONG}"),
        ("system.run", {"argv": ["sh", "-c", "rm x; ls"]}, "Run sh -c 'rm x; ls'"),
        ("system.launch", {"app": "ed", "args": ["-a", "b c", LONG]}, f"args = -a 'b c' {LONG}"),
        ("file.copy", {"source": "a", "destination": "b", "overwrite": True}, "overwrite = yes"),
        ("file.create", {"object_type": "file", "name": "notes.txt", "content": "notes"}, "content = notes"),
        ("file.zip", {"source": ["a, b", "c"], "destination": "d"}, "source = '/home/ada/work/a, b' /home/ada/work/c"),
        ("system.restart", {"abort": True}, "only cancel it: yes"),
    ],
)
def test_the_question_leaves_out_nothing_that_is_done(name: str, params: dict[str, Any], shown: str) -> None:
    domain, verb = name.split(".")
    request = find_request(plan_action(domain, verb, params), {})
    assert request is not None
    assert shown in request.text


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("system.run", {"argv": ["true"]}),
        ("file.copy", {"source": "a", "destination": "a/b"}),
        ("file.delete", {"object_type": "file", "name": "a"}),
        ("file.zip", {"source": ["a", "b"], "destination": "c"}),
        ("file.edit", {"path": "a", "find": "x", "replace": "x"}),
    ],
)
def test_the_question_says_nothing_twice(name: str, params: dict[str, Any]) -> None:
    domain, verb = name.split(".")
    action = plan_action(domain, verb, params)
    request = find_request(action, {})
    assert request is not None
    assert request.text == action.description


def test_an_action_that_needs_no_approval_asks_nothing() -> None:
    assert find_request(plan_action("browser", "back", {}), {}) is None


# --- references


async def test_a_reference_is_bound_to_the_output_with_its_type() -> None:
    run = ToyRun()
    goals = follow("note", text=Reference("g0", "count"))
    gate, logs = await ask(run, *goals)
    assert run.toys.noted == [2]
    assert type(run.toys.noted[0]) is int
    assert logs[1].description == "Note 2"
    assert logs[1].args["text"] == 2
    assert len(gate.asked) == 1


async def test_a_reference_within_a_text_is_written_as_text() -> None:
    run = ToyRun()
    await ask(run, *follow("note", text=Template(("<", TEXT, "|", Reference("g0", "count"), ">"))))
    assert run.toys.noted == ["<seen|2>"]


async def test_a_reference_goes_down_into_lists_and_mappings() -> None:
    run = ToyRun()
    await ask(run, *follow("note", text=Template((Reference("g0", "rows.0.price"),))))
    assert run.toys.noted == ["1.5"]


@pytest.mark.parametrize("key", ["txt", "rows.1", "rows.x", "rows.0.cost", "text.0", "count.0", "rows.-1", "rows.²"])
async def test_a_reference_to_what_was_not_given_fails_and_lists_what_was(key: str) -> None:
    run = ToyRun()
    logs = await run.run(*follow("note", text=Reference("g0", key)))
    code, text = error_of(logs[1])
    assert (logs[1].result.status, code) == ("refused", "reference_missing")
    assert f"${{g0.{key}}} does not exist" in text
    assert "g0 gave text, count, rows, nothing." in text
    assert run.toys.noted == []


@pytest.mark.parametrize(("key", "good"), [("text", True), ("rows", False), ("nothing", False), ("count", False)])
async def test_a_value_that_was_read_must_fit_the_param(key: str, good: bool) -> None:
    logs = await ToyRun().run(*follow("look", text=Reference("g0", key)))
    assert logs[1].result.status == ("ok" if good else "refused")
    assert good or error_of(logs[1])[0] == "validation_failed"


@pytest.mark.parametrize(
    ("verb", "param", "value", "code"),
    [
        ("navigate", "url", "http://evil.example/", "refused_by_policy"),
        ("navigate", "url", "javascript:alert(1)", "validation_failed"),
        ("pdf", "path", "/etc/passwd", "path_refused"),
        ("pdf", "path", "../up.pdf", "path_refused"),
    ],
)
async def test_an_address_or_path_that_was_read_is_judged_before_it_is_used(
    verb: str, param: str, value: str, code: str
) -> None:
    performer = StepPerformer(make_registry(), RulesResolver())
    action = plan_action("browser", verb, {param: TEXT})
    run = RunContext(world=WORLD, policy=Policy(hosts=("shop.example",)), approvals=ApprovalTerms(gate=Asker()))
    log = await performer.perform(action, StepContext(run=run, outputs={"g0": {"text": value}}))
    assert (log.result.status, error_of(log)[0]) == ("refused", code)


@pytest.mark.parametrize("verb", ["pdf", "screenshot"])
async def test_a_file_that_was_read_about_is_written_only_when_a_person_says_so(verb: str) -> None:
    performer = StepPerformer(make_registry(), RulesResolver())
    action, gate = plan_action("browser", verb, {"path": TEXT}), Asker(answer=False)
    run = RunContext(world=WORLD, policy=Policy(), approvals=ApprovalTerms(gate=gate))
    log = await performer.perform(action, StepContext(run=run, outputs={"g0": {"text": "a.txt"}}))
    assert (log.result.status, error_of(log)[0]) == ("refused", "approval_missing")
    assert [(each.kind, each.sources) for each in gate.asked] == [("confirm", {"path": ("${g0.text}",)})]


async def test_what_looks_like_a_reference_in_a_text_is_text() -> None:
    run = ToyRun()
    await run.run(toy("look", text="seen"), toy("note", "after:g0", text="${g0.text} $g0.text {text}"))
    assert run.toys.noted == ["${g0.text} $g0.text {text}"]


async def test_what_a_tool_returns_is_never_read_as_a_reference() -> None:
    run = ToyRun()
    first = toy("look", text="${g0.count}")
    await ask(run, first, Goal("toy", "note", {"text": Template((TEXT, "!"))}))
    assert run.toys.noted == ["${g0.count}!"]


async def test_only_what_came_before_can_be_referred_to() -> None:
    run = ToyRun()
    nodes = plan_toys([toy("look", text="a"), toy("look", text="b"), toy("note", text=TEXT)]).nodes
    graph = PlanGraph(nodes, {"g1_look_1": frozenset(["g2_note_1"])})
    logs = await run.executor.execute(graph, run.context)
    assert statuses(logs) == ["ok", "ok", "refused"]
    assert error_of(logs[2])[0] == "reference_missing"
    assert run.toys.noted == []


# --- taint


async def test_a_value_that_was_read_must_be_confirmed_before_it_is_used_to_act() -> None:
    run = ToyRun()
    logs = await run.run(*follow("note", text=TEXT))
    assert error_of(logs[1])[0] == "approval_missing"
    assert run.toys.noted == []


@pytest.mark.parametrize("verb", ["note", "change", "risk"])
async def test_the_question_about_a_value_that_was_read_shows_it_and_its_source(verb: str) -> None:
    gate, logs = await ask(ToyRun(), toy("look", text="a\u202eb"), Goal("toy", verb, {"text": TEXT}))
    request = gate.asked[0]
    assert request.kind == "confirm"
    assert request.sources == {"text": ("${g0.text}",)}
    assert "text = “a\\u202eb” (from ${g0.text})" in request.text
    assert "\u202e" not in request.text
    assert logs[1].result.tainted == {"text": ("${g0.text}",)}
    assert logs[1].result.args_digest == request.digest


async def test_a_value_that_was_read_may_be_used_to_observe_without_asking() -> None:
    gate, logs = await ask(ToyRun(), *follow("look", text=TEXT))
    assert gate.asked == []
    assert logs[1].result.status == "ok"
    assert logs[1].result.tainted == {"text": ("${g0.text}",)}


async def test_no_class_named_beforehand_lets_a_value_through_that_was_read() -> None:
    run = ToyRun()
    run.hold_to(gate=ClassGate(("apply_diff", "run_job", "confirm")))
    logs = await run.run(*follow("change", text=TEXT))
    assert logs[1].result.status == "refused"


async def test_the_digest_of_a_bound_action_is_that_of_the_same_action_written_out() -> None:
    gate, _ = await ask(ToyRun(), *follow("note", text=TEXT))
    assert gate.asked[0].digest == plan_toys([toy("note", text="seen")]).nodes["g0_note_1"].digest
