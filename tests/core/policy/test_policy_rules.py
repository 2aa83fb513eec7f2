import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.verb_table import PLANNER_RULES
from core.addresses.urls import judge_address
from core.base.errors import PolicyError
from core.goals.meta_goals import Goal
from core.goals.references import Reference
from core.planning.action_facts import describe_facts, list_paths
from core.planning.planner import GoalPlanner
from core.policy.policy import Policy
from core.policy.policy_rules import ActionFacts, PolicyRule, judge_facts, read_rule
from core.results.records import to_data
from core.tools.previews import Preview
from tests.core.samples import make_setting, plan_action

STRICTNESS = {None: -1, "allow": 0, "ask": 1, "deny": 2}
HOSTS = ("a.example", "b.a.example", "a.example:81")
PATHS = ("/w", "/w/a", "/w/a/b", "/v")


def optional(values: Any) -> Any:
    return st.one_of(st.none(), st.lists(st.sampled_from(values), max_size=2).map(tuple))


rules = st.builds(
    PolicyRule,
    verdict=st.sampled_from(["allow", "ask", "deny"]),
    verbs=optional(["file.*", "file.write", "browser.*", "browser.click"]),
    effects=optional(["observe", "actuate", "irreversible"]),
    hosts=optional([*HOSTS, "*.a.example"]),
    roots=optional(PATHS),
)
rule_lists = st.lists(rules, max_size=5).map(tuple)
deeds = st.builds(
    ActionFacts,
    name=st.sampled_from(["file.write", "file.read", "browser.click"]),
    effects=st.sampled_from([frozenset({"observe"}), frozenset({"actuate"}), frozenset({"actuate", "irreversible"})]),
    hosts=st.lists(st.sampled_from([judge_address(f"http://{host}/") for host in HOSTS]), max_size=2).map(tuple),
    paths=st.lists(st.sampled_from(PATHS), max_size=2).map(tuple),
)


def weigh(found: tuple[PolicyRule, ...], deed: ActionFacts) -> int:
    rule = judge_facts(found, deed)
    return STRICTNESS[rule.verdict if rule else None]


@given(rule_lists, deeds, st.randoms())
def test_the_order_of_rules_makes_no_difference(found: tuple[PolicyRule, ...], deed: ActionFacts, dice: Any) -> None:
    shuffled = list(found)
    dice.shuffle(shuffled)
    assert judge_facts(tuple(shuffled), deed) == judge_facts(found, deed)


@given(rule_lists, rules, deeds)
def test_a_rule_more_never_makes_a_verdict_of_others_milder(
    found: tuple[PolicyRule, ...], more: PolicyRule, deed: ActionFacts
) -> None:
    assert weigh((*found, more), deed) >= weigh(found, deed)


@given(rule_lists, st.lists(rule_lists, max_size=3), deeds)
def test_no_mix_of_sources_loosens_what_the_person_said(
    own: tuple[PolicyRule, ...], others: list[tuple[PolicyRule, ...]], deed: ActionFacts
) -> None:
    policy = Policy(rules=own)
    for other in others:
        policy = policy.narrow(Policy(rules=other))
    assert weigh(policy.rules, deed) >= weigh(own, deed)
    limits = [tuple(rule for rule in other if rule.verdict != "allow") for other in others]
    assert weigh(policy.rules, deed) == max(weigh(each, deed) for each in (own, *limits))


@given(rules, deeds)
def test_what_a_file_allows_beforehand_never_counts(rule: PolicyRule, deed: ActionFacts) -> None:
    narrowed = Policy().narrow(Policy(rules=(rule,)))
    assert all(each.verdict != "allow" for each in narrowed.rules)


@given(rules)
def test_a_rule_that_was_written_down_reads_as_it_was(rule: PolicyRule) -> None:
    assert read_rule(to_data(rule)) == rule


@pytest.mark.parametrize(
    ("verdict", "paths", "matches"),
    [
        ("deny", ("/w/secret/a",), True),
        ("deny", ("/w/secret",), True),
        ("deny", ("/w",), True),
        ("deny", ("/w/secrets",), False),
        ("deny", ("/v", "/w/secret/a"), True),
        ("deny", (), False),
        ("allow", ("/w/secret/a",), True),
        ("allow", ("/w",), False),
        ("allow", ("/w/secret/a", "/v"), False),
        ("allow", (), False),
    ],
)
def test_a_limit_holds_for_any_path_and_a_permission_for_all(
    verdict: Any, paths: tuple[str, ...], matches: bool
) -> None:
    rule = PolicyRule(verdict=verdict, roots=("/w/secret",))
    assert (judge_facts((rule,), ActionFacts(name="file.move", paths=paths)) is not None) == matches


