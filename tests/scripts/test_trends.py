"""What grows steadily is told from what jumps about."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.chaos_trials import leaks as chaos_leaks
from scripts.chaos_trials import trends
from scripts.chaos_trials.leak_sessions import SCENES

NUMBERS = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30)


@given(values=NUMBERS, factor=st.floats(0.1, 100), offset=st.floats(-1000, 1000))
def test_a_slope_grows_with_the_series_and_does_not_mind_where_it_starts(
    values: list[float], factor: float, offset: float
) -> None:
    moved = trends.find_slope([value * factor + offset for value in values])
    assert moved == pytest.approx(trends.find_slope(values) * factor, rel=1e-6, abs=1e-3)


@given(values=st.lists(st.integers(-1000, 1000), min_size=2, max_size=30))
def test_a_rise_is_the_opposite_backwards(values: list[int]) -> None:
    assert trends.find_rise(values) == pytest.approx(-trends.find_rise(values[::-1]))


@given(step=st.floats(0.5, 50), odd=st.floats(-1e6, 1e6), place=st.integers(0, 11))
def test_one_odd_value_neither_makes_nor_hides_a_leak(step: float, odd: float, place: int) -> None:
    leaking = [100 + step * number for number in range(12)]
    still = [100.0] * 12
    leaking[place] = still[place] = odd
    assert trends.grows(leaking, step / 3)
    assert not trends.grows(still, 0.1)


def test_noise_does_not_grow_and_a_leak_below_it_is_found() -> None:
    chance = random.Random(1)
    noise = [100 + chance.uniform(-3, 3) for _ in range(30)]
    assert not trends.grows(noise, 0.2)
    assert trends.grows([value + 0.5 * number for number, value in enumerate(noise)], 0.2)


def test_a_coarse_measure_says_nothing_in_a_short_series_and_all_in_a_long_one() -> None:
    def make_steps(length: int) -> list[float]:
        return [
            60.0 + (number // 5) * 0.5 for number in range(length)
        ]  # half a MiB at a time, 0.1 from one to the next

    assert trends.grows(make_steps(10), 0.05)
    assert not trends.grows(make_steps(10), 0.05, noise=2.0)
    assert trends.grows(make_steps(40), 0.05, noise=2.0)


def test_few_values_say_nothing() -> None:
    assert not trends.grows([1.0, 2.0, 3.0, 4.0, 5.0], 0.1)


def test_turns_are_compared_as_wholes() -> None:
    assert trends.condense([1, 9, 2, 1, 9, 2, 1], 3) == [2, 2]


def make_findings(grow: Callable[[int], float], name: str, turns: int = 12) -> chaos_leaks.Findings:
    """Return findings of sessions of which each kind holds another amount, and one series grows as told."""
    findings = chaos_leaks.Findings()
    for number in range(turns * len(SCENES)):
        for each in chaos_leaks.LIMITS:
            findings.series[each].append(50.0 * (number % len(SCENES)) + (grow(number) if each == name else 0.0))
    return findings


@pytest.mark.parametrize("name", chaos_leaks.LIMITS)
def test_what_grows_beyond_its_limit_is_a_leak_and_is_named(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    limit = chaos_leaks.LIMITS[name]
    findings = make_findings(lambda number: number * 1.5 * limit / 100, name)
    figures = chaos_leaks.make_figures(findings, 120)
    assert chaos_leaks.find_growing(findings) == [name]
    assert figures["leaks"] == 1
    assert figures[f"{name}_slope_per_100"] == pytest.approx(1.5 * limit)
    chaos_leaks.print_findings(findings, figures)
    assert f"grows: {name.replace('_', ' ')} by {1.5 * limit:.1f} in 100 sessions" in capsys.readouterr().out


@pytest.mark.parametrize("name", chaos_leaks.LIMITS)
def test_what_stays_within_its_limit_is_none(name: str) -> None:
    limit = chaos_leaks.LIMITS[name]
    assert chaos_leaks.find_growing(make_findings(lambda number: number * 0.5 * limit / 100, name)) == []
    filled = make_findings(lambda number: min(number, 15) * limit, name)  # caches, in the turns that warm up
    assert chaos_leaks.find_growing(filled) == []


def test_too_few_sessions_are_said_to_judge_no_slope(capsys: pytest.CaptureFixture[str]) -> None:
    findings = make_findings(lambda number: number * 1000.0, "objects", turns=2)
    chaos_leaks.print_findings(findings, chaos_leaks.make_figures(findings, 20))
    assert "no slope is judged: that takes 80 sessions" in capsys.readouterr().out
