"""The list of what may be tried: closed, harmless, and without anything that names an element."""

import tomllib
from pathlib import Path

import pytest

from actuators.verb_table import PLANNER_RULES
from agent.planners.recover.planner import load_remedies
from core.base.errors import ErrorInfo, TableError

CODES = tomllib.loads((Path(__file__).parents[3] / "scripts" / "documents" / "error_codes.toml").read_text("utf-8"))
DIALOG = {"blocker": {"role": "dialog", "name": "Cookies"}}


def test_every_code_is_one_that_exists_and_every_remedy_is_used():
    table = load_remedies()
    assert set(table.codes) <= set(CODES)
    assert {name for names in table.codes.values() for name in names} == set(table.remedies)


def test_what_acts_and_is_not_safe_to_repeat_says_why_it_does_no_harm():
    for name, remedy in load_remedies().remedies.items():
        goal = remedy.make_goal()
        rule = PLANNER_RULES[goal.domain, goal.verb]
        assert rule.action_class == "observe" or rule.repeat == "safe" or remedy.harmless.endswith("."), name
        assert not set(rule.targets) & set(remedy.params), name
        assert rule.approval == "none", name


@pytest.mark.parametrize(
    ("error", "untouched", "names"),
    [
        (ErrorInfo("target_covered", "x", evidence=DIALOG), False, ["rest", "escape", "scroll"]),
        (ErrorInfo("target_covered", "x", evidence={"blocker": {"role": "img"}}), False, ["rest", "scroll"]),
        (ErrorInfo("target_missing", "x"), True, ["rest", "look", "scroll", "reload"]),
        (ErrorInfo("target_missing", "x"), False, ["rest", "look", "scroll"]),
        (ErrorInfo("navigation_failed", "x"), False, []),
        (ErrorInfo("outcome_unknown", "x"), True, []),
        (ErrorInfo("approval_missing", "x"), True, []),
    ],
)
def test_what_is_tried_depends_on_the_error_and_on_whether_the_page_was_touched(
    error: ErrorInfo, untouched: bool, names: list[str]
):
    assert list(load_remedies().find(error, is_untouched=untouched)) == names


@pytest.mark.parametrize(
    ("remedy", "fault"),
    [
        ('{verb = "browser.click", params = {selector = "button"}, harmless = "no"}', "names what it acts on"),
        ('{verb = "browser.reload"}', "might do harm"),
        ('{verb = "browser.cure"}', "has no verb"),
        ('{verb = "browser.wait", params = {patience = 3}}', "patience"),
    ],
)
def test_a_list_with_a_remedy_that_may_do_harm_is_refused_as_a_whole(tmp_path: Path, remedy: str, fault: str):
    file = tmp_path / "remedies.toml"
    file.write_text(f"[remedies]\nbad = {remedy}\n[codes]\ntarget_missing = ['bad', 'other']\n", encoding="utf-8")
    with pytest.raises(TableError) as caught:
        load_remedies(file)
    assert fault in caught.value.message
    assert "names other" in caught.value.message
