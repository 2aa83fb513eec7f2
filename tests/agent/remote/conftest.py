"""A service over lamps, in this process and, over its socket, as another process's."""

import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from agent.access.token_gate import Principal, TokenGate
from agent.hosting.local_service import LocalService
from agent.http.app import make_app
from agent.remote.http_exchange import ServiceClient
from agent.remote.remote import RemoteService
from agent.remote.service_file import RunningService
from agent.remote.socket_places import listen_privately, remove_socket
from agent.service.ports import Service
from agent.web.server import DoorServer
from tests.agent.hosting.conftest import LampHouse

TOKEN = "t" * 64


@pytest.fixture
def state() -> Iterator[Path]:
    """A workspace's folder for what is kept, short enough for a socket."""
    folder = Path(tempfile.mkdtemp(prefix="sh-")) / ".surehand"
    yield folder
    shutil.rmtree(folder.parent, ignore_errors=True)


@pytest.fixture
def house() -> LampHouse:
    return LampHouse()


@pytest.fixture
async def local(house: LampHouse) -> AsyncIterator[LocalService]:
    service = LocalService(house.open)
    yield service
    await service.close(0)


@pytest.fixture
async def remote(local: LocalService, state: Path) -> AsyncIterator[RemoteService]:
    """The local service, spoken to as if it were another process's."""
    listener, place = listen_privately(state)
    server = DoorServer(make_app(local, TokenGate([Principal(name="", token=TOKEN)])), [listener])
    server.start()
    yield RemoteService(ServiceClient(describe(place, TOKEN)))
    await server.stop()
    remove_socket(place)


@pytest.fixture(params=["local", "remote"])
def service(request: pytest.FixtureRequest, local: LocalService, remote: RemoteService) -> Service:
    """Both, one after the other: no door can tell them apart."""
    return local if request.param == "local" else remote


def describe(place: Path, token: str) -> RunningService:
    """Return how a service is found that listens at a path."""
    return RunningService(pid=1, started="", address="", socket=str(place), token=token, workspace=str(place.parent))
