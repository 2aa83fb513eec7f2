"""A model's help with a sentence: asked only where the grammar understood nothing of it, and told what policy allows."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from agent.models.guarding import GuardedModel, ModelGuard, Tell
from agent.requests.real_paths import add_real_roots
from agent.requests.requests import Request
from agent.sessions.planned_requests import limit_today
from agent.sessions.planner_port import SentenceRequest
from core.base.errors import ErrorInfo, ModelError, PolicyError
from core.language.meanings.interpretation import Interpretation, Refusal
from core.planning.planners.ports import Model
from core.policy.policy import Policy

if TYPE_CHECKING:
    from agent.sessions.session_parts import SessionParts


HELPED: Final = frozenset({"no_intent_match"})
"""Refusals that a model may help with: a sentence that could be understood in two ways, or lacks one word, is the person's to say."""

Note = Callable[[Mapping[str, Any]], None]


async def understand_request(wanted: SentenceRequest, note: Note = lambda _: None) -> Request:
    """Return a request with how its sentence is understood: by the grammar, or where that understood nothing, by the planner of goals.

    Raises:
        ModelError: If the model fails; the grammar's refusal is in its evidence.
    """
    request = wanted.request
    parts: SessionParts = wanted.parts
    if request.utterance is None or not (parts.model or request.model):
        return request
    understood = request.understood or parts.interpreter.interpret(request.utterance)
    if not may_help(understood):
        return replace(request, understood=understood)
    try:
        found, told = await parts.planners.interpret(wanted)
    except PolicyError:  # planning says the same, and better
        return request
    note(told)
    return replace(request, understood=Interpretation(meta_goal=found) if found else understood)


def may_help(interpretation: Interpretation) -> bool:
    """Tell whether a sentence was refused because nothing in it was understood, and nobody is asked what it means."""
    refusal = interpretation.refusal
    return refusal is not None and refusal.code in HELPED and not refusal.choices


def guard_model(parts: "SessionParts", policy: Policy, tell: Tell) -> Model | None:
    """Return the session's model behind what holds for all that leaves to it; None where it has none.

    Raises:
        PolicyError: If a folder of the policy can't be resolved.
    """
    return _guard(parts, parts.model, policy, tell)


def open_guarded(parts: "SessionParts", request: Request, name: str, tell: Tell) -> tuple[Model | None, bool]:
    """Return a model of the settings by its name, guarded, and whether it was opened for this; the session's where none is named.

    Raises:
        ModelError: If there is none of that name.
        PolicyError: If a folder of the policy can't be resolved.
    """
    named = request.model or ("" if parts.model else name)
    model = parts.open_model(named, parts.vault) if named else parts.model
    return _guard(parts, model, request.policy, tell), bool(named)


def _guard(parts: "SessionParts", model: Model | None, policy: Policy, tell: Tell) -> Model | None:
    if model is None:
        return None
    world = parts.read_world()
    limited = add_real_roots(limit_today(policy, world, parts.policy))
    return GuardedModel(model, ModelGuard(limited, parts.vault, world.platform, tell))


def report_failure(error: ModelError, refusal: Refusal | None) -> tuple[ErrorInfo, ...]:
    """Return why nothing is done: what the grammar said, and then why the model was of no help."""
    if refusal is None:
        return (error.info(),)
    hint = f"You can say: {'; '.join(refusal.nearest)}." if refusal.nearest else ""
    evidence = {"clause": refusal.clause, "nearest": list(refusal.nearest)}
    return (ErrorInfo(refusal.code, refusal.message, hint, evidence), error.info())
