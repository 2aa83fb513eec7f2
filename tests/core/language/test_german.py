"""German: a second language is a folder of data, held to its examples, to English's verbs and to what people say around them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.verb_table import PLANNER_RULES
from core.addresses.platforms import SEARCH_PLATFORMS
from core.goals.world import WorldState
from core.language.grammars.grammar import Phrase, VerbPhrases
from core.language.interpreter import GrammarInterpreter
from core.language.meanings.interpretation import Situation
from core.language.talk.control import load_controls
from core.language.talk.languages import load_language
from core.rules.params import validate_params
from tests.cases import each_case

GERMAN = load_language("de")
INTERPRETER = GrammarInterpreter("de")
WORLD = WorldState(values={"platforms": tuple(SEARCH_PLATFORMS)})
EXAMPLES = [(verb, phrase, text) for verb in GERMAN.verbs for phrase in verb.phrases for text in phrase.examples]
DONE = [case for case in EXAMPLES if case[1].refuses is None and not case[1].steps]
SEVERAL = [case for case in EXAMPLES if case[1].steps]
REFUSED = [case for case in EXAMPLES if case[1].refuses is not None]
FIRST = [next(iter(phrase.examples)) for verb in GERMAN.verbs for phrase in verb.phrases if phrase.refuses is None]


def name_case(case: Any) -> str:
    return case if isinstance(case, str) else ""


def understand(sentence: str) -> list[tuple[str, dict[str, Any]]]:
    meta_goal = INTERPRETER.interpret(sentence).meta_goal
    return [(goal.name, dict(goal.params)) for goal in meta_goal.goals] if meta_goal else []


@each_case(("verb", "phrase", "text"), DONE, ids=name_case)
def test_an_example_gives_exactly_its_goal_by_its_own_phrase(verb: VerbPhrases, phrase: Phrase, text: str) -> None:
    interpretation = INTERPRETER.interpret(text)
    assert interpretation.meta_goal is not None
    goal = interpretation.meta_goal.goals[-1]
    assert (goal.name, dict(goal.params)) == (verb.name, dict(phrase.examples[text]))
    assert interpretation.clauses[-1].pattern == f"{verb.name}: {phrase.template}"
    assert validate_params(PLANNER_RULES[verb.domain, verb.verb], goal.params, WORLD).problems == ()


@each_case(("verb", "phrase", "text"), SEVERAL, ids=name_case)
def test_an_example_of_several_goals_fills_its_slots_and_each_goal_passes_the_table(
    verb: VerbPhrases, phrase: Phrase, text: str
) -> None:
    interpretation = INTERPRETER.interpret(text)
    assert interpretation.meta_goal is not None
    assert {slot.name: slot.value for slot in interpretation.clauses[-1].slots} == dict(phrase.examples[text])
    assert interpretation.clauses[-1].pattern == f"{verb.name}: {phrase.template}"
    for goal in interpretation.meta_goal.goals:
        assert validate_params(PLANNER_RULES[goal.domain, goal.verb], goal.params, WORLD).problems == ()


@each_case(("verb", "phrase", "text"), REFUSED, ids=name_case)
def test_an_example_of_a_refusing_phrase_is_refused_with_its_code(verb: VerbPhrases, phrase: Phrase, text: str) -> None:
    refusal = INTERPRETER.interpret(text).refusal
    assert refusal is not None, verb.name
    assert refusal.code == phrase.refuses


def test_every_phrase_has_an_example() -> None:
    assert [phrase.template for verb in GERMAN.verbs for phrase in verb.phrases if not phrase.examples] == []


def test_every_verb_that_english_says_is_said_in_german() -> None:
    said = {verb.name for verb, _, _ in (*DONE, *SEVERAL)}
    assert {verb.name for verb in load_language("en").verbs} - said == set()


def test_every_verb_is_said_in_several_ways() -> None:
    ways: dict[str, int] = {}
    for verb, phrase, _ in (*DONE, *SEVERAL):
        moving = len(GERMAN.acts.ways) if phrase.template.startswith("~") else 1
        ways[verb.name] = ways.get(verb.name, 0) + moving + phrase.template.count("|")
    assert {verb for verb, count in ways.items() if count < 3} == set()


def test_every_control_that_english_says_is_said_in_german() -> None:
    english, german = ({verb.verb for verb in load_controls(tag).phrases} for tag in ("en", "de"))
    # What makes a claim and what turns it around are parts that English is composed of; German says its claims whole.
    assert english - german == {"claim"}


@each_case(
    ("sentence", "kind"),
    [
        ("ja, bitte", "confirm"),
        ("jawohl, mach das", "confirm"),
        ("nein danke", "deny"),
        ("lieber nicht", "deny"),
        ("halt, stopp!", "stop"),
        ("bitte abbrechen", "stop"),
        ("mach das rückgängig", "undo"),
        ("mach das rueckgaengig", "undo"),
        ("sag das bitte noch einmal", "repeat"),
        ("Hilfe", "help"),
        ("wie weit bist du?", "status"),
    ],
)
def test_controls_are_heard_in_german(sentence: str, kind: str) -> None:
    control = INTERPRETER.read_control(sentence, Situation.QUESTION | Situation.RUN)
    assert control is not None
    assert control.kind == kind


@pytest.mark.parametrize("sentence", ["nicht abbrechen", "ja nein", "soll ich weitermachen?", "mach die Musik leiser"])
def test_what_is_no_control_or_contradicts_itself_is_none(sentence: str) -> None:
    assert INTERPRETER.read_control(sentence, Situation.QUESTION | Situation.RUN) is None


@each_case(
    "sentence",
    [
        "lösche die Datei tee.txt",
        "lösch mal bitte die Datei tee.txt",
        "löschen Sie bitte die Datei tee.txt",
        "löschst du bitte die Datei tee.txt?",
        "Bitte die Datei tee.txt löschen!",
        "die Datei tee.txt jetzt löschen",
        "kannst du bitte die Datei tee.txt löschen?",
        "Könnten Sie mir die Datei tee.txt löschen?",
        "ich möchte die Datei tee.txt löschen",
        "ich möchte, dass du die Datei tee.txt löschst",
        "wir wollen, dass Sie die Datei tee.txt löschen",
        "es wäre schön, wenn du die Datei tee.txt löschen würdest",
        "die Datei tee.txt soll gelöscht werden",
        "sorge bitte dafür, dass die Datei tee.txt gelöscht wird",
        "Hallo Computer, lösch doch einfach die Datei tee.txt, danke",
        "entferne die Datei tee.txt",
        "wirf die Datei tee.txt weg",
        "die Datei tee.txt wegwerfen",
        "LOESCHE DIE DATEI tee.txt",
        "loesche bitte die Datei tee.txt",
    ],
)
def test_one_request_is_understood_in_every_form_and_order(sentence: str) -> None:
    assert understand(sentence) == [("file.delete", {"object_type": "file", "name": "tee.txt"})]


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("Öffne example.com, klick auf den Link Tassen und mach die Musik leiser.", "navigate click volume_down"),
        ("könntest du bitte den Ton stumm schalten", "mute"),
        ("öffne example.com und dann klicke auf Anmelden", "navigate click"),
        ('suche nach "Salz und Pfeffer"', "search"),
        ("die Musik leiser machen, die Datei tee.txt löschen und den Bildschirm sperren", "volume_down delete lock"),
        ("1. öffne example.com 2. klicke auf Anmelden 3. mach einen Screenshot der Seite", "navigate click screenshot"),
        ("geh zum 3. Tab. Dann lade die Seite neu.", "switch_tab reload"),
    ],
)
def test_sentences_are_divided_and_fillers_left_out(sentence: str, names: str) -> None:
    assert [name.partition(".")[2] for name, _ in understand(sentence)] == names.split()


@each_case("sentence", FIRST)
def test_talk_around_a_request_changes_nothing(sentence: str) -> None:
    plain = understand(sentence)
    assert plain
    end = "" if sentence.endswith("?") else " bitte"
    for talked in (f"hallo, {sentence}{end}", f"also {sentence}, danke", f"ähm, könntest du vielleicht, {sentence}"):
        said = understand(talked)
        # What names a program by itself must be all that is said, and "perhaps" is no request.
        assert said == ([] if "vielleicht" in talked else plain) or sentence == "Spotify"


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [
        ("kopiere a.txt", "nach Dokumente"),
        ("benenne a.txt um", "b.txt"),
        ("ändere die Lautstärke", "30"),
        ("klicke", "auf Speichern"),
        ("lade http://localhost:8000/a.pdf herunter", "a.pdf"),
        ('gib "Hallo" ein', "das Feld Notiz"),
    ],
)
def test_a_question_for_what_is_missing_is_answered_in_german(sentence: str, answer: str) -> None:
    refusal = INTERPRETER.interpret(sentence).refusal
    assert refusal is not None
    assert refusal.question.endswith("?")
    whole = [f"{way.before}{answer}{way.after}" for way in refusal.completions]
    assert any(INTERPRETER.interpret(each).meta_goal for each in whole), whole


@given(st.text(st.characters(exclude_characters='"\\', exclude_categories=["Cs"]), min_size=1).filter(str.strip))
def test_texts_in_quotes_come_out_byte_for_byte(text: str) -> None:
    if any("\ue000" <= mark <= "\ue00f" for mark in text):
        return
    assert understand(f'gib "{text}" in das Feld Notiz ein') == [
        ("browser.type", {"text": text, "selector": 'field "Notiz"'})
    ]


def test_what_a_language_does_not_say_matches_nothing_and_what_it_borrows_is_english() -> None:
    assert GERMAN.turning.before == ""
    assert GERMAN.vocabulary.descriptions.middle == "(?!)"
    assert GERMAN.vocabulary.sites == load_language("en").vocabulary.sites
    assert load_language("en").vocabulary.programs.known < GERMAN.vocabulary.programs.known
