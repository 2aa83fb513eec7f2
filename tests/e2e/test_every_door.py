"""One request through every door, through a service and without one, and what doors do together. With `-s` it prints what each door told."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from agent.client.events import QuestionAsked, RunEnded, StepBegun
from agent.client.hands import Surehand
from agent.client.questions import leave_open
from agent.client.wishes import RunWishes
from agent.remote.service_file import find_running
from agent.speech.wording import list_names, speak
from fixtures.site_server import SiteServer
from tests.agent.conftest import Start, start_in
from tests.e2e.doors import (
    ALONE,
    DOORS,
    HALT,
    SPOKEN,
    STOPPING,
    UNATTENDED,
    Served,
    Told,
    Wish,
    describe_steps,
    describe_text,
)
from tests.thoroughness import spread

REQUEST = "open the shop and read the basket total"
SLACK = 10  # a machine that does much else at the same time is slower; what is stopped would take 13 s
pytestmark = pytest.mark.skipif(os.name == "nt", reason="programs are ended by signals")


def read_line(process: subprocess.Popen[bytes]) -> str:
    assert process.stdout
    return process.stdout.readline().decode()


@pytest.fixture(scope="module")
def site() -> Iterator[SiteServer]:
    """The fixture sites, for all tests here."""
    with SiteServer() as server:
        yield server


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder that is served; what is there of settings is beside it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        yield tmp_path_factory.mktemp("served")


@pytest.fixture
def start(folder: Path) -> Iterator[Start]:
    """Starts the installed command in the folder that is served, for one test."""
    with start_in(folder) as start:
        yield start


@pytest.fixture(scope="module")
def served(site: SiteServer, folder: Path) -> Iterator[Served]:
    """A service of a folder whose person calls the fixture shop's basket `shop`."""
    own = Path(os.environ["XDG_CONFIG_HOME"]) / "surehand"
    own.mkdir()
    shop = f'[platforms.shop]\nhome_url = "{site.url}/everyday/basket"\nsearch_url = "{site.url}/shop?q={{query}}"\n'
    (own / "settings.toml").write_text(shop, encoding="utf-8")
    with start_in(folder) as start:
        told = json.loads(read_line(start("serve", "--port", "0", "--json")))
        yield Served(folder=folder, address=told["address"], token=told["token"])


