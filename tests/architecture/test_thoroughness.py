"""A run goes through a whole table, or through a part that comes to every case in time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.thoroughness import DAY, THOROUGH, examples, spread


@given(st.integers(0, 300), st.integers(1, 40))
def test_every_case_has_its_day_and_no_day_has_too_many(count: int, most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(THOROUGH, raising=False)
        days: list[list[int]] = []
        for day in range(-(-count // most) or 1):
            patch.setenv(DAY, str(day))
            days.append(spread(range(count), most))
        assert sorted(case for drawn in days for case in drawn) == list(range(count))
        assert all(len(drawn) <= most for drawn in days)


def test_the_full_lane_leaves_nothing_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(THOROUGH, "1")
    assert spread(range(1000), 3) == list(range(1000))
    assert examples(300) == 300


def test_elsewhere_a_property_has_fewer_examples_but_never_more_than_it_asks_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(THOROUGH, raising=False)
    assert [examples(count) for count in (3, 20, 100, 1000)] == [3, 10, 20, 200]
