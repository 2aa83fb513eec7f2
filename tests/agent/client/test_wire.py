"""A wire over a connection that the service lets go of just as it is used again."""

import socket
import threading
from collections.abc import Iterator

import pytest

from agent.client.endpoints import Endpoint
from agent.client.reports import ServiceGoneError
from agent.client.wire import Wire

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n42"


class Forgetful:
    """Answers one request a connection, and closes it once it has heard the next."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.heard: list[bytes] = []
        self.thread = threading.Thread(target=self._serve)
        self.thread.start()

    def _serve(self) -> None:
        while True:
            near, _ = self.listener.accept()
            with near:
                for answer in (ANSWER, b""):
                    if not (asked := near.recv(65_536)):
                        return
                    self.heard.append(asked.split()[0])
                    near.sendall(answer)

    def close(self) -> None:
        self.thread.join()
        self.listener.close()


@pytest.fixture
def forgetful() -> Iterator[Forgetful]:
    service = Forgetful()
    yield service
    service.close()


@pytest.fixture
def wire(forgetful: Forgetful) -> Iterator[Wire]:
    wire = Wire(lambda: Endpoint(port=forgetful.listener.getsockname()[1], token="x"))
    yield wire
    wire.close()
    socket.create_connection(forgetful.listener.getsockname()).close()


def test_what_changes_nothing_is_asked_again_over_a_new_connection(wire: Wire, forgetful: Forgetful) -> None:
    assert [wire.get("/v1/runs") for _ in range(3)] == [42, 42, 42]
    assert forgetful.heard == [b"GET"] * 5


def test_what_may_have_been_heard_is_not_sent_twice(wire: Wire, forgetful: Forgetful) -> None:
    wire.get("/v1/runs")
    with pytest.raises(ServiceGoneError):
        wire.post("/v1/runs")
    assert forgetful.heard == [b"GET", b"POST"]
