"""Arithmetic and linear equations as pages write them."""

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.browser.equations import solve_text
from core.base.errors import TargetError

WHOLE = st.integers(-500, 500)


def solve(text: str, *, page: bool = False) -> str:
    return solve_text(text, is_whole_page=page).text


@pytest.mark.parametrize(
    ("text", "solution"),
    [
        ("7 + 5 =", "12"),
        ("7 + 5 = ?", "12"),
        ("7 + 5 = ___", "12"),
        ("6 x 4 =", "24"),
        ("6x4 =", "24"),
        ("6 × (4 − 1)", "18"),
        ("1 ÷ 8", "0.125"),
        ("1 / 3", "1/3"),
        ("-3 - -4", "1"),
        ("2 ^ 10", "1024"),
        ("1,200.50 * 2", "2401"),
        ("What is 3 + 4?", "7"),
        ("x + 9 = 4", "-5"),
        ("9 - x = 4", "5"),
        ("3x = 12", "4"),
        ("2x + 3 = 5x - 9", "4"),
        ("2(n - 1) = 7", "4.5"),
        ("? + 3 = 10", "7"),
        ("12 = 4 · y", "3"),
        ("x / 4 = 2.5", "10"),
    ],
)
def test_a_problem_is_solved_exactly(text: str, solution: str):
    assert solve(text) == solution


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Solve for x",
        "x =",
        "x = 5",
        "3 + 4 = 7",
        "x + y = 3",
        "x * x = 9",
        "x = x",
        "1 / 0 =",
        "x + 1 = x",
        "2 ^ 100000",
        "((1 + 2) =",
    ],
)
def test_what_has_not_one_solution_is_refused(text: str):
    with pytest.raises(TargetError) as caught:
        solve(text)
    assert caught.value.code == "solution_missing"


def test_several_problems_are_listed_and_the_same_one_twice_is_one():
    with pytest.raises(TargetError) as caught:
        solve("1 + 1 =\n2 + 2 =")
    assert caught.value.code == "solution_ambiguous"
    assert caught.value.evidence["problems"] == ["1 + 1 =", "2 + 2 ="]
    assert solve("1 + 1 =\n1+1 =") == "2"


def test_on_a_whole_page_only_what_is_asked_is_a_problem():
    page = "Open 10-20, 1/2 price\nCall 555-1234\nUpdated 2026-01-02\nx - 3 = 4\nx ="
    assert solve(page, page=True) == "7"
    with pytest.raises(TargetError):
        solve("Open 10-20, 1/2 price\nCall 555-1234", page=True)


@given(factor=WHOLE.filter(bool), rest=WHOLE, unknown=WHOLE)
def test_the_solution_of_an_equation_makes_both_sides_equal(factor: int, rest: int, unknown: int):
    text = f"{factor}n + {rest} = {factor * unknown + rest}".replace("+ -", "- ")
    found = solve_text(text, is_whole_page=True)
    assert (found.value, found.unknown, found.number) == (unknown, "n", unknown)


@given(one=WHOLE, two=WHOLE, three=WHOLE.filter(bool))
def test_arithmetic_keeps_the_order_of_operations(one: int, two: int, three: int):
    text = f"{one} + {two} * {three} / {three} - ({two} - {one})"
    assert solve_text(text, is_whole_page=False).value == one + Fraction(two * three, three) - (two - one)


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(text: str):
    with suppress(TargetError):
        assert solve_text(text, is_whole_page=False).text
