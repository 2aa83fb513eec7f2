import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from actuators.verb_table import PLANNER_RULES
from core.base.budgets import Budget
from core.planning.authority import enforce_authority, list_candidates
from core.planning.plans import PlannedAction
from core.results.tool_results import StepLog, ToolCall
from core.tools.registry import ToolSpec
from fixtures.hostile.resolver import ATTACKS
from fixtures.hostile.runs import attack
from tests.core.samples import make_registry, plan_action
from tests.core.toys import ToyRun, statuses, toy

SPECS = make_registry().specs()
READ = plan_action("browser", "read", {"target": "text"})

PAIRS: Any = [("text", "evil")]

Answer = Callable[[PlannedAction, Sequence[ToolSpec]], Any]


@dataclass
class Resolver:
    """Answers as it is told to."""

    answer: Answer

    async def resolve(self, action: PlannedAction, candidates: Sequence[ToolSpec]) -> ToolCall:
        return self.answer(action, candidates)


class AgreeableText(str):
    """A text that equals every other."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash("max_chars")


class AgreeableNumber(int):
    """A number within all limits."""

    def __ge__(self, other: object) -> bool:
        return True

    def __le__(self, other: object) -> bool:
        return True


class FickleParams(Mapping[str, Any]):
    """Params that are good when they are looked at first and bad afterwards."""

    def __init__(self) -> None:
        self.reads = 0

    def __getitem__(self, key: str) -> Any:
        self.reads += 1
        return 5 if self.reads < 3 else "#evil"

    def __iter__(self) -> Iterator[str]:
        while True:
            yield "max_chars"

    def __len__(self) -> int:
        return 1


class FickleCall(ToolCall):
    """A call whose tool changes."""


class ChangingDict(dict[str, Any]):
    """A dict that says something else than it holds."""

    def items(self) -> Any:
        return [("max_chars", "#evil")]

    def __getitem__(self, key: str) -> Any:
        return "#evil"


def error_of(log: StepLog) -> tuple[str, str]:
    assert log.result.error is not None
    return log.result.error.code, log.result.error.message


def tamper_with_args(action: PlannedAction, _: Sequence[ToolSpec]) -> ToolCall:
    object.__setattr__(action, "args", {"text": "evil"})
    object.__setattr__(action, "digest", "0" * 64)
    object.__setattr__(action, "action_class", "observe")
    return ToolCall("toy_note", {})


def tamper_with_inner_args(action: PlannedAction, _: Sequence[ToolSpec]) -> ToolCall:
    class Thief:
        def __eq__(self, held: object) -> bool:
            assert isinstance(held, dict)
            held["text"] = "evil"
            return True

        def __hash__(self) -> int:
            return 0

    assert action.args == Thief()
    return ToolCall("toy_note", {})


def tamper_with_tools(_: PlannedAction, candidates: Sequence[ToolSpec]) -> ToolCall:
    object.__setattr__(candidates[0], "name", "toy_look")
    return ToolCall("toy_note", {"extra": 1})


@pytest.mark.parametrize("answer", [tamper_with_args, tamper_with_tools])
async def test_a_resolver_that_changes_what_it_is_shown_changes_a_copy(answer: Answer) -> None:
    run = ToyRun(Resolver(answer))
    (log,) = await run.run(toy("note", text="good"))
    assert (log.result.status, run.toys.noted) == ("ok", ["good"])


async def test_a_resolver_that_reaches_into_the_planned_args_is_refused() -> None:
    run = ToyRun(Resolver(tamper_with_inner_args))
    (log,) = await run.run(toy("note", text="good"))
    assert (error_of(log)[0], run.toys.noted) == ("authority_violation", [])


@pytest.mark.parametrize(
    "proposed",
    [
        None,
        "toy_note",
        {"tool": "toy_note", "params": {}},
        FickleCall("toy_note", {}),
        ToolCall(AgreeableText("toy_note"), {}),
        ToolCall("toy_note", FickleParams()),
        ToolCall("toy_note", ChangingDict()),
        ToolCall("toy_note", PAIRS),
        ToolCall("toy_look", {}),
        ToolCall("t" * 1_000_000, {}),
    ],
)
async def test_an_answer_that_is_no_plain_call_of_an_allowed_tool_is_refused(proposed: Any) -> None:
    run = ToyRun(Resolver(lambda _action, _tools: proposed))
    (log,) = await run.run(toy("note", text="good"))
    code, text = error_of(log)
    assert (log.result.status, log.result.effect, code, run.toys.noted) == (
        "refused",
        "none",
        "authority_violation",
        [],
    )
    assert len(text) < 300


def test_a_name_that_only_claims_to_be_one_is_dropped() -> None:
    proposed = ToolCall("browser_read", {AgreeableText("selector"): 5})
    enforced = enforce_authority(READ, proposed, list_candidates(READ, SPECS))
    assert dict(enforced.call.params) == {"target": "text"}
    assert enforced.dropped == ("and 1 more",)


def test_a_value_that_claims_to_equal_the_planned_one_is_named() -> None:
    proposed = ToolCall("browser_read", {"target": AgreeableText("html")})
    enforced = enforce_authority(READ, proposed, list_candidates(READ, SPECS))
    assert type(enforced.call.params["target"]) is str
    assert enforced.dropped == ("target",)


def test_a_receipt_does_not_grow_with_what_was_proposed() -> None:
    params = {f"{'x' * 1000}{number}": number for number in range(10_000)}
    enforced = enforce_authority(READ, ToolCall("browser_read", params), list_candidates(READ, SPECS))
    assert len(enforced.dropped) == 21
    assert enforced.dropped[-1] == "and 9980 more"
    assert max(map(len, enforced.dropped)) == 100


@pytest.mark.parametrize("kind", ATTACKS)
async def test_no_attack_on_any_verb_has_anything_executed_that_was_not_planned(kind: str) -> None:
    counts = await attack(len(PLANNER_RULES), seed=7, kinds=[kind])
    assert counts.examples == []
    assert counts.tried == {kind: len(PLANNER_RULES)}


@pytest.mark.parametrize("kind", ["foreign value", "added params", "changed later", "huge", "strange keys"])
async def test_an_attack_that_is_only_a_call_with_other_values_does_not_keep_the_plan_from_being_done(
    kind: str,
) -> None:
    counts = await attack(len(PLANNER_RULES), seed=7, kinds=[kind])
    assert counts.executed == counts.tried


async def test_a_resolver_that_fails_is_a_receipt_and_nothing_was_done() -> None:
    class UnspeakableError(Exception):
        def __str__(self) -> str:
            raise ValueError("no text")

    def break_down(_action: PlannedAction, _tools: Sequence[ToolSpec]) -> ToolCall:
        raise UnspeakableError

    run = ToyRun(Resolver(break_down))
    (log,) = await run.run(toy("note", text="good"))
    assert (log.result.status, log.result.effect, error_of(log)[0]) == ("failed", "none", "internal_error")
    assert "UnspeakableError" in error_of(log)[1]
    assert run.toys.noted == []


async def test_a_resolver_that_claims_to_be_cancelled_is_a_fault_and_not_a_stop() -> None:
    def pretend(_action: PlannedAction, _tools: Sequence[ToolSpec]) -> ToolCall:
        raise asyncio.CancelledError

    logs = await ToyRun(Resolver(pretend)).run(toy("note", text="a"), toy("note", "after:g0", text="b"))
    assert statuses(logs) == ["failed", "skipped"]
    assert error_of(logs[0]) == ("internal_error", "toy.note failed with asyncio.exceptions.CancelledError")


async def test_a_resolver_that_never_answers_is_given_up_and_nothing_was_done() -> None:
    class Silent:
        async def resolve(self, action: PlannedAction, candidates: Sequence[ToolSpec]) -> ToolCall:
            await asyncio.Event().wait()
            raise AssertionError

    run = ToyRun(Silent())
    run.hold_to(budget=Budget(seconds=0.05))
    (log,) = await run.run(toy("note", text="a"))
    assert (log.result.status, log.result.effect, error_of(log)[0]) == ("failed", "none", "timed_out")
    assert run.toys.noted == []
