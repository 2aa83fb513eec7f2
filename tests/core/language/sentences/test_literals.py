"""Literals come out byte for byte."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.language.interpreter import GrammarInterpreter
from core.language.sentences.literals import UnclosedQuoteError, find_literals
from tests.cases import each_case

INTERPRETER = GrammarInterpreter()
# The first sentences compile patterns, which takes its time on a busy machine.
UNTIMED = settings(deadline=None)
PAIRS = ['""', "''", "“”", "‘’", "«»", "``"]


def build_contents(pair: str) -> st.SearchStrategy[str]:
    """Return any text that can stand between these quotes; a closing quote of the same kind is what can't."""
    free = st.text(alphabet=st.characters(exclude_characters=pair + "\\", codec="utf-8"), max_size=60)
    tricky = st.sampled_from(
        [
            '" and "',
            ", click Save and ",
            "{selector}",
            "${x}",
            "%s",
            " into the ",
            "\ue000\ue00f",
            "\n",
            "a\\b",
            "don't",
            "”",
        ]
    )
    parts = st.lists(st.one_of(free, tricky), max_size=6).map("".join)
    return parts.map(lambda text: "".join(mark for mark in text if mark not in pair))


def read_text(utterance: str) -> str:
    interpretation = INTERPRETER.interpret(utterance)
    assert interpretation.meta_goal is not None, interpretation.refusal
    (goal,) = interpretation.meta_goal.goals
    assert goal.verb == "type"
    return goal.params["text"]


@pytest.mark.parametrize("pair", PAIRS)
@UNTIMED
@given(data=st.data())
def test_whatever_stands_between_quotes_comes_out_byte_for_byte(pair: str, data: st.DataObject) -> None:
    content = data.draw(build_contents(pair))
    if content.endswith("\\"):
        content += "."
    assert read_text(f"type {pair[0]}{content}{pair[1]} into the notes field") == content


@UNTIMED
@given(content=st.text(alphabet=st.characters(exclude_characters="\\", codec="utf-8"), max_size=60))
def test_escaped_quotes_are_part_of_the_text(content: str) -> None:
    escaped = content.replace('"', '\\"')
    assert read_text(f'type "{escaped}" into the notes field') == content


@UNTIMED
@given(name=st.text(alphabet=st.characters(exclude_characters='"\\', codec="utf-8"), min_size=1, max_size=40))
def test_a_quoted_name_is_in_the_selector_byte_for_byte(name: str) -> None:
    if not name.strip():
        return
    interpretation = INTERPRETER.interpret(f'click the "{name}" button')
    assert interpretation.meta_goal is not None
    assert interpretation.meta_goal.goals[0].params["selector"] == f'button "{name}"'


def test_a_backslash_at_the_end_of_a_quoted_text_is_kept() -> None:
    assert read_text(r'type "C:\temp\" into the folder field') == "C:\\temp\\"


def test_quotes_and_backslashes_in_a_name_are_escaped_in_the_selector() -> None:
    interpretation = INTERPRETER.interpret("click the 'a\\b \"c\"' button")
    assert interpretation.meta_goal is not None
    assert interpretation.meta_goal.goals[0].params["selector"] == r'button "a\\b \"c\""'


@each_case(
    ("utterance", "text"),
    [
        ("type don't into the notes field", "don't"),
        ("type Ada's mug into the notes field", "Ada's mug"),
        ("type rock 'n roll into the notes field", "rock 'n roll"),
        ("type '5\" screen' into the notes field", '5" screen'),
        ("type 'don't worry' into the notes field", "don't worry"),
        ("type ‘it’s fine’ into the notes field", "it’s fine"),
        ("type „schön“ into the notes field", "schön"),
        ('type "" into the notes field', ""),
        ("type  two  spaces  into the notes field", "two  spaces"),
        ("type Ŝaŭ into the notes field", "Ŝaŭ"),
    ],
)
def test_texts_are_as_the_person_means_them(utterance: str, text: str) -> None:
    assert read_text(utterance) == text


