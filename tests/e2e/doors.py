"""Every door, through a service and without one, each spoken to by a client that others made, or by the one that ships."""

import asyncio
import json
import os
import re
import signal
import subprocess
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ImageContent, TextResourceContents
from wyoming.asr import Transcript
from wyoming.client import AsyncClient
from wyoming.handle import Handled, NotHandled

from agent.client.async_hands import AsyncSurehand
from agent.client.events import RunEnded, RunEvent, StepBegun
from agent.client.hand_parts import HandOptions
from agent.client.hands import Surehand
from agent.client.reports import HandError, RunReport
from tests.agent.conftest import PROGRAM

_PASSING = frozenset(
    {"pictures", "waited_s", "idle_s", "ms", "started_ms", "at_ms", "sha256", "scope", "requests", "args_digest"}
)
_PLACE = re.compile(r"WORKSPACE\.json:\d+:\d+: |(?<=-screenshot)-\d+")
_RUN = re.compile(r"\br[0-9a-f]{16}\b")
_SECONDS = re.compile(r"(waited|idle for) [\w. ]+? (?:s\b|seconds?)")

HALT = "Never there"
"""What a run that is to be stopped waits for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A service in a process of its own; or a folder that has none, where each door brings its own.

    Attributes:
        folder: The folder.
        address: Where it answers HTTP; empty where there is none.
        token: What it takes.
        voice: Where its voice's door listens; empty where it has none.
    """

    folder: Path
    address: str = ""
    token: str = ""
    voice: str = ""

    @property
    def headers(self) -> dict[str, str]:
        """What HTTP is asked with."""
        return {"Authorization": f"Bearer {self.token}"}

    def open_hand(self, **options: Any) -> AsyncSurehand:
        """Return the client that ships."""
        if not self.address:
            return AsyncSurehand(workspace=self.folder)
        return AsyncSurehand(self.address, token=self.token, **options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a door is asked for.

    Attributes:
        name: What it is called; each wish has sessions of its own.
        text: In words.
        goals: The same as goals; empty where there are none.
    """

    name: str
    text: str
    goals: Sequence[Mapping[str, Any]] = ()

    @property
    def halts(self) -> bool:
        """Whether whoever asks stops it once it has begun to wait."""
        return HALT in self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a door told of a request.

    Attributes:
        reply: Its reply.
        steps: What it says of the steps, in the words of that door; None where it tells of none.
        pictures: Pictures that came with it.
    """

    reply: str
    steps: Sequence[Mapping[str, Any]] | None = None
    pictures: int = 0


Door = Callable[[Served, Wish], Awaitable[Told]]


async def _run(served: Served, session: str, wish: Wish, *what: str) -> Told:
    """Run the command; one that is to be stopped is, as by Ctrl+C, once it waits."""
    where = ["--session", f"{session}-{wish.name}"] if served.address else ["--no-service"]
    command = [str(PROGRAM), "run", *what, "--json", *where]
    process = await asyncio.create_subprocess_exec(
        *command, cwd=served.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout
    events: list[dict[str, Any]] = []
    async for line in process.stdout:
        events.append(json.loads(line))
        if wish.halts and HALT in str(events[-1].get("description")) and events[-1]["status"] == "started":
            process.send_signal(signal.SIGINT)
    _, said = await process.communicate()
    assert events, said
    return Told(reply=events[-1]["reply"], steps=events[-1]["steps"])


async def ask_command_line(served: Served, wish: Wish) -> Told:
    """Run the command, which uses the service that is there."""
    return await _run(served, "cli", wish, wish.text)


async def ask_by_goals(served: Served, wish: Wish) -> Told:
    """Run the command with goals that another program wrote."""
    file = served.folder.with_suffix(".json")
    await asyncio.to_thread(file.write_text, json.dumps([*wish.goals]), encoding="utf-8")
    return await _run(served, "goals", wish, "--goals", str(file))


async def ask_async_client(served: Served, wish: Wish) -> Told:
    """Use the Python client for programs that wait for much at once."""
    async with served.open_hand(session=f"async-{wish.name}") as hand:
        try:
            async for event in hand.stream(wish.text):
                if _is_halted(wish, event):
                    await hand.stop()
                if isinstance(event, RunEnded):
                    return _tell_report(event.report)
        except HandError as error:
            return Told(reply=error.message)
    raise AssertionError("no report")


async def ask_client(served: Served, wish: Wish) -> Told:
    """Use the Python client."""

    def ask() -> Told:
        options = HandOptions(workspace=served.folder)
        if served.address:
            options = HandOptions(token=served.token, session=f"client-{wish.name}")
        with Surehand(served.address or None, **options) as hand:
            try:
                for event in hand.stream(wish.text):
                    if _is_halted(wish, event):
                        hand.stop()
                    if isinstance(event, RunEnded):
                        return _tell_report(event.report)
            except HandError as error:
                return Told(reply=error.message)
        raise AssertionError("no report")

    return await asyncio.to_thread(ask)


async def ask_http(served: Served, wish: Wish) -> Told:
    """Ask HTTP as any program does."""
    async with httpx.AsyncClient(trust_env=False, timeout=60) as http:
        body = {"text": wish.text, "session": f"http-{wish.name}", "wait": True, "attended": False, "goals": None}
        answer = await http.post(f"{served.address}/v1/runs", json=body, headers=served.headers)
        record = answer.json()
        listed = await http.get(f"{served.address}/v1/runs/{record['run_id']}/artifacts", headers=served.headers)
    return Told(reply=record["reply"], steps=record["step_logs"], pictures=_count_shots(listed.json()))


async def ask_completions(served: Served, wish: Wish) -> Told:
    """Ask as a front end for chats does."""
    body = {
        "model": "surehand",
        "messages": [{"role": "user", "content": wish.text}],
        "metadata": {"session": f"chat-{wish.name}"},
        "n": None,
    }
    async with httpx.AsyncClient(trust_env=False, timeout=60) as http:
        answer = await http.post(f"{served.address}/v1/chat/completions", json=body, headers=served.headers)
    assert answer.status_code == 200, answer.text
    return Told(reply=answer.json()["choices"][0]["message"]["content"])


async def ask_mcp_stdio(served: Served, wish: Wish) -> Told:
    """Ask as an assistant does that starts its servers."""
    command = StdioServerParameters(
        command=str(PROGRAM), args=["mcp", "--session", f"stdio-{wish.name}"], cwd=served.folder, env=dict(os.environ)
    )
    async with Client(command) as client:
        return await _do(client, wish.text)


async def ask_mcp_http(served: Served, wish: Wish) -> Told:
    """Ask as an assistant does that reaches its servers over HTTP."""
    async with (
        httpx2.AsyncClient(headers=served.headers, trust_env=False, timeout=60) as http,
        Client(streamable_http_client(f"{served.address}/mcp", http_client=http)) as client,
    ):
        return await _do(client, wish.text)


async def ask_home_assistant(served: Served, wish: Wish) -> Told:
    """Ask as Home Assistant does, which speaks what it is told."""
    body = {"text": wish.text, "conversation_id": wish.name, "language": None}
    async with httpx.AsyncClient(trust_env=False, timeout=60) as http:
        answer = await http.post(f"{served.address}/api/conversation/process", json=body, headers=served.headers)
    return Told(reply=answer.json()["response"]["speech"]["plain"]["speech"])


async def ask_voice(served: Served, wish: Wish) -> Told:
    """Ask as a voice assistant does."""
    async with AsyncClient.from_uri(served.voice, read_timeout=60) as client:
        await client.write_event(Transcript(wish.text, context={"conversation_id": wish.name}).event())
        while event := await client.read_event():
            if Handled.is_type(event.type) or NotHandled.is_type(event.type):
                return Told(reply=str(event.data["text"]))
    raise AssertionError("no reply")


DOORS: Mapping[str, Door] = {
    "command line": ask_command_line,
    "goals": ask_by_goals,
    "client": ask_client,
    "async client": ask_async_client,
    "http": ask_http,
    "completions": ask_completions,
    "mcp over stdio": ask_mcp_stdio,
    "mcp over http": ask_mcp_http,
    "home assistant": ask_home_assistant,
    "voice": ask_voice,
}
ALONE = ("command line", "goals", "client", "async client", "mcp over stdio", "voice")
"""Doors that need no service of the folder."""

SPOKEN = ("home assistant", "voice")
"""Doors whose replies are spoken."""

UNATTENDED = ("command line", "goals", "client", "async client", "http")
"""Doors where nobody is asked, as they are used here."""

STOPPING = ("command line", "goals", "client", "async client")
"""Doors that stop what they began themselves."""


def describe_steps(steps: Sequence[Mapping[str, Any]], folder: Path) -> list[Any]:
    """Return what is the same of receipts wherever they were made: without times, scopes, and the names of files that were made.

    Args:
        steps: The receipts.
        folder: Where they were made.
    """
    return json.loads(describe_text(json.dumps(_leave_out(list(steps))), folder))


def describe_text(text: str, folder: Path) -> str:
    """Return a reply without its times, what tells its run and files from others, the folder that it was made in, and the place in a file of goals."""
    text = _RUN.sub("RUN", text.replace(str(folder), "WORKSPACE"))
    return _SECONDS.sub(r"\1 N s", _PLACE.sub("", text))


def _leave_out(told: Any) -> Any:
    if isinstance(told, Mapping):
        return {name: _leave_out(each) for name, each in told.items() if name not in _PASSING}
    return [_leave_out(each) for each in told] if isinstance(told, list | tuple) else told


def _is_halted(wish: Wish, event: RunEvent) -> bool:
    return wish.halts and isinstance(event, StepBegun) and HALT in event.description


def _tell_report(report: RunReport) -> Told:
    return Told(reply=report.reply, steps=report.record["step_logs"])


def _count_shots(files: Sequence[Mapping[str, Any]]) -> int:
    return sum(each["media_type"] == "image/png" for each in files)


async def _do(client: Client, text: str) -> Told:
    result = await client.call_tool("do", {"text": text, "goals": None, "request_id": None})
    told: dict[str, Any] = dict(result.structured_content or {})
    pictures = [each for each in result.content if isinstance(each, ImageContent) and each.mime_type == "image/png"]
    if "run_id" not in told:
        return Told(reply=told["reply"], pictures=len(pictures))
    (run,) = (await client.read_resource(f"surehand://runs/{told['run_id']}")).contents
    assert isinstance(run, TextResourceContents)
    return Told(reply=told["reply"], steps=json.loads(run.text).get("step_logs"), pictures=len(pictures))
