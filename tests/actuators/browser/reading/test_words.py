"""Words of a text by their number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.browser.tools.read_shapes import list_words, pick_word
from core.base.errors import TargetError

TEXT = "“Well,” she said – don't e-mail me; call: 5.50 €!"


@pytest.mark.parametrize(
    ("index", "word"), [(1, "Well"), (3, "said"), (4, "don't"), (5, "e-mail"), (6, "me"), (-2, "5.50"), (-1, "€")]
)
def test_words_are_counted_without_the_punctuation_around_them(index: int, word: str):
    assert pick_word(TEXT, index) == word


@pytest.mark.parametrize("index", [0, 10, -10])
def test_a_word_that_is_not_there_is_said_with_how_many_there_are(index: int):
    with pytest.raises(TargetError) as caught:
        pick_word(TEXT, index)
    assert (caught.value.code, caught.value.evidence["count"]) == ("word_missing", 9)


@given(
    st.lists(st.from_regex(r"[a-z]{1,6}('[a-z]{1,3})?", fullmatch=True), min_size=1),
    st.sampled_from([" ", "\n", ", ", ". ", " — "]),
)
def test_words_that_are_joined_are_found_again_from_both_ends(words: list[str], joint: str):
    text = joint.join(words)
    assert list_words(text) == words
    assert [pick_word(text, place - len(words)) for place in range(len(words))] == words
