"""`--model`, `--replay` and `--record`: which model helps a session."""

from agent.models.serving.wishes import ModelWish
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from core.base.errors import InputError


def give_model(session: AgentSession, wish: ModelWish, settings: Settings) -> None:
    """Let the model that is wanted help a session; nothing changes where none is.

    Raises:
        InputError: If the options contradict each other.
        ModelError: If there is none of that name.
    """
    if wish.name and wish.replay:
        raise InputError("Choose one of --model and --replay.", code="bad_usage")
    if wish.record and not wish.name:
        raise InputError("--record writes down what a model answers; name one with --model.", code="bad_usage")
    if wish:
        from agent.models.serving.opening import open_model

        session.use_model(lambda vault: open_model(wish, settings.models, vault))