@pytest.fixture(scope="module")
def alone(site: SiteServer, served: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A folder without a service; the settings are the same, and a voice stands there."""
    folder = tmp_path_factory.mktemp("alone") / served.folder.name  # a voice says no more of a folder than its name
    folder.mkdir()
    with start_in(folder) as start:
        yield Served(folder=folder, voice=read_voice(start, "--no-service"))


@pytest.fixture(scope="module")
def heard(served: Served) -> Iterator[Served]:
    """The service, with a voice before it."""
    with start_in(served.folder) as start:
        yield replace(served, voice=read_voice(start))


def read_voice(start: Start, *options: str) -> str:
    """Start what listens, and return where."""
    told = re.search(r"tcp://127\.0\.0\.1:\d+", read_line(start("wyoming", "--uri", "tcp://127.0.0.1:0", *options)))
    assert told
    return told[0]


WISHES = {
    "success": (REQUEST, "£24.00"),
    "miss": ('open the shop and click the button "Nowhere"', "Nothing matches"),
    "refusal": ("read the file /etc/passwd", "outside the folders"),
    "question": ("click", "What shall I click?"),
    "approval": ('write "hello" to letter.txt', "Not approved"),
    "picture": ("open the shop and take a screenshot", "took a screenshot"),
    "file": ("read the file list.txt", "milk"),
    "stop": (f'open the shop and wait 20 seconds for the text "{HALT}"', "I was stopped"),
}
"""What is asked for, and what is in the reply."""

GOALS = {"refusal": [{"domain": "file", "verb": "read", "params": {"path": "/etc/passwd"}}]}
SHOWING = {f"mcp over {way}" for way in ("stdio, alone", "stdio, through a service", "http, through a service")} | {
    "http, through a service"
}
ASKED = ("They can say yes in Surehand's console or in surehand chat.", "Say no to leave it.")
"""What is said of an act that waits, to eyes and to ears."""

PLANNED = ("domain", "verb", "params", "object", "scope", "goal_id")


@asynccontextmanager
async def stopping(place: Served, wish: Wish, door: str) -> AsyncGenerator[None]:
    """Stop a run that is to be stopped from another door, once it waits."""
    ending = asyncio.ensure_future(stop_from_elsewhere(place)) if wish.halts and door not in STOPPING else None
    yield
    if ending:
        await ending


async def stop_from_elsewhere(place: Served) -> None:
    while (running := await asyncio.to_thread(find_running, place.folder)) is None:
        await asyncio.wait({asyncio.ensure_future(asyncio.Event().wait())}, timeout=0.05)
    headers = {"Authorization": f"Bearer {running.token}"}
    async with httpx.AsyncClient(base_url=running.address, headers=headers, trust_env=False) as owner:
        while not (going := [each for each in (await owner.get("/v1/runs")).json() if each["status"] == "running"]):
            pass
        run = f"/v1/runs/{going[0]['run_id']}"
        async with owner.stream("GET", f"{run}/events", timeout=30) as events:
            async for line in events.aiter_lines():
                if HALT in line and '"started"' in line:
                    await owner.post(f"{run}/stop")


async def refuse_all(served: Served) -> None:
    """Say no to all that waits, and close what was opened."""
    async with httpx.AsyncClient(base_url=served.address, headers=served.headers, trust_env=False) as owner:
        for asked in (await owner.get("/v1/questions")).json():
            if asked["kind"] == "confirm":
                body = {"digest": asked["digest"], "answer": False}
                await owner.post(f"/v1/questions/{asked['question_id']}", json=body)
        for session in (await owner.get("/v1/sessions")).json():
            await owner.delete(f"/v1/sessions/{session['name']}")


async def make_wish(served: Served, kind: str) -> Wish:
    text, goals = WISHES[kind][0], GOALS.get(kind, [])
    if kind not in {"refusal", "question"}:
        async with served.open_hand() as hand:
            planned = await hand.plan(text)
        goals = [{name: goal[name] for name in PLANNED} for goal in planned["goals"]]
    return Wish(name=kind, text=text, goals=goals)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", spread(list(WISHES), 2))
async def test_one_request_has_the_same_goals_receipts_and_reply_through_every_door(
    heard: Served, alone: Served, kind: str
) -> None:
    wish = await make_wish(heard, kind)
    told: dict[str, Told] = {}
    spoken = ""
    for place, names in ((heard, tuple(DOORS)), (alone, ALONE)):
        await asyncio.to_thread((place.folder / "list.txt").write_text, "milk\n", encoding="utf-8")
        for name in names:
            if (name == "goals" and not wish.goals) or (wish.halts and place is alone and name == "voice"):
                continue
            async with stopping(place, wish, name):
                one = await DOORS[name](place, wish)
            told[f"{name}, {'alone' if place is alone else 'through a service'}"] = describe_told(one, place.folder)
            if place is heard and name == "completions":
                one = replace(one, reply=one.reply.replace(*ASKED)) if kind == "approval" else one
                spoken = speak(one.reply, list_names(told["client, through a service"].steps or []))
    await refuse_all(heard)
    await DOORS["voice"](alone, replace(wish, text="no"))
    print_table(kind, told)
    receipts, asked = told["client, through a service"], told["completions, through a service"].reply
    assert WISHES[kind][1] in receipts.reply
    assert (asked == receipts.reply) is (kind != "approval")
    assert {way: each.steps for way, each in told.items() if each.steps not in (None, receipts.steps)} == {}
    expected = {
        way: receipts.reply
        if way.startswith(UNATTENDED)
        else describe_text(spoken, heard.folder)
        if way.startswith(SPOKEN)
        else asked
        for way in told
    }
    assert {way: each.reply for way, each in told.items()} == expected
    assert {way for way, each in told.items() if each.pictures} == (SHOWING if kind in {"miss", "picture"} else set())


def describe_told(one: Told, folder: Path) -> Told:
    steps = None if one.steps is None else describe_steps(one.steps, folder)
    return replace(one, reply=describe_text(one.reply, folder), steps=steps)


def print_table(kind: str, told: Mapping[str, Told]) -> None:
    """Print what each door told; seen with ``-s``."""
    for way, each in told.items():
        steps = "-" if each.steps is None else " ".join(step["result"]["status"] for step in each.steps)
        sys.stdout.write(f"{kind:<9} {way:<34} {steps:<18} {each.pictures or '':<2} {each.reply[:90]}\n")


async def test_a_question_asked_of_a_program_is_answered_over_http(served: Served) -> None:
    async with served.open_hand() as hand, httpx.AsyncClient(headers=served.headers, trust_env=False) as http:
        async for event in hand.stream('write "hello" to notes.txt', answer=leave_open):
            if isinstance(event, QuestionAsked):
                assert not (served.folder / "notes.txt").exists()
                (asked,) = (await http.get(f"{served.address}/v1/questions")).json()
                body = {"digest": asked["digest"], "answer": True}
                await http.post(f"{served.address}/v1/questions/{asked['question_id']}", json=body)
    assert (served.folder / "notes.txt").read_text(encoding="utf-8") == "hello"


async def test_a_stop_from_a_second_client_ends_a_run_within_200_ms(served: Served, site: SiteServer) -> None:
    async with served.open_hand(session="first") as first, served.open_hand(session="first") as second:
        await first.run(f"open {site.url}/everyday/basket")
        ended, began = 0.0, 0.0
        async for event in first.stream('click the button "Nowhere"'):
            if isinstance(event, StepBegun):
                began = time.perf_counter()
                assert await second.stop() == 1
            if isinstance(event, RunEnded):
                ended = time.perf_counter()
                assert event.report.outcome == "cancelled"
    assert ended - began < 0.2 * SLACK


def test_a_request_that_is_asked_again_after_the_service_was_killed_runs_once(
    served: Served, start: Start, site: SiteServer
) -> None:
    wishes = RunWishes(request_id="order-7", session="kept")
    with Surehand(served.address, token=served.token) as hand:
        first = hand.run(f"open {site.url}/everyday/basket and read the basket total", **wishes)
        hand.find_runs()
    running = find_running(served.folder)
    assert running
    os.kill(running.pid, signal.SIGKILL)
    visits = len(site.received)
    told = json.loads(read_line(start("serve", "--port", "0", "--json")))
    with Surehand(told["address"], token=told["token"]) as hand:
        again = hand.run(f"open {site.url}/everyday/basket and read the basket total", **wishes)
    assert (again.run_id, again.reply) == (first.run_id, first.reply)
    assert len(site.received) == visits
