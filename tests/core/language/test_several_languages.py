"""The language of a sentence: that of the conversation first, another one where the sentence is clearly said in it."""

import pytest

from actuators.verb_table import PLANNER_RULES
from core.language.interpreter import GrammarInterpreter
from core.language.meanings.interpretation import Situation
from core.language.talk.dialogue import Dialogue
from core.language.talk.languages import FOLDERS, load_signs
from core.language.talk.several_languages import SeveralLanguages
from core.rules.rule_types import list_destroyed

DESTROYED = list_destroyed(PLANNER_RULES)


class Makers:
    """Makes interpreters and remembers for which languages."""

    def __init__(self) -> None:
        self.made: list[str] = []

    def make(self, tag: str) -> GrammarInterpreter:
        self.made.append(tag)
        return GrammarInterpreter(tag, destroyed=DESTROYED)


def begin(language: str) -> tuple[SeveralLanguages, Makers]:
    makers = Makers()
    return SeveralLanguages(makers.make, language), makers


def understand(several: SeveralLanguages, sentence: str) -> list[str]:
    meta_goal = several.interpret(sentence).meta_goal
    return [goal.name for goal in meta_goal.goals] if meta_goal else []


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("turn the music down", ["audio.volume_down"]),
        ("mach die Musik leiser", ["audio.volume_down"]),
        ("bitte die Datei tee.txt löschen", ["file.delete"]),
        ("delete the file tea.txt", ["file.delete"]),
        ("oeffne example.com und klicke auf Anmelden", ["browser.navigate", "browser.click"]),
        ("open example.com and click Sign in", ["browser.navigate", "browser.click"]),
    ],
)
@pytest.mark.parametrize("language", list(FOLDERS))
def test_a_sentence_means_the_same_whatever_language_the_conversation_is_in(
    language: str, sentence: str, names: list[str]
) -> None:
    assert understand(begin(language)[0], sentence) == names


def test_another_language_is_loaded_only_for_what_is_refused_and_looks_like_it() -> None:
    several, makers = begin("en")
    for sentence in ("turn the music down", "make me a pizza", "order a pizza for us", "water the plants", "open foo"):
        several.interpret(sentence)
    assert makers.made == ["en"]
    several.interpret("mach die Musik leiser")
    assert makers.made == ["en", "de"]


def test_what_stands_in_quotes_is_no_sign_of_a_language() -> None:
    several, makers = begin("en")
    several.interpret('water "die Blumen und der Garten"')
    assert makers.made == ["en"]


def test_where_two_languages_understand_a_sentence_that_of_the_conversation_counts() -> None:
    # "Start" is a command in both, and "die Datei" a name in neither.
    for language in FOLDERS:
        several, makers = begin(language)
        assert understand(several, "zoom 80 %") == ["browser.zoom"]
        assert understand(several, "start Firefox") == ["system.launch"]
        assert makers.made == [language]


def test_a_refusal_is_worded_in_the_language_of_the_sentence() -> None:
    for language in FOLDERS:
        several, _ = begin(language)
        german, english = several.interpret("bestell mir eine Pizza").refusal, several.interpret("feed the cat").refusal
        assert german is not None
        assert english is not None
        assert "wurde nichts getan" in german.message
        assert "so nothing was done" in english.message


@pytest.mark.parametrize(
    "sentence",
    ["lösche die Datei tee.txt nicht", "wenn es regnet, mach die Musik leiser", "soll ich die Datei tee.txt löschen?"],
)
def test_what_one_language_refuses_for_good_reason_no_other_does(sentence: str) -> None:
    for language in FOLDERS:
        assert understand(begin(language)[0], sentence) == []


def test_a_question_in_another_language_is_answered_in_it() -> None:
    dialogue = Dialogue(begin("en")[0])
    asked = dialogue.hear("kopiere a.txt").interpretation.refusal
    assert asked is not None
    assert asked.question == "Wohin soll ich das kopieren?"
    answered = dialogue.hear("nach Dokumente").interpretation.meta_goal
    assert answered is not None
    assert dict(answered.goals[0].params) == {"source": "a.txt", "destination": "documents:/"}


def test_it_means_the_same_thing_across_languages() -> None:
    dialogue = Dialogue(begin("en")[0])
    dialogue.settle(dialogue.hear("open the file tea.txt").interpretation)
    deleted = dialogue.hear("lösche sie").interpretation.meta_goal
    assert deleted is not None
    assert dict(deleted.goals[0].params) == {"object_type": "file", "name": "tea.txt"}


def test_controls_are_heard_in_the_conversation_and_in_the_language_they_are_clearly_said_in() -> None:
    for language in FOLDERS:
        several, _ = begin(language)
        for sentence, kind in (("ja bitte", "confirm"), ("nein", "deny"), ("yes please", "confirm"), ("no", "deny")):
            control = several.read_control(sentence, Situation.QUESTION)
            assert control is not None, (language, sentence)
            assert control.kind == kind
        assert several.read_control("ja", Situation.NOTHING) is None


def test_no_sign_of_german_is_a_common_word_of_english() -> None:
    common = (
        "a an the in on at to for of and or not is are was so will bad die den man an was hat war gut still bar list"
    )
    assert load_signs("de").isdisjoint(common.split())
    assert load_signs("en") == frozenset()
