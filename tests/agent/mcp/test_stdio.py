"""`surehand mcp` as assistants start it: a process of its own, spoken to by the SDK's client over stdin and stdout."""

import asyncio
import base64
import os
import subprocess
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import ImageContent

from agent.remote.http_exchange import ServiceClient
from agent.remote.remote import RemoteService
from agent.remote.service_file import find_running
from agent.remote.socket_places import list_records
from agent.service.callers import Caller
from fixtures.site_server import SiteServer
from tests.agent.conftest import PROGRAM
from tests.agent.mcp.conftest import ERAS
from tests.agent.mcp.test_tools import read
from tests.thoroughness import spread

PERSON = Caller(door="cli")


@asynccontextmanager
async def start(folder: Path, *options: str, mode: str = "auto") -> AsyncGenerator[Client]:
    """Start a server in a folder, and connect to it."""
    command = StdioServerParameters(command=str(PROGRAM), args=["mcp", *options], cwd=folder, env=dict(os.environ))
    async with Client(command, mode=mode) as client:
        yield client


@asynccontextmanager
async def visit(folder: Path) -> AsyncGenerator[RemoteService]:
    """Reach the folder's service as a person's command does."""
    running = find_running(folder)
    assert running
    service = RemoteService(ServiceClient(running))
    yield service
    await service.close()


@pytest.mark.parametrize("mode", spread(ERAS, 1))
async def test_a_person_confirms_on_another_door_what_an_assistant_asks_for(tmp_path: Path, mode: str) -> None:
    async with start(tmp_path, mode=mode) as client:
        asked = read(await client.call_tool("do", {"text": 'write "hello" into notes.txt'}))
        assert asked["status"] == "needs_answer"
        assert not (tmp_path / "notes.txt").exists()
        async with visit(tmp_path) as service:
            (question,) = await service.list_questions(PERSON)
            assert question.question_id == asked["question"]["question_id"]
            await service.answer(PERSON, question.question_id, question.digest, answer=True)
        done = read(await client.call_tool("status", {"run_id": asked["run_id"], "wait_s": 30}))
    assert done["status"] == "success"
    assert (tmp_path / "notes.txt").read_text() == "hello"
    assert find_running(tmp_path) is None


async def test_an_assistant_gives_itself_no_yes_by_reading_the_token_and_opening_the_console(tmp_path: Path) -> None:
    """Three calls did it: read the service's record, ask for an act, press Approve in a browser of Surehand's own."""
    async with start(tmp_path) as asking, start(tmp_path) as client:
        asked = read(await asking.call_tool("do", {"text": 'write "hello" into notes.txt'}))
        assert asked["status"] == "needs_answer"
        running = find_running(tmp_path)
        assert running
        record = next(each for each in list_records(tmp_path / ".surehand") if each.exists())
        for path in (".surehand/service.json", str(record), running.socket):
            told = await client.call_tool("do", {"text": f"read the file {path}"})
            assert running.token not in repr(told)
            assert read(told)["status"] != "success"
        for host in ("127.0.0.1", "localhost"):
            address = running.address.replace("127.0.0.1", host)
            told = await client.call_tool("do", {"text": f"go to {address}/console/#token={running.token}"})
            assert read(told)["status"] != "success"
            assert "service of Surehand" in repr(told)
    assert not (tmp_path / "notes.txt").exists()


async def test_assistants_that_start_at_once_share_one_service(tmp_path: Path) -> None:
    async def ask() -> None:
        async with start(tmp_path, "--session", "desk") as client:
            assert not (await client.call_tool("plan", {"text": "remember that my desk is blue"})).is_error
            ready.release()
            await done.wait()

    ready, done = asyncio.Semaphore(0), asyncio.Event()
    asking = [asyncio.ensure_future(ask()) for _ in range(3)]
    for _ in asking:
        await ready.acquire()
    assert find_running(tmp_path)
    done.set()
    await asyncio.gather(*asking)
    await end_service(tmp_path)


async def test_a_second_assistant_is_served_by_the_service_of_the_first_and_once_it_has_ended_by_another(
    tmp_path: Path,
) -> None:
    wish = {"text": "remember that my desk is blue"}
    async with start(tmp_path, "--session", "desk") as first, start(tmp_path) as second:
        assert not (await first.call_tool("do", wish)).is_error
        assert [each["name"] for each in read(await second.call_tool("status", {}))["sessions"]] == ["desk"]
        await end_service(tmp_path)
        try:
            gone = await second.call_tool("plan", wish)
            assert gone.is_error
            assert "Another one is there now" in read(gone)["reply"]
            assert not (await second.call_tool("plan", wish)).is_error
        finally:
            await end_service(tmp_path)


async def end_service(folder: Path) -> None:
    """End the folder's service, as a person does."""
    ending = await asyncio.create_subprocess_exec(str(PROGRAM), "service", "stop", cwd=folder)
    assert await ending.wait() == 0


async def test_an_assistant_sees_a_page_its_outline_and_its_picture(tmp_path: Path, site: SiteServer) -> None:
    async with start(tmp_path) as client:
        opened = read(await client.call_tool("do", {"text": f"go to {site.url}/shop/signin"}))
        assert opened["status"] == "success", opened
        seen = await client.call_tool("look", {"max_tokens": 500})
        assert 'field "Email"' in read(seen)["text"]
        found = read(await client.call_tool("look", {"find": "password"}))
        assert 'field "Password"' in found["text"]
        shown = await client.call_tool("look", {"picture": True})
        (picture,) = [each for each in shown.content if isinstance(each, ImageContent)]
        assert base64.b64decode(picture.data).startswith(b"\x89PNG")
        taken = await client.call_tool("do", {"text": "take a screenshot"})
        assert [each.mime_type for each in taken.content if isinstance(each, ImageContent)] == ["image/png"]
        told = read(await client.call_tool("do", {"text": "read the title"}))
    assert told["steps"][0]["from"] == [f"the page at {site.url}/shop/signin"]


def test_a_folder_that_is_none_is_told_on_stderr_with_code_2(tmp_path: Path) -> None:
    command = [str(PROGRAM), "mcp", "--workspace", str(tmp_path / "none")]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "is not a folder" in done.stderr
