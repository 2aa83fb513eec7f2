"""RuleBasedBackEnd: the interpreter of the language; it asks no model and guesses nothing."""

from core.base.errors import GoalError
from core.language.meanings.interpretation import GoalInterpreter, Refusal
from core.planning.planners.ports import Proposal, ProposalRequest, ProposedCall


class RuleBasedBackEnd:
    """Proposes what a sentence means."""

    def __init__(self, interpreter: GoalInterpreter) -> None:
        """Understand sentences by an interpreter."""
        self._interpreter = interpreter

    @property
    def name(self) -> str:
        """Return its name."""
        return "rules"

    async def propose(self, request: ProposalRequest) -> Proposal:
        """Propose the goals of the whole sentence; there is nothing more to do afterwards.

        Raises:
            GoalError: If the sentence isn't understood, with the code of the refusal and what was meant perhaps.
        """
        found = self._interpreter.interpret(request.intent)
        if found.refusal or found.meta_goal is None:
            raise _refuse(found.refusal)
        calls = tuple(
            ProposedCall(name=goal.name, params=goal.params, scope=goal.scope) for goal in found.meta_goal.goals
        )
        return Proposal(calls=calls, rationale=found.meta_goal.rationale, is_done=True)


def _refuse(refusal: Refusal | None) -> GoalError:
    if refusal is None:
        return GoalError("The sentence asks for nothing that can be done.", code="no_intent_match")
    hint = f"You can say: {'; '.join(refusal.nearest)}." if refusal.nearest else refusal.question
    return GoalError(refusal.message, code=refusal.code, hint=hint, evidence={"clause": refusal.clause})
