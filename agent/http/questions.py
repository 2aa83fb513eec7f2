"""Questions: what waits for an answer, and the answers, by id and digest."""

from typing import Annotated

from fastapi import APIRouter, Query

from agent.http.order_bodies import AnswerBody
from agent.http.record_bodies import AnsweredAnswer
from agent.service.gates import AccessGate
from agent.service.orders import OpenQuestion
from agent.service.ports import Service
from agent.web.answers import DataResponse
from agent.web.asking import Asker


class QuestionRoutes:
    """What is asked about questions."""

    def __init__(self, service: Service) -> None:
        """Ask this service."""
        self._service = service

    async def list_questions(self, asker: Asker, session: Annotated[str, Query(max_length=64)] = "") -> DataResponse:
        """List what waits for an answer."""
        return DataResponse(await self._service.list_questions(asker, session=session))

    async def answer_question(self, asker: Asker, question_id: str, body: AnswerBody) -> DataResponse:
        """Answer a question; the digest says that it is still the one that was shown."""
        ticket = await self._service.answer(asker, question_id, body.digest, answer=body.answer)
        return DataResponse({"answered": question_id, "run": ticket})


def make_router(service: Service, _: AccessGate) -> APIRouter:
    """Return the routes."""
    routes, router = QuestionRoutes(service), APIRouter(prefix="/v1", tags=["questions"])
    one = "/questions/{question_id}"
    router.add_api_route("/questions", routes.list_questions, methods=["GET"], response_model=list[OpenQuestion])
    router.add_api_route(one, routes.answer_question, methods=["POST"], response_model=AnsweredAnswer)
    return router
