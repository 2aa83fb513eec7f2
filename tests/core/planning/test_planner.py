import copy
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.verb_table import PLANNER_RULES
from core.goals.meta_goals import Goal
from core.goals.references import Reference, Template
from core.goals.world import Capability
from core.planning.context import ContextFrame, PlanningContext
from core.planning.planner import GoalPlanner, PlanResult, bind_action
from core.planning.plans import compute_digest, thaw
from core.policy.policy import Policy
from core.rules.rule_types import FromWorld, RuleKey
from tests.cases import each_case
from tests.core.samples import MINIMAL_PARAMS, WORKSPACE, WORLD, make_setting, plan_action

PLANNER = GoalPlanner(PLANNER_RULES)
URL = "http://shop.example/"
BUY = 'button "Buy"'


def plan(verb: str, params: dict[str, Any], setting: PlanningContext | None = None) -> PlanResult:
    return PLANNER.plan(Goal("browser", verb, params, goal_id="g0"), setting or make_setting())


def read_error(result: PlanResult) -> tuple[str, str, str]:
    assert result.plan == ()
    assert result.frames == ()
    assert result.error is not None
    return result.status, result.error.code, str(result.error)


# --- the table


@each_case("key", sorted(PLANNER_RULES))
def test_every_verb_is_planned_from_its_fewest_params(key: RuleKey) -> None:
    domain, verb = key
    action = plan_action(domain, verb, MINIMAL_PARAMS[key])
    rule = PLANNER_RULES[key]
    assert (action.action_id, action.name, action.goal_id) == (f"g0_{verb}_1", f"{domain}.{verb}", "g0")
    assert (action.intent, action.action_class, action.approval) == (rule.intent, rule.action_class, rule.approval)
    assert (action.repeat, action.undo, action.summary) == (rule.repeat, rule.undo, rule.summary)
    assert action.description
    assert action.digest == compute_digest(domain, rule.intent, verb, action.args)


@each_case("key", [key for key in sorted(PLANNER_RULES) if MINIMAL_PARAMS.get(key)])
def test_the_fewest_params_of_every_verb_are_really_needed(key: RuleKey) -> None:
    for name in MINIMAL_PARAMS[key]:
        fewer = {each: value for each, value in MINIMAL_PARAMS[key].items() if each != name}
        assert PLANNER.plan(Goal(*key, fewer, goal_id="g0"), make_setting()).status == "validation_failed"


@each_case("key", sorted(PLANNER_RULES))
def test_every_default_of_the_table_may_be_given_as_well(key: RuleKey) -> None:
    defaults = dict(PLANNER_RULES[key].default_params)
    bare, spelled = (plan_action(*key, {**given, **MINIMAL_PARAMS[key]}) for given in ({}, defaults))
    assert thaw(bare.args) == thaw(spelled.args)


@each_case("key", sorted(PLANNER_RULES))
def test_every_allowed_value_of_the_table_has_its_params_type(key: RuleKey) -> None:
    rule = PLANNER_RULES[key]
    for name, allowed in rule.allowed_values.items():
        for value in () if isinstance(allowed, FromWorld) else allowed:
            given = (value,) if "list" in rule.param_types[name].label else value
            assert rule.validator.validate_python({name: given}) == {name: given}


# --- the four statuses


def test_a_good_goal_is_planned_as_one_action() -> None:
    action = plan_action("browser", "click", {"selector": BUY})
    assert action.args == {"selector": BUY, "button": "left", "count": 1}
    assert action.description == 'Click button "Buy"'
    assert action.resources == ("page:main",)


@pytest.mark.parametrize(
    ("domain", "verb", "hint"),
    [
        ("browser", "clik", 'did you mean "click"?'),
        ("browsr", "click", 'did you mean "browser.click"?'),
        ("zzz", "qqq", "Known domains: browser"),
        ("", "", "Known domains: browser"),
    ],
)
def test_a_verb_without_a_rule_is_told_with_the_nearest_that_there_is(domain: str, verb: str, hint: str) -> None:
    status, code, text = read_error(PLANNER.plan(Goal(domain, verb, goal_id="g0"), make_setting()))
    assert (status, code) == ("rule_not_found", "rule_not_found")
    assert f"There is no verb {domain}.{verb}." in text
    assert hint in text


def test_bad_params_fail_validation_and_are_named() -> None:
    result = plan("type", {"selector": 5, "mood": "good"})
    assert read_error(result)[:2] == ("validation_failed", "validation_failed")
    assert result.error is not None
    assert set(result.error.evidence["params"]) == {"text", "selector", "mood"}
    assert result.reason.startswith("browser.type: ")


