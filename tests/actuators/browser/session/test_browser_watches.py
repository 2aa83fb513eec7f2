"""Who is ended for a flood, and who never is."""

import psutil
from hypothesis import given
from hypothesis import strategies as st

from actuators.browser.playwright.session.sharing import (
    GUILTY_CORES,
    TIMES_BUSIER,
    find_guilty,
    is_far_above,
    measure_family,
)

shares = st.lists(st.floats(0, 4), max_size=20).map(lambda found: sorted(found, reverse=True))


@given(shares)
def test_only_one_that_is_far_busier_than_any_other_is_guilty(found: list[float]) -> None:
    if is_far_above(found):
        assert found[0] >= GUILTY_CORES
        assert all(found[0] >= TIMES_BUSIER * other for other in found[1:])


@given(shares.filter(bool))
def test_of_two_that_are_alike_nobody_is_guilty(found: list[float]) -> None:
    assert not is_far_above([found[0], *found])


def test_a_program_without_pages_has_nobody_to_end() -> None:
    me = psutil.Process()
    family = {me: measure_family()[me]}  # browsers of other tests may be its children as well
    busy = {process: seconds + 10 for process, seconds in family.items()}
    assert find_guilty(family, busy, 1.0) is None
