"""One selector in the place of another in a flow's text, and every other byte as it was; and what is left of a flow."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.requests.flow_mending import change_selector, find_selectors, leave_done
from agent.requests.flows import parse_flow
from agent.requests.words.documents import parse_document
from core.base.errors import FlowError

OLD, NEW = 'button "Add to basket"', 'button "Add to cart"'
PLACE = "goals.1.browser.click"
TEXT = """\
# a flow
name:   one mug   # of two
goals:
  - browser.navigate: {url: "https://shop.example/"}
  - browser.click: {%s}
    expect: {selector: 'button "Add to basket"'}
  - browser.click:
      selector:   button "Add to basket"
"""


def write(selector: str) -> str:
    """Return the flow with a selector as it is written in the second goal."""
    return TEXT % f"selector: {selector}"


@pytest.mark.parametrize(
    ("written", "changed"),
    [
        ("'button \"Add to basket\"'", "'button \"Add to cart\"'"),
        ('"button \\"Add to basket\\""', '"button \\"Add to cart\\""'),
        ('button "Add to basket"', 'button "Add to cart"'),
    ],
)
def test_only_that_selector_changes_and_it_stays_quoted_as_it_was(written: str, changed: str) -> None:
    text = change_selector(write(written).encode(), PLACE, OLD, NEW).decode()
    assert text == write(changed)


def test_line_ends_a_mark_at_the_beginning_and_a_missing_end_stay() -> None:
    content = b"\xef\xbb\xbf" + write("'button \"Add to basket\"'").rstrip().replace("\n", "\r\n").encode()
    changed = change_selector(content, "goals.2.browser.click", OLD, NEW)
    assert changed == content[::-1].replace(b"Add to basket"[::-1], b"Add to cart"[::-1], 1)[::-1]


def test_a_json_flow_stays_json() -> None:
    flow = json.dumps(
        {"goals": [{"browser.navigate": {"url": "https://a.example/"}}, {"browser.click": {"selector": OLD}}]}
    )
    changed = change_selector(flow.encode(), PLACE, OLD, NEW)
    assert json.loads(changed)["goals"][1] == {"browser.click": {"selector": NEW}}


def test_a_selector_that_plain_text_can_not_say_is_put_in_quotes() -> None:
    accepted = 'button "a: b, #c}"'
    changed = change_selector(write('button "Add to basket"').encode(), PLACE, OLD, accepted).decode()
    assert parse_document(changed, "flow").data["goals"][1]["browser.click"] == {"selector": accepted}


def test_what_looks_like_a_variable_is_no_variable_in_the_flow() -> None:
    accepted = 'button "${site} costs"'
    changed = change_selector(write("'button \"Add to basket\"'").encode(), PLACE, OLD, accepted).decode()
    assert parse_flow(changed).goals[1].params["selector"] == accepted
    assert find_selectors(changed, PLACE, accepted)


def test_a_selector_with_a_variable_in_it_is_left_alone() -> None:
    flow = write("'button \"${what}\"'").replace("goals:", "vars: {what: Add to basket}\ngoals:")
    with pytest.raises(FlowError) as told:
        change_selector(flow.encode(), PLACE, OLD, NEW)
    assert told.value.code == "flow_changed"


@given(st.text(min_size=1, max_size=40).filter(lambda text: text.strip()))
def test_whatever_is_accepted_is_what_the_flow_says_then(name: str) -> None:
    accepted = f'button "{name}"'
    content = write("'button \"Add to basket\"'").encode()
    try:
        changed = change_selector(content, PLACE, OLD, accepted)
    except (FlowError, UnicodeEncodeError):
        return  # what no flow can say isn't written
    before, after = parse_flow(content.decode()), parse_flow(changed.decode())
    assert after.goals[1].params["selector"] == accepted
    assert [replace(each, params={}) for each in after.goals] == [replace(each, params={}) for each in before.goals]
    assert after.goals[2:] == before.goals[2:]


FLOW = """\
goals:
  - browser.navigate: {url: "https://a.example/"}
  - id: total
    browser.read: {target: text, selector: main}
  - browser.click: {selector: link "A"}
  - browser.click: {selector: link "B"}
"""


def test_what_is_left_of_a_flow_begins_where_it_missed() -> None:
    flow = parse_flow(FLOW)
    left = leave_done(flow, {"goals.0.browser.navigate", "goals.1.browser.read"})
    assert left is not None
    assert [(goal.goal_id, goal.scope, goal.params["selector"]) for goal in left.goals] == [
        ("g0", "root", 'link "A"'),
        ("g1", "after:g0", 'link "B"'),
    ]
    assert (list(left.places_of_goals.values()), left.is_part) == (
        ["goals.2.browser.click", "goals.3.browser.click"],
        True,
    )


@pytest.mark.parametrize(
    "line",
    [
        '  - browser.type: {selector: field "A", text: "${total.text}"}',
        '  - browser.open_tab: {url: "https://b.example/"}\n    scope: root',
    ],
)
def test_what_needs_the_part_before_or_is_a_branch_of_its_own_is_not_gone_on_with(line: str) -> None:
    flow = parse_flow(f"{FLOW}{line}\n")
    assert leave_done(flow, {"goals.0.browser.navigate", "goals.1.browser.read"}) is None
