"""A service over lamps: each session has lamps of its own, and a small language about them."""

from collections.abc import AsyncIterator

import pytest

from agent.hosting.local_service import LocalService
from agent.requests.session_wishes import USUAL_SESSION, SessionWishes
from agent.sessions.session import AgentSession
from core.language.interpreter import GrammarInterpreter
from tests.agent.lamps import LampFamily, load_lamp_language, make_lamp_session


class LampHouse:
    """Opens sessions with lamps, and remembers them by principal and name."""

    def __init__(self) -> None:
        self.families: dict[tuple[str, str], LampFamily] = {}
        self._grammar = load_lamp_language()

    def open(self, principal: str, name: str, _: SessionWishes = USUAL_SESSION) -> AgentSession:
        family = LampFamily()
        self.families[principal, name] = family
        return make_lamp_session(family, GrammarInterpreter(self._grammar))


@pytest.fixture
def house() -> LampHouse:
    return LampHouse()


@pytest.fixture
async def service(house: LampHouse) -> AsyncIterator[LocalService]:
    service = LocalService(house.open)
    yield service
    await service.close(drain_s=0)
