"""Finding texts among lines that were read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.desktop.finding.text_matching import find_texts, list_nearest_lines
from actuators.desktop.ports.desktop import Rect, SeenText

WORDS = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=8)


def line(text: str, y: int = 0, *, letters: bool = False) -> SeenText:
    """A line whose letters are ten pixels wide each."""
    places = [Rect(10 * at, y, 10, 20) for at, letter in enumerate(text) if not letter.isspace()]
    return SeenText(text, Rect(0, y, 10 * len(text), 20), 0.9, tuple(places) if letters else ())


def texts(wanted: str, *lines: str) -> list[str]:
    return [each.text for each in find_texts(wanted, [line(text, 30 * at) for at, text in enumerate(lines)])]


@pytest.mark.parametrize(
    ("wanted", "lines", "found"),
    [
        ("sign in", ["Sign in"], ["Sign in"]),
        ("Sign in", ["(Sign in) (Cancel) (Quit)"], ["Sign in"]),
        ("Total: 128.50", ["Total:128.50 EUR"], ["Total:128.50"]),
        ("Save", ["Save as", "Save"], ["Save"]),
        ("Save", ["Save as", "Saved"], ["Save"]),
        ("in", ["Invoice", "Sign in"], ["in"]),
        ("OK", ["0K"], ["0K"]),
        ("Invoice 117", ["lnvoice ll7"], ["lnvoice ll7"]),
        ("Do you want to go on?", ["Do you want to go or"], ["Do you want to go or"]),
        ("Cancel", ["Cancel", "Cancel"], ["Cancel", "Cancel"]),
        ("Register", ["Sign in", "Cancel"], []),
        ("Yes", ["Yet"], []),
        ("Sign in to your account", ["Sign in"], []),
        ("  ", ["Sign in"], []),
    ],
)
def test_a_text_is_found_as_people_would_say_it_is_there(wanted: str, lines: list[str], found: list[str]):
    assert texts(wanted, *lines) == found


@given(st.lists(WORDS, min_size=1, max_size=5), st.data())
def test_every_whole_word_that_was_read_is_found_on_itself(words: list[str], data: st.DataObject):
    place = data.draw(st.integers(0, len(words) - 1))
    text = " ".join(words)
    start = len(" ".join([*words[:place], ""]))
    middle = 10 * start + 5 * len(words[place])
    found = find_texts(words[place], [line(text, letters=True)])
    assert any(each.bounds.contains(middle, 10) for each in found)


@given(WORDS, st.lists(st.text(max_size=20), max_size=5))
def test_whatever_is_found_lies_within_a_line(wanted: str, lines: list[str]):
    seen = [line(text, 30 * at) for at, text in enumerate(lines)]
    boxes = [each.bounds for each in seen]
    for match in find_texts(wanted, seen):
        assert any(box.contains(match.bounds.x, match.bounds.y) for box in boxes)
        assert 0 < match.confidence <= 1


def test_a_word_in_a_line_without_letters_is_placed_by_their_widths():
    (found,) = find_texts("Cancel", [line("Sign in Cancel Quit")])
    middle = 10 * (len("Sign in ") + len("Cancel") / 2)
    assert found.bounds.x < middle < found.bounds.x + found.bounds.width
    assert abs(found.bounds.center[0] - middle) < 15


def test_the_nearest_lines_come_first():
    assert list_nearest_lines("Cancle", [line("Sign in"), line("Quit"), line("Cancel")])[0] == "Cancel"
