"""ScriptedModel says what was written for a question, and nothing else."""

import pytest

from agent.testing.clocks import FakeClock
from agent.testing.scripted_models import ScriptedAnswer, ScriptedModel
from core.base.errors import ModelError
from core.planning.planners.ports import ModelData
from tests.agent.testing.makers import make_question


async def test_answers_are_given_in_the_order_in_which_they_were_written() -> None:
    model = ScriptedModel({"n": 1}, {"n": 2})
    assert [(await model.ask(make_question())).value["n"] for _ in range(2)] == [1, 2]


async def test_a_question_that_nothing_was_written_for_is_refused_and_named() -> None:
    model = ScriptedModel({"n": 1})
    await model.ask(make_question())
    with pytest.raises(ModelError, match=r"question 2, of the kind “critique”: “Is it good\?”") as caught:
        await model.ask(make_question(kind="critique", instructions="Is it good?"))
    assert caught.value.code == "not_scripted"
    assert "0 of 1 answers are left" in caught.value.hint


async def test_an_answer_for_a_kind_or_a_question_waits_for_it() -> None:
    model = ScriptedModel()
    model.script({"is": "critique"}, kind="critique")
    model.script({"is": "tea"}, when=lambda question: any("tea" in each.text for each in question.data))
    model.script({"is": "else"}, times=None)
    data = (ModelData(label="outline", text="green tea"),)
    asked = [make_question(), make_question(data=data), make_question(kind="critique"), make_question(data=data)]
    assert [(await model.ask(each)).value["is"] for each in asked] == ["else", "tea", "critique", "else"]


async def test_an_answer_can_be_made_from_its_question() -> None:
    model = ScriptedModel(lambda question: {"length": len(question.instructions)})
    assert (await model.ask(make_question(instructions="four"))).value == {"length": 4}


async def test_an_error_is_raised_in_place_of_an_answer() -> None:
    model = ScriptedModel(ModelError("It was too slow."))
    with pytest.raises(ModelError, match="too slow"):
        await model.ask(make_question())


async def test_everything_that_was_asked_is_remembered_also_what_was_refused() -> None:
    model = ScriptedModel({"n": 1})
    questions = [make_question(instructions="one"), make_question(instructions="two")]
    await model.ask(questions[0])
    with pytest.raises(ModelError):
        await model.ask(questions[1])
    assert list(model.asked) == questions


async def test_answers_that_nobody_asked_for_are_named() -> None:
    model = ScriptedModel({"n": 1}, ScriptedAnswer(answer={"n": 2}, times=None))
    with pytest.raises(AssertionError, match=r"1 scripted answers were not asked for: .*'n': 1"):
        model.check_all_given()
    await model.ask(make_question())
    model.check_all_given()


async def test_tokens_are_those_that_were_written_or_counted_roughly() -> None:
    model = ScriptedModel(ScriptedAnswer(answer={"n": 1}, tokens_in=7, tokens_out=3), {"n": 1})
    first, second = await model.ask(make_question()), await model.ask(make_question(instructions="x" * 400))
    assert (first.tokens_in, first.tokens_out, first.model) == (7, 3, "scripted")
    assert second.tokens_in == 100


async def test_an_answer_takes_its_time_by_the_clock() -> None:
    clock = FakeClock(moves_by_itself=True)
    model = ScriptedModel(ScriptedAnswer(answer={}, delay_s=30), clock=clock)
    assert (await model.ask(make_question())).ms == 30_000
    assert clock.read_monotonic_s() == 30


def test_an_answer_that_takes_time_needs_a_clock() -> None:
    with pytest.raises(ValueError, match="needs a clock"):
        ScriptedModel(ScriptedAnswer(answer={}, delay_s=1))


async def test_closing_is_remembered() -> None:
    model = ScriptedModel()
    assert not model.is_closed
    await model.close()
    assert model.is_closed
