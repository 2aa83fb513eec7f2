"""A model's help with a sentence: asked only where the grammar understood nothing of it, and told what policy allows."""

import asyncio
from dataclasses import dataclass, replace

from agent.models.guarding import GuardedModel, ModelGuard, Tell
from agent.models.interpreting import interpret_by_model, make_interpret_question, may_help
from agent.requests.requests import Request
from agent.sessions.live_runs import finish_unless_stopped
from agent.sessions.planned_requests import narrow_policy
from agent.sessions.session_parts import SessionParts
from core.base.errors import ErrorInfo, ModelError, PolicyError
from core.base.scope_paths import begin_scope
from core.language.interpretation import Interpretation, Refusal
from core.planning.planners.ports import Model

_ANYBODY = "person"
_SESSION = "cli"


@dataclass(frozen=True, slots=True)
class HelpWanted:
    """For what run help is wanted, and who is told of it.

    Attributes:
        run_id: The run; empty outside of one.
        tell: Told of every exchange with a model.
        stop: Set to stop waiting for an answer.
    """

    run_id: str
    tell: Tell
    stop: asyncio.Event


def guard_model(request: Request, parts: SessionParts, tell: Tell) -> Model | None:
    """Return the model of a session as it may be asked on behalf of a request; None where there is none.

    Args:
        request: Whose policy holds.
        parts: Has the model, and what holds for all requests.
        tell: Told of every exchange.

    Raises:
        PolicyError: If a folder of the policy can't be resolved.
    """
    if parts.model is None:
        return None
    world = parts.read_world()
    policy = narrow_policy(request, world, parts.policy)
    return GuardedModel(parts.model, ModelGuard(policy, parts.vault, world.platform, tell))


async def understand_request(request: Request, parts: SessionParts, wanted: HelpWanted) -> Request:
    """Return a request with how its sentence is understood: by the grammar, or where that understood nothing, by a model.

    Args:
        request: What is asked for.
        parts: Has the grammar, and the model where one is wanted.
        wanted: For what.

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


async def _ask(request: Request, utterance: str, parts: SessionParts, wanted: HelpWanted) -> Interpretation:
    if parts.model is None:
        raise ModelError("No model is set up.", code="model_unknown")
    world, rules = parts.read_world(), parts.orchestrator.planner.rules
    policy = narrow_policy(request, world, parts.policy)
    scope = begin_scope(request.principal or _ANYBODY).child(_SESSION).child(wanted.run_id or "interpret")
    question = make_interpret_question(utterance, scope, rules, policy)
    timeout_s = min(question.timeout_s, max(request.budget.find_left(0.0), 0.0))
    guarded = GuardedModel(parts.model, ModelGuard(policy, parts.vault, world.platform, wanted.tell))
    meta_goal = await interpret_by_model(guarded, replace(question, timeout_s=timeout_s), utterance, rules)
    return Interpretation(meta_goal=meta_goal)


def report_failure(error: ModelError, refusal: Refusal | None) -> tuple[ErrorInfo, ...]:
    """Return why nothing is done: what the grammar said, and then why the model was of no help.

    Args:
        error: What the model failed with.
        refusal: What the grammar said.
    """
    if refusal is None:
        return (error.info(),)
    hint = f"You can say: {'; '.join(refusal.nearest)}." if refusal.nearest else ""
    evidence = {"clause": refusal.clause, "nearest": list(refusal.nearest)}
    return (ErrorInfo(refusal.code, refusal.message, hint, evidence), error.info())
