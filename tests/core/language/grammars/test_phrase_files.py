"""Phrase files: what may stand in them, and what is said of a mistake."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import TableError
from core.goals.references import Reference
from core.language.grammars.grammar import SlotName
from core.language.grammars.phrase_files import read_params, read_phrases
from core.language.grammars.word_files import merge_words
from core.language.interpreter import GrammarInterpreter
from core.language.talk.languages import FOLDERS, load_language

LOGIN = """
== browser.type

# Remarks are left out.
say sign in with the name {user:quote}
    [and the code {code:quote}]
does browser.type selector: 'field "user name"', text: {user}
does browser.type selector: 'field "code"', text: {code}
does browser.read target: text, selector: 'heading {user}'
does browser.type selector: 'field "greeting"', text: $3.text
 eg sign in with the name "ada" and the code "7" -> user: ada, code: "7"
"""


def interpret_login(sentence: str) -> list[tuple[str, dict[str, object]]]:
    grammar = replace(load_language("en"), verbs=read_phrases(LOGIN, "login"))
    meta_goal = GrammarInterpreter(grammar).interpret(sentence).meta_goal
    assert meta_goal is not None
    return [(goal.name, dict(goal.params)) for goal in meta_goal.goals]


def test_a_phrase_may_stand_for_several_goals_that_refer_to_each_other() -> None:
    assert interpret_login('sign in with the name "ada" and the code "7"') == [
        ("browser.type", {"selector": 'field "user name"', "text": "ada"}),
        ("browser.type", {"selector": 'field "code"', "text": "7"}),
        ("browser.read", {"target": "text", "selector": 'heading "ada"'}),
        ("browser.type", {"selector": 'field "greeting"', "text": Reference("g2", "text")}),
    ]


def test_a_name_within_a_selector_is_quoted_so_that_it_stays_a_name() -> None:
    goals = interpret_login('sign in with the name \'a" in "b\' and the code "7"')
    assert goals[2][1]["selector"] == 'heading "a\\" in \\"b"'


def test_a_goal_whose_slot_was_not_filled_is_left_out_with_what_refers_to_it() -> None:
    text = LOGIN.replace("$3.text", "$2.text")
    grammar = replace(load_language("en"), verbs=read_phrases(text, "login"))
    meta_goal = GrammarInterpreter(grammar).interpret('sign in with the name "ada"').meta_goal
    assert meta_goal is not None
    assert [goal.name for goal in meta_goal.goals] == ["browser.type", "browser.read"]


@given(st.text(st.characters(exclude_characters="'\r\n", exclude_categories=["Cs"])))
def test_a_text_in_single_quotes_comes_out_as_it_is(text: str) -> None:
    assert read_params(f"name: '{text}', level: 1.5") == {"name": text, "level": 1.5}


def test_params_are_words_numbers_texts_lists_objects_references_and_slots() -> None:
    text = (
        'a: word, b: 20, c: true, d: "x, y: \\"z\\"", e: [1, "b"], f: {"x": 1}, g: $g0.text, h: {user}, i: build/*.txt'
    )
    assert read_params(text) == {
        "a": "word",
        "b": 20,
        "c": True,
        "d": 'x, y: "z"',
        "e": [1, "b"],
        "f": {"x": 1},
        "g": Reference("g0", "text"),
        "h": SlotName("user"),
        "i": "build/*.txt",
    }


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("say hello", "line 1: a verb must be named first"),
        ("== a.b\n eg hello", "line 2: a phrase begins with say"),
        ("== a.b\nsay hello\nwant: x", "line 3: 'want:' is not one of say"),
        ("== a.b\nsay hello\nset x 1", "line 3: “x 1” is not a list of params: a name and a colon"),
        ("== a.b\nsay hello\nset x: !", "'!' is not a value"),
        ("== a.b\nsay hello\nset x: 1 y: 2", "a comma is expected at ' y: 2'"),
        ("== a.b\nsay hello\nrefuse because: no", "'because' is not a code of a refusal"),
    ],
)
def test_a_mistake_is_told_with_its_file_and_line(text: str, complaint: str) -> None:
    with pytest.raises(TableError) as caught:
        read_phrases(text, "test.phrases")
    assert str(caught.value).startswith("test.phrases, line ")
    assert complaint in str(caught.value)


def test_a_word_that_two_files_say_is_told_with_the_file_instead_of_lost() -> None:
    said = {"words": {"keys": {"Enter": ["enter"]}}}
    merge_words(said, {"words": {"keys": {"Tab": ["tab"]}, "articles": ["the"]}}, "a.toml")
    assert said == {"words": {"keys": {"Enter": ["enter"], "Tab": ["tab"]}, "articles": ["the"]}}
    with pytest.raises(TableError, match=r"b\.toml: “Enter” is said in another file"):
        merge_words(said, {"words": {"keys": {"Enter": ["return"]}}}, "b.toml")


@pytest.mark.parametrize("tag", FOLDERS)
def test_every_language_has_all_its_messages(tag: str) -> None:
    wording = load_language(tag).wording
    assert [name for name, text in wording._asdict().items() if len(text) < 10] == []


def test_an_unknown_language_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(TableError, match="en"):
        load_language("tlh")
