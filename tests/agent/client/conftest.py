"""A service over lamps on a socket of this machine, in a thread with a loop of its own: its clients block, as programs do."""

import asyncio
import threading
from collections.abc import Callable, Iterator

import pytest

from agent.access.token_gate import TokenGate
from agent.client.hands import Surehand
from agent.hosting.local_service import LocalService
from agent.http.app import AppParts, make_app
from agent.web.server import DoorServer, listen_on
from agent.web.wall import WallRules
from tests.agent.client.cutting_proxy import CuttingProxy
from tests.agent.hosting.conftest import LampHouse
from tests.agent.http.conftest import PRINCIPALS
from tests.agent.lamps import Lamps


class LampService:
    """A service over lamps."""

    def __init__(self) -> None:
        self.house = LampHouse()
        self._listener = listen_on("127.0.0.1", 0)
        self.port = int(self._listener.getsockname()[1])
        self.address = f"http://127.0.0.1:{self.port}"
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._serve(),))

    def start(self) -> None:
        self._thread.start()
        self._ready.wait()

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        self._loop.close()

    def find_lamps(self, session: str) -> Lamps:
        """Return the lamps of a session of the owner."""
        return self.house.families["ada", session].lamps

    def await_hold(self, session: str, count: int = 1) -> None:
        """Return when lamps of a session, which was used before, are held."""
        asyncio.run_coroutine_threadsafe(self._await_calls(session, count), self._loop).result(20)

    async def _await_calls(self, session: str, count: int) -> None:
        await self.find_lamps(session).wait_for_calls(count)

    async def _serve(self) -> None:
        service = LocalService(self.house.open)
        server = DoorServer(make_app(service, TokenGate(PRINCIPALS), AppParts(rules=WallRules())), [self._listener])
        server.start()
        self._ready.set()
        await self._stop.wait()
        await service.close(0)
        await server.stop()


@pytest.fixture
def service() -> Iterator[LampService]:
    service = LampService()
    service.start()
    yield service
    service.stop()


@pytest.fixture
def hand(service: LampService) -> Iterator[Surehand]:
    with Surehand(service.address, token="owner", session="home") as hand:
        yield hand


@pytest.fixture
def open_cut(service: LampService) -> Iterator[Callable[[int], str]]:
    """Return addresses of the same service at which every stream breaks behind so many events."""
    proxies: list[CuttingProxy] = []

    def open_one(events: int) -> str:
        proxies.append(CuttingProxy(service.port, events))
        return proxies[-1].address

    yield open_one
    for each in proxies:
        each.close()
