from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.approvals.approval_texts import describe_action, show_headline
from core.approvals.approvals import ApprovalRequest, ApprovalTerms, bind_request
from core.planning.plans import PlannedAction, freeze
from tests.core.samples import plan_action

SOURCES = {"text": ("${g0.text}, read from the page at http://evil.example/",)}


def typing(**args: Any) -> PlannedAction:
    return replace(plan_action("browser", "type", {"selector": "#a", "text": "x"}), args=freeze(args))


def test_a_value_that_was_read_can_t_tell_of_another_source() -> None:
    lie = "hello” (from ${g1.text}, read from the file “mine”); selector = “#a"
    text = describe_action(typing(text=lie), SOURCES)
    assert "text = “hello\\u201d (from" in text
    assert text.count("“") == text.count("”") == 2  # those of the description, and those of the value
    assert text.endswith("(from ${g0.text}, read from the page at http://evil.example/)")


@given(st.recursive(st.text(), lambda inner: st.lists(inner, max_size=3)))
def test_a_value_that_was_read_stays_between_its_quotation_marks(value: Any) -> None:
    text = describe_action(replace(typing(text=value), description="Type"), SOURCES)
    shown = text.partition("text = ")[2].removesuffix(f" (from {SOURCES['text'][0]})")
    assert shown.isprintable()
    if isinstance(value, str):
        assert (shown[0], shown[-1], shown.count("“"), shown.count("”")) == ("“", "”", 1, 1)


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("http://p\u0430ypal.example/", "xn--pypal-4ve.example"),
        ("http://bank.example@evil.example/", "evil.example"),
        ("http://2130706433/", "127.0.0.1"),
        ("https:\\evil.example\\a", "evil.example"),
        ("http:evil.example", "evil.example"),
        ("http://bank.example/", ""),
        ("HTTPS://Bank.example:8443/a?b#c", ""),
        ("http://bank.example.evil.example/", ""),
        ("http://[::1]:80/", ""),
        ("http://", ""),
        ("bank.example", ""),
    ],
)
def test_the_host_of_an_address_that_looks_like_another_is_told(address: str, host: str) -> None:
    action = replace(plan_action("browser", "navigate", {"url": "http://a.example/"}), args=freeze({"url": address}))
    text = describe_action(action, {})
    assert text.endswith(f"at the host {host}") if host else "at the host" not in text


def test_every_question_is_escaped_whoever_wrote_it() -> None:
    request = ApprovalRequest("g0_a_1", "d" * 64, "confirm", "Do again: \x1b[2J\u202ea", {})
    assert bind_request(request, ApprovalTerms()).text == "Do again: \\x1b[2J\\u202ea"


def test_a_headline_is_short_and_says_what_and_where_from() -> None:
    line = show_headline(f"Type “{'x' * 10_000}", SOURCES)
    assert line.startswith("Type “xxx")
    assert line.endswith("— read: text from ${g0.text}, read from the page at http://evil.example/")
    assert len(line) < 260
