"""`--model`, `--replay` and `--record`: which model helps a session."""

from typing import TYPE_CHECKING

from agent.models.guarding import ModelExchange, Tell
from agent.models.wishes import ModelWish
from core.base.errors import InputError, ModelError
from core.base.late_dataclasses import dataclass
from core.goals.secret_values import Vault
from core.planning.planners.ports import Model, ModelAnswer, ModelQuestion

if TYPE_CHECKING:
    from agent.sessions.session import AgentSession
    from agent.settings.settings import Settings


def give_model(session: "AgentSession", wish: ModelWish, settings: "Settings", tell: Tell | None = None) -> None:
    """Let the model that is wanted help a session; nothing changes where none is."""
    if wish.name and wish.replay:
        raise InputError("Choose one of --model and --replay.", code="bad_usage")
    if wish.record and not wish.name:
        raise InputError("--record writes down what a model answers; name one with --model.", code="bad_usage")
    if wish:
        from agent.models.serving.opening import open_model

        def make(vault: Vault) -> Model:
            model = open_model(wish, settings.models, vault)
            return ToldModel(model, vault, tell) if tell else model

        session.use_model(make)


@dataclass(frozen=True, slots=True)
class ToldModel:
    """A model of which every exchange is told."""

    inner: Model
    vault: Vault
    tell: Tell

    @property
    def name(self) -> str:
        """Return the name of the model."""
        return self.inner.name

    async def ask(self, question: ModelQuestion) -> ModelAnswer:
        """Answer a question, and tell what left and what came back."""
        try:
            answer = await self.inner.ask(question)
        except ModelError as error:
            self.tell(ModelExchange(model=self.name, question=question, error=error.info()))
            raise
        self.tell(ModelExchange(model=self.name, question=question, answer=self.vault.redact(answer)))
        return answer

    async def close(self) -> None:
        """Close the model."""
        await self.inner.close()
