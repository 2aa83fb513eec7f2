"""`surehand wyoming` in a process of its own, on real pages, asked by the protocol's own client."""

import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from wyoming.asr import Transcript
from wyoming.client import AsyncClient
from wyoming.handle import Handled

from fixtures.site_server import SiteServer
from tests.agent.cli.talking.test_chat import READY, open_chat
from tests.agent.conftest import Command

Start = Callable[..., subprocess.Popen[bytes]]


def find_uri(process: subprocess.Popen[bytes]) -> str:
    assert process.stdout
    line = process.stdout.readline().decode()
    found = re.search(r"tcp://127\.0\.0\.1:\d+", line)
    assert found, line
    return found[0]


def write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def list_texts(folder: Path) -> list[str]:
    return [each.read_text(encoding="utf-8") for each in folder.glob("*.txt")]


async def say(uri: str, text: str) -> str:
    async with AsyncClient.from_uri(uri, read_timeout=60) as client:
        await client.write_event(Transcript(text, context={"conversation_id": "k"}).event())
        while event := await client.read_event():
            if Handled.is_type(event.type):
                return str(event.data["text"])
            assert event.type.startswith("handled"), event.data
    raise AssertionError("no reply")


@pytest.mark.skipif(sys.platform == "win32", reason="a signal ends it")
async def test_voices_are_understood_in_the_language_that_was_chosen(start: Start, site: SiteServer) -> None:
    process = start("wyoming", "--uri", "tcp://127.0.0.1:0", "--language", "de")
    uri = find_uri(process)
    assert await say(uri, f"öffne {site.url}/shop/item/blue-mug") == "I opened a page on this computer."
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=20) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="a signal ends it")
async def test_a_voice_reads_a_page_and_goes_on_where_it_was(start: Start, site: SiteServer) -> None:
    process = start("wyoming", "--uri", "tcp://127.0.0.1:0")
    uri = find_uri(process)
    told = await say(uri, f"open {site.url}/shop/item/blue-mug and read the price")
    assert told == (
        "I opened a page on this computer and read the text of “price”; the page on this computer says: “eight pounds fifty”."
    )
    assert "Blue mug" in await say(uri, "read the title")
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=20) == 0


@pytest.mark.parametrize("uri", ["tcp://0.0.0.0:10600", "tcp://127.0.0.1", "rubbish"])
def test_a_place_that_others_can_reach_is_refused_before_anything_begins(
    uri: str, surehand: Command, tmp_path: Path
) -> None:
    said = surehand("wyoming", "--uri", uri)
    assert (said.code, said.out) == (2, "")
    assert "bad_address" in said.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal answers")
async def test_what_a_voice_may_not_approve_is_confirmed_in_the_chat(start: Start, tmp_path: Path) -> None:
    serving = start("serve", "--port", "0")
    assert serving.stdout
    assert b"serves" in serving.stdout.readline()
    uri = find_uri(start("wyoming", "--uri", "tcp://127.0.0.1:0"))
    asked = await say(uri, 'write "hello" to notes.txt')
    assert asked == "A person has to confirm that: Write notes.txt, with content hello. Say no to leave it."
    assert "A person has to confirm that" in await say(uri, "yes")
    assert list_texts(tmp_path) == []
    with open_chat(tmp_path, session="voice.k") as talk:
        talk.say("what are you doing?", "waiting for an answer", "…")
        talk.say("yes", READY)
        while "I wrote" not in talk.say("what are you doing?", READY):
            pass
    assert list_texts(tmp_path) == ["hello"]


@pytest.mark.skipif(sys.platform == "win32", reason="a signal ends the service")
async def test_a_voice_outlives_the_service_that_it_goes_through(start: Start, tmp_path: Path) -> None:
    write_text(tmp_path / "a.txt", "one")
    serving = start("serve", "--port", "0")
    assert serving.stdout
    serving.stdout.readline()
    uri = find_uri(start("wyoming", "--uri", "tcp://127.0.0.1:0"))
    assert "one" in await say(uri, "read a.txt")
    serving.send_signal(signal.SIGTERM)
    assert serving.wait(timeout=20) == 0
    assert "one" in await say(uri, "read a.txt")