def test_a_folder_is_denied_on_windows_whatever_its_case() -> None:
    rule = PolicyRule(verdict="deny", roots=("C:\\Secret",))
    assert judge_facts((rule,), ActionFacts(name="file.read", paths=("c:\\SECRET\\a.txt",), platform="win32")) is rule


def test_a_folder_is_denied_on_macos_however_its_name_is_spelled() -> None:
    rule = PolicyRule(verdict="deny", roots=("/Users/ada/Gehälter",))
    path = unicodedata.normalize("NFD", "/users/ADA/gehälter/a.txt")
    assert judge_facts((rule,), ActionFacts(name="file.read", paths=(path,), platform="darwin")) is rule
    assert judge_facts((rule,), ActionFacts(name="file.read", paths=(path,), platform="linux")) is None


@pytest.mark.parametrize(
    ("entry", "address"),
    [
        ("bank.example", "http://bank.example./"),
        ("bank.example.", "http://bank.example/"),
        ("*.bank.example", "http://www.BANK.example./"),
        ("*.bank.example", "http://bank.example/"),
        ("*.bank.example:8080", "http://bank.example.:8080/"),
        ("bank.example:443", "https://bank.example./"),
        ("10.0.0.5", "http://[::ffff:10.0.0.5]/"),
        ("10.0.0.5", "http://0x0a.5/"),
    ],
)
def test_a_host_is_denied_however_it_is_written(entry: str, address: str) -> None:
    deed = ActionFacts(name="browser.navigate", hosts=(judge_address(address),))
    assert judge_facts((PolicyRule(verdict="deny", hosts=(entry,)),), deed) is not None
    assert judge_facts((PolicyRule(verdict="ask", hosts=(entry,)),), deed) is not None


@pytest.mark.parametrize("verdict", ["deny", "ask"])
@pytest.mark.parametrize("address", ["http://evilbank.example/", "http://example/", "http://bank.example:81/"])
def test_a_denied_domain_takes_in_no_more_than_itself_and_what_lies_below(address: str, verdict: Any) -> None:
    deed = ActionFacts(name="browser.navigate", hosts=(judge_address(address),))
    assert judge_facts((PolicyRule(verdict=verdict, hosts=("*.bank.example:80",)),), deed) is None


def test_an_allowed_domain_is_what_lies_below_it_and_not_itself() -> None:
    rule = PolicyRule(verdict="allow", hosts=("*.bank.example",))
    for address, allowed in (("http://www.bank.example/", True), ("http://bank.example/", False)):
        deed = ActionFacts(name="browser.navigate", hosts=(judge_address(address),))
        assert (judge_facts((rule,), deed) is rule) is allowed


@pytest.mark.parametrize("address", ["http://a.example./", "http://[::ffff:10.0.0.5]/"])
def test_another_spelling_of_a_host_is_not_allowed_with_it(address: str) -> None:
    deed = ActionFacts(name="browser.navigate", hosts=(judge_address(address),))
    assert judge_facts((PolicyRule(verdict="allow", hosts=("a.example", "10.0.0.5")),), deed) is None


@pytest.mark.parametrize("key", ["address", "document", "leads_to", "form_sends_to", "onto_leads_to"])
def test_a_deed_is_also_where_its_frame_its_link_and_its_form_are(key: str) -> None:
    target = {"address": "http://a.example/", key: "http://bank.example/pay"}
    deed = describe_facts(
        plan_action("browser", "click", {"selector": "#a"}),
        "linux",
        Preview({}, target=target),
    )
    assert judge_facts((PolicyRule(verdict="deny", hosts=("bank.example",)),), deed) is not None
    assert judge_facts((PolicyRule(verdict="allow", hosts=("a.example",)),), deed) is None


