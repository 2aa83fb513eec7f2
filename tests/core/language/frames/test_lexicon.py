"""Lexicon: words by their class, in all their forms."""

import pytest

from core.language.frames.lexicon import Lexicon
from core.language.grammars.word_classes import WordClasses
from tests.cases import each_case

CLASSES = WordClasses(
    words={"off": ("off", "all the way off"), "not_hear": ("don't want to hear",)},
    verbs={"shut": ("close", "put away", "deny", "box")},
    forms={
        "s": (("(?:s|x|z|ch|sh|o)", r"\g<0>es"), ("(?<=[^aeiou])y", "ies"), ("", "s")),
        "ed": (("e", "ed"), ("(?<=[^aeiou])y", "ied"), ("", "ed")),
        "ing": (("(?<=[^e])e", "ing"), ("", "ing")),
    },
    irregular={"put": {"ed": "put", "ing": "putting"}},
)
LEXICON = Lexicon(CLASSES)


def find(text: str) -> list[dict[str, list[int]]]:
    return LEXICON.find(tuple(text.split()))


@each_case(
    ("text", "name", "end"),
    [
        ("close", "shut", 1),
        ("closes", "shut_s", 1),
        ("closed", "shut_ed", 1),
        ("closing", "shut_ing", 1),
        ("denies", "shut_s", 1),
        ("denied", "shut_ed", 1),
        ("denying", "shut_ing", 1),
        ("boxes", "shut_s", 1),
        ("put away", "shut", 2),
        ("puts away", "shut_s", 2),
        ("put away", "shut_ed", 2),
        ("putting away", "shut_ing", 2),
    ],
)
def test_a_verb_is_known_in_each_of_its_forms(text: str, name: str, end: int) -> None:
    assert find(text)[0][name] == [end]


@pytest.mark.parametrize("text", ["closeed", "puted away", "putted away", "closee", "put", "boxs", "denys"])
def test_what_is_no_form_of_a_verb_has_no_class(text: str) -> None:
    assert find(text)[0] == {}


def test_the_words_of_a_class_are_found_wherever_they_begin_and_end() -> None:
    found = find("now all the way off")
    assert found == [{}, {"off": [5]}, {}, {}, {"off": [5]}]


@pytest.mark.parametrize("text", ["don't want to hear", "dont want to hear", "don’t want to hear"])
def test_an_apostrophe_may_be_missing_or_curly(text: str) -> None:
    assert find(text)[0] == {"not_hear": [4]}


def test_part_of_several_words_is_not_their_class() -> None:
    assert find("all the way") == [{}, {}, {}]


def test_the_forms_of_a_class_are_classes_too() -> None:
    assert LEXICON.names == {"off", "not_hear", "shut", "shut_s", "shut_ed", "shut_ing"}


def test_the_commands_are_the_first_words_of_verbs_in_their_plain_form() -> None:
    assert LEXICON.commands == {"close", "put", "deny", "box"}
