"""`surehand interpret` with a model: what it takes a sentence to mean, and what left to it for that."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agent.assembly import make_session
from agent.cli.commands.interpret import describe_interpretation
from agent.cli.commands.models import give_model
from agent.cli.exits import BAD_INPUT, SUCCEEDED
from agent.cli.screen.explaining import explain_clauses
from agent.cli.screen.output import write_error, write_json
from agent.models.guarding import ModelExchange
from agent.models.serving.wishes import ModelWish
from agent.requests.requests import Request
from agent.settings.settings import load_settings
from core.base.errors import InputError, ModelError, SurehandError
from core.language.meanings.interpretation import Interpretation


def interpret_with_model(text: str, wish: ModelWish, answers: Sequence[str] = (), *, explain: bool) -> int:
    """Print the goals of one sentence as `surehand interpret` does, with a model's help where it takes that.

    Args:
        answers: None may be given: a model asks no questions.
        explain: Whether to show how it was understood, and what left to the model.

    Returns:
        The exit code.
    """
    exchanges: list[ModelExchange] = []
    try:
        if answers:
            raise InputError("--answer answers questions of the grammar; leave out the model.", code="bad_usage")
        found, failure = asyncio.run(_interpret(text, wish, exchanges))
    except SurehandError as error:
        write_error(error)
        return BAD_INPUT
    shown: dict[str, Any] = describe_interpretation(found)
    if explain:
        shown["clauses"] = explain_clauses(found)
        shown["models"] = [exchange.describe() for exchange in exchanges]
    write_json(shown)
    if failure:
        write_error(failure)
    return BAD_INPUT if found.refusal or failure else SUCCEEDED


async def _interpret(
    text: str, wish: ModelWish, exchanges: list[ModelExchange]
) -> tuple[Interpretation, ModelError | None]:
    workspace = Path.cwd()
    settings = load_settings(workspace)
    async with make_session(settings, workspace) as session:
        give_model(session, wish, settings)
        request = Request(utterance=text, mode="plan")
        alone = session.interpreter.interpret(text)
        try:
            request = await session.understand(request, exchanges.append)
        except ModelError as error:
            return alone, error
        return request.understood or alone, None
