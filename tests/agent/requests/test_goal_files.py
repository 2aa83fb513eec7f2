import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.requests.goal_files import load_goals, parse_goals
from core.base.errors import FlowError
from core.goals.meta_goals import Goal
from core.goals.references import Reference


def find_fault(text: str) -> str:
    """Return the message of the flow error that a text gives, or only the name where it gives none."""
    try:
        parse_goals(text)
    except FlowError as error:
        return error.message
    return "goals:"


def fail(text: str) -> FlowError:
    with pytest.raises(FlowError) as caught:
        parse_goals(text, name="goals.json")
    return caught.value


def test_a_list_and_a_mapping_with_goals_are_the_same() -> None:
    listed = [{"domain": "browser", "verb": "press", "params": {"key": "Enter"}, "object": "the form"}]
    expected = (Goal("browser", "press", {"key": "Enter"}, "the form", "g0"),)
    assert parse_goals(json.dumps(listed)).goals == expected
    assert parse_goals(json.dumps({"goals": listed})).goals == expected


def list_scopes(*named: str, scope: str | None = None) -> list[str]:
    entries = [{"domain": domain, "verb": verb} for domain, verb in (each.split(".") for each in named)]
    entries[-1] |= {"scope": scope} if scope else {}
    return [goal.scope for goal in parse_goals(json.dumps(entries)).goals]


def test_goals_are_independent_unless_their_scope_says_otherwise() -> None:
    assert list_scopes("file.read", "file.write", "file.read", scope="after:g1") == ["root", "root", "after:g1"]


def test_what_shares_a_page_or_the_desktop_and_names_no_scope_follows_the_one_before() -> None:
    named = ("browser.back", "desktop.type", "file.read", "browser.click", "desktop.wait", "desktop.press")
    assert list_scopes(*named) == ["root", "root", "root", "after:g0", "after:g1", "after:g4"]
    assert list_scopes("browser.back", "browser.click", scope="root") == ["root", "root"]


def test_what_opens_a_page_of_its_own_waits_for_nothing() -> None:
    named = ("browser.navigate", "browser.read", "browser.navigate", "browser.read")
    assert list_scopes(*named) == ["root", "after:g0", "root", "after:g2"]


def test_null_is_absence() -> None:
    bare = {"domain": "browser", "verb": "press", "params": {"key": "Enter"}}
    full = bare | {"object": None, "scope": None, "goal_id": None}
    assert parse_goals(json.dumps([full])).goals == parse_goals(json.dumps([bare])).goals
    assert parse_goals(json.dumps([{"domain": "browser", "verb": "back", "params": None}])).goals[0].params == {}


def test_own_ids_are_understood_in_scopes_and_references() -> None:
    goals = parse_goals(
        "- {domain: browser, verb: read, goal_id: total, params: {target: text}}\n"
        "- {domain: browser, verb: press, scope: 'after:total', params: {key: {$ref: total.text}}}\n"
        "- {domain: browser, verb: press, params: {value: [{$ref: g0.rows.1}]}}\n"
    ).goals
    assert [goal.goal_id for goal in goals] == ["g0", "g1", "g2"]
    assert goals[1].scope == "after:g0"
    assert goals[1].params["key"] == Reference("g0", "text")
    assert goals[2].params["value"] == [Reference("g0", "rows.1")]


def test_texts_are_taken_as_they_are() -> None:
    goals = parse_goals('[{"domain": "a", "verb": "b", "params": {"text": "${x} $${"}}]').goals
    assert goals[0].params["text"] == "${x} $${"


@given(st.text())
def test_any_text_comes_through_byte_for_byte(text: str) -> None:
    goals = parse_goals(json.dumps([{"domain": "browser", "verb": "type", "params": {"text": text}}])).goals
    assert goals[0].params["text"] == text


@given(st.text())
def test_any_text_is_goals_or_a_flow_error(text: str) -> None:
    assert find_fault(text).startswith("goals:")


GOOD = '{"domain": "a", "verb": "b"}'


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("", "1:1", "a goals file must be a list"),
        ("[]", "1:1", "at least one goal"),
        ('{"goals": []}', "1:2", "at least one goal"),
        ('{"goals": [1], "name": "x"}', "1:1", "a goals file must be a list"),
        ("[5]", "1:2", "a goal must be a mapping with domain, verb and params"),
        ('[{"domain": "a"}]', "1:2", "verb is missing"),
        ('[{"verb": "a"}]', "1:2", "domain is missing"),
        ('[{"domain": "a",\n "verb": ""}]', "2:2", "verb is missing"),
        ('[{"domain": "a",\n "verb": 5}]', "2:2", "the verb must be text, not 5"),
        (
            f'[{GOOD},\n {{"domain": "a", "verb": "b", "parms": {{}}}}]',
            "2:31",
            'unknown key "parms" (did you mean "params"?)',
        ),
        ('[{"domain": "a", "verb": "b",\n "params": [1]}]', "2:2", "params must be a mapping"),
        ('[{"domain": "a", "verb": "b",\n "object": 5}]', "2:2", "the object must be text"),
        ('[{"domain": "a", "verb": "b",\n "scope": 5}]', "2:2", "the scope must be text"),
        ('[{"domain": "a", "verb": "b",\n "scope": "after:g0"}]', "2:2", "no earlier goal has the id or verb “g0”"),
        ('[{"domain": "a", "verb": "b",\n "goal_id": "g1"}]', "2:2", "it would be g0"),
        ('[{"domain": "a", "verb": "b",\n "goal_id": ""}]', "2:2", "it would be g0"),
        (f'[{GOOD}, {{"domain": "a", "verb": "b",\n "goal_id": "g0"}}]', "2:2", "it would be g1"),
        ('[{"domain": "a", "verb": "b", "params":\n {"x": {"$ref": "g0"}}}]', "2:3", '"g0" is not a reference'),
        ('[{"domain": "a", "verb": "b", "params":\n {"x": {"$ref": 5}}}]', "2:3", "5 is not a reference"),
        ('[{"domain": "a", "verb": "b", "params":\n {"x": {"$ref": "g0.text"}}}]', "2:3", "no earlier goal is called"),
        ('[{"domain": "a", "domain": "a"}]', "1:18", '"domain" appears twice'),
    ],
)
def test_a_fault_is_named_where_it_stands(text: str, place: str, words: str) -> None:
    error = fail(text)
    assert error.message.startswith(f"goals.json:{place}: ")
    assert words in error.message


def test_a_file_is_called_after_its_stem_and_a_missing_one_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "order.json"
    path.write_text(f"[{GOOD}]", encoding="utf-8")
    assert load_goals(path).name == "order"
    with pytest.raises(FlowError, match="No such file"):
        load_goals(tmp_path / "none.json")
