"""Clients that send what no client sends: each is told so and let go, and the others are served."""

import asyncio
import json
import socket
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from wyoming.client import AsyncClient
from wyoming.error import Error
from wyoming.event import async_read_event
from wyoming.info import Describe, Info

from agent.hosting.local_service import LocalService
from agent.wyoming import connection as protocol
from agent.wyoming.server import MOST_CONNECTIONS, WyomingPlace, read_place, serve_wyoming
from core.base.errors import SurehandError


async def send(place: WyomingPlace, data: bytes) -> Error | None:
    """Send bytes and return the error that comes back before the server hangs up; None where it says nothing."""
    reader, writer = await asyncio.open_connection(place.host, place.port)
    writer.write(data)
    await writer.drain()
    try:
        async with asyncio.timeout(20):
            event = await async_read_event(reader)
            if event:
                assert await reader.read() == b""
    except ConnectionResetError:
        event = None
    writer.close()
    return Error.from_event(event) if event else None


async def check_served(place: WyomingPlace) -> None:
    async with AsyncClient.from_uri(str(place), read_timeout=20) as client:
        await client.write_event(Describe().event())
        event = await client.read_event()
        assert event
        assert Info.from_event(event).handle


def read_modes(folder: str) -> list[int]:
    return [stat.S_IMODE(each.stat().st_mode) for each in Path(folder).iterdir()]


@pytest.mark.parametrize(
    "data",
    [
        b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        b"\n",
        b"{\n",
        b"[]\n",
        b"7\n",
        b'{"type": 7}\n',
        b'{"type": "transcript", "data": []}\n',
        b'{"type": "transcript", "data": {"text": "x"}, "data_length": 99999999999}\n',
        b'{"type": "transcript", "data_length": -1}\n',
        b'{"type": "transcript", "data_length": "4"}\n',
        b'{"type": "transcript", "data_length": true}\n',
        b'{"type": "transcript", "data_length": 2}\n[]',
        b'{"type": "audio-chunk", "payload_length": 9999999999}\n',
        b"[" * 60_000 + b"\n",
        b"\xff\xfe\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n",
    ],
)
async def test_what_is_no_event_is_told_so_and_ends_the_connection(place: WyomingPlace, data: bytes) -> None:
    error = await send(place, data)
    assert error
    assert error.code == "bad_event"
    await check_served(place)


async def test_an_endless_line_ends_the_connection(place: WyomingPlace) -> None:
    reader, writer = await asyncio.open_connection(place.host, place.port)
    with suppress(ConnectionError):  # what is still on its way when the server hangs up
        for _ in range(100):
            writer.write(b"x" * protocol.LINE_LIMIT)
            await writer.drain()
        await reader.read()
    writer.close()
    await check_served(place)


@pytest.mark.parametrize("text", [None, 7, [], {"a": 1}, "", "   "])
async def test_a_transcript_without_words_is_not_handled(place: WyomingPlace, text: object) -> None:
    reader, writer = await asyncio.open_connection(place.host, place.port)
    context = {"conversation_id": ["not", "a", "name"]}
    writer.write(json.dumps({"type": "transcript", "data": {"text": text, "context": context}}).encode() + b"\n")
    event = await async_read_event(reader)
    assert event
    assert (event.type, event.data["text"]) == ("not-handled", "I heard nothing.")
    writer.close()


async def test_an_event_that_does_not_come_to_its_end_is_given_up(
    place: WyomingPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "EVENT_S", 0.05)
    error = await send(place, b'{"type": "transcript", "data_length": 10}\n{"te')
    assert error
    assert "in time" in error.text


async def test_a_client_of_many_connections_leaves_room_for_nobody_and_for_everybody_once_it_is_gone(
    place: WyomingPlace,
) -> None:
    opened = [await asyncio.open_connection(place.host, place.port) for _ in range(MOST_CONNECTIONS + 1)]
    assert await opened[-1][0].read() == b""
    for reader, writer in opened:
        writer.write_eof()
        await reader.read()
        writer.close()
    await check_served(place)


async def test_many_sentences_at_once_on_one_connection_are_too_many(place: WyomingPlace) -> None:
    reader, writer = await asyncio.open_connection(place.host, place.port)
    for number in range(9):
        said = {"text": f"hold room{number}", "context": {"conversation_id": f"c{number}"}}
        writer.write(json.dumps({"type": "transcript", "data": said}).encode() + b"\n")
    while (event := await async_read_event(reader)) and event.type != "error":
        pass
    assert event
    assert event.data["code"] == "over_quota"
    writer.close()
    await writer.wait_closed()


@pytest.mark.parametrize(
    "uri",
    [
        "tcp://0.0.0.0:1",
        "tcp://192.168.1.5:1",
        "tcp://example.com:1",
        "tcp://127.0.0.1",
        "http://127.0.0.1:1",
        "unix://",
        "tcp://[::]:1",
        "tcp://127.0.0.1:99999",
        "x",
    ],
)
def test_a_place_that_others_can_reach_is_refused(uri: str) -> None:
    with pytest.raises(SurehandError) as refused:
        read_place(uri)
    assert refused.value.code == "bad_address"


def test_a_place_is_read_and_written() -> None:
    assert str(read_place("tcp://localhost:10600")) == "tcp://127.0.0.1:10600"
    assert str(read_place("tcp://[::1]:10600")) == "tcp://[::1]:10600"
    assert read_place("unix:///run/x.sock").socket == Path("/run/x.sock")


async def test_a_unix_socket_is_for_its_owner_alone_and_goes_with_the_server(service: LocalService) -> None:
    with tempfile.TemporaryDirectory(prefix="sh-") as folder:  # short: a socket's path has at most 107 bytes
        path = f"{folder}/voice.sock"
        left = socket.socket(socket.AF_UNIX)
        left.bind(path)
        left.close()
        async with serve_wyoming(service, read_place(f"unix://{path}")) as place:
            assert read_modes(folder) == [0o600]
            await check_served(place)
        assert read_modes(folder) == []


async def test_a_file_in_the_place_of_a_socket_is_left_alone(service: LocalService, tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_text("mine")
    with pytest.raises(SurehandError, match="not a socket"):
        async with serve_wyoming(service, read_place(f"unix://{path}")):
            pass
    assert path.read_text() == "mine"


async def test_a_port_that_is_taken_is_told_with_what_to_do(place: WyomingPlace, service: LocalService) -> None:
    with pytest.raises(SurehandError) as refused:
        async with serve_wyoming(service, place):
            pass
    assert refused.value.code == "address_taken"
