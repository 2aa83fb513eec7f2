"""Dialogues: questions that answers complete, and what later utterances may speak of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.verb_table import PLANNER_RULES
from core.goals.references import Reference
from core.language.grammars.grammar import Phrase
from core.language.interpreter import GrammarInterpreter
from core.language.meanings.interpretation import Situation
from core.language.talk.answers import Remark, choose
from core.language.talk.control import load_controls
from core.language.talk.dialogue import Dialogue
from core.language.talk.languages import load_language
from core.rules.rule_types import list_destroyed
from tests.cases import each_case

INTERPRETER = GrammarInterpreter(destroyed=list_destroyed(PLANNER_RULES))
NUMBERS = load_controls("en").numbers
SMALL = load_controls("en").small_words


def talk(*utterances: str) -> tuple[Dialogue, Remark]:
    """Return the dialogue behind these utterances, all goals of which were carried out, and the last remark."""
    dialogue = Dialogue(INTERPRETER)
    remark = dialogue.hear(utterances[0])
    for utterance in utterances[1:]:
        dialogue.settle(remark.interpretation)
        remark = dialogue.hear(utterance)
    return dialogue, remark


def list_goals(remark: Remark) -> list[tuple[str, dict[str, object]]]:
    meta_goal = remark.interpretation.meta_goal
    return [(goal.name, dict(goal.params)) for goal in meta_goal.goals] if meta_goal else []


def find_code(remark: Remark) -> str:
    return remark.interpretation.refusal.code if remark.interpretation.refusal else ""


@each_case(
    ("asked", "answer", "goal"),
    [
        ("copy a.txt", "to Documents", ("file.copy", {"source": "a.txt", "destination": "documents:/"})),
        ("press", "enter", ("browser.press", {"key": "Enter"})),
        ("click", "the Save button", ("browser.click", {"selector": 'button "Save"'})),
        ("click", "Sign in", ("browser.click", {"selector": 'control "Sign in"'})),
        ('type "ada"', "into the email field", ("browser.type", {"text": "ada", "selector": 'field "email"'})),
        ("set the volume", "to 30", ("audio.set_volume", {"level": 30})),
        ("set the Bass slider", "40", ("browser.set", {"selector": 'slider "Bass"', "value": "40"})),
        ("search the web for", "tide tables", ("browser.search", {"query": "tide tables"})),
        ("search youtube for", "tides", ("browser.search", {"platform": "youtube", "query": "tides"})),
        ("send", "the Post button", ("browser.click", {"selector": 'button "Post"'})),
        ("save it", "the page as report.pdf", ("browser.pdf", {"path": "report.pdf"})),
        ("look up when my payday is", "yes", ("browser.search", {"query": "when my payday is"})),
        (
            "google tell me where my parcel is",
            "yes",
            ("browser.search", {"platform": "google", "query": "where my parcel is"}),
        ),
        ("copy a.txt to Old", "a folder", ("file.copy", {"source": "a.txt", "destination": "Old"})),
        ("move a.txt to Old", "a new name", ("file.rename", {"source": "a.txt", "target": "Old"})),
    ],
)
def test_an_answer_that_goes_on_where_the_sentence_stopped_completes_it(
    asked: str, answer: str, goal: tuple[str, dict[str, object]]
) -> None:
    dialogue, remark = talk(asked, answer)
    assert list_goals(remark) == [goal]
    assert remark.is_answer
    assert dialogue.question is None


def test_the_other_steps_of_a_sentence_that_lacked_something_are_kept() -> None:
    _, remark = talk("mute and copy a.txt", "to Documents")
    assert [name for name, _ in list_goals(remark)] == ["audio.mute", "file.copy"]
    assert remark.utterance == "mute and copy a.txt to Documents"


@pytest.mark.parametrize(
    "answer", ["to Documents and delete b.txt", "to Documents, then mute", "banana", "?", "to Documents to Downloads"]
)
def test_what_does_not_complete_the_sentence_as_one_piece_leaves_the_question_open(answer: str) -> None:
    dialogue, remark = talk("copy a.txt", answer)
    assert list_goals(remark) == []
    assert dialogue.question is not None
    assert dialogue.question.question == "Where shall I copy it to?"
    assert list_goals(dialogue.hear("to Documents")) == [
        ("file.copy", {"source": "a.txt", "destination": "documents:/"})
    ]


def test_a_refusal_asks_the_open_question_again() -> None:
    _, remark = talk("copy a.txt", "banana")
    assert remark.interpretation.refusal is not None
    assert remark.interpretation.refusal.question == "Where shall I copy it to?"


def test_a_question_stays_open_beside_one_new_request() -> None:
    dialogue, remark = talk("copy a.txt", "mute")
    assert list_goals(remark) == [("audio.mute", {})]
    assert remark.is_beside
    assert dialogue.question is not None
    assert list_goals(dialogue.hear("to Documents"))[0][0] == "file.copy"


def test_the_second_new_request_takes_the_place_of_the_question() -> None:
    dialogue, remark = talk("copy a.txt", "mute", "unmute")
    assert not remark.is_beside
    assert dialogue.question is None
    assert list_goals(dialogue.hear("to Documents")) == []


@pytest.mark.parametrize(
    "said", ["hmm", "why?", "what will that do?", "let me think", "I'm not sure", "thanks", "hello"]
)
def test_talk_is_no_answer_and_leaves_the_question_open(said: str) -> None:
    dialogue, remark = talk("copy a.txt", said)
    assert remark.interpretation.talk is not None
    assert remark.interpretation.meta_goal is None
    assert dialogue.question is not None


@pytest.mark.parametrize("said", ["wait", "hold on", "wait a minute"])
def test_a_moment_that_is_asked_for_leaves_the_question_open(said: str) -> None:
    dialogue, remark = talk("copy a.txt", said)
    assert remark.interpretation.control is not None
    assert remark.interpretation.control.is_pause
    assert dialogue.question is not None


@pytest.mark.parametrize("said", ["neither", "none of them", "nothing"])
def test_none_of_the_choices_ends_the_question(said: str) -> None:
    dialogue, _ = talk('delete "notes"', said)
    assert dialogue.question is None


@pytest.mark.parametrize("said", ["both", "you choose", "all of them", "either"])
def test_of_the_choices_not_one_is_chosen_by_caring_for_none(said: str) -> None:
    dialogue, remark = talk('delete "notes"', said)
    assert remark.interpretation.talk == "any"
    assert dialogue.question is not None


@pytest.mark.parametrize("said", ["the directory", "the folder please", "directory", "the one called Mugs", "2"])
def test_a_thing_may_be_chosen_by_any_word_for_its_kind(said: str) -> None:
    dialogue, _ = talk("create a folder called Mugs and create a file called a.txt in it", "delete it")
    assert list_goals(dialogue.hear(said)) == [("file.delete", {"object_type": "folder", "name": "Mugs"})]


def test_a_new_request_that_lacks_something_asks_its_own_question() -> None:
    dialogue, _ = talk("copy a.txt", "set the volume")
    assert dialogue.question is not None
    assert dialogue.question.clause == "set the volume"


@pytest.mark.parametrize("said", ["never mind", "cancel", "no", "forget it", "stop"])
def test_saying_so_drops_the_question(said: str) -> None:
    dialogue, remark = talk("copy a.txt", said)
    assert remark.interpretation.control is not None
    assert dialogue.question is None


@pytest.mark.parametrize("said", ["yes", "help", "what was the question", "what can I say"])
def test_other_controls_leave_the_question_open(said: str) -> None:
    dialogue, remark = talk("copy a.txt", said)
    assert remark.interpretation.control is not None
    assert dialogue.question is not None


def test_controls_mean_nothing_where_no_question_is_open() -> None:
    for said in ("yes", "never mind", "stop it"):
        assert talk(said)[1].interpretation.control is None
    assert Dialogue(INTERPRETER).hear("stop it", Situation.RUN).interpretation.control is not None


def test_later_utterances_may_speak_of_a_folder_that_was_created() -> None:
    _, remark = talk("create a folder called Mugs in Documents", "mute", "create a file called a.txt in there")
    assert list_goals(remark) == [("file.create", {"object_type": "file", "name": "documents:/Mugs/a.txt"})]


def test_of_two_folders_the_last_one_is_meant_and_either_by_its_name() -> None:
    made = ("create a folder called Mugs", "create a folder called Cups")
    assert list_goals(talk(*made, "create a file called a.txt in it")[1])[0][1]["name"] == "Cups/a.txt"
    named = talk(*made, "create a file called a.txt in the Mugs folder")[1]
    assert list_goals(named)[0][1]["name"] == "Mugs/a.txt"


def test_what_was_not_carried_out_is_not_spoken_of() -> None:
    dialogue = Dialogue(INTERPRETER)
    dialogue.hear("create a folder called Mugs")
    assert find_code(dialogue.hear("create a file called a.txt in it")) == "no_intent_match"


def test_it_is_the_text_that_was_read_last_and_is_read_again() -> None:
    _, remark = talk("go to localhost:8000/shop/", "read the total", "save it as total.txt")
    assert list_goals(remark) == [
        ("browser.read", {"target": "text", "selector": 'value "total"'}),
        ("file.write", {"content": Reference("g0", "text"), "path": "total.txt"}),
    ]
    meta_goal = remark.interpretation.meta_goal
    assert meta_goal is not None
    assert meta_goal.source == "save it as total.txt"
    clause = remark.interpretation.clauses[-1]
    assert meta_goal.source[clause.start : clause.end] == clause.text == "save it as total.txt"


def test_a_text_is_not_meant_any_more_once_something_else_was_done() -> None:
    _, remark = talk("read the total on this page", "go back", "save it as total.txt")
    assert find_code(remark) == "no_intent_match"


@pytest.mark.parametrize("between", [(), ("mute",), ("mute", "unmute"), ("open my downloads folder",)])
def test_a_bare_name_is_unclear_once_a_folder_was_opened(between: tuple[str, ...]) -> None:
    opened = ("open my documents folder", *between)
    assert find_code(talk(*opened, "delete a.txt")[1]) == "no_intent_match"
    assert list_goals(talk(*opened, "delete a.txt in Documents", "delete b.txt")[1]) == [
        ("file.delete", {"object_type": "file", "name": "b.txt"})
    ]


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("create b.txt in the same folder", ("file.create", {"object_type": "file", "name": "documents:/b.txt"})),
        ("rename it to b.txt", ("file.rename", {"source": "documents:/a.txt", "target": "b.txt"})),
    ],
)
def test_the_file_of_the_last_step_and_its_folder_can_be_meant_later(
    said: str, goal: tuple[str, dict[str, object]]
) -> None:
    assert list_goals(talk("create a file called a.txt in Documents", "mute", said)[1]) == [goal]


def test_short_forms_may_follow_in_an_utterance_of_their_own() -> None:
    filled = talk('type "a" into the Name field', 'and "b" into the email field')[1]
    assert list_goals(filled) == [("browser.type", {"text": "b", "selector": 'field "email"'})]
    assert list_goals(talk("switch to the second tab", "close it")[1]) == [("browser.close_tab", {})]


def test_where_the_last_step_was_says_where_the_next_one_is() -> None:
    on_screen = talk("minimize the editor window", "press enter")[1]
    on_page = talk("go to localhost:8000/shop/", "press enter")[1]
    assert [list_goals(each)[0][0] for each in (on_screen, on_page)] == ["desktop.press", "browser.press"]


@given(st.sampled_from(["to Documents", "Documents", "the second one", "with \"a\" and 'b'"]) | st.text(max_size=20))
def test_an_answer_never_adds_a_step(answer: str) -> None:
    _, remark = talk("copy a.txt", answer)
    if remark.is_answer:
        assert [name for name, _ in list_goals(remark)] == ["file.copy"]


@each_case(
    ("answer", "place"),
    [
        ("the folder", 1),
        ("Folder!", 1),
        ("the first one", 0),
        ("1", 0),
        ("number two", 1),
        ("the last", 1),
        ("one", 0),
        ("the file please", 0),
        ("3", None),
        ("0", None),
        ("the", None),
        ("file or folder", None),
        ("banana", None),
        ("", None),
        ("the first folder and the second", None),
    ],
)
def test_a_choice_is_made_by_number_or_by_a_name_that_is_clear(answer: str, place: int | None) -> None:
    assert choose(answer, ["the file", "the folder"], NUMBERS, SMALL) == place


@given(st.lists(st.text("abcxyz ", min_size=1, max_size=8), min_size=1, max_size=6), st.integers(1, 9))
def test_a_number_chooses_what_stands_in_that_place(names: list[str], number: int) -> None:
    assert choose(str(number), names, NUMBERS, SMALL) == (number - 1 if number <= len(names) else None)


QUESTIONS = [
    (text, phrase)
    for verb in load_language("en").verbs
    for phrase in verb.phrases
    for text in phrase.examples
    if phrase.refuses == "missing_slot" or phrase.fills or phrase.choices
]


@each_case(
    ("asked", "answer", "goal"),
    [
        ("change the volume", "half", ("audio.set_volume", {"level": 50})),
        ("list the files", "my downloads", ("file.list", {"path": "downloads:/"})),
        ('write "x"', "email", ("browser.type", {"text": "x", "selector": 'field "email"'})),
        ("tick", "Terms", ("browser.check", {"selector": 'checkbox "Terms"'})),
        ("show a notification", "Tea is ready", ("system.notify", {"title": "Tea is ready"})),
        ("rename notes.txt", "b.txt", ("file.rename", {"source": "notes.txt", "target": "b.txt"})),
        ("zip all pdf files", "papers.zip", ("file.zip", {"source": "*.pdf", "destination": "papers.zip"})),
        ("go to", "localhost:8000/shop/", ("browser.navigate", {"url": "http://localhost:8000/shop/"})),
        ("switch tabs", "Orders", ("browser.switch_tab", {"tab": "Orders"})),
        ("create a new folder", "Mugs", ("file.create", {"object_type": "folder", "name": "Mugs"})),
        ('delete "notes"', "the folder", ("file.delete", {"object_type": "folder", "name": "notes"})),
        ("hit the back button", "the one on the page", ("browser.click", {"selector": 'button "Back"'})),
    ],
)
def test_a_bare_answer_is_put_where_the_question_wants_it(
    asked: str, answer: str, goal: tuple[str, dict[str, object]]
) -> None:
    assert list_goals(talk(asked, answer)[1]) == [goal]


@pytest.mark.parametrize("answer", ["hunter2!", 'a "b" c', "x, y and z", "it's “so”", "C:\\new", "ünï 🎉", "50%"])
def test_a_text_that_is_asked_for_is_taken_byte_for_byte(answer: str) -> None:
    _, remark = talk("fill in the password field", answer)
    assert list_goals(remark) == [("browser.type", {"selector": 'field "password"', "text": answer})]


@given(st.text(min_size=1, max_size=30))
def test_any_text_that_is_typed_as_an_answer_comes_out_as_it_is(text: str) -> None:
    _, remark = talk("fill in the password field", text)
    literal = text.strip()
    for name, params in list_goals(remark) if remark.is_answer else []:
        assert name == "browser.type"
        assert params["text"] == literal or literal[:1] + literal[-1:] in {
            '""',
            "''",
            "``",
            "“”",
            "‘’",
            "«»",
            "„“",
            "„”",
        }


@pytest.mark.parametrize("answer", ["mute", "go back", "type hello"])
def test_what_may_be_a_text_or_a_request_is_asked_about(answer: str) -> None:
    dialogue, remark = talk("fill in the Notes field", answer)
    assert find_code(remark) == "ambiguous"
    assert dialogue.question is not None
    quoted = dialogue.hear(f'"{answer}"')
    assert list_goals(quoted) == [("browser.type", {"selector": 'field "Notes"', "text": answer})]


def test_one_answer_may_lead_to_the_next_question() -> None:
    dialogue, asked = talk("upload a file", "cat.png")
    assert asked.interpretation.refusal is not None
    assert asked.interpretation.refusal.slot == "selector"
    assert list_goals(dialogue.hear("the Photo field")) == [
        ("browser.upload", {"path": "cat.png", "selector": 'field "Photo"'})
    ]


@each_case(("text", "phrase"), QUESTIONS, ids=lambda value: value if isinstance(value, str) else "")
def test_every_question_that_lacks_something_can_be_answered(text: str, phrase: Phrase) -> None:
    refusal = INTERPRETER.interpret(text).refusal
    assert refusal is not None
    assert refusal.completions or refusal.choices
    for choice in refusal.choices:
        assert INTERPRETER.interpret(choice.utterance).meta_goal is not None, choice
    for completion in refusal.completions:
        assert text in completion.before or phrase.fills
    if len({choice.name for choice in refusal.choices}) == 1:  # then a yes is an answer
        assert talk(text, "yes")[1].interpretation.meta_goal is not None


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        # Rather a request of another kind, or no answer at all.
        ("click", "set an alarm for seven"),
        ("click", "turn off the lights"),
        ("delete the file", "call mum"),
        ("delete the file", "why"),
        ("delete the file", "ask me later"),
        ("move a.txt", "somewhere else"),
        ("tick", "the other one"),
        ('delete "Mugs"', "that one"),
    ],
)
def test_what_is_hardly_an_answer_does_nothing(asked: str, answer: str) -> None:
    dialogue = Dialogue(GrammarInterpreter())
    dialogue.hear(asked)
    assert dialogue.question is not None
    assert dialogue.hear(answer).interpretation.meta_goal is None


def test_an_answer_never_lengthens_what_was_said() -> None:
    dialogue = Dialogue(GrammarInterpreter())
    dialogue.hear("type hello")
    meta_goal = dialogue.hear("in the comment field").interpretation.meta_goal
    assert meta_goal is not None
    assert dict(meta_goal.goals[0].params) == {"text": "hello", "selector": 'field "comment"'}
