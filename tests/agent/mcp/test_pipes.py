"""Standard streams as pipes of the loop: whole lines, no thread, and nobody else waits."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress

import pytest

if sys.platform == "win32":
    pytest.skip("the library's own streams serve there", allow_module_level=True)

from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCNotification

from agent.mcp.pipes import PipeLines, PipeMessages, PipeText


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """A pipe whose ends block, as those of a process that was started do."""
    ends = os.pipe()
    yield ends
    for each in ends:
        with suppress(OSError):
            os.close(each)


async def test_lines_are_read_whole_however_they_come(pipe: tuple[int, int]) -> None:
    incoming, outgoing = pipe
    lines, long = aiter(PipeLines(incoming)), "x" * 300_000
    os.write(outgoing, b"one\ntwo\nthr")
    assert [await anext(lines), await anext(lines)] == ["one", "two"]
    coming = asyncio.ensure_future(anext(lines))
    await asyncio.sleep(0)
    os.write(outgoing, "ee – ".encode() + b"\xff\n\n")
    assert [await coming, await anext(lines)] == ["three – �", ""]
    writing = asyncio.ensure_future(asyncio.to_thread(os.write, outgoing, f"{long}\nlast".encode()))
    assert await anext(lines) == long
    await writing
    os.close(outgoing)
    assert [each async for each in lines] == ["last"]


async def test_whoever_writes_waits_for_a_reader_and_nobody_else_does(pipe: tuple[int, int]) -> None:
    incoming, outgoing = pipe
    text = "x" * 300_000
    writing = asyncio.ensure_future(PipeText(outgoing).write(text))
    done, _ = await asyncio.wait({writing}, timeout=0.05)
    assert not done
    assert os.get_blocking(outgoing)
    found = b""
    while len(found) < len(text):
        found += await asyncio.to_thread(os.read, incoming, 65_536)
    await writing
    assert found.decode() == text
    os.close(incoming)
    with pytest.raises(BrokenPipeError):
        await PipeText(outgoing).write("more")


async def test_a_text_is_whole_also_where_whoever_writes_it_is_stopped(pipe: tuple[int, int]) -> None:
    incoming, outgoing = pipe
    text, long = PipeText(outgoing), "x" * 300_000
    writing = asyncio.ensure_future(text.write(f"{long}\n"))
    done, _ = await asyncio.wait({writing}, timeout=0.05)
    assert not done
    writing.cancel()
    after = asyncio.ensure_future(text.write("after\n"))
    lines = aiter(PipeLines(incoming))
    assert [await anext(lines), await anext(lines)] == [long, "after"]
    await after


async def test_messages_are_lines_and_what_is_none_is_told_as_a_fault(pipe: tuple[int, int]) -> None:
    incoming, outgoing = pipe
    messages = PipeMessages(PipeLines(incoming), PipeText(outgoing))
    told = JSONRPCNotification(jsonrpc="2.0", method="notifications/told")
    await messages.send(SessionMessage(told))
    os.write(outgoing, b"no message\n")
    await messages.aclose()
    heard = await anext(messages)
    assert isinstance(heard, SessionMessage)
    assert heard.message == told
    assert isinstance(await anext(messages), ValueError)
    os.close(outgoing)
    with pytest.raises(StopAsyncIteration):
        await anext(messages)


PRINTING = """
import asyncio, os, sys
from agent.mcp.pipes import are_pipes, divert_streams

async def talk():
    with divert_streams() as (lines, text):
        os.system("echo stray; cat")
        print("stray", flush=True)
        async for line in lines:
            await text.write(f"heard {line}")
    print(" and after", flush=True)

assert are_pipes(0, 1)
asyncio.run(talk())
"""


def test_what_is_printed_meanwhile_is_no_message() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PRINTING], input="hello\n", capture_output=True, text=True, timeout=60, check=True
    )
    assert (done.stdout, done.stderr) == ("heard hello and after\n", "stray\nstray\n")
