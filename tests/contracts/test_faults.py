"""Faults of the fake browser, as an executor and a session meet them; the effects are read at the far end."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import pytest

from actuators.base import Environment
from actuators.browser.fake.acting import FakePointer
from actuators.browser.fake.back_end import refuse_the_rest
from actuators.browser.fake.browser import EVERY, Breaks, BrowserFault, Covered, Dies, FakeBrowser, TimesOut, Waits
from actuators.browser.tools.pointer import PointerPort
from actuators.simulation import SimulatedMachine
from actuators.verb_table import PLANNER_RULES
from agent.assembly import make_registry
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.sessions.session_parts import SessionParts
from core.base.errors import ActionError, NotSimulatedError, UnsupportedError
from core.execution.executor import PlanExecutor
from core.execution.steps import StepPerformer
from core.goals.meta_goals import Goal
from core.goals.world import WorldState
from core.language.interpreter import GrammarInterpreter
from core.planning.authority import RulesResolver
from core.planning.orchestrator import GoalOrchestrator
from core.planning.planner import GoalPlanner
from core.results.tool_results import RunResult
from core.tools.ports import ActionContext
from tests.contracts.browser.bench import DeclaredSite, make_fake_bench
from tests.contracts.browser.pages import FAKE_HOST, make_web

Ask = tuple[str, Mapping[str, object]]

SITE = f"http://{FAKE_HOST}"


def simulate(*faults: BrowserFault) -> tuple[AgentSession, FakeBrowser]:
    """Return a whole session on a fake browser with faults."""
    browser = FakeBrowser(make_web(SITE), faults=faults)
    families = SimulatedMachine(browser=browser).list_families(Environment(platform="linux"))
    parts = SessionParts(
        interpreter=GrammarInterpreter(),
        orchestrator=GoalOrchestrator(GoalPlanner(PLANNER_RULES)),
        executor=PlanExecutor(StepPerformer(make_registry(families), RulesResolver())),
        families=families,
        world=WorldState("linux", {}, frozenset(), (), {}, {"platforms": ()}),
    )
    return AgentSession(parts), browser


def chain(*goals: Ask) -> Request:
    """Return a request of browser goals, each after the one before."""
    made = [
        Goal("browser", verb, params, goal_id=f"g{number}", scope=f"after:g{number - 1}" if number else "root")
        for number, (verb, params) in enumerate(goals)
    ]
    return Request(goals=tuple(made))


OPEN = ("navigate", {"url": f"{SITE}/conformance/"})
CLICK = ("click", {"selector": 'button "Plain button"'})
NOT_WRITTEN: Mapping[str, Mapping[str, Any]] = {
    "hover": {"selector": "#plain"},
    "focus": {"selector": "#plain"},
    "mark": {"selector": "#plain"},
    "drag": {"selector": "#plain", "target": "#second"},
    "scroll": {"to": "bottom"},
    "reveal": {"selector": "#plain"},
    "set": {"selector": "#plain", "value": "on"},
    "fill": {"fields": {"name": "Ada"}},
    "upload": {"selector": "#plain", "path": "state.json"},
    "extract": {"fields": {"name": "#plain"}},
    "snapshot": {},
    "screenshot": {},
    "pdf": {},
    "zoom": {"direction": "in"},
    "dialog": {"action": "accept"},
    "download": {"url": f"{SITE}/dialogs/report", "path": "report.txt"},
    "save_session": {"path": "saved.json"},
    "load_session": {"path": "state.json"},
    "emulate": {"offline": True},
    "route": {"url": "**/api/*"},
}


def codes(result: RunResult) -> list[str]:
    return [log.result.error.code if log.result.error else log.result.status for log in result.step_logs]


def list_names(folder: Path) -> list[str]:
    """List what lies in a folder."""
    return [each.name for each in folder.iterdir()]


def clicked(browser: FakeBrowser) -> Sequence[str]:
    return [event.detail["id"] for event in browser.web.events if event.name == "clicked"]


async def test_without_faults_a_sentence_is_carried_out_on_declared_pages():
    session, browser = simulate()
    text = f'go to {SITE}/conformance/form, type "Ada" into the name field and click Send'
    result = await session.run(Request(utterance=text))
    assert (result.outcome, codes(result)) == ("success", ["ok"] * 3)
    assert (await DeclaredSite(browser).sent())["name"] == ("Ada",)
    assert [call.verb for call in browser.calls] == ["navigate", "type", "click"]


async def test_the_third_click_is_covered_and_only_that():
    session, browser = simulate(BrowserFault("click", Covered("a banner"), number=3))
    result = await session.run(chain(OPEN, CLICK, CLICK, CLICK, CLICK))
    assert codes(result) == ["ok", "ok", "ok", "target_covered", "skipped"]
    error = result.step_logs[3].result.error
    assert error is not None
    assert "a banner" in error.message
    assert clicked(browser) == ["plain", "plain"]


@pytest.mark.parametrize(
    ("verb", "goal", "code"), [("navigate", OPEN, "navigation_timeout"), ("read", ("read", {"target": "title"}), "timed_out")]
)  # fmt: skip
async def test_a_page_that_does_not_answer_is_an_error_and_not_a_wait(verb: str, goal: Ask, code: str):
    session, _ = simulate(BrowserFault(verb, TimesOut(), number=2 if verb == "navigate" else 1))
    result = await session.run(chain(OPEN, goal))
    assert codes(result) == ["ok", code]


@pytest.mark.parametrize("done", [True, False])
async def test_a_browser_that_dies_in_a_click_leaves_the_outcome_unknown(done: bool):
    session, browser = simulate(BrowserFault("click", Dies(done=done)))
    result = await session.run(chain(OPEN, CLICK, CLICK))
    assert codes(result) == ["ok", "outcome_unknown", "skipped"]
    assert result.step_logs[1].result.effect == "unverified"
    assert clicked(browser) == (["plain"] if done else [])
    assert len(browser.tabs) == 0


async def test_after_a_death_the_next_navigation_starts_a_fresh_browser():
    session, browser = simulate(BrowserFault("read", Dies()))
    result = await session.run(chain(OPEN, ("read", {"target": "title"})))
    assert codes(result) == ["ok", "page_closed"]
    assert (await session.run(chain(OPEN, CLICK))).outcome == "success"
    assert clicked(browser) == ["plain"]


async def test_every_call_of_a_verb_can_break():
    error = UnsupportedError("Pointers are out of order.")
    session, browser = simulate(
        BrowserFault("read", Breaks(error), number=EVERY), BrowserFault("expect", Breaks(RuntimeError("Oh.")))
    )
    read = ("read", {"target": "title"})
    for _ in range(2):
        result = await session.run(chain(OPEN, read))
        assert codes(result) == ["ok", "not_supported_here"]
    result = await session.run(chain(OPEN, ("expect", {"selector": "#plain"})))
    assert codes(result) == ["ok", "internal_error"]
    assert [call.verb for call in browser.calls].count("read") == 2


async def test_a_call_waits_at_its_gate_and_a_stop_ends_the_wait():
    gate = Waits()
    session, browser = simulate(BrowserFault("click", gate))
    running = asyncio.create_task(session.run(chain(OPEN, CLICK, CLICK)))
    await gate.reached.wait()
    assert clicked(browser) == []
    session.stop()
    result = await running
    assert (result.outcome, codes(result)) == ("cancelled", ["ok", "stopped", "stopped"])
    assert clicked(browser) == []


async def test_an_open_gate_lets_the_call_go_on():
    gate = Waits()
    session, browser = simulate(BrowserFault("click", gate))
    running = asyncio.create_task(session.run(chain(OPEN, CLICK)))
    await gate.reached.wait()
    gate.gate.set()
    assert (await running).outcome == "success"
    assert clicked(browser) == ["plain"]


@pytest.mark.parametrize(
    "selector",
    [
        "xpath=//button[1]",
        "button[id=plain]",
        'button "Plain button" in "Buttons"',
        'every button "Edit"',
        'look "red circle"',
        'frame "Inner" >> field "Note"',
    ],
)
async def test_a_selector_that_only_a_real_page_resolves_is_refused_by_name(tmp_path: Path, selector: str):
    bench = make_fake_bench(tmp_path)
    await bench.open()
    with pytest.raises(NotSimulatedError) as caught:
        await bench.call("click", selector=selector)
    assert selector in caught.value.message
    assert caught.value.code == "not_simulated"
    assert caught.value.hint
    assert await bench.clicked(0) == []


@pytest.mark.parametrize(("verb", "args"), sorted(NOT_WRITTEN.items()))
async def test_a_verb_that_the_fake_does_not_write_is_refused_and_nothing_is_done(
    tmp_path: Path, verb: str, args: Mapping[str, Any]
):
    bench = make_fake_bench(tmp_path)
    await bench.open()
    before = bench.far_end.paths()
    (tmp_path / "state.json").write_text('{"cookies": [], "origins": []}')
    given: dict[str, Any] = {name: str(tmp_path / value) if name == "path" else value for name, value in args.items()}
    with pytest.raises(NotSimulatedError, match="can't"):
        await bench.call(verb, **given)
    assert bench.far_end.paths() == before
    assert list_names(tmp_path) == ["state.json"]


def test_a_port_may_grow_without_a_line_in_the_fake():
    class Grown(PointerPort, Protocol):
        async def pinch(self, context: ActionContext) -> None: ...

    grown = refuse_the_rest(FakePointer(FakeBrowser(make_web(SITE))), Grown)
    with pytest.raises(NotSimulatedError, match="pinch"):
        asyncio.run(grown.pinch(ActionContext("g0_pinch_1")))


async def test_looking_takes_simulated_time_only(tmp_path: Path):
    bench = make_fake_bench(tmp_path)
    bench.timeout_s = 600
    await bench.open()
    with pytest.raises(ActionError) as caught:
        await bench.call("click", selector='button "Nowhere"')
    assert caught.value.evidence["waited_s"] == pytest.approx(600 * 0.85, abs=1)


async def test_a_lane_that_ends_closes_its_own_tabs():
    session, browser = simulate()
    goals = (
        Goal("browser", "navigate", {"url": f"{SITE}/conformance/"}, goal_id="g0"),
        Goal("browser", "open_tab", {"url": f"{SITE}/conformance/second"}, goal_id="g1"),
    )
    result = await session.run(Request(goals=goals))
    assert result.outcome == "success"
    assert [each.title for each in browser.tabs.list_all("main")] == ["Conformance"]
    await session.close()
    assert len(browser.tabs) == 0
