"""Judging: from when on something is wrong, and when it no longer is."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.planners.health.checks import find_unjudged, judge, tell_age
from agent.planners.health.facts import HealthFacts, find_percentile
from agent.settings.health_settings import HealthSettings
from tests.agent.planners.health.samples import ago, make_facts, make_flips, make_item, make_record, make_run

LIMITS = HealthSettings()


def list_keys(facts: HealthFacts, limits: HealthSettings = LIMITS) -> list[str]:
    return [alert.key for alert in judge(facts, limits)]


def test_where_nothing_is_kept_nothing_is_wrong() -> None:
    assert list_keys(make_facts()) == []


@given(st.integers(1, 50), st.integers(0, 60))
def test_an_item_flaps_once_it_went_back_more_often_than_allowed(most: int, count: int) -> None:
    facts = make_facts(transitions=make_flips("import", count))
    limits = HealthSettings(most_flips=most)
    assert list_keys(facts, limits) == ["backlog.flapping:local/ada:import"] * (count > most)


def test_items_of_two_scopes_do_not_flap_together() -> None:
    flips = make_flips("import", 2, "local/ada/s1") + make_flips("import", 2, "local/ada/s2")
    assert list_keys(make_facts(transitions=flips)) == []


def test_what_is_new_or_moves_on_is_no_flip() -> None:
    (flip,) = make_flips("import", 1)
    begins, goes_on = replace(flip, before=""), replace(flip, before="pending", after="active")
    assert list_keys(make_facts(transitions=(begins, goes_on) * 9)) == []


@given(st.floats(0.001, 1000), st.floats(0, 2000))
def test_an_item_is_stuck_once_it_was_active_for_too_long(limit_h: float, hours: float) -> None:
    facts = make_facts(items=(make_item("import", "active", hours), make_item("export", "done", hours)))
    is_stuck = facts.find_age_s(ago(hours=hours)) > limit_h * 3600
    found = list_keys(facts, HealthSettings(stuck_after_s=limit_h * 3600))
    assert found == ["backlog.stuck:local/ada:import"] * is_stuck


def test_an_item_is_stale_once_it_was_pending_for_too_long() -> None:
    facts = make_facts(items=(make_item("old", hours=73), make_item("new", hours=71), make_item("done", "done", 500)))
    assert list_keys(facts) == ["backlog.stale:local/ada:old"]


@pytest.mark.parametrize("moment", ["", "yesterday", ago(hours=-5)])
def test_an_item_that_does_not_say_since_when_is_not_old(moment: str) -> None:
    items = (replace(make_item("a", "active"), changed_at=moment), replace(make_item("b"), changed_at=moment))
    assert list_keys(make_facts(items=items)) == []


@given(st.lists(st.sampled_from(["success", "partial", "failed", "cancelled"]), max_size=20), st.floats(0.05, 1))
def test_a_planner_fails_once_more_of_its_runs_failed_than_allowed(outcomes: list[str], rate: float) -> None:
    facts = make_facts(runs=tuple(make_run(each) for each in outcomes))
    is_failing = len(outcomes) >= 5 and outcomes.count("failed") / len(outcomes) > rate
    assert ("planner.failing:tidy" in list_keys(facts, HealthSettings(failure_rate=rate))) == is_failing


@given(st.lists(st.floats(0.1, 300), max_size=30))
def test_a_planner_is_slow_once_its_95th_percentile_is_above_what_is_allowed(seconds: list[float]) -> None:
    facts = make_facts(runs=tuple(make_run("success", each * 1000) for each in seconds))
    is_slow = len(seconds) >= 5 and sum(each * 1000 / 1000 <= 60 for each in seconds) < 0.95 * len(seconds)
    assert (list_keys(facts) == ["planner.slow:tidy"]) == is_slow


def test_runs_that_were_stopped_or_say_no_duration_make_nobody_slow() -> None:
    stopped = (make_run("cancelled", 900_000.0),) * 9
    silent = (make_run("success", metrics={}),) * 9
    assert list_keys(make_facts(runs=stopped + silent)) == []


@given(st.lists(st.booleans(), max_size=12), st.integers(1, 5))
def test_a_template_fails_while_nothing_came_of_it_in_the_last_runs(worked: list[bool], most: int) -> None:
    runs = tuple(make_run("partial", 1.0, make_record("look", "done" if each else "failed")) for each in worked)
    found = list_keys(make_facts(runs=runs), HealthSettings(template_failures=most))
    assert found == ["template.failing:tidy.look"] * (len(worked) >= most and not any(worked[-most:]))


def test_a_step_that_succeeds_in_the_same_run_says_that_the_template_works() -> None:
    both = make_run("partial", 1.0, make_record("look"), make_record("look", "failed"), make_record("look", "failed"))
    assert list_keys(make_facts(runs=(both,) * 5)) == []


def test_a_run_that_was_refused_before_it_began_says_nothing_of_its_planner() -> None:
    facts = make_facts(runs=(make_run("failed", 0.0),) * 9 + (make_run("success", 90_000.0),) * 4)
    assert list_keys(facts) == []


def test_steps_that_were_left_out_or_need_no_template_say_nothing_of_one() -> None:
    failed = make_run("partial", 1.0, make_record("look", "failed"))
    others = make_run("partial", 1.0, make_record("look", "skipped"), make_record("rest", "failed"))
    assert list_keys(make_facts(runs=(failed, others, failed, others, failed))) == ["template.failing:tidy.look"]
    assert list_keys(make_facts(runs=(replace(failed, planner_id="other"),) * 3)) == []


def test_an_alert_names_codes_and_never_what_a_model_or_page_said() -> None:
    runs = (make_run("failed", 1.0, make_record("look", "failed", code="model_failed")),) * 3
    (alert,) = judge(make_facts(runs=runs), LIMITS)
    assert (
        alert.summary
        == "All steps made from template tidy.look failed in the last 3 runs that used it, mostly with model_failed."
    )
    assert "said nothing" not in str(alert)


def test_a_template_that_can_not_be_read_is_missing() -> None:
    (alert,) = judge(make_facts(missing={"tidy.act": "No template tidy.act."}), LIMITS)
    assert (alert.key, alert.severity) == ("template.missing:tidy.act", "critical")


@pytest.mark.parametrize(
    ("hours", "limit", "is_told"), [(25, 0.8, True), (23, 0.8, False), (25, 0.5, False), (25, None, False)]
)
def test_a_plan_that_stands_still_is_told_by_its_coverage(hours: float, limit: Any, is_told: bool) -> None:
    items = (make_item("a", "done", hours, plan_id="shop"), make_item("b", "blocked", hours + 9, plan_id="shop"))
    found = list_keys(make_facts(items=items), HealthSettings(coverage=limit))
    assert found == ["backlog.coverage:shop"] * is_told


def test_what_can_not_be_read_is_told_and_ends_nothing() -> None:
    facts = make_facts(unread={"backlog": "It is damaged."})
    assert list_keys(facts) == ["health.unread:backlog"]
    assert find_unjudged(facts) == {"backlog.stuck", "backlog.flapping", "backlog.stale", "backlog.coverage"}


def test_a_severity_of_the_persons_own_holds() -> None:
    facts = make_facts(transitions=make_flips("import", 4))
    limits = HealthSettings.model_validate({"severities": {"backlog.flapping": "critical"}})
    assert [alert.severity for alert in judge(facts, limits)] == ["critical"]


def test_an_id_that_somebody_chose_stays_on_one_line_and_short() -> None:
    (alert,) = judge(make_facts(transitions=make_flips("a\nb\x1b[31m" + "x" * 5000, 4)), LIMITS)
    assert alert.summary.isprintable()
    assert len(alert.summary) < 300


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=50), st.sampled_from([1, 50, 95, 99, 100]))
def test_a_percentile_is_the_smallest_value_that_so_many_do_not_exceed(values: list[float], percent: int) -> None:
    found = find_percentile(values, percent)
    assert found in values
    assert sum(each <= found for each in values) >= len(values) * percent / 100
    assert sum(each < found for each in values) < len(values) * percent / 100


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0, "0 s"),
        (0.25, "0.25 s"),
        (59.9, "59.9 s"),
        (60, "1 min"),
        (3599, "59 min"),
        (3900, "1 h 5 min"),
        (90_000, "1 d 1 h"),
    ],
)
def test_an_age_is_told_in_its_largest_units(seconds: float, told: str) -> None:
    assert tell_age(seconds) == told
