import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.matching import describe_difference, diff_lines, matches_address, matches_glob, matches_title


@pytest.mark.parametrize(
    ("wanted", "matches"),
    [
        ("http://shop/orders?page=2", True),
        ("/orders", True),
        ("http://shop/*", True),
        ("*/orders?page=*", True),
        ("http://shop/orders", True),
        ("*/orders", False),
        ("https://shop/orders?page=2", False),
        ("/orders?page=20", False),
    ],
)
def test_an_address_matches_exactly_as_a_glob_or_as_a_part(wanted: str, matches: bool) -> None:
    assert matches_address("http://shop/orders?page=2", wanted) is matches


def test_a_title_matches_exactly_or_as_a_glob_but_not_as_a_part() -> None:
    assert matches_title("Order  12 \n placed", "Order 12 placed")
    assert matches_title("Order 12 placed", "Order * placed")
    assert not matches_title("Order 12 placed", "Order")


@given(st.text())
def test_only_the_asterisk_is_special_in_a_glob(text: str) -> None:
    assert matches_glob(text, text)
    assert matches_glob(f"a{text}b", "a*b")


@given(st.text(max_size=80), st.text(max_size=80))
def test_a_difference_is_described_if_and_only_if_there_is_one(expected: str, actual: str) -> None:
    assert bool(describe_difference(expected, actual)) is (expected != actual)


@pytest.mark.parametrize(
    ("expected", "actual", "said"),
    [
        ("abc", "abd", "from character 3 on, expected 'c', found 'd'"),
        ("abc", "", "expected 'abc', it is empty"),
        ("abc", "ab", "it ends after 2 characters, 'c' is missing"),
        ("ab", "abc", "after 2 characters there is more: 'c'"),
        ("a b", "a\u00a0b", r"from character 2 on, expected ' b', found '\xa0b'"),
    ],
)
def test_a_difference_names_the_place(expected: str, actual: str, said: str) -> None:
    assert describe_difference(expected, actual) == said


def test_lines_are_compared_and_cut() -> None:
    assert diff_lines("a\nb\nc", "a\nB\nc") == ["- b", "+ B"]
    assert diff_lines("\n".join("abcdef"), "", limit=2) == ["- a", "- b", "… 4 more"]


def try_every_way(actual: str, glob: str) -> bool:
    """Tell whether a text matches a glob, by trying everything: what the quick way has to agree with."""
    if not glob:
        return not actual
    if glob[0] == "*":
        return any(try_every_way(actual[start:], glob[1:]) for start in range(len(actual) + 1))
    return actual[:1] == glob[0] and try_every_way(actual[1:], glob[1:])


@given(st.text("ab", max_size=8), st.text("ab*", max_size=8))
def test_a_glob_matches_what_trying_every_way_finds(actual: str, glob: str) -> None:
    assert matches_glob(actual, glob) is try_every_way(actual, glob)


def test_a_glob_of_many_stars_takes_no_longer_than_the_text_is() -> None:
    # With a regular expression this would take longer than the universe is old.
    assert not matches_glob("a" * 100_000, "*a" * 1_000 + "b")
    assert matches_glob("a" * 100_000, "*a" * 1_000)
