"""Places: a path, or an address of the web; and where goals may never write."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.verb_table import PLANNER_RULES
from core.approvals.approvals import ApprovalTerms
from core.execution.run_context import RunContext, StepContext
from core.execution.steps import StepPerformer
from core.goals.meta_goals import Goal
from core.goals.references import Reference
from core.planning.authority import RulesResolver
from core.planning.planner import GoalPlanner, PlanResult
from core.policy.policy import Policy
from core.results.tool_results import StepLog
from core.rules.param_types import NEW_PATH, PATH
from core.rules.type_makers import either, listing
from tests.core.samples import WORKSPACE, WORLD, make_registry, make_setting, plan_action
from tests.core.toys import Asker

REFUSED = [
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "java\nscript:alert(1)",
    "file:///etc/passwd",
    "FILE:/etc/passwd",
    "data:text/html,x",
    "vbscript:x",
    "mailto:ada@a.test",
    "ms-settings:display",
    "ftp://a.test/x",
    "about:blank",
    "http:/a.test",
    "https:a.test",
    " http://a.test/",
    "ht\ttp://a.test/",
    "//a.test/share",
    "../up.txt",
    "/etc/passwd",
    "home:/.ssh/id_rsa",
]


def plan(name: str, params: dict[str, Any], policy: Policy = Policy()) -> PlanResult:
    domain, verb = name.split(".")
    setting = make_setting(policy=policy)
    return GoalPlanner(PLANNER_RULES).plan(Goal(domain, verb, params, goal_id="g0"), setting)


async def bind(name: str, params: dict[str, Any], output: object, gate: Asker, policy: Policy = Policy()) -> StepLog:
    """Perform an action whose reference stands for an output."""
    domain, verb = name.split(".")
    action = plan_action(domain, verb, params)
    run = RunContext(world=WORLD, policy=policy, approvals=ApprovalTerms(gate=gate))
    performer = StepPerformer(make_registry(), RulesResolver())
    return await performer.perform(action, StepContext(run=run, outputs={"g9": {"text": output}}))


# --- places


@pytest.mark.parametrize("target", ["http://a.test/x", "HTTP://A.test/x", "hTTpS://a.test"])
def test_a_place_on_the_web_is_passed_on_as_it_is(target: str) -> None:
    assert plan("system.open", {"target": target}).plan[0].args == {"target": target}


@pytest.mark.parametrize(
    ("target", "path"), [("a.txt", f"{WORKSPACE}/a.txt"), ("documents:/a.txt", "/home/ada/Documents/a.txt")]
)
def test_any_other_place_is_a_path(target: str, path: str) -> None:
    assert plan("system.open", {"target": target}).plan[0].args == {"target": path}


@pytest.mark.parametrize("target", REFUSED)
def test_a_place_of_another_scheme_or_outside_the_roots_is_refused(target: str) -> None:
    result = plan("system.open", {"target": target})
    assert result.error is not None
    assert (result.status, result.error.code) == ("blocked", "path_refused")
    assert result.error.evidence["params"] == ["target"]


@pytest.mark.parametrize(
    "target", ["http://b.test/", "HTTPS://B.TEST", "http://a.test.b.test/", "http://a.test@b.test/"]
)
def test_a_place_on_a_host_that_may_not_be_reached_is_refused(target: str) -> None:
    error = plan("system.open", {"target": target}, Policy(hosts=("a.test",))).error
    assert error is not None
    assert error.code == "refused_by_policy"


@pytest.mark.parametrize("target", ["http://", "https://a b/", "http://[::1"])
def test_a_place_that_only_begins_like_an_address_is_refused(target: str) -> None:
    error = plan("system.open", {"target": target}).error
    assert error is not None
    assert error.code == "bad_url"


@given(st.text(min_size=1))
def test_a_planned_place_is_an_address_or_lies_in_the_roots(target: str) -> None:
    result = plan("system.open", {"target": target})
    if result.plan:
        place = str(result.plan[0].args["target"])
        assert place.lower().startswith(("http://", "https://", "/home/ada/"))


@pytest.mark.parametrize("output", [*REFUSED, "http://b.test/"])
async def test_a_place_that_was_read_is_judged_before_anyone_is_asked(output: str) -> None:
    gate = Asker()
    log = await bind("system.open", {"target": Reference("g9", "text")}, output, gate, Policy(hosts=("a.test",)))
    assert log.result.status == "refused"
    assert log.result.error is not None
    assert log.result.error.code in {"path_refused", "refused_by_policy"}
    assert gate.asked == []


@pytest.mark.parametrize("output", ["a.txt", "http://a.test/"])
async def test_a_good_place_that_was_read_still_takes_a_person(output: str) -> None:
    gate = Asker(answer=False)
    await bind("system.open", {"target": Reference("g9", "text")}, output, gate)
    assert [request.kind for request in gate.asked] == ["confirm"]


# --- names


@pytest.mark.parametrize("target", ["../b.txt", "a/b.txt", "a\\b.txt", "..", "NUL", "b.", "a:b"])
def test_a_new_name_with_a_folder_or_one_that_no_system_takes_is_refused_when_it_is_planned(target: str) -> None:
    error = plan("file.rename", {"source": "a.txt", "target": target}).error
    assert error is not None
    assert error.code == "path_refused"


async def test_a_new_name_that_was_read_is_judged_as_well() -> None:
    gate = Asker()
    log = await bind("file.rename", {"source": "a.txt", "target": Reference("g9", "text")}, "../b.txt", gate)
    assert log.result.error is not None
    assert (log.result.error.code, gate.asked) == ("path_refused", [])


# --- where nobody writes


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("file.write", {"path": ".surehand/settings.toml", "content": ""}),
        ("file.create", {"object_type": "folder", "name": "deep/.Surehand"}),
        ("file.move", {"source": ".surehand", "destination": "x"}),
        ("file.copy", {"source": "x", "destination": "workspace:/.surehand/settings.toml"}),
        ("file.rename", {"source": "x", "target": ".surehand"}),
        ("browser.download", {"url": "http://a.test/x", "path": ".surehand/settings.toml"}),
    ],
)
def test_no_goal_writes_to_the_settings_that_the_next_run_reads(name: str, params: dict[str, Any]) -> None:
    result = plan(name, params)
    assert result.error is not None
    assert (result.status, result.error.code) == ("blocked", "refused_by_policy")
    assert "holds settings" in result.error.message


@pytest.mark.parametrize(
    "verb", ["file.read", "file.hash", "file.find", "file.list", "file.info", "file.wait", "file.open"]
)
def test_what_surehand_keeps_is_not_read_either(verb: str) -> None:
    for path in (".surehand/settings.toml", ".surehand", "a/.Surehand/b"):
        assert plan(verb, {"path": path}).status == "blocked"


@pytest.mark.parametrize("argument", [".surehand/seal", "--file=/w/.surehand/x", "file:///w/.Surehand/x"])
def test_no_program_is_given_what_surehand_keeps(argument: str) -> None:
    assert plan("system.launch", {"app": "gedit", "args": ["a.txt", argument]}).status == "blocked"


def test_a_list_or_choice_of_paths_that_are_written_is_written() -> None:
    assert listing(NEW_PATH).writing
    assert either(PATH, listing(NEW_PATH)).writing
    assert not either(PATH, listing(PATH)).writing


# --- the folders of a run


def test_without_roots_a_run_may_use_the_workspace_and_the_folders_that_people_name() -> None:
    for path in ("a", "desktop:/a", "documents:/a", "downloads:/a"):
        assert plan("file.read", {"path": path}).status == "success"
    for path in ("home:/a", "temp:/a", "/etc/hosts"):
        assert plan("file.read", {"path": path}).status == "blocked"


@pytest.mark.parametrize(("roots", "good"), [(("home:/",), True), (("temp:/",), False), ((), False)])
def test_named_roots_take_the_place_of_the_usual_ones(roots: tuple[str, ...], good: bool) -> None:
    assert (plan("file.read", {"path": "a"}, Policy(roots=roots)).status == "success") is good


def test_a_root_that_this_machine_does_not_have_is_refused() -> None:
    world = replace(WORLD, anchors={"workspace": WORKSPACE})
    setting = make_setting(world, policy=Policy(roots=("desktop:/",)))
    error = GoalPlanner(PLANNER_RULES).plan(Goal("file", "list", goal_id="g0"), setting).error
    assert error is not None
    assert error.code in {"path_refused", "refused_by_policy"}
