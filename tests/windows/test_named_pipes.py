"""The named pipe of a service on Windows: real HTTP over it, and who may come."""

import asyncio
import ctypes
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

if sys.platform != "win32":
    raise pytest.skip.Exception("needs Windows: python3 scripts/test.py --windows", allow_module_level=True)

from multiprocessing.connection import Client, PipeConnection

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route

from agent.client.endpoints import find_endpoint
from agent.client.pipes import PipeSocket
from agent.client.reports import ServiceGoneError
from agent.client.wire import Breaker, Wire, WireQuestion
from agent.remote.http_exchange import ServiceCall, ServiceClient
from agent.remote.pipes import PREFIX, PrivatePipe, check_owner, describe_rights, name_pipe, read_user, try_pipe
from agent.remote.service_file import find_running, read_service_file, remove_service_file, write_service_file
from agent.remote.socket_places import list_places, listen_at_pipe
from agent.serving.doors import DoorWish, OpenDoors, open_doors
from agent.web.pipe_loop import PipeLoop
from agent.web.server import DoorServer

LARGE = "x" * 300_000
CALLERS = 40
SYSTEM = bytes([1, 1, 0, 0, 0, 0, 0, 5, 18, 0, 0, 0])
"""The number of Windows' own user, S-1-5-18, as it stands in memory."""

Use = Callable[[OpenDoors], Awaitable[None]]


def make_app() -> Starlette:
    """Return an app that tells what it was asked, streams, and waits."""

    async def tell(request: Request) -> JSONResponse:
        return JSONResponse(
            {
                "server": request.scope.get("server"),
                "token": request.headers.get("authorization"),
                "body": (await request.body()).decode(),
            }
        )

    async def stream(_: Request) -> StreamingResponse:
        async def parts() -> Any:
            for number in range(5):
                yield f'id: {number}\nevent: step\ndata: {{"event": "step", "seq": {number}}}\n\n'
                await asyncio.sleep(0)

        return StreamingResponse(parts(), media_type="text/event-stream")

    async def hang(_: Request) -> JSONResponse:
        await asyncio.Event().wait()
        return JSONResponse({})

    return Starlette(
        routes=[
            Route("/tell", tell, methods=["GET", "POST"]),
            Route("/stream", stream),
            Route("/hang", hang),
        ]
    )


def serve(state: Path, use: Use) -> None:
    """Serve a workspace for as long as it is used, on the loop and by the doors that `surehand serve` takes."""

    async def run() -> None:
        with open_doors(DoorWish(workspace=state.parent, state=state, port=0)) as doors:
            server = DoorServer(make_app(), doors.sockets, pipe=doors.pipe)
            server.start()
            write_service_file(state, doors.service)
            try:
                await use(doors)
            finally:
                remove_service_file(state)
                await server.stop()

    with asyncio.Runner(loop_factory=PipeLoop) as runner:
        runner.run(run())


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / ".surehand"


def test_a_command_finds_the_service_and_speaks_http_over_the_pipe_and_not_over_loopback(state: Path) -> None:
    async def use(doors: OpenDoors) -> None:
        found = await asyncio.to_thread(find_running, state.parent)
        assert found == doors.service
        assert Path(found.socket) in list_places(state)
        call = ServiceCall(method="POST", path="/tell", body={"what": LARGE})
        told = await ServiceClient(found).fetch(call)
        assert told["server"] is None, "a connection over loopback has an address"
        assert told["token"] == f"Bearer {found.token}"
        assert LARGE in told["body"]

    serve(state, use)


def test_the_public_client_speaks_over_the_pipe_too(state: Path) -> None:
    async def use(doors: OpenDoors) -> None:
        wire = Wire(lambda: find_endpoint(state.parent))
        told = await asyncio.to_thread(wire.post, "/tell", {"what": LARGE})
        assert told["server"] is None
        assert told["token"] == f"Bearer {doors.service.token}"
        assert LARGE in told["body"]
        records = await asyncio.to_thread(lambda: list(wire.stream("/stream", -1, Breaker())))
        assert [each["seq"] for each in records] == [0, 1, 2, 3, 4]

    serve(state, use)


def test_many_come_at_once(state: Path) -> None:
    async def use(doors: OpenDoors) -> None:
        client = ServiceClient(doors.service)
        calls = [ServiceCall(method="POST", path="/tell", body={"n": number}) for number in range(CALLERS)]
        told = await asyncio.gather(*(client.fetch(call) for call in calls))
        assert [each["body"] for each in told] == [f'{{"n": {number}}}' for number in range(CALLERS)]

    serve(state, use)


