"""The same sentence through each door, by the door's usual client, each connection kept open; a call returns its seconds."""

import asyncio
import http.client
import json
import os
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mcp import Client
from mcp.client.stdio import StdioServerParameters
from wyoming.asr import Transcript
from wyoming.client import AsyncClient
from wyoming.handle import Handled, NotHandled

from agent.client.hands import Surehand
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from scripts.benchmarks.doors.processes import PROGRAM, find_free_port, run_program

Call = Callable[[str], Awaitable[float]]

START_S = 20.0


class DoorError(RuntimeError):
    """A door did not do what it was told."""


def call_in_process(session: AgentSession) -> Call:
    """Return the bare call that all doors end in."""

    async def call(text: str) -> float:
        began = time.perf_counter()
        result = await session.run(Request(utterance=text))
        seconds = time.perf_counter() - began
        check(result.reply, is_right=result.outcome == "success")
        return seconds

    return call


class HttpCaller:
    """Posts to a service, on one connection."""

    def __init__(self, service: Mapping[str, Any]) -> None:
        """Connect to a service as its command told where it is."""
        place = urlsplit(str(service["address"]))
        self._connection = http.client.HTTPConnection(place.hostname or "", place.port)
        self._headers = {"Authorization": f"Bearer {service['token']}", "Content-Type": "application/json"}

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Return what it answers."""
        self._connection.request("POST", path, json.dumps(body), self._headers)
        answer = self._connection.getresponse()
        data = json.loads(answer.read())
        check(data, is_right=answer.status == 200)
        return data

    def call(self, text: str) -> float:
        """Say a sentence, and wait for what comes of it."""
        began = time.perf_counter()
        record = self.post("/v1/runs", {"text": text, "session": "http", "wait": True})
        seconds = time.perf_counter() - began
        check(record, is_right=record["outcome"] == "success")
        return seconds

    def close(self) -> None:
        """End the connection."""
        self._connection.close()


@asynccontextmanager
async def call_http(service: Mapping[str, Any]) -> AsyncGenerator[Call]:
    """Call over HTTP."""
    caller = HttpCaller(service)
    try:
        yield lambda text: asyncio.to_thread(caller.call, text)
    finally:
        caller.close()


@asynccontextmanager
async def call_client(workspace: Path) -> AsyncGenerator[Call]:
    """Call by the Python client, through the service of a workspace."""
    with Surehand(workspace, session="client") as hand:

        def call(text: str) -> float:
            began = time.perf_counter()
            hand.run(text)
            return time.perf_counter() - began

        yield lambda text: asyncio.to_thread(call, text)


@asynccontextmanager
async def call_mcp(workspace: Path) -> AsyncGenerator[Call]:
    """Call by the SDK's client over stdio; the server is the workspace's service itself."""
    command = StdioServerParameters(command=str(PROGRAM), args=["mcp"], cwd=workspace, env=dict(os.environ))
    async with Client(command) as client:

        async def call(text: str) -> float:
            began = time.perf_counter()
            result = await client.call_tool("do", {"text": text})
            seconds = time.perf_counter() - began
            told = result.structured_content or {}
            check(told, is_right=told.get("status") == "success")
            return seconds

        yield call


@asynccontextmanager
async def call_wyoming(workspace: Path) -> AsyncGenerator[Call]:
    """Call by the protocol's own client."""
    uri = f"tcp://127.0.0.1:{find_free_port()}"
    with run_program(workspace, "wyoming", "--uri", uri, "--no-service"):
        async with await _connect(uri) as client:

            async def call(text: str) -> float:
                began = time.perf_counter()
                await client.write_event(Transcript(text).event())
                told = await _read_reply(client)
                check(told, is_right=isinstance(told, Handled))
                return time.perf_counter() - began

            yield call


async def _connect(uri: str) -> AsyncClient:
    """Return a client of a server that is starting."""
    async with asyncio.timeout(START_S):
        while True:
            client = AsyncClient.from_uri(uri)
            try:
                await client.connect()
            except OSError:
                await asyncio.sleep(0.1)
            else:
                await client.disconnect()
                return client


async def _read_reply(client: AsyncClient) -> Handled | NotHandled:
    while event := await client.read_event():
        if Handled.is_type(event.type):
            return Handled.from_event(event)
        if NotHandled.is_type(event.type):
            return NotHandled.from_event(event)
    raise DoorError("the connection ended")


def check(told: object, *, is_right: bool) -> None:
    """Refuse to measure what did not work.

    Raises:
        DoorError: If it is not right.
    """
    if not is_right:
        raise DoorError(str(told))