def test_a_value_outside_the_allowed_ones_is_blocked() -> None:
    assert read_error(plan("click", {"selector": BUY, "button": "thumb"}))[:2] == ("blocked", "value_not_allowed")


def test_a_value_outside_the_allowed_ones_beside_another_fault_fails_validation() -> None:
    assert read_error(plan("click", {"button": "thumb"}))[0] == "validation_failed"


def test_a_capability_that_is_missing_blocks_with_reason_and_remedy() -> None:
    world = replace(WORLD, capabilities={"browser": Capability(False, "no Chromium was found", "Install one.")})
    status, code, text = read_error(plan("click", {"selector": BUY}, make_setting(world)))
    assert (status, code) == ("blocked", "not_supported_here")
    assert "no Chromium was found" in text
    assert text.endswith("Install one.")


def test_a_capability_that_nothing_provides_blocks_too() -> None:
    status, code, text = read_error(plan("navigate", {"url": URL}, make_setting(replace(WORLD, capabilities={}))))
    assert (status, code) == ("blocked", "not_supported_here")
    assert "nothing here provides browser" in text


def test_a_goal_that_needs_an_open_page_is_blocked_without_one() -> None:
    closed = make_setting(replace(WORLD, sessions=frozenset()))
    assert read_error(plan("click", {"selector": BUY}, closed))[:2] == ("blocked", "no_session")
    assert plan("navigate", {"url": URL}, closed).status == "success"


# --- policy


@pytest.mark.parametrize(
    ("policy", "verb", "params", "code"),
    [
        (Policy(hosts=("shop.example",)), "navigate", {"url": "http://evil.example/"}, "refused_by_policy"),
        (Policy(hosts=()), "open_tab", {"url": URL}, "refused_by_policy"),
        (Policy(verbs=("browser.read",)), "click", {"selector": BUY}, "refused_by_policy"),
        (Policy(verbs=()), "navigate", {"platform": "google"}, "refused_by_policy"),
        (Policy(), "screenshot", {"path": "/etc/passwd.png"}, "path_refused"),
        (Policy(), "screenshot", {"path": "../a.png"}, "path_refused"),
        (Policy(), "screenshot", {"path": "home:/a.png"}, "path_refused"),
        (Policy(), "screenshot", {"path": "nowhere:/a.png"}, "path_refused"),
        (Policy(roots=("/srv",)), "screenshot", {"path": "a.png"}, "path_refused"),
        (Policy(roots=()), "screenshot", {"path": "a.png"}, "path_refused"),
        (Policy(), "upload", {"selector": BUY, "path": ["a.txt", "/etc/passwd"]}, "path_refused"),
    ],
)
def test_what_policy_forbids_is_blocked(policy: Policy, verb: str, params: dict[str, Any], code: str) -> None:
    assert read_error(plan(verb, params, make_setting(policy=policy)))[:2] == ("blocked", code)


@pytest.mark.parametrize(
    ("policy", "verb", "params"),
    [
        (Policy(hosts=("shop.example",)), "navigate", {"url": URL}),
        (Policy(hosts=()), "navigate", {"url": "about:blank"}),
        (Policy(verbs=("browser.*",)), "click", {"selector": BUY}),
        (Policy(roots=("downloads:/",)), "screenshot", {"path": "downloads:/a.png"}),
        (Policy(roots=("/srv",)), "screenshot", {"path": "/srv/a.png"}),
    ],
)
def test_what_policy_allows_is_planned(policy: Policy, verb: str, params: dict[str, Any]) -> None:
    assert plan(verb, params, make_setting(policy=policy)).status == "success"


def test_a_path_is_planned_as_an_absolute_path() -> None:
    assert plan_action("browser", "pdf", {"path": "a/b.pdf"}).args["path"] == f"{WORKSPACE}/a/b.pdf"
    assert plan_action("browser", "upload", {"selector": BUY, "path": ["a", "workspace:/b"]}).args["path"] == (
        f"{WORKSPACE}/a",
        f"{WORKSPACE}/b",
    )


def test_a_path_is_planned_in_the_flavour_of_the_platform() -> None:
    windows = replace(WORLD, platform="win32", anchors={"workspace": "C:\\Users\\ada\\work"})
    action = plan_action("browser", "pdf", {"path": "a/b.pdf"}, make_setting(windows))
    assert action.args["path"] == "C:\\Users\\ada\\work\\a\\b.pdf"


def test_an_address_is_planned_as_it_was_written() -> None:
    url = "HTTP://Shop.Example:80/%7Eada/../x?q=ä#y"
    assert plan_action("browser", "navigate", {"url": url}).args["url"] == url


