"""What a value must be, and in which order things belong: rules without a page."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.browser.ports.acts import join_points, shape_stroke
from actuators.browser.ports.values import parse_condition, sort_texts
from core.base.errors import InputError
from core.rules.browser_choices import StrokeShape

NUMBERS = st.integers(-10_000, 10_000)


@given(NUMBERS, NUMBERS)
def test_bounds_compare_as_numbers_do(value: int, bound: int):
    shown = f"{value} EUR"
    assert parse_condition(f"below {bound}").holds(shown) == (value < bound)
    assert parse_condition(f"Above {bound}").holds(shown) == (value > bound)
    assert parse_condition(f"at least {bound}").holds(shown) == (value >= bound)
    assert parse_condition(f"at most {bound}").holds(shown) == (value <= bound)
    assert parse_condition(str(bound)).holds(shown) == (value == bound)


@given(NUMBERS)
def test_every_whole_number_is_either_even_or_odd(value: int):
    assert parse_condition("even").holds(str(value)) != parse_condition("odd").holds(str(value))


@pytest.mark.parametrize("condition", ["even", "odd", "below 5", "at least 0"])
def test_what_is_no_number_meets_no_bound(condition: str):
    assert not parse_condition(condition).holds("-")
    assert not parse_condition(condition).holds("")


def test_texts_are_compared_without_case_and_not_tells_what_is_gone():
    assert parse_condition("Ready").holds(" ready ")
    assert not parse_condition("not Pending").holds("pending")
    assert parse_condition("not Pending").holds("Done")
    assert not parse_condition("not Pending").holds("")


def test_a_bound_that_is_no_number_is_refused():
    with pytest.raises(InputError):
        parse_condition("below everything")


@given(st.lists(NUMBERS, min_size=1, max_size=20))
def test_numbers_are_sorted_by_size_and_stay_the_same_texts(values: list[int]):
    texts = [str(value) for value in values]
    assert [int(text) for text in sort_texts(texts, "ascending")] == sorted(values)
    assert [int(text) for text in sort_texts(texts, "descending")] == sorted(values, reverse=True)


@given(st.lists(st.text("abc", min_size=1, max_size=5), unique=True, min_size=1))
def test_those_that_are_named_come_first_and_none_is_lost(texts: list[str]):
    arranged = sort_texts(texts, texts[-1:])
    assert arranged[0] == texts[-1]
    assert sorted(arranged) == sorted(texts)


@given(st.sampled_from(get_args(StrokeShape)), st.floats(1, 500))
def test_a_shape_stays_within_its_size_around_its_middle(shape: StrokeShape, size: float):
    points = shape_stroke(shape, (100.0, 50.0), size)
    assert all(abs(x_px - 100) <= size / 2 + 1e-6 and abs(y_px - 50) <= size / 2 + 1e-6 for x_px, y_px in points)
    reach = max(max(abs(x_px - 100), abs(y_px - 50)) for x_px, y_px in points)
    assert reach == pytest.approx(size / 2)


def test_lines_go_through_all_their_points():
    points = [(0.0, 0.0), (10.0, 0.0), (10.0, 20.0)]
    assert set(points) <= set(join_points(points))
