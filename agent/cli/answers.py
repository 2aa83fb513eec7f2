"""What a sentence lacks, asked of the person at the terminal before anything is planned."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace

from agent.cli.screen.prompts import ask_line
from agent.requests.requests import Request
from core.language.meanings.interpretation import GoalInterpreter, Refusal
from core.language.talk.dialogue import Dialogue, Remark


async def complete_request(
    request: Request, interpreter: GoalInterpreter, hold: Callable[[], AbstractContextManager[None]]
) -> Request:
    """Return a request as the answers of the person make it; as it was where nothing is asked, or nothing answered.

    Args:
        hold: Keeps the terminal free of everything else while a question is open.
    """
    if request.utterance is None:
        return request
    dialogue = Dialogue(interpreter)
    first = remark = dialogue.hear(request.utterance)
    while dialogue.question:
        answer = await ask_line(_tell_question(remark, dialogue.question), hold)
        if not answer:
            break
        remark = dialogue.hear(answer)
    if remark.interpretation.meta_goal is None:
        remark = first
    return replace(request, utterance=remark.utterance, understood=remark.interpretation)


def _tell_question(remark: Remark, question: Refusal) -> str:
    """Return the open question, behind what is wrong with the answer that was just given."""
    refusal = remark.interpretation.refusal
    if refusal is None or refusal.clause == question.clause:
        return question.question
    return refusal.question if refusal.code == "ambiguous" else f"{refusal.message} {question.question}"
