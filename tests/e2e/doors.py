"""Every door of one service, each spoken to by a client that others made, or by the one that ships."""

import asyncio
import json
import os
import subprocess
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from wyoming.asr import Transcript
from wyoming.client import AsyncClient
from wyoming.handle import Handled, NotHandled

from agent.client.async_hands import AsyncSurehand
from agent.client.reports import RunReport
from tests.agent.conftest import PROGRAM


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A service in a process of its own.

    Attributes:
        folder: The folder that it serves.
        address: Where it answers HTTP.
        token: What it takes.
        voice: Where its voice's door listens; empty where it has none.
    """

    folder: Path
    address: str
    token: str
    voice: str = ""

    @property
    def headers(self) -> dict[str, str]:
        """What HTTP is asked with."""
        return {"Authorization": f"Bearer {self.token}"}

    def open_hand(self, **options: Any) -> AsyncSurehand:
        """Return the client that ships."""
        return AsyncSurehand(self.address, token=self.token, **options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a door told of a request.

    Attributes:
        reply: Its reply.
        steps: What it says of the steps, in the words of that door; empty where it tells of none.
    """

    reply: str
    steps: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])


Door = Callable[[Served, str], Awaitable[Told]]


async def ask_command_line(served: Served, text: str) -> Told:
    """Run the command, which uses the service that is there."""
    command = [str(PROGRAM), "run", text, "--json", "--session", "cli"]
    process = await asyncio.create_subprocess_exec(*command, cwd=served.folder, stdout=subprocess.PIPE)
    out, _ = await process.communicate()
    events = [json.loads(line) for line in out.splitlines()]
    assert process.returncode == 0, events
    return Told(reply=events[-1]["reply"], steps=events[-1]["steps"])


async def ask_client(served: Served, text: str) -> Told:
    """Use the Python client."""
    async with served.open_hand(session="client") as hand:
        done = await hand.run(text)
    return Told(reply=done.reply, steps=list(done.record["step_logs"]))


async def ask_http(served: Served, text: str) -> Told:
    """Ask HTTP as any program does."""
    async with httpx.AsyncClient(trust_env=False, timeout=60) as http:
        body = {"text": text, "session": "http", "wait": True}
        answer = await http.post(f"{served.address}/v1/runs", json=body, headers=served.headers)
    assert answer.status_code == 200, answer.text
    record = answer.json()
    return Told(reply=record["reply"], steps=record["step_logs"])


async def ask_completions(served: Served, text: str) -> Told:
    """Ask as a front end for chats does."""
    body = {"model": "surehand", "messages": [{"role": "user", "content": text}], "metadata": {"session": "chat"}}
    async with httpx.AsyncClient(trust_env=False, timeout=60) as http:
        answer = await http.post(f"{served.address}/v1/chat/completions", json=body, headers=served.headers)
    assert answer.status_code == 200, answer.text
    return Told(reply=answer.json()["choices"][0]["message"]["content"])


async def ask_mcp_stdio(served: Served, text: str) -> Told:
    """Ask as an assistant does that starts its servers."""
    command = StdioServerParameters(
        command=str(PROGRAM), args=["mcp", "--session", "stdio"], cwd=served.folder, env=dict(os.environ)
    )
    async with Client(command) as client:
        return await _do(client, text)


async def ask_mcp_http(served: Served, text: str) -> Told:
    """Ask as an assistant does that reaches its servers over HTTP."""
    async with (
        httpx2.AsyncClient(headers=served.headers, trust_env=False, timeout=60) as http,
        Client(streamable_http_client(f"{served.address}/mcp", http_client=http)) as client,
    ):
        return await _do(client, text)


async def ask_voice(served: Served, text: str) -> Told:
    """Ask as a voice assistant does."""
    async with AsyncClient.from_uri(served.voice, read_timeout=60) as client:
        await client.write_event(Transcript(text, context={"conversation_id": "door"}).event())
        while event := await client.read_event():
            assert not NotHandled.is_type(event.type), event.data
            if Handled.is_type(event.type):
                return Told(reply=str(event.data["text"]))
    raise AssertionError("no reply")


DOORS: Mapping[str, Door] = {
    "command line": ask_command_line,
    "client": ask_client,
    "http": ask_http,
    "completions": ask_completions,
    "mcp over stdio": ask_mcp_stdio,
    "mcp over http": ask_mcp_http,
    "voice": ask_voice,
}


async def _do(client: Client, text: str) -> Told:
    result = await client.call_tool("do", {"text": text})
    told: dict[str, Any] = dict(result.structured_content or {})
    assert not result.is_error, told
    return Told(reply=told["reply"], steps=told["steps"])


def describe_receipts(report: RunReport) -> list[Mapping[str, Any]]:
    """Return what a run was planned and done as, without its times, its scope, and the names of its pictures."""
    steps: list[Mapping[str, Any]] = []
    for step in report.record["step_logs"]:
        result = {name: value for name, value in step["result"].items() if name not in {"ms", "started_ms"}}
        result["evidence"] = {name: value for name, value in result["evidence"].items() if name != "pictures"}
        steps.append({**step, "result": {**result, "artifacts": ()}, "scope": ""})
    return steps


@asynccontextmanager
async def find_new_run(served: Served) -> AsyncGenerator[list[RunReport]]:
    """Give a list that has the one run in it, at the end, that was taken on meanwhile."""
    found: list[RunReport] = []
    async with served.open_hand() as hand:
        before = {each.run_id for each in await hand.find_runs(most=1000)}
        yield found
        new = [each.run_id for each in await hand.find_runs(most=1000) if each.run_id not in before]
        assert len(new) == 1, new
        found.append(await hand.read_run(new[0]))
