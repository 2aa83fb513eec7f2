"""Large requests: planning costs as many steps a goal however many goals there are, and what is too large is refused."""

import json
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from actuators.browser.saved.files import read_state
from actuators.verb_table import PLANNER_RULES
from agent.requests import flows
from agent.requests.flows import MAX_GOALS, Flow, parse_flow
from agent.requests.goal_files import parse_goals
from agent.requests.words import flow_values
from agent.requests.words.documents import MAX_BYTES, MAX_PARTS, parse_document
from agent.requests.words.flow_values import MAX_FILLED
from agent.secrets.secret_file import SecretFile
from agent.settings.settings import load_settings
from core.base.errors import FlowError, GoalError, InputError, SurehandError
from core.goals.meta_goals import Goal
from core.goals.references import MAX_BOUND, Reference, Template, bind_value
from core.goals.scopes import build_meta_goal
from core.planning import orchestrator
from core.planning.orchestrator import GoalOrchestrator, Orchestration
from core.planning.planner import GoalPlanner
from tests.core.samples import WORLD, make_setting

FEW, MANY = 30, 120
OPEN = "  - browser.navigate: {url: 'http://127.0.0.1/'}\n"


class Counter:
    """Counts the instructions that Surehand's own code carries out; what others do for it is theirs."""

    def __init__(self) -> None:
        self.count = 0

    def enter(self, frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        del event, argument
        if "/core/" not in frame.f_code.co_filename and "/agent/" not in frame.f_code.co_filename:
            return None
        frame.f_trace_opcodes = True
        return self.step

    def step(self, frame: FrameType, event: str, argument: Any) -> Callable[..., Any]:
        del frame, argument
        self.count += event == "opcode"
        return self.step


@contextmanager
def counting() -> Generator[Counter]:
    counter, before = Counter(), sys.gettrace()
    sys.settrace(counter.enter)
    try:
        yield counter
    finally:
        sys.settrace(before)


def plan(goals: Sequence[Goal]) -> Orchestration:
    setting = make_setting(world=replace(WORLD, sessions=frozenset()))
    return GoalOrchestrator(GoalPlanner(PLANNER_RULES)).orchestrate(build_meta_goal(goals), setting, run_id="r1")


def write_chain(count: int) -> str:
    return "goals:\n" + OPEN + "".join(f"  - browser.click: {{selector: 'css=#b{n}'}}\n" for n in range(count))


def write_names(count: int) -> str:
    read = "  - {{id: r{0}, browser.read: {{target: text, selector: 'css=#r{0}'}}}}\n"
    use = "  - {{browser.expect: {{text: '${{r{0}.text}}'}}, scope: 'after:r{0}'}}\n"
    return "goals:\n" + OPEN + "".join(read.format(n) + use.format(n) for n in range(count))


def write_branches(count: int) -> str:
    pairs = "  - {browser.open_tab: {url: 'http://127.0.0.1/'}, scope: root}\n  - browser.reload:\n"
    return "goals:\n" + OPEN + pairs * count


def write_folders(count: int) -> str:
    return "goals:\n" + "".join(
        f"  - {{file.create: {{object_type: folder, name: f{n}}}, scope: root}}\n"
        f"  - {{file.create: {{object_type: file, name: a.txt}}, scope: 'inside:f{n}'}}\n"
        for n in range(count)
    )


def write_late_branches(count: int) -> str:
    """Many goals that need no page, and as many beside each other after all of them that do."""
    chain = "  - system.get: {target: time}\n" * count
    return "goals:\n" + chain + f"  - {{browser.open_tab: , scope: 'after:g{count - 1}'}}\n" * count


def write_context(count: int) -> str:
    """Goals that take from the context what goals long before them left."""
    searches = "".join(f"  - {{browser.search: {{query: q{n}}}}}\n" for n in range(count))
    return "goals:\n  - browser.navigate: {platform: google}\n" + searches


def write_goals(count: int) -> str:
    goals = [{"domain": "browser", "verb": "navigate", "params": {"url": "http://127.0.0.1/"}}]
    for n in range(count):
        goal = {"domain": "browser", "verb": "click", "params": {"selector": "css=a"}}
        goals.append({**goal, "scope": f"after:g{n}" if n % 2 else "after:navigate"})
    return json.dumps(goals)


@pytest.mark.parametrize(
    ("read", "write"),
    [
        (parse_flow, write_chain),
        (parse_flow, write_names),
        (parse_flow, write_branches),
        (parse_flow, write_folders),
        (parse_flow, write_late_branches),
        (parse_flow, write_context),
        (parse_goals, write_goals),
    ],
)
def test_a_goal_costs_the_same_however_many_came_before_it(
    read: Callable[[str], Flow], write: Callable[[int], str]
) -> None:
    counts: list[int] = []
    plan(read(write(2)).goals)  # what is only done once is done by now
    for size in (FEW, MANY):
        with counting() as counter:
            planned = plan(read(write(size)).goals)
        assert planned.failures == ()
        counts.append(counter.count)
    assert counts[0] > FEW * 100
    assert counts[1] < counts[0] * (MANY / FEW) * 1.15


def test_goals_that_cannot_be_planned_cost_the_same_however_many_there_are() -> None:
    counts: list[int] = []
    plan([Goal("browser", "clik")])
    for size in (FEW, MANY):
        with counting() as counter:
            plan([Goal("browser", "clik", scope="after:nothing") for _ in range(size)])
        counts.append(counter.count)
    assert counts[1] < counts[0] * (MANY / FEW) * 1.15


def fail(text: str, **overrides: str) -> FlowError:
    with pytest.raises(FlowError) as caught:
        parse_flow(text, overrides, name="f.yaml")
    return caught.value


def test_variables_that_grow_tenfold_a_line_are_refused_where_they_pass_the_limit() -> None:
    lines = [f"  v{n}: '{f'${{v{n - 1}}}' * 10}'\n" for n in range(1, 12)]
    error = fail("vars:\n  v0: '0123456789'\n" + "".join(lines) + "goals: [{browser.back: }]")
    assert error.code == "too_large"
    assert error.message.startswith("f.yaml:8:3: ")
    assert "more than 10,000,000 characters" in error.message


@pytest.mark.parametrize("use", ["${big}", "x${big}", "${big}${big}"])
def test_a_large_variable_counts_as_often_as_it_is_used(use: str) -> None:
    big = "x" * (MAX_BYTES // 4)
    goals = f"  - browser.type: {{selector: css=a, text: '{use}'}}\n" * (MAX_FILLED // len(big) + 1)
    error = fail(f"vars: {{big: '{big}'}}\ngoals:\n{goals}")
    assert error.code == "too_large"
    assert "characters" in error.message


def test_what_is_filled_in_may_come_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow_values, "MAX_FILLED", 20)
    text = "vars: {{a: '0123456789'}}\ngoals: [{{browser.type: {{selector: css=a, text: '${{a}}{0}${{a}}'}}}}]"
    assert parse_flow(text.format("")).goals[0].params["text"] == "0123456789" * 2
    assert fail(text.format("x")).code == "too_large"


def test_a_text_of_many_slots_is_put_together_piece_by_piece_only_once() -> None:
    slots = 40_000
    flow = parse_flow(f"vars: {{a: b}}\ngoals: [{{browser.type: {{selector: css=a, text: '{'${a}' * slots}'}}}}]")
    assert flow.goals[0].params["text"] == "b" * slots


@pytest.mark.parametrize(
    "text",
    [
        "[" + "a," * MAX_PARTS + "a]",
        "- a\n" * MAX_PARTS,
        "{" + ",".join(f"k{n}:" for n in range(MAX_PARTS // 2)) + "}",
        "[" + "[]," * MAX_PARTS + "[]]",
    ],
    ids=["flow list", "block list", "keys", "empty lists"],
)
def test_a_document_of_too_many_parts_is_refused_where_it_passes_the_limit(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent.requests.words.documents.MAX_PARTS", 1000)
    with pytest.raises(FlowError) as caught:
        parse_document(text[: MAX_BYTES // 2], "f.yaml")
    assert caught.value.code == "too_large"
    assert "more than 1,000 keys and values" in caught.value.message
    line, column = caught.value.evidence["line"], caught.value.evidence["column"]
    assert (line, column) > (1, 1)
    assert line + column < 10_000


@pytest.mark.parametrize("opening", ["[", '{"a":', "- ", "? ", "[{a: ", "{[", "{? "])
def test_goals_nested_a_hundred_thousand_deep_are_refused(opening: str) -> None:
    for read in (parse_flow, parse_goals):
        with pytest.raises(FlowError) as caught:
            read(opening * 100_000)
        assert caught.value.code in {"too_large", "bad_flow"}
    with pytest.raises(FlowError, match="deeper than 40"):
        parse_goals("[" * 100_000)


@pytest.mark.parametrize("number", ["1" * 5000, "0x" + "f" * 5000, "0o" + "7" * 5000, "-" + "9" * 1000])
def test_a_number_that_cannot_be_written_out_is_no_number(number: str) -> None:
    assert "can't be read as int" in fail(f"vars: {{a: {number}}}\ngoals: [{{browser.back: }}]").message
    assert "whole number" in fail("vars: {a: 1}\ngoals: [{browser.back: }]", a=number).message


def test_a_flow_has_at_most_so_many_goals(monkeypatch: pytest.MonkeyPatch) -> None:
    goals = "  - browser.back:\n" * (MAX_GOALS + 1)
    error = fail("goals:\n" + goals)
    assert (error.code, "at most 10,000 goals" in error.message) == ("too_large", True)
    monkeypatch.setattr("agent.requests.goal_files.MAX_GOALS", 2)
    with pytest.raises(FlowError, match="at most 2 goals") as caught:
        parse_goals('[{"domain": "a", "verb": "b"},{"domain": "a", "verb": "b"},{"domain": "a", "verb": "b"}]')
    assert caught.value.code == "too_large"
    assert flows.MAX_GOALS == MAX_GOALS


@pytest.mark.parametrize("part", ["hosts", "roots", "verbs"])
def test_a_policy_has_at_most_a_thousand_entries_of_a_kind(part: str) -> None:
    entries = ", ".join(f"'{'browser.*' if part == 'verbs' else f'a{n}'}'" for n in range(1001))
    for policy in (f"{{{part}: [{entries}]}}", f"{{rules: [{{deny: {{{part}: [{entries}]}}}}]}}"):
        error = fail(f"policy: {policy}\ngoals: [{{browser.back: }}]")
        assert "1000" in error.message
        assert error.code == "too_large"


def test_planning_ends_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orchestrator, "MAX_PLANNING_S", 0.0)
    with pytest.raises(GoalError, match="planning takes longer than 0 s") as caught:
        plan([Goal("browser", "navigate", {"url": "http://127.0.0.1/"})])
    assert (caught.value.code, caught.value.evidence) == ("too_large", {"goal": "g0"})


def test_goals_that_wait_for_one_another_in_too_many_ways_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orchestrator, "MAX_EDGES", 10)
    opened = Goal("browser", "navigate", {"url": "http://127.0.0.1/"})
    reads = [Goal("browser", "read", {"target": "title"}, scope="after:g0") for _ in range(6)]
    text = Template(tuple(Reference(f"g{n + 1}", "text") for n in range(6)))
    with pytest.raises(GoalError, match="more than 10 dependencies"):
        plan([opened, *reads, *[Goal("browser", "expect", {"text": text}, scope="after:g0")] * 2])


@pytest.mark.parametrize(
    "value",
    [
        Template(tuple(Reference("g0", "text") for _ in range(30))),
        {f"p{n}": Reference("g0", "text") for n in range(30)},
        [[Template(("x", Reference("g0", "rows")))] for _ in range(30)],
    ],
)
def test_what_was_read_is_put_in_only_as_often_as_a_step_may_be_told(value: object) -> None:
    text = "x" * (MAX_BOUND // 25)
    outputs = {"g0": {"text": text, "rows": [{"name": text}]}}
    with pytest.raises(GoalError, match="more than 20,000,000 characters in one step") as caught:
        bind_value(value, outputs)
    assert caught.value.code == "too_large"
    assert bind_value([Reference("g0", "text")] * 20, outputs) == (text,) * 20


HOSTILE_TOML = ["a = " + "[" * 100_000, "a = " + "1" * 5000, "a = " + "{b = " * 100_000]


@pytest.mark.parametrize("text", HOSTILE_TOML, ids=["nested lists", "a long number", "nested tables"])
def test_settings_and_secrets_that_no_reader_can_hold_are_refused(text: str, tmp_path: Path) -> None:
    folder = tmp_path / ".surehand"
    folder.mkdir()
    (folder / "settings.toml").write_text(text)
    with pytest.raises(InputError) as caught:
        load_settings(tmp_path)
    assert caught.value.code == "bad_settings"
    secrets = SecretFile(tmp_path / "config" / "secrets.toml")
    secrets.write({})
    secrets.path.write_text(text)
    with pytest.raises(SurehandError, match="it is not valid TOML"):
        secrets.read()


def test_a_saved_session_nested_too_deep_is_no_session(tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text('{"cookies": ' + "[" * 100_000)
    with pytest.raises(SurehandError, match="it is not JSON"):
        read_state(tmp_path / "state.json")