@pytest.mark.parametrize("value", [Reference("g9", "text"), Template(("a", Reference("g9", "text")))])
@pytest.mark.parametrize(
    ("verb", "param"), [("navigate", "url"), ("pdf", "path"), ("screenshot", "path"), ("upload", "path")]
)
def test_addresses_and_paths_that_are_still_to_be_read_are_judged_later(verb: str, param: str, value: object) -> None:
    given = {**MINIMAL_PARAMS["browser", verb], param: value}
    assert plan_action("browser", verb, given, make_setting(policy=Policy((), ()))).args[param] == value


def test_a_list_of_paths_with_one_still_to_be_read_is_judged_later() -> None:
    value = ["a.txt", Reference("g9", "text")]
    assert plan_action("browser", "upload", {"selector": BUY, "path": value}).args["path"] == tuple(value)


# --- context


def test_a_goal_with_semantic_params_only_has_a_frame_and_no_action() -> None:
    result = plan("navigate", {"platform": "youtube"})
    assert result == PlanResult("success", frames=(ContextFrame("browser", {"platform": "youtube"}, "g0"),))


@pytest.mark.parametrize(
    ("params", "status"),
    [
        ({}, "validation_failed"),
        ({"wait_until": "load"}, "validation_failed"),
        ({"platform": None}, "validation_failed"),
        ({"platform": "altavista"}, "blocked"),
        ({"platform": 5}, "validation_failed"),
        ({"platform": "youtube", "wait_until": "soon"}, "blocked"),
        ({"platform": "youtube", "url": "nonsense"}, "validation_failed"),
        ({"platform": "youtube", "colour": "red"}, "validation_failed"),
    ],
)
def test_params_that_are_there_are_validated_also_without_the_technical_ones(
    params: dict[str, Any], status: str
) -> None:
    assert read_error(plan("navigate", params))[0] == status


def test_a_goal_with_technical_and_semantic_params_has_both_and_the_tool_sees_no_semantic_one() -> None:
    result = plan("navigate", {"platform": "youtube", "url": URL})
    assert result.frames == (ContextFrame("browser", {"platform": "youtube"}, "g0"),)
    assert dict(result.plan[0].args) == {"url": URL, "wait_until": "load"}


def test_a_verb_that_is_not_meant_for_it_needs_its_technical_params() -> None:
    assert plan("search", {"platform": "google"}).status == "validation_failed"


def test_a_missing_param_comes_from_the_nearest_frame() -> None:
    near, far = (ContextFrame("browser", {"platform": name}, name) for name in ("youtube", "google"))
    result = plan("search", {"query": "cats"}, make_setting(frames=(near, far)))
    assert result.plan[0].args["platform"] == "youtube"
    assert result.frames[0].data == {"platform": "youtube"}


def test_an_explicit_param_wins_over_context_and_context_over_the_default() -> None:
    setting = make_setting(frames=(ContextFrame("browser", {"platform": "youtube"}, "g9"),))
    assert plan("search", {"query": "x", "platform": "google"}, setting).plan[0].args["platform"] == "google"
    assert plan("search", {"query": "x"}, setting).plan[0].args["platform"] == "youtube"
    assert plan("search", {"query": "x"}).plan[0].args["platform"] == "google"


def test_a_frame_of_another_domain_or_key_fills_nothing() -> None:
    frames = (ContextFrame("audio", {"platform": "youtube"}, "g8"), ContextFrame("browser", {"query": "youtube"}, "g9"))
    assert plan("search", {"query": "x"}, make_setting(frames=frames)).plan[0].args["platform"] == "google"


def test_a_verb_that_consumes_nothing_takes_nothing_from_context() -> None:
    setting = make_setting(frames=(ContextFrame("browser", {"selector": "#evil", "platform": "youtube"}, "g9"),))
    assert plan("click", {}, setting).status == "validation_failed"
    assert plan("navigate", {"url": URL}, setting).frames == ()


def test_a_value_from_context_is_validated_like_any_other() -> None:
    setting = make_setting(frames=(ContextFrame("browser", {"platform": "altavista"}, "g9"),))
    assert read_error(plan("search", {"query": "x"}, setting))[:2] == ("blocked", "value_not_allowed")


def test_a_goal_that_failed_leaves_no_frame() -> None:
    assert plan("search", {"platform": "youtube"}).frames == ()


# --- time and purity


@pytest.mark.parametrize(("given", "timeout_s"), [({}, 10.0), ({"timeout": 60}, 65.0), ({"timeout": 0}, 5.0)])
def test_a_tool_with_its_own_timeout_has_time_left_to_say_why(given: dict[str, Any], timeout_s: float) -> None:
    assert plan_action("browser", "expect", {"title": "x", **given}).timeout_s == timeout_s


