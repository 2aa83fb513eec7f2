"""Rules that hold for every sentence: what is denied is never done, and what is written exactly comes out exactly."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.language.interpreter import GrammarInterpreter
from core.language.talk.languages import load_language
from tests.cases import each_case

ENGLISH = load_language("en")

INTERPRETER = GrammarInterpreter()
UNTIMED = settings(deadline=None)

# What somebody says first in the tests of the grammar: every phrase that stands on its own.
EXAMPLES = [
    example
    for verb in ENGLISH.verbs
    for phrase in verb.phrases
    if not phrase.refuses and not phrase.after
    for example in phrase.examples
    if example.isascii()
]
LEAD_INS = [
    "please",
    "now",
    "ok,",
    "hey,",
    "can you",
    "could you please",
    "um,",
    "uh",
    "so",
    "then",
    "I want you to",
    "let's",
]
LEAD_OUTS = ["please", "for me", ", thanks", "real quick", "."]
DENIALS = [
    "don't",
    "do not",
    "dont",
    "never",
    "please don't",
    "you must not",
    "avoid to",
    "let's not",
    "I don't want you to",
    "cannot",
]
STEPS = ["go back", "click Save", 'type "x" into the name field', "reload the page", "press enter", "close the tab"]
URL_CHARACTERS = "abcXYZ019-._~:/?#[]@!$&'()*+,;=%äß日"


def list_steps(utterance: str) -> list[tuple[str, dict[str, Any]]] | None:
    goal = INTERPRETER.interpret(utterance).meta_goal
    return [(step.verb, dict(step.params)) for step in goal.goals] if goal else None


@UNTIMED
@given(denial=st.sampled_from(DENIALS), example=st.sampled_from(EXAMPLES))
def test_a_denied_step_is_never_done(denial: str, example: str) -> None:
    assert list_steps(f"{denial} {example}") is None


@pytest.mark.parametrize("joint", [" and ", ", ", ", but ", " but ", ". ", "; ", " - ", ", and ", " then ", "\n"])
@UNTIMED
@given(
    denial=st.sampled_from(["don't", "do not", "never", "don't you", "please don't"]),
    before=st.sampled_from(STEPS),
    denied=st.sampled_from(STEPS),
)
def test_a_denied_step_behind_another_stops_both(joint: str, denial: str, before: str, denied: str) -> None:
    assert list_steps(f"{before}{joint}{denial} {denied}") is None


@UNTIMED
@given(
    lead_ins=st.lists(st.sampled_from(LEAD_INS), max_size=3, unique=True),
    lead_out=st.sampled_from(["", *LEAD_OUTS]),
    step=st.sampled_from(STEPS),
)
def test_fillers_in_any_order_change_nothing(lead_ins: list[str], lead_out: str, step: str) -> None:
    gap = "" if lead_out[:1] in {"", ",", "."} else " "
    said = " ".join([*lead_ins, step]) + gap + lead_out
    assert list_steps(said) == list_steps(step)


@UNTIMED
@given(
    rest=st.text(alphabet=URL_CHARACTERS, min_size=1, max_size=40),
    tail=st.sampled_from(["", " and go back", ", go back"]),
)
def test_an_address_comes_out_exactly_or_not_at_all(rest: str, tail: str) -> None:
    # What stands at the very end may be punctuation of the sentence; a letter behind it makes it a part of the address.
    url = f"https://example.com/{rest}x"
    steps = list_steps(f"go to {url}{tail}")
    assert steps is None or steps[0] == ("navigate", {"url": url})


@UNTIMED
@given(
    inner=st.lists(
        st.sampled_from([*STEPS, "don't", "if it is there", "and", ",", "then", ". ", "every day"]), max_size=5
    )
)
def test_what_stands_between_quotes_is_never_split_nor_done(inner: list[str]) -> None:
    content = " ".join(inner).replace('"', "")
    said = f'go back, type "{content}" into the name field and click "{content}x"'
    assert list_steps(said) == [
        ("back", {}),
        ("type", {"text": content, "selector": 'field "name"'}),
        ("click", {"selector": f'control "{content}x"'}),
    ]


@UNTIMED
@given(text=st.text(alphabet=st.characters(codec="ascii", categories=["L", "N", "P", "S"]), min_size=1, max_size=20))
def test_a_word_typed_without_quotes_is_exact_but_for_the_end_of_the_sentence(text: str) -> None:
    steps = list_steps(f"set the password to {text}")
    assume(steps is not None and len(steps) == 1)
    typed = steps[0][1]["text"] if steps else ""
    is_quoted = len(text) > 1 and text[0] + text[-1] in {'""', "''", "``", "`'"}
    quoted = text[1:-1] if is_quoted else text
    assert typed in {text, text.rstrip(".,"), quoted, quoted.replace("\\" + text[0], text[0])}


@pytest.mark.parametrize(
    "utterance",
    [
        "set the password to hunter2!",
        "fill Password with hunter2?",
        "in the password field, type hunter2!!",
        "fill the email field with a@b.example and the password field with hunter2!",
        "set the password to https://a.example/?b!",
    ],
)
def test_a_mark_that_may_belong_to_an_unquoted_text_is_asked_about(utterance: str) -> None:
    refusal = INTERPRETER.interpret(utterance).refusal
    assert refusal is not None
    assert refusal.code == "ambiguous"
    assert "uotes" in refusal.question


def test_a_question_mark_behind_a_request_belongs_to_the_sentence() -> None:
    password = {"selector": 'field "password"'}
    assert list_steps("could you set the password to hunter2?") == [("type", {**password, "text": "hunter2"})]
    assert list_steps('set the password to "hunter2?"!') == [("type", {**password, "text": "hunter2?"})]


@each_case(
    "utterance",
    [
        # A correction, a denial, an alternative.
        "click Save, Cancel",
        "click Save, blorp, click Close",
        "click Save, wait, click Close",
        "click Save, not Cancel",
        "click Save not Cancel",
        "click Save - NOT",
        "click Save, don't",
        "click Save, no, Cancel",
        "click Save, actually click Cancel",
        "click Save otherwise click Cancel",
        "click Save and maybe Cancel",
        "search for mugs and don't click anything",
        "type Ada into name field and don't submit",
        # A time or an order.
        "click Save in 10 seconds",
        "click Save after 5 seconds",
        "click Save before the page loads",
        "click Save as soon as it appears",
        "click Save once it is enabled",
        "click Save at noon",
        "click Save on Monday",
        # Several, or any.
        "click two buttons",
        "read the first three rows",
        "tick two of the checkboxes",
        "close tab 1 and 2",
        "click a random link",
        "click the only button",
        "click the left one",
        "choose a random option from the Country dropdown",
        "select the same country from the country list",
        "verify that there is a Save button and no Cancel button",
        # A place that is no name.
        "click on (100, 200)",
        "click somewhere else",
        "click the element with test id save",
        # No text, but what tells which.
        "type my password into the password field",
        "type a random number into the amount field",
        "type some text into the notes field",
        "type the text of the heading into the name field",
        "fill the name field with the last one",
        "enter the code 1234 into the code field",
        "answer the prompt with my name",
        # Two texts and one field.
        'type "hello" "world" into the name field',
        'type "hello" and "world" into the name field',
        "wait for my signal",
    ],
)
def test_what_describes_corrects_or_puts_off_is_never_taken_for_a_name_or_text(utterance: str) -> None:
    interpretation = INTERPRETER.interpret(utterance)
    assert interpretation.meta_goal is None
    assert interpretation.refusal is not None
    assert interpretation.refusal.message


@each_case(
    ("utterance", "selector"),
    [
        ("click Don't save", 'control "Don\'t save"'),
        ("click I do not agree", 'control "I do not agree"'),
        ("click Yes, cancel", 'control "Yes, cancel"'),
        ("click No, keep editing", 'control "No, keep editing"'),
        ("click Remind me later", 'control "Remind me later"'),
        ("click 'Save, not Cancel'", 'control "Save, not Cancel"'),
        ('click "once it is enabled"', 'control "once it is enabled"'),
        ("click the blue mug link thanks", 'link "blue mug"'),
        ("click Save pls", 'control "Save"'),
        ("click the Save button asap", 'button "Save"'),
    ],
)
def test_names_that_sound_like_that_are_still_names(utterance: str, selector: str) -> None:
    assert list_steps(utterance) == [("click", {"selector": selector})]


def test_an_arrow_stands_between_steps() -> None:
    assert list_steps("go back → click Save -> reload") == [
        ("back", {}),
        ("click", {"selector": 'control "Save"'}),
        ("reload", {}),
    ]


@each_case(
    "piece",
    [
        "(",
        "[",
        '"',
        "'",
        "'s ",
        "'a'b",
        "`",
        "“",
        "=a",
        ",",
        "/",
        "*",
        "a@",
        "a.",
        "a/",
        "<a*",
        "\\",
        " ",
        "\n",
        "and ",
        "('",
        "\ue000",
    ],
)
def test_a_hundred_thousand_characters_of_nothing_are_given_up_at_once(piece: str) -> None:
    refusal = INTERPRETER.interpret(f"go to {piece * (100_000 // len(piece))}").refusal
    assert refusal is not None
    assert refusal.code in {"not_supported_here", "ambiguous", "no_intent_match", "missing_slot"}
    assert len(refusal.message) < 500


def test_a_long_literal_is_none_of_the_words() -> None:
    text = "a, and then click b " * 20_000
    assert list_steps(f'type "{text}" into the notes field') == [("type", {"text": text, "selector": 'field "notes"'})]


@pytest.mark.parametrize(
    ("utterance", "selector"),
    [
        ('type "a" into the first name', 'field "first name"'),
        ('type "a" into the first name field', 'field "first name"'),
        ('fill in the last name with "a"', 'field "last name"'),
        ('use "b" for the first name and "a" for the last name', 'field "last name"'),
        ('type "a" into the second Name field', 'field "Name" nth 2'),
        ('type "a" into the First name field', 'field "First name"'),
        ('TYPE "a" INTO THE SECOND NOTE FIELD', 'field "NOTE" nth 2'),
    ],
)
def test_a_first_name_is_a_name_and_a_second_field_is_counted(utterance: str, selector: str) -> None:
    steps = list_steps(utterance)
    assert steps is not None
    assert steps[-1] == ("type", {"text": "a", "selector": selector})
