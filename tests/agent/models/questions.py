"""Questions and settings for tests of models."""

from typing import Any

from agent.settings.model_settings import ModelSetting
from core.base.scope_paths import ScopePath, begin_scope
from core.planning.planners.ports import ModelAnswer, ModelData, ModelQuestion
from fixtures.model_server import ModelServer

PROVIDERS = ("openai", "anthropic", "google", "ollama", "local")
SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["word"],
    "properties": {"word": {"type": "string"}},
}
RUN = begin_scope("ann").child("session").child("run")


def ask_for_word(text: str = "say one", scope: ScopePath = RUN, **parts: Any) -> ModelQuestion:
    """Return a question whose answer is one word."""
    data = (ModelData(label="request", text=text, is_tainted=False),)
    given: dict[str, Any] = {"data": data, "timeout_s": 20.0, **parts}
    return ModelQuestion(kind="interpret", instructions="Answer with a word.", schema=SCHEMA, scope=scope, **given)


def set_up(server: ModelServer, provider: str = "openai", **parts: Any) -> ModelSetting:
    """Return the setting of a model that the fixture serves."""
    given = {"provider": provider, "model": "fixture", "base_url": server.find_base_url(provider), **parts}
    return ModelSetting.model_validate(given)


class Counting:
    """A model that answers with the word that it is given, and counts."""

    def __init__(self, word: str = "one", tokens_in: int = 10, tokens_out: int = 5) -> None:
        self.name = "counting"
        self.asked: list[ModelQuestion] = []
        self._answer = ModelAnswer(value={"word": word}, model="counting", tokens_in=tokens_in, tokens_out=tokens_out)

    async def ask(self, question: ModelQuestion) -> ModelAnswer:
        self.asked.append(question)
        return self._answer

    async def close(self) -> None:
        """Have nothing to close."""