def test_the_public_client_gives_up_what_gives_no_sign_of_life_and_what_is_broken_off(state: Path) -> None:
    async def use(_: OpenDoors) -> None:
        wire = Wire(lambda: find_endpoint(state.parent))
        with pytest.raises(ServiceGoneError, match="no sign of life"):
            await asyncio.to_thread(wire.ask, WireQuestion(path="/hang", timeout_s=0.3))
        breaker = Breaker()
        waiting = asyncio.create_task(asyncio.to_thread(wire.ask, WireQuestion(path="/hang", breaker=breaker)))
        await asyncio.wait([waiting], timeout=0.3)
        breaker.break_off()
        with pytest.raises(ServiceGoneError, match="nobody waits"):
            await waiting

    serve(state, use)


def test_one_that_hangs_up_harms_no_other(state: Path) -> None:
    async def use(doors: OpenDoors) -> None:
        for _ in range(3):
            await asyncio.to_thread(lambda: Client(doors.service.socket, family="AF_PIPE").close())
        told = await ServiceClient(doors.service).fetch(ServiceCall(method="GET", path="/tell"))
        assert told["server"] is None

    serve(state, use)


def test_nobody_is_found_when_the_service_has_ended(state: Path) -> None:
    kept: list[OpenDoors] = []

    async def use(doors: OpenDoors) -> None:
        kept.append(doors)

    serve(state, use)
    write_service_file(state, kept[0].service)  # as one that was killed leaves it
    assert read_service_file(state) == kept[0].service
    assert find_running(state.parent) is None


def test_a_file_that_names_another_pipe_is_not_believed(state: Path) -> None:
    async def use(doors: OpenDoors) -> None:
        elsewhere = listen_at_pipe(state, for_itself=True)
        try:
            other = {
                **{name: getattr(doors.service, name) for name in doors.service.__slots__},
                "socket": elsewhere.name,
            }
            write_service_file(state, type(doors.service)(**other))
            assert find_running(state.parent) is None
        finally:
            elsewhere.close()

    serve(state, use)


def test_the_pipe_is_this_persons_and_open_to_nobody_else() -> None:
    user = read_user()
    assert describe_rights() == f"O:{user}D:P(D;;GA;;;NU)(A;;GA;;;{user})"
    pipe = PrivatePipe(name_pipe(os.urandom(8)))
    try:
        with Client(pipe.name, family="AF_PIPE") as connection:
            assert read_rights(connection.fileno()) == describe_rights()
            check_owner(connection.fileno())
    finally:
        pipe.close()


def test_neither_client_says_a_word_to_a_pipe_of_somebody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    system = ctypes.create_string_buffer(SYSTEM)
    told = ctypes.create_string_buffer(ctypes.sizeof(ctypes.c_void_p))
    ctypes.c_void_p.from_buffer(told).value = ctypes.addressof(system)
    pipe = PrivatePipe(f"{PREFIX}{os.urandom(8).hex()}")
    with PipeConnection(pipe.take()) as first, PipeConnection(pipe.take()) as second:
        monkeypatch.setattr("agent.remote.pipes.read_user", lambda: "S-1-5-18")
        monkeypatch.setattr("agent.client.pipes._read_user", lambda: told)
        with pytest.raises(PermissionError, match="another user"):
            try_pipe(pipe.name)
        with pytest.raises(PermissionError, match="another user"):
            PipeSocket(pipe.name, 1.0)
        for each in (first, second):
            with pytest.raises((EOFError, OSError)):
                each.recv_bytes()
    pipe.close()


def read_rights(handle: int) -> str:
    """Return owner and rights of an open pipe, as Windows writes them."""
    rights = ctypes.WinDLL("advapi32")
    descriptor, written = ctypes.c_void_p(), ctypes.c_wchar_p()
    assert rights.GetSecurityInfo(ctypes.c_void_p(handle), 6, 5, None, None, None, None, ctypes.byref(descriptor)) == 0
    convert = rights.ConvertSecurityDescriptorToStringSecurityDescriptorW
    assert convert(descriptor, 1, 5, ctypes.byref(written), None)
    return written.value or ""


def test_the_name_is_the_same_for_each_process_of_this_person_and_another_for_another_folder(state: Path) -> None:
    assert list_places(state) == list_places(state)
    assert set(list_places(state)).isdisjoint(list_places(state.with_name("other")))
    pipe = listen_at_pipe(state)
    try:
        assert (Path(pipe.name),) == list_places(state)
    finally:
        pipe.close()
