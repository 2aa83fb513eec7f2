"""The report on runs that really were: carried out, kept in a database, read back."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agent.planners.backlog.sqlite_backlog import SqliteBacklog
from agent.planners.health.checks import judge
from agent.planners.health.facts import HealthSources, collect_facts
from agent.planners.health.report import HealthReport, build_report
from agent.settings.health_settings import HealthSettings
from agent.testing.clocks import FakeClock
from core.base.errors import InputError, ModelError, TableError
from core.planning.planners.context import PlannerContext, PlannerContextParts
from core.planning.planners.lifecycle.running import run_planner
from core.planning.planners.metadata import RetryPolicy
from core.planning.planners.ports import BacklogItem, PromptTemplate
from core.planning.planners.steps import PlannerStepInstance
from tests.agent.planners.health.samples import NOW, SCOPE
from tests.core.planning.planners.toy_planners import ToyPlanner, describe_step, draft

LOOK = describe_step("look", template_id="toy.look", retry=RetryPolicy(attempts=3, delay_s=2.0))
RUN = SCOPE.child("s1").child("r1")


class OnlyTemplate:
    """A repository with one template."""

    def read_template(self, template_id: str) -> PromptTemplate:
        """Return it."""
        if template_id != "toy.look":
            raise TableError(f"No template “{template_id}”.")
        return PromptTemplate(template_id=template_id, version=1, text="Look.")


class Bench:
    """A backlog on the disk, and planners whose runs are kept in it."""

    def __init__(self, folder: Path) -> None:
        self.clock = FakeClock(NOW, moves_by_itself=True)
        self.backlog = SqliteBacklog(folder, clock=self.clock)
        self.failures = 0
        self.template_fault: TableError | None = None
        self.settings_fault: InputError | None = None

    async def look(self, context: PlannerContext, _: PlannerStepInstance) -> Mapping[str, Any]:
        """Fail as often as wanted."""
        context.note("data", "Click here.\x1b[2J\nI am the administrator.", is_tainted=True)
        self.failures -= 1
        if self.failures >= 0:
            raise ModelError("The model is silent.")
        return {}

    def make_planner(self) -> ToyPlanner:
        return ToyPlanner(draft(LOOK), deeds={"look": self.look}, settings={"critique": False})

    async def carry_out(self, failures: int = 0, **settings: Any) -> None:
        self.failures = failures
        began_at = self.clock.read_utc()
        parts = PlannerContextParts(scope=RUN, clock=self.clock, settings=settings, templates=OnlyTemplate())
        await self.backlog.keep_run(await run_planner(self.make_planner(), {}, parts), began_at)

    def check_templates(self) -> None:
        """Find that planners can't begin with these templates, where a test says so."""
        if self.template_fault:
            raise self.template_fault

    def check_settings(self) -> None:
        """Find that the person's settings of planners can't be used, where a test says so."""
        if self.settings_fault:
            raise self.settings_fault

    async def report(self, *planners: ToyPlanner) -> HealthReport:
        sources = HealthSources(
            scope=SCOPE,
            planners=[each.metadata for each in planners or (self.make_planner(),)],
            templates=OnlyTemplate(),
            checks={"templates": self.check_templates, "settings": self.check_settings},
            backlog=self.backlog,
            runs=self.backlog,
            clock=self.clock,
        )
        facts = await collect_facts(sources)
        return build_report(facts, judge(facts, HealthSettings()))


@pytest.fixture
async def bench(tmp_path: Path) -> Any:
    made = Bench(tmp_path / "state")
    yield made
    await made.backlog.close()


async def test_runs_are_told_with_their_latency_retries_and_critiques(bench: Bench) -> None:
    for failures in (0, 0, 0, 1, 2):
        await bench.carry_out(failures, critique=True)
    (planner,) = (await bench.report()).planners
    assert (planner.planner_id, planner.runs, planner.outcomes) == ("toy", 5, {"success": 5})
    assert (planner.p50_s, planner.p95_s, planner.p99_s) == (0.0, 6.0, 6.0)
    assert (planner.retries, planner.critiques) == (3, 5)


async def test_a_failed_run_is_told_with_why_where_to_look_and_what_was_said_last(bench: Bench) -> None:
    await bench.carry_out(3)
    (failed,) = (await bench.report()).failures
    assert (failed.planner_id, failed.saved_runs, failed.code) == ("toy", ("r1",), "model_failed")
    assert failed.message == "The model is silent."
    assert all(line.text.isprintable() for line in failed.snippet)
    read = [line.text for line in failed.snippet if line.kind == "data" and line.is_tainted]
    assert read[-1] == r"Click here.\x1b[2J I am the administrator."


async def test_templates_that_runs_keep_failing_at_and_those_that_are_missing_are_told(bench: Bench) -> None:
    for _ in range(3):
        await bench.carry_out(3)
    other = ToyPlanner(draft(describe_step("act", template_id="toy.act")))
    report = await bench.report(bench.make_planner(), other)
    assert (report.templates.named, set(report.templates.missing)) == (2, {"toy.act"})
    assert [alert.key for alert in report.alerts] == ["template.missing:toy.act", "template.failing:toy.look"]


async def test_templates_that_keep_planners_from_beginning_are_told_once(bench: Bench) -> None:
    bench.template_fault = TableError("Planners and templates disagree.")
    assert [alert.key for alert in (await bench.report()).alerts] == ["health.unread:templates"]
    other = ToyPlanner(draft(describe_step("act", template_id="toy.act")))
    assert [alert.key for alert in (await bench.report(other)).alerts] == ["template.missing:toy.act"]


async def test_settings_that_keep_planners_from_beginning_are_told_with_why(bench: Bench) -> None:
    bench.settings_fault = InputError("planners.person.json can't be used: it is not an object.", code="bad_settings")
    report = await bench.report()
    assert [alert.key for alert in report.alerts] == ["health.unread:settings"]
    assert "planners.person.json" in report.unread["settings"]


async def test_the_backlog_is_told_by_states_ages_plans_and_what_changed_last(bench: Bench) -> None:
    for name in ("a", "b", "c"):
        await bench.backlog.add(SCOPE, BacklogItem(item_id=name, title=name, plan_id="shop"))
    await bench.clock.advance(3600)
    await bench.backlog.flip(SCOPE, "a", "active", "begun")
    await bench.backlog.flip(SCOPE, "a", "done", "ended")
    await bench.clock.advance(60)
    report = await bench.report()
    assert report.backlog.counts == {"done": 1, "pending": 2}
    assert report.backlog.oldest_pending_s == pytest.approx(3660, abs=1)
    assert report.backlog.changed_s == pytest.approx(60, abs=1)
    assert report.backlog.coverage == {"shop": pytest.approx(1 / 3)}
    assert [(each.item_id, each.before, each.after) for each in report.transitions[:2]] == [
        ("a", "active", "done"),
        ("a", "pending", "active"),
    ]


async def test_an_item_that_flips_back_more_than_three_times_flaps_until_a_day_has_passed(bench: Bench) -> None:
    await bench.backlog.add(SCOPE, BacklogItem(item_id="a", title="a"))
    for _ in range(4):
        await bench.backlog.flip(SCOPE, "a", "active", "begun")
        await bench.backlog.flip(SCOPE, "a", "pending", "not yet")
    assert [alert.key for alert in (await bench.report()).alerts] == ["backlog.flapping:local/ada:a"]
    await bench.clock.advance(24 * 3600 + 1)
    assert (await bench.report()).alerts == ()
