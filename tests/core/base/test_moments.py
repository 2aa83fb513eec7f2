"""Dates with times, months and ranges: read as people write them, written as fields want them, found in what fields show."""

from datetime import date, datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.dates import DateOrder
from core.base.errors import InputError
from core.base.moments import Moment, is_timely, read_moments, replace_clock, shown_in, write_clock, write_moment

EVE = date(2026, 12, 24)
HALF_PAST_SIX = time(18, 30)
DAYS = st.dates(date(1970, 1, 1), date(2069, 12, 31))
CLOCKS = st.times().map(lambda each: each.replace(second=0, microsecond=0))
ORDERS = st.sampled_from(["dmy", "mdy", "ymd"])


@pytest.mark.parametrize(
    ("text", "moments"),
    [
        ("2026-12-24", (Moment(EVE),)),
        ("24 December 2026 at 6:30 pm", (Moment(EVE, HALF_PAST_SIX),)),
        ("2026-12-24T18:30", (Moment(EVE, HALF_PAST_SIX),)),
        ("18:30", (Moment(clock=HALF_PAST_SIX),)),
        ("March 2027", (Moment(date(2027, 3, 1), is_month=True),)),
        ("2026-12-20 to 2026-12-24", (Moment(date(2026, 12, 20)), Moment(EVE))),
        ("2026-12-20/2026-12-24", (Moment(date(2026, 12, 20)), Moment(EVE))),
        ("20 Dec 2026 \u2013 24 Dec 2026", (Moment(date(2026, 12, 20)), Moment(EVE))),
        ("between 20 Dec 2026 and 24 Dec 2026", (Moment(date(2026, 12, 20)), Moment(EVE))),
        ("9:00 - 18:30", (Moment(clock=time(9)), Moment(clock=HALF_PAST_SIX))),
    ],
)
def test_dates_times_months_and_ranges_are_read(text: str, moments: tuple[Moment, ...]):
    assert read_moments(text, "mdy") == moments


@pytest.mark.parametrize("text", ["soon", "5.50 to go", "24", "Graz", "2026-13-01", "a to b", ""])
def test_what_names_no_moment_is_none(text: str):
    assert not is_timely(text)
    with pytest.raises(InputError):
        read_moments(text, "dmy")


@pytest.mark.parametrize(
    "held",
    [
        "12/24/2026 06:30 PM",
        "2026-12-24 18:30",
        "24.12.2026 18:30",
        "24 December 2026 18:30",
        "December 24, 2026, 6:30 pm",
    ],
)
def test_a_moment_is_found_in_what_a_field_shows(held: str):
    assert shown_in(held, [Moment(EVE, HALF_PAST_SIX)], "mdy")
    assert not shown_in(held, [Moment(EVE, time(17, 30))], "mdy")
    assert not shown_in(held, [Moment(date(2026, 12, 23), HALF_PAST_SIX)], "mdy")


@pytest.mark.parametrize(
    ("sample", "written"),
    [("hh:mm aa", "06:30 PM"), ("HH:mm", "18:30"), ("12:00 AM", "06:30 PM"), ("0:00", "18:30"), ("", "18:30")],
)
def test_a_time_is_written_in_the_form_of_another(sample: str, written: str):
    assert write_clock(HALF_PAST_SIX, sample) == written


def test_a_time_is_put_in_the_place_of_the_one_that_a_text_shows():
    assert replace_clock("12/24/2026, 12:00 AM", HALF_PAST_SIX) == "12/24/2026, 06:30 PM"


@given(DAYS, CLOCKS, ORDERS, st.sampled_from(["", "hh:mm aa", "HH:mm"]))
def test_what_is_written_is_what_is_read(day: date, clock: time, order: DateOrder, sample: str):
    moment = Moment(day, clock)
    assert read_moments(write_moment(moment, "", sample, order), order) == (moment,)


@given(DAYS, CLOCKS, ORDERS)
def test_what_is_written_is_shown_and_nothing_else_is(day: date, clock: time, order: DateOrder):
    moment = Moment(day, clock)
    text = write_moment(moment, "", "", order)
    assert shown_in(text, [moment], order) == order
    other = datetime.combine(day, clock).replace(minute=(clock.minute + 1) % 60)
    assert shown_in(text, [Moment(other.date(), other.time())], order) is None