def test_a_deed_on_several_elements_is_where_each_of_them_leads() -> None:
    target = {"address": "http://a.example/", "leads_to": ["http://a.example/b", "", "http://bank.example/pay"]}
    deed = describe_facts(
        plan_action("browser", "click", {"selector": 'every link "Pay"'}),
        "linux",
        Preview({}, target=target),
    )
    assert judge_facts((PolicyRule(verdict="deny", hosts=("bank.example",)),), deed) is not None
    assert judge_facts((PolicyRule(verdict="allow", hosts=("a.example",)),), deed) is None


def test_a_new_name_is_beside_what_is_renamed_whichever_is_written_first() -> None:
    args = {"target": "b.txt", "source": "/w/a.txt"}
    assert list_paths(PLANNER_RULES["file", "rename"], args) == ("/w/a.txt", "/w/b.txt")


@pytest.mark.parametrize(
    ("name", "params", "paths", "hosts"),
    [
        ("file.move", {"source": "a.txt", "destination": "b.txt"}, ["a.txt", "b.txt"], []),
        ("file.rename", {"source": "d/a.txt", "target": "b.txt"}, ["d/a.txt", "d/b.txt"], []),
        ("file.zip", {"source": ["a", "b"], "destination": "c.zip"}, ["a", "b", "c.zip"], []),
        ("browser.navigate", {"url": "http://A.example:81/x"}, [], ["a.example:81"]),
        ("system.open", {"target": "http://a.example/"}, [], ["a.example"]),
        ("system.open", {"target": "a.txt"}, ["a.txt"], []),
        ("browser.wait", {"url": "a.example"}, [], []),
    ],
)
def test_a_deed_names_every_path_and_host_of_its_arguments(
    name: str, params: dict[str, Any], paths: list[str], hosts: list[str]
) -> None:
    domain, verb = name.split(".")
    deed = describe_facts(plan_action(domain, verb, params), "linux")
    assert list(deed.paths) == [f"/home/ada/work/{path}" for path in paths]
    assert [each.host for each in deed.hosts] == hosts


def test_a_deed_knows_the_page_and_what_is_behind_links_once_they_were_looked_at() -> None:
    action = plan_action("browser", "click", {"selector": "#a"})
    preview = Preview({}, before={"/real": "0"}, target={"address": "http://a.example/x"})
    deed = describe_facts(action, "linux", preview)
    assert (deed.paths, [each.host for each in deed.hosts]) == (("/real",), ["a.example"])
    assert deed.effects == {"actuate", "irreversible"}


@pytest.mark.parametrize(
    ("rule", "goal", "blocked"),
    [
        (PolicyRule(verdict="deny", verbs=("file.*",)), Goal("file", "read", {"path": "a.txt"}), True),
        (PolicyRule(verdict="deny", roots=("/home/ada/work/x",)), Goal("file", "read", {"path": "x/a.txt"}), True),
        (PolicyRule(verdict="deny", roots=("/home/ada/work/x",)), Goal("file", "read", {"path": "a.txt"}), False),
        (
            PolicyRule(verdict="deny", hosts=("a.example",)),
            Goal("browser", "navigate", {"url": "http://a.example/"}),
            True,
        ),
        (PolicyRule(verdict="ask", verbs=("file.*",)), Goal("file", "read", {"path": "a.txt"}), False),
    ],
)
def test_what_is_denied_is_refused_while_planning(rule: PolicyRule, goal: Goal, blocked: bool) -> None:
    setting = make_setting(policy=Policy(rules=(rule,)))
    result = GoalPlanner(PLANNER_RULES).plan(goal, setting)
    assert result.status == ("blocked" if blocked else "success")
    if blocked:
        assert result.error is not None
        assert (result.error.code, result.error.evidence["denied"]) != ("", {})


def test_what_is_not_known_while_planning_is_not_judged_yet() -> None:
    action = plan_action("file", "read", {"path": Reference("g1", "text")})
    assert describe_facts(action, "linux").paths == ()


def test_a_denial_says_which_rule_and_why() -> None:
    policy = Policy(rules=(PolicyRule(verdict="deny", verbs=("file.*",), because="the audit is on"),))
    with pytest.raises(PolicyError, match=r"A policy rule denies file.read here: the audit is on\.") as caught:
        policy.judge(ActionFacts(name="file.read", paths=("/a",)))
    assert caught.value.hint == "The rule is about verbs file.*."
    assert caught.value.evidence == {"denied": {"verbs": ["file.*"]}, "hosts": [], "paths": ["/a"]}
