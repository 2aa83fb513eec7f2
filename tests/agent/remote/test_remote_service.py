"""What only a service of another process can do: be away, end in the middle, or answer nonsense."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from agent.remote.http_exchange import ServiceClient
from agent.remote.remote import RemoteService
from agent.service.callers import Caller
from agent.service.orders import RunOrder
from agent.store.private_files import make_private_folder
from core.base.errors import SurehandError
from tests.agent.remote.conftest import TOKEN, describe

ME = Caller()
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
_STREAM = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


@asynccontextmanager
async def speak(state: Path, talk: Talk) -> AsyncGenerator[RemoteService]:
    """A service that says what a test wants."""
    make_private_folder(state)
    place = state / "service.sock"

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        await talk(reader, writer)
        writer.close()

    server = await asyncio.start_unix_server(answer, place)
    try:
        yield RemoteService(ServiceClient(describe(place, TOKEN)))
    finally:
        server.close()
        await server.wait_closed()


async def test_a_service_that_nobody_hears_is_missing_so_that_nothing_was_begun(state: Path) -> None:
    absent = RemoteService(ServiceClient(describe(state / "service.sock", TOKEN)))
    with pytest.raises(SurehandError) as caught:
        await absent.begin(ME, RunOrder(text="light hall"))
    assert caught.value.code == "service_missing"


async def test_a_service_that_ends_before_it_answers_is_gone_so_that_nobody_knows(state: Path) -> None:
    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 20")

    async with speak(state, hang_up) as service:
        with pytest.raises(SurehandError) as caught:
            await service.begin(ME, RunOrder(text="light hall"))
    assert caught.value.code == "service_gone"


async def test_a_stream_that_breaks_off_goes_on_behind_what_was_seen(state: Path) -> None:
    asked: list[bytes] = []
    parts = [b'data: {"event": "accepted", "seq": 0}\n\n', b'data: {"event": "final", "seq": 1}\n\n']
    ends = [b"", b"0\r\n\r\n"]

    async def break_off(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        del reader
        part = parts[len(asked)]
        writer.write(_STREAM + b"%x\r\n%s\r\n" % (len(part), part) + ends[len(asked)])
        asked.append(b"")

    async with speak(state, break_off) as service:
        assert [record["seq"] async for record in service.follow(ME, "r1")] == [0, 1]
    assert len(asked) == 2


async def test_a_stream_that_breaks_off_again_and_again_is_given_up(state: Path) -> None:
    async def say_nothing(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(_STREAM)

    async with speak(state, say_nothing) as service:
        with pytest.raises(SurehandError) as caught:
            async for _ in service.follow(ME, "r1"):
                pass
    assert caught.value.code == "service_gone"


async def test_a_service_that_is_away_in_the_middle_of_a_run_is_gone_and_not_merely_missing(state: Path) -> None:
    absent = RemoteService(ServiceClient(describe(state / "service.sock", TOKEN)))
    with pytest.raises(SurehandError) as caught:
        async for _ in absent.follow(ME, "r1"):
            pass
    assert caught.value.code == "service_gone", "what was begun must not look as if it was not"


@pytest.mark.parametrize(
    "body", [b"[]", b'{"run_id": "r1"}', b'{"session": 1', b"nonsense", b'"text"', b"null"], ids=bytes.decode
)
async def test_nonsense_is_told_as_a_fault_of_ours(body: bytes, state: Path) -> None:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % len(body) + body)

    async with speak(state, answer) as service:
        with pytest.raises(SurehandError) as caught:
            await service.begin(ME, RunOrder(text="light hall"))
    assert caught.value.code == "internal_error"


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (422, "bad_input", "InputError"),
        (404, "unknown_run", "RefusedError"),
        (409, "approval_expired", "ApprovalError"),
        (503, "draining", "RefusedError"),
        (500, "internal_error", "ActionError"),
    ],
)
async def test_an_error_is_of_the_class_that_it_was(status: int, code: str, kind: str, state: Path) -> None:
    body = b'{"error": {"code": "%s", "message": "m", "hint": "h", "evidence": {"a": 1}}}' % code.encode()

    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 %d X\r\ncontent-length: %d\r\n\r\n" % (status, len(body)) + body)

    async with speak(state, answer) as service:
        with pytest.raises(SurehandError) as caught:
            await service.read_run(ME, "r1")
    error = caught.value
    assert (type(error).__name__, error.code, error.hint, error.evidence) == (kind, code, "h", {"a": 1})
