import asyncio
from dataclasses import replace
from typing import Any

import pytest

from core.base.errors import ActionError, BudgetError, DeadlineError, ModelError
from core.base.scope_paths import begin_scope
from core.planning.planners.budgets import BudgetMeter, MeteredModel, PlannerBudget
from core.planning.planners.ports import ModelAnswer, ModelData, ModelQuestion
from core.planning.planners.transcripts import TranscriptLog
from core.results.redaction import Redactor
from tests.core.planning.planners.toy_planners import SCOPE, ToyClock, ToyModel

QUESTION = ModelQuestion(kind="propose", instructions="Propose.", schema={}, scope=begin_scope("somebody else"))


class FailingModel:
    """Fails in the way that it is told to."""

    name = "bad"

    def __init__(self, fault: BaseException | None) -> None:
        self.fault = fault
        self.is_closed = False

    async def ask(self, question: ModelQuestion) -> ModelAnswer:
        await asyncio.sleep(0)
        if self.fault is None:
            await asyncio.Event().wait()
        raise self.fault or AssertionError

    async def close(self) -> None:
        self.is_closed = True


def meter_model(inner: Any, **limits: Any) -> MeteredModel:
    meter = BudgetMeter(PlannerBudget(**limits), ToyClock(), 0.0)
    return MeteredModel(inner=inner, meter=meter, redact=Redactor().redact, scope=SCOPE, log=TranscriptLog())


@pytest.mark.parametrize(
    "fault",
    [
        ModelError("No."),
        DeadlineError("Late."),
        ActionError("No."),
        ValueError("x"),
        OSError("x"),
        asyncio.CancelledError(),
    ],
)
async def test_however_a_model_fails_it_is_an_error_of_the_model(fault: BaseException) -> None:
    model = meter_model(FailingModel(fault))
    with pytest.raises(ModelError):
        await model.ask(QUESTION)
    (question,) = model.log.close().inner
    assert [each.kind for each in question.inner] == ["outcome"]
    assert question.tokens == 0


async def test_a_model_that_never_answers_is_given_up_in_time() -> None:
    with pytest.raises(ModelError) as caught:
        await meter_model(FailingModel(None)).ask(replace(QUESTION, timeout_s=0.02))
    assert caught.value.code == "model_slow"


async def test_a_task_that_is_told_to_end_while_it_asks_ends() -> None:
    task = asyncio.create_task(meter_model(FailingModel(None)).ask(QUESTION))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_question_leaves_with_the_scope_of_the_step_and_without_secrets() -> None:
    redactor, inner = Redactor(), ToyModel()
    redactor.add("hunter2")
    data = (ModelData(label="page", text="hunter2", source="shop.test"),)
    model = replace(meter_model(inner), redact=redactor.redact)
    await model.ask(replace(QUESTION, instructions="Not hunter2.", data=data))
    (asked,) = inner.asked
    assert asked.scope == SCOPE
    assert (asked.instructions, asked.data[0].text) == ("Not •••.", "•••")
    (question,) = model.log.close().inner
    assert question.inner[0].text == "page of shop.test: •••"
    assert question.inner[0].is_tainted


async def test_of_questions_at_once_under_a_limit_none_is_asked_once_it_is_reached() -> None:
    inner = ToyModel(tokens=10)
    model = meter_model(inner, tokens=15)
    results = await asyncio.gather(*(model.ask(QUESTION) for _ in range(5)), return_exceptions=True)
    assert [isinstance(each, BudgetError) for each in results] == [False, False, True, True, True]
    assert model.meter.tokens == 20


async def test_closing_it_leaves_the_model_to_whoever_opened_it() -> None:
    inner = FailingModel(None)
    model = meter_model(inner)
    assert model.name == "bad"
    await model.close()
    assert not inner.is_closed
