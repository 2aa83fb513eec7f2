import re
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.verb_table import PLANNER_RULES
from core.base.phrases import UNDRAWN, escape_text, is_template, join_phrases, render_phrase, split_lines
from core.rules.rule_types import RuleKey
from tests.cases import each_case
from tests.core.samples import MINIMAL_PARAMS, plan_action


@pytest.mark.parametrize(
    ("template", "values", "text"),
    [
        ("Click {selector}", {"selector": "#a"}, "Click #a"),
        ("Wait for {selector}{url}", {"url": "/x"}, "Wait for /x"),
        ("Check {selector} {state} {text}", {"text": "x"}, "Check x"),
        ("Read", {"text": "x"}, "Read"),
        ("Put {path}", {"path": ("a", "b")}, "Put a, b"),
        ("Set {checked}", {"checked": False}, "Set no"),
        ("Say {text}", {"text": "{selector} {0} %s {"}, "Say {selector} {0} %s {"),
        ("Say {text}", {"text": "x" * 500}, f"Say {'x' * 119}…"),
        ("Say {text}", {}, "Say"),
        ("Wait {delay} s", {"delay": 2.0}, "Wait 2 s"),
        ("Wait {delay} s", {"delay": 2.5}, "Wait 2.5 s"),
        ("Go to {bounds}", {"bounds": MappingProxyType({"x": 0, "point": (1.0, 2)})}, "Go to x 0, point 1, 2"),
        ("Open {url}", {"url": "https://\u0430pple.com/x"}, "Open https://\u0430pple.com/x (xn--pple-43d.com)"),
        (
            "Open {url}",
            {"url": "http://bank.example@evil.example"},
            "Open http://bank.example@evil.example (evil.example)",
        ),
        ("Open {url}", {"url": "https://Bank.example:443/a"}, "Open https://Bank.example:443/a"),
        ("Run {argv:words}", {"argv": ("git", "commit", "-m", "a b", "")}, "Run git commit -m 'a b' ''"),
    ],
)
def test_a_template_is_filled_in(template: str, values: dict[str, object], text: str) -> None:
    assert render_phrase(template, values) == text


SECTIONS = "Click {target}[ in {window}{screen}][, {times} times]"


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({}, "Click OK"),
        ({"window": "", "screen": None, "times": False}, "Click OK"),
        ({"window": "Editor"}, "Click OK in Editor"),
        ({"screen": 0}, "Click OK in 0"),
        ({"times": 0.0}, "Click OK"),
        ({"times": 3}, "Click OK, 3 times"),
        ({"window": "[a] {times} ]["}, "Click OK in [a] {times} ]["),
    ],
)
def test_a_section_is_told_only_where_one_of_its_params_says_something(values: dict[str, object], text: str) -> None:
    assert render_phrase(SECTIONS, {"target": "OK", **values}) == text


@pytest.mark.parametrize("text", ["{a}[", "{a}]", "[[{a}]]", "[nothing]", "[{]", "{a"])
def test_a_text_whose_brackets_make_no_sense_is_no_template(text: str) -> None:
    assert not is_template(text)
    assert is_template("{a}[, {b}]")


@each_case("key", [key for key in sorted(PLANNER_RULES) if key != ("browser", "type")])
def test_no_verb_leaves_holes_in_its_phrases_where_nothing_optional_is_given(key: RuleKey) -> None:
    action = plan_action(*key, MINIMAL_PARAMS[key])
    for phrase in (action.description, render_phrase(action.summary, action.args)):
        assert phrase == " ".join(phrase.split())
        assert not re.search(r" [,;:.]|“”|[\[({]|[,;:]$| (in|of|for|to|at|the|by)$", phrase)


@given(st.text())
def test_a_value_is_never_read_as_a_template(text: str) -> None:
    shown = render_phrase("<{text}>", {"text": text, "secret": "s3cret"})
    assert "s3cret" not in shown or "s3cret" in text
    assert len(shown) <= 122


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("plain “text” – naïve 猫 😀", "plain “text” – naïve 猫 😀"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("\x1b[2J\x00\x7f", "\\x1b[2J\\x00\\x7f"),
        ("\u202egpj.exe", "\\u202egpj.exe"),
        ("\u2066a\u2069", "\\u2066a\\u2069"),
        ("a\u200bb\ufeff", "a\\u200bb\\ufeff"),
        ("a\u2028b", "a\\u2028b"),
        ("\xa0", "\\xa0"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
        ("a\u3164\u115f\uffa0\u2800b", "a\\u3164\\u115f\\uffa0\\u2800b"),
        ("a\ufe0f\u034f\U000e0100", "a\\ufe0f\\u034f\\U000e0100"),
        ("é e\u0301 ㄱ", "é e\u0301 ㄱ"),
    ],
)
def test_what_can_t_be_seen_is_shown_as_an_escape(text: str, escaped: str) -> None:
    assert escape_text(text) == escaped


@given(st.text(st.characters(exclude_categories=[])))
def test_an_escaped_text_is_printable_and_keeps_what_could_be_seen(text: str) -> None:
    escaped = escape_text(text)
    assert escaped.isprintable()
    assert (escaped == text) == (text.isprintable() and not re.search(f"[{UNDRAWN}]", text))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\n\nb\n", ["a", "", "b"]),
        ("+a\r-b\u2028-c\x85-d\x0c-e\n", ["+a\\r-b\\u2028-c\\x85-d\\x0c-e"]),
    ],
)
def test_only_a_line_feed_ends_a_line_that_is_shown(text: str, lines: list[str]) -> None:
    assert split_lines(text) == lines


@pytest.mark.parametrize(
    ("phrases", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_phrases_are_listed_as_people_list_them(phrases: list[str], text: str) -> None:
    assert join_phrases(phrases) == text


@pytest.mark.parametrize(("more", "said"), [({}, "muted the output"), ({"duration": 2.0}, "muted the output for 2 s")])
def test_what_lasts_for_a_time_is_not_told_as_if_it_stayed_so(more: dict[str, float], said: str) -> None:
    assert render_phrase(PLANNER_RULES["audio", "mute"].summary, {"target": "output", **more}) == said
