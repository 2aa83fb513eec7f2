"""A model's help with a sentence: asked only where the grammar understood nothing of it, and told what policy allows."""

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agent.models.guarding import GuardedModel, ModelGuard, Tell
from agent.models.interpreting import interpret_by_model, make_interpret_question, may_help
from agent.requests.real_paths import add_real_roots
from agent.requests.requests import Request
from agent.sessions.live_runs import finish_unless_stopped
from agent.sessions.planned_requests import limit_today
from core.base.errors import ErrorInfo, ModelError, PolicyError
from core.language.meanings.interpretation import Interpretation, Refusal
from core.planning.planners.ports import Model
from core.policy.policy import Policy

if TYPE_CHECKING:
    from agent.sessions.session_parts import SessionParts


@dataclass(frozen=True, slots=True)
class HelpWanted:
    """For what run help is wanted, and who is told of it.

    Attributes:
        run_id: The run; empty outside of one.
    """

    run_id: str
    tell: Tell
    stop: asyncio.Event


async def understand_request(request: Request, parts: "SessionParts", wanted: HelpWanted) -> Request:
    """Return a request with how its sentence is understood: by the grammar, or where that understood nothing, by a model.

    Raises:
        ModelError: If the model fails; the grammar's refusal is in its evidence.
    """
    if request.utterance is None or parts.model is None:
        return request
    understood = request.understood or parts.interpreter.interpret(request.utterance)
    if not may_help(understood):
        return replace(request, understood=understood)
    try:
        found = await finish_unless_stopped(_ask(request, request.utterance, parts, wanted), wanted.stop)
    except PolicyError:  # planning says the same, and better
        return request
    return replace(request, understood=found or understood)


def guard_model(parts: "SessionParts", policy: Policy, tell: Tell) -> Model | None:
    """Return the session's model behind what holds for all that leaves to it; None where it has none.

    Raises:
        PolicyError: If a folder of the policy can't be resolved.
    """
    if parts.model is None:
        return None
    world = parts.read_world()
    limited = add_real_roots(limit_today(policy, world, parts.policy))
    return GuardedModel(parts.model, ModelGuard(limited, parts.vault, world.platform, tell))


async def _ask(request: Request, utterance: str, parts: "SessionParts", wanted: HelpWanted) -> Interpretation:
    model = guard_model(parts, request.policy, wanted.tell)
    if model is None:
        return parts.interpreter.interpret(utterance)
    rules, policy = parts.orchestrator.planner.rules, limit_today(request.policy, parts.read_world(), parts.policy)
    scope = parts.scope_run(wanted.run_id, request.principal)
    question = make_interpret_question(utterance, scope, rules, policy)
    timeout_s = min(question.timeout_s, max(request.budget.find_left(0.0), 0.0))
    meta_goal = await interpret_by_model(model, replace(question, timeout_s=timeout_s), utterance, rules)
    return Interpretation(meta_goal=meta_goal)


def report_failure(error: ModelError, refusal: Refusal | None) -> tuple[ErrorInfo, ...]:
    """Return why nothing is done: what the grammar said, and then why the model was of no help."""
    if refusal is None:
        return (error.info(),)
    hint = f"You can say: {'; '.join(refusal.nearest)}." if refusal.nearest else ""
    evidence = {"clause": refusal.clause, "nearest": list(refusal.nearest)}
    return (ErrorInfo(refusal.code, refusal.message, hint, evidence), error.info())
