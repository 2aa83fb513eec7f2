"""Values as people give them, and as controls hold them."""

from datetime import date
from decimal import Decimal
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.browser.playwright.controls.controls import (
    ControlLimits,
    fit_number,
    read_colour,
    read_number,
    read_state,
    write_value,
)
from core.base.dates import (
    DateOrder,
    find_order,
    find_pattern,
    read_date,
    read_time,
    write_date,
    write_for_field,
)
from core.base.errors import InputError
from tests.cases import each_case

CHRISTMAS = date(2026, 12, 24)
DAYS = st.dates(date(1970, 1, 1), date(2069, 12, 31))
ORDERS = st.sampled_from(["dmy", "mdy"])


DATES = [
    "2026-12-24", "2026/12/24", "24.12.2026", "12/24/2026", "24/12/2026", "24 December 2026", "24th of Dec, 2026",
    "December 24, 2026", "Dec 24th 2026", "Thursday, December 24 2026", "24-Dec-2026", "12/24/26",
]  # fmt: skip


@each_case("text, order", product(DATES, ["dmy", "mdy"]))
def test_a_date_that_can_be_read_in_one_way_is_read_so_whatever_the_order(text: str, order: DateOrder):
    assert read_date(text, order) == CHRISTMAS


def test_numbers_that_do_not_tell_are_read_in_the_order_that_is_given():
    assert read_date("03/05/2026", "mdy") == date(2026, 3, 5)
    assert read_date("03/05/2026", "dmy") == date(2026, 5, 3)
    assert read_date("03.05.2026", "mdy") == date(2026, 5, 3)


@pytest.mark.parametrize("text", ["", "tomorrow", "31/02/2026", "13/13/2026", "24 Decembre 2026", "2026-12", "1/2"])
def test_what_is_no_date_is_refused(text: str):
    with pytest.raises(InputError) as caught:
        read_date(text, "dmy")
    assert caught.value.code == "bad_value"


@pytest.mark.parametrize(
    ("text", "moment"),
    [("18:30", "18:30:00"), ("6:30 pm", "18:30:00"), ("6pm", "18:00:00"), ("12 am", "00:00:00"), ("12 p.m.", "12:00:00"),
     ("noon", "12:00:00"), ("6:30:05 AM", "06:30:05"), ("9.15", "09:15:00")],
)  # fmt: skip
def test_times_are_read_with_and_without_am_and_pm(text: str, moment: str):
    assert read_time(text).isoformat() == moment


@pytest.mark.parametrize("text", ["18", "25:00", "13 pm", "soon", "6:61"])
def test_what_is_no_time_is_refused(text: str):
    with pytest.raises(InputError):
        read_time(text)


@pytest.mark.parametrize(
    ("kind", "text", "written"),
    [
        ("date", "24 December 2026", "2026-12-24"),
        ("time", "6:30 pm", "18:30"),
        ("datetime-local", "24 December 2026 at 6:30 pm", "2026-12-24T18:30"),
        ("datetime-local", "2026-12-24T18:30", "2026-12-24T18:30"),
        ("month", "December 2026", "2026-12"),
        ("month", "2026-12", "2026-12"),
        ("week", "week 52 of 2026", "2026-W52"),
        ("week", "2026-12-24", "2026-W52"),
    ],
)
def test_native_fields_of_dates_get_what_they_hold(kind: str, text: str, written: str):
    assert write_for_field(kind, text, "dmy") == written


@given(
    day=DAYS,
    order=ORDERS,
    pattern=st.sampled_from(["dd/mm/yyyy", "mm/dd/yyyy", "d mmm yyyy", "yyyy-mm-dd", "mmmm d, yyyy", "dd.mm.yy"]),
)
def test_a_date_that_is_written_in_a_pattern_is_read_back(day: date, order: DateOrder, pattern: str):
    assert read_date(write_date(day, pattern), find_order(pattern) or order) == day


def test_a_placeholder_or_a_date_that_is_there_tells_the_order():
    assert (find_pattern("e.g. MM/DD/YYYY"), find_pattern("Your name"), find_pattern("dd/dd/yyyy")) == (
        "MM/DD/YYYY",
        "",
        "",
    )
    assert find_order("", "mm/dd/yyyy") == "mdy"
    assert [find_order(text) for text in ("24/12/2026", "12/24/2026", "2026-01-02", "01/02/2026", "1.2.2026")] == [
        "dmy",
        "mdy",
        "ymd",
        None,
        "dmy",
    ]


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("40", "40"),
        ("40%", "40"),
        ("40 percent", "40"),
        ("-3.5", "-3.5"),
        ("−3", "-3"),
        ("1,200.50", "1200.50"),
        ("$40", "40"),
        (40, "40"),
        (0.5, "0.5"),
        ("12 px", "12"),
    ],
)
def test_numbers_are_read_with_the_signs_around_them(value: str | float, number: str):
    assert read_number(value) == Decimal(number)


@pytest.mark.parametrize("value", ["", "forty", "12:30", "1-2", "%", True])
def test_what_is_no_number_is_refused(value: str | bool):
    with pytest.raises(InputError):
        read_number(value)


@given(lowest=st.integers(-100, 100), steps=st.integers(1, 50), step=st.integers(1, 9), at=st.integers(-500, 500))
def test_a_number_fits_if_it_is_one_of_the_steps_in_the_range(lowest: int, steps: int, step: int, at: int):
    highest = lowest + steps * step
    limits = ControlLimits(Decimal(lowest), Decimal(highest), Decimal(step))
    if at in range(lowest, highest + 1, step):
        assert fit_number(at, limits) == at
    else:
        with pytest.raises(InputError):
            fit_number(at, limits)


def test_states_are_said_in_several_words():
    assert [read_state(each) for each in (True, "on", "Yes", "checked")] == [True] * 4
    assert [read_state(each) for each in (False, "off", "no", "unticked")] == [False] * 4
    with pytest.raises(InputError):
        read_state("maybe")


@pytest.mark.parametrize(
    ("value", "colour"),
    [
        ("#FF8800", "#ff8800"),
        ("f80", "#ff8800"),
        ("rgb(255, 136, 0)", "#ff8800"),
        ("Light Grey", "#d3d3d3"),
        ("red", "#ff0000"),
    ],
)
def test_colours_are_written_with_six_digits(value: str, colour: str):
    assert read_colour(value) == colour


def test_fields_of_text_take_any_value_as_it_is_written():
    none = ControlLimits()
    assert [write_value("text", each, none, "dmy") for each in ("12/24", True, 40.0, 0.1)] == [
        "12/24",
        "on",
        "40",
        "0.1",
    ]
    with pytest.raises(InputError):
        read_colour("colourless")
