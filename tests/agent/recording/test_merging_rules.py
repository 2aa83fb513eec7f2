"""The rules by which acts are merged and left out, for any order of acts: they are pure functions."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.browser.ports.recordings import PageEvent
from agent.recording.acts import Act, Changes
from agent.recording.gathering import gather_acts
from agent.recording.recording_log import leave_out

FIELDS = ("Name", "City")
CLICK = {"button": "left", "count": 1, "modifiers": [], "is_field": False, "is_control": True, "group": ""}


def tick(name: str, *, checked: bool) -> Act:
    detail = {**CLICK, "is_control": True}
    return Act("check", ids=(name,), selector=f'checkbox "{name}"', value=checked, was=not checked, detail=detail)


def write(name: str, value: str, was: str) -> Act:
    return Act("type", ids=(name,), selector=f'field "{name}"', value=value, was=was)


def click(name: str, **changes: Any) -> Act:
    return Act("click", ids=(name,), selector=f'button "{name}"', detail=CLICK, changes=Changes(**changes))


@st.composite
def sessions(draw: st.DrawFn) -> list[Act]:
    """Return acts on boxes, fields and buttons as a page would tell them: each says truly what was there before."""
    state: dict[str, Any] = {"Hot": False, "Loud": False, **dict.fromkeys(FIELDS, "")}
    acts: list[Act] = []
    for name in draw(st.lists(st.sampled_from(["Hot", "Loud", *FIELDS, "Go", "Stop"]), max_size=12)):
        if name in ("Hot", "Loud"):
            state[name] = not state[name]
            acts.append(tick(name, checked=state[name]))
        elif name in FIELDS:
            value = draw(st.sampled_from(["", "a", "ab"]))
            acts.append(write(name, value, state[name]))
            state[name] = value
        else:
            acts.append(click(name, mutations=3))
    return acts


def do(acts: list[Act] | tuple[Act, ...]) -> tuple[dict[str, Any], list[tuple[str, dict[str, Any]]]]:
    """Return what the page holds in the end, and what it held at each click."""
    held: dict[str, Any] = {}
    seen: list[tuple[str, dict[str, Any]]] = []
    for act in acts:
        if act.kind == "click":
            seen.append((act.selector, {key: value for key, value in held.items() if value}))
        else:
            held[act.selector] = act.value
    return {key: value for key, value in held.items() if value}, seen


@given(sessions())
def test_what_is_left_comes_to_the_same_and_each_click_meets_the_same_page(acts: list[Act]) -> None:
    assert do(leave_out(acts)) == do(acts)


@given(sessions())
def test_nothing_more_is_left_out_the_second_time_and_nothing_is_added(acts: list[Act]) -> None:
    once = leave_out(acts)
    assert leave_out(once) == once
    assert len(once) <= len(acts)


@given(sessions())
def test_no_two_values_for_the_same_thing_stand_behind_each_other(acts: list[Act]) -> None:
    left = leave_out(acts)
    pairs = [(one.kind, one.selector) for one, two in pairwise(left) if one.selector == two.selector]
    assert [kind for kind, _ in pairs if kind != "click"] == []


@given(st.lists(st.text(max_size=8), min_size=1, max_size=10))
def test_keys_in_one_field_are_one_act_with_the_last_value(values: list[str]) -> None:
    events = [
        PageEvent("input", act="d.1", selector='field "Name"', detail={"value": each, "was": "?"}) for each in values
    ]
    (act,) = gather_acts(events)
    assert (act.kind, act.value, act.was) == ("type", values[-1], "?")


@given(st.lists(st.sampled_from(["input", "choose", "key", "hover", "slide"]), max_size=12))
def test_acts_keep_the_order_in_which_they_were_done(kinds: list[Any]) -> None:
    detail = {"value": "v", "was": "", "values": ["v"], "key": "Escape"}
    events = [PageEvent(kind, act=f"d.{at}", selector="x", detail=detail) for at, kind in enumerate(kinds)]
    assert [act.ids[0] for act in gather_acts(events)] == [event.act for event in events]


def test_an_opened_menu_and_escape_cancel_each_other_out_around_nothing_only() -> None:
    opened, escape = click("Menu", was_open=False, is_open=True), Act("press", value="Escape", ids=("e",))
    chosen = click("First", mutations=1)
    assert leave_out([opened, escape]) == ()
    assert leave_out([opened, chosen, escape])[0] == opened


@pytest.mark.parametrize("role", ["option", "menuitem", "menuitemradio", "gridcell"])
def test_a_choice_is_kept_before_escape(role: str) -> None:
    escape = Act("press", value="Escape", ids=("e",))
    chosen = replace(click("Blue", mutations=3), selector=f'{role} "Blue"')
    assert leave_out([chosen, escape])[0] == chosen
    assert leave_out([click("Filters", mutations=3), escape]) == ()


def test_a_way_back_keeps_what_was_done_before_it() -> None:
    went, back = click("Next", url="http://a.test/next"), Act("back", changes=Changes(url="http://a.test/"))
    typed = write("Name", "a", "")
    assert leave_out([typed, went, back]) == (typed,)
    assert leave_out([went, typed, back]) == (went, typed, back)


def test_a_secret_that_was_typed_and_cleared_is_left_out_unless_something_was_there() -> None:
    def typed(**detail: bool) -> Act:
        return Act("type", ids=("p",), selector='field "Word"', secret=True, detail=detail)

    assert leave_out([typed(is_empty=True, had_value=False)]) == ()
    assert len(leave_out([typed(is_empty=True, had_value=True)])) == 1
    assert len(leave_out([typed(is_empty=False, had_value=False)])) == 1
