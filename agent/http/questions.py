"""Questions: what waits for an answer, and the answers, by id and digest."""

from typing import Annotated

from fastapi import APIRouter, Query

from agent.http.order_bodies import AnswerBody
from agent.http.record_bodies import AnsweredAnswer
from agent.http.serving import Served
from agent.service.orders import OpenQuestion
from agent.web.answers import DataResponse
from agent.web.asking import Asker

router = APIRouter(prefix="/v1", tags=["questions"])


@router.get("/questions", response_model=list[OpenQuestion])
async def list_questions(
    asker: Asker, service: Served, session: Annotated[str, Query(max_length=64)] = ""
) -> DataResponse:
    """List what waits for an answer."""
    return DataResponse(await service.list_questions(asker, session=session))


@router.post("/questions/{question_id}", response_model=AnsweredAnswer)
async def answer_question(asker: Asker, service: Served, question_id: str, body: AnswerBody) -> DataResponse:
    """Answer a question; the digest says that it is still the one that was shown."""
    ticket = await service.answer(asker, question_id, body.digest, answer=body.answer)
    return DataResponse({"answered": question_id, "run": ticket})