@pytest.mark.parametrize(
    ("name", "params", "timeout_s"),
    [
        ("audio.mute", {}, 10),
        ("audio.mute", {"duration": 60}, 70),
        ("audio.toggle_mute", {"duration": 3600}, 3610),
        ("system.lock", {"delay": 2.5}, 17.5),
        ("system.shutdown", {"delay": 600}, 15),
        ("file.wait", {"path": "a", "timeout": 100}, 105),
    ],
)
def test_the_seconds_that_an_act_itself_takes_are_added_to_its_time(
    name: str, params: dict[str, Any], timeout_s: float
) -> None:
    domain, verb = name.split(".")
    assert plan_action(domain, verb, params).timeout_s == timeout_s


def test_the_seconds_that_were_read_are_added_once_they_are_known() -> None:
    action = plan_action("audio", "mute", {"duration": Reference("g9", "x")})
    assert action.timeout_s == 10
    assert bind_action(action, {"duration": 60.0}, {}, WORLD).timeout_s == 70


def test_a_verb_that_is_off_is_blocked_until_it_is_allowed_by_name() -> None:
    goal = Goal("system", "run", {"argv": ["true"]}, goal_id="g0")
    for policy in (Policy(), Policy(verbs=("system.run", "system.*")), Policy(extra_verbs=("system.*", "*"))):
        status, code, text = read_error(PLANNER.plan(goal, make_setting(policy=policy)))
        assert (status, code) == ("blocked", "refused_by_policy")
        assert "--allow system.run" in text
    assert PLANNER.plan(goal, make_setting(policy=Policy(extra_verbs=("system.run",)))).status == "success"
    both = Policy(verbs=("file.*",), extra_verbs=("system.run",))
    assert PLANNER.plan(goal, make_setting(policy=both)).status == "blocked"


def test_an_action_holds_the_page_of_its_lane_and_the_path_that_it_writes() -> None:
    action = plan_action("browser", "download", {"url": URL, "path": "a"}, make_setting(lane="r1:g3"))
    assert action.resources == ("page:r1:g3", f"file:{WORKSPACE}/a")
    assert action.lane == "r1:g3"


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=6)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
    max_leaves=5,
)
any_values = st.one_of(json_values, st.lists(st.one_of(json_values, st.just(Reference("g9", "x"))), max_size=3))


@given(st.sampled_from(sorted(PLANNER_RULES)), st.data())
def test_planning_is_pure_and_never_raises(key: RuleKey, data: st.DataObject) -> None:
    names = st.one_of(st.sampled_from([*PLANNER_RULES[key].declared_params, "x"]), st.text(max_size=4))
    changes = data.draw(st.dictionaries(names, any_values, max_size=4))
    params = {**MINIMAL_PARAMS[key], **changes}
    before = repr(copy.deepcopy(params))
    goal, setting = Goal(*key, params, goal_id="g0"), make_setting()
    first, second = PLANNER.plan(goal, setting), PLANNER.plan(goal, setting)
    assert repr(first) == repr(second)
    assert repr(params) == before
    assert (first.error is None) == (first.status == "success")
    assert first.status == "success" or (first.plan == () and first.frames == ())


@given(st.sampled_from(sorted(PLANNER_RULES)), st.text(), st.text())
def test_a_goal_with_another_text_has_another_digest(key: RuleKey, left: str, right: str) -> None:
    type_params: dict[str, Any] = {"selector": "#a"}
    actions = [plan_action("browser", "type", {**type_params, "text": text}) for text in (left, right)]
    assert (actions[0].digest == actions[1].digest) == (left == right)
    assert actions[0].args["text"] == left


SEEING = [key for key in sorted(PLANNER_RULES) if PLANNER_RULES[key].reads in ("screen", "window")]


@each_case("key", SEEING)
def test_limited_windows_hold_for_every_verb_that_looks_at_the_screen_or_acts_on_it(key: RuleKey) -> None:
    setting = replace(make_setting(), policy=Policy(windows=("Notes",)))
    fewest = {name: value for name, value in MINIMAL_PARAMS[key].items() if name != "window"}
    takes_window = "window" in PLANNER_RULES[key].param_types
    for window in ("Bank", "") if takes_window else ("",):
        given = fewest | {"window": window} if window else fewest
        assert PLANNER.plan(Goal(*key, given, goal_id="g0"), setting).status in ("blocked", "validation_failed"), given
    if takes_window:
        assert PLANNER.plan(Goal(*key, fewest | {"window": "Notes"}, goal_id="g0"), setting).status == "success"