@pytest.mark.parametrize(
    "utterance",
    [
        'type "abc into the notes field',
        "type 'abc into the notes field",
        "type “abc into the notes field",
        "type abc” into the notes field",
        "type «abc into the notes field",
        "click `#save",
        'type "a "b" c" into the notes field',
        'type "abc"d into the notes field',
    ],
)
def test_unclear_quotes_are_refused_and_their_place_is_named(utterance: str) -> None:
    refusal = INTERPRETER.interpret(utterance).refusal
    assert refusal is not None
    assert refusal.code == "ambiguous"
    assert "quoted text at character" in refusal.message
    assert refusal.question


@each_case(
    ("utterance", "url"),
    [
        ("go to http://x.test/a?b=1,2&c=(d)#e.", "http://x.test/a?b=1,2&c=(d)#e"),
        ("go to http://x.test/y, click Save", "http://x.test/y"),
        ("go to http://x.test/it's", "http://x.test/it's"),
        ("go to (http://x.test/y)", None),
        ("go to HTTP://X.test/Y", "HTTP://X.test/Y"),
        ("open http://ä.test/ü/%C3%BC", "http://ä.test/ü/%C3%BC"),
        ("open example.com/login", "https://example.com/login"),
        ("open sub.example.co.uk:8443/a", "https://sub.example.co.uk:8443/a"),
        ("open localhost", "http://localhost"),
        ("open localhost:8000/x", "http://localhost:8000/x"),
        ("open 127.0.0.1:8123/shop/", "http://127.0.0.1:8123/shop/"),
        ("open [::1]:8000/x", "http://[::1]:8000/x"),
        ("open shop.localhost:8000", "http://shop.localhost:8000"),
        ("open about:blank", "about:blank"),
        ('open "http://x.test/a b"', "http://x.test/a b"),
        ("go to report.pdf", None),
        ("open example", None),
        ("open javascript:alert(1)", None),
    ],
)
def test_addresses_are_found_and_completed(utterance: str, url: str | None) -> None:
    goals = INTERPRETER.interpret(utterance).meta_goal
    assert (goals.goals[0].params["url"] if goals else None) == url


@UNTIMED
@given(
    tail=st.text(
        alphabet=st.characters(exclude_categories=["Z", "C"], exclude_characters="\"<>“”„«»`'.,;:!?…()[]{}"),
        max_size=40,
    )
)
def test_the_rest_of_an_address_comes_out_byte_for_byte(tail: str) -> None:
    url = f"http://x.test/{tail}"
    interpretation = INTERPRETER.interpret(f"go to {url}, then click Save")
    assert interpretation.meta_goal is not None
    assert [dict(goal.params) for goal in interpretation.meta_goal.goals] == [
        {"url": url},
        {"selector": 'control "Save"'},
    ]


@pytest.mark.parametrize(
    "path",
    [
        "/home/ada/a.png",
        "~/a.png",
        "./a, b.png",
        "../x/y.tar.gz",
        r"C:\Users\ada\a.png",
        "C:/a.png",
        "out/a-b.png",
        "a.png",
    ],
)
def test_paths_come_out_byte_for_byte(path: str) -> None:
    said = f'"{path}"' if " " in path else path
    interpretation = INTERPRETER.interpret(f"upload {said} to the Photo field.")
    assert interpretation.meta_goal is not None
    assert interpretation.meta_goal.goals[0].params["path"] == path


@UNTIMED
@given(st.text(max_size=200))
def test_the_mask_is_as_long_as_the_source(source: str) -> None:
    try:
        sentence = find_literals(source)
    except UnclosedQuoteError:
        return
    assert len(sentence.mask) == len(source)
    for start, literal in sentence.literals.items():
        assert literal.start == start < literal.end <= len(source)


@UNTIMED
@given(st.text(alphabet="\"'“”‘’«»„` a", max_size=20))
def test_an_unclear_quote_is_where_the_error_says(source: str) -> None:
    try:
        find_literals(source)
        position = -1
    except UnclosedQuoteError as error:
        position = error.position
    assert position < 0 or source[position] in "\"'“”‘’«»„`"
