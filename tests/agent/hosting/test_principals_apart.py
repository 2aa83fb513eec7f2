"""Principals are apart: all stores are listed, and none of them shows one principal what is another's.

``python -m pytest -s tests/agent/hosting/test_principals_apart.py`` prints what was looked at by store and by door.
"""

import asyncio
import re
import sqlite3
import stat
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from actuators.own_folders import locate_state_folder
from agent.access.token_gate import TokenGate
from agent.cli.telemetry import open_telemetry
from agent.facts.workspace_facts import WorkspaceFacts
from agent.http.app import AppParts, make_app
from agent.http.completion_bodies import ChatMessage
from agent.http.completions import ChatThreads
from agent.serving.opening import make_local_service
from agent.settings.folder_checks import PRINCIPALS_FOLDER, locate_state
from agent.store.service_runs import ServedRun, ServiceRuns
from agent.web.server import DoorServer, listen_on
from fixtures.site_server import SiteServer
from tests.agent.conftest import Command
from tests.agent.hosting.principals import SETTINGS, House, Someone, list_files, read_file

RUN = r"r[0-9a-f]{16}"
PRINCIPALS_STORES = {
    "memory": r"agent_context\.(json|lock)",
    "saved runs": rf"agent_sessions/(format|{RUN})\.json",
    "journal": r"journal\.(sqlite(-wal|-shm)?|witness|lock)",
    "artifacts": rf"artifacts/({RUN}/)?[\w.-]+\.(png|jpg|json)",
    "recordings": r"recordings/main/.+\.(zip|webm)",
    "traces": r"traces/.+\.zip",
    "undo records": r"undo/[0-9a-f]{64}",
    "remembered flows": r"flows/[0-9a-f]{64}(\.json|/\w+\.jpg)",
    "planners' work": r"planners\.(sqlite(-wal|-shm)?|witness|lock)",
    "planners' shapes": r"planner_shapes\.json",
    "log of runs": r"logs/surehand\.jsonl(\.lock)?",
}
"""What lies in the folder of each principal, by store."""

SHARED_STORES = {"the service's runs": r"service\.sqlite(-wal|-shm)?"}
"""What lies in one place for everybody, with the principal in each row."""

PERSONS_STORES = {
    "key": r"seal\.(key|lock)",
    "models' answers": r"models/[0-9a-f]{32}/[0-9a-f]{64}\.json",
    "models' budgets": r"models/[0-9a-f]{32}/spent\.(json|lock)",
    "alerts": r"alerts/[0-9a-f]{20}\.(json|lock)",
}
"""What lies in the person's own state folder, outside of every workspace; of each principal in files of their own."""

BY_ID = re.compile(r"\{(run_id|artifact_id|question_id)\}")
ENDLESS_S = 2.0


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sequence[Someone]:
    """The person at this machine and two guests; nobody else ever stored anything here."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return [Someone(""), Someone("ada"), Someone("AdaBob")]


@pytest.fixture
async def house(tmp_path: Path, people: Sequence[Someone]) -> AsyncIterator[House]:
    """A service in which everybody did one of everything."""
    folder = tmp_path / "work"
    folder.mkdir()
    service = make_local_service(
        SETTINGS, folder, lambda session, principal: session.observe(open_telemetry(SETTINGS, folder, principal))
    )
    with SiteServer() as site:
        made = House(service, folder, site.url)
        for each in people:
            await made.leave_everything(each)
            await made.ask(each)
        yield made
        await service.close(0)


@pytest.fixture
async def address(house: House, people: Sequence[Someone]) -> AsyncIterator[str]:
    """Where the service answers over HTTP."""
    gate = TokenGate([each.principal for each in people])
    listener = listen_on("127.0.0.1", 0)

    async def find_facts() -> WorkspaceFacts:
        return WorkspaceFacts(house.folder)

    server = DoorServer(make_app(house.service, gate, AppParts(find_facts=find_facts)), [listener])
    server.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    await server.stop()


def find_store(name: str, stores: Mapping[str, str]) -> str:
    """Return the store that a file is of; a file that is of none has to be put into the tables above, and kept apart."""
    found = [store for store, pattern in stores.items() if re.fullmatch(pattern, name)]
    assert len(found) == 1, f"{name} is of no store that is listed"
    return found[0]


def find_foreign(text: str, who: Someone, people: Sequence[Someone]) -> list[str]:
    """Return what stands in a text that is another's."""
    return [trace for each in people if each is not who for trace in each.list_traces() if trace and trace in text]


def read_rows(folder: Path, who: Someone) -> Iterator[str]:
    """Yield the rows that the service keeps of somebody's runs."""
    with closing(sqlite3.connect(folder / "service.sqlite")) as connection:
        for row in connection.execute("SELECT * FROM runs WHERE principal = ?", (who.name,)):
            yield repr(row)


async def test_no_store_holds_what_is_anothers(house: House, people: Sequence[Someone]) -> None:
    await house.service.close(0)
    looked, crossed = Counter[str](), Counter[str]()

    def note(store: str, foreign: Sequence[str]) -> None:
        looked[store] += 1
        crossed[store] += len(foreign)

    top = locate_state(house.folder)
    for each in people:
        state = locate_state(house.folder, each.name)
        for name in list_files(state):
            if state == top and (name.startswith(f"{PRINCIPALS_FOLDER}/") or re.fullmatch(r"service\.sqlite.*", name)):
                continue
            note(find_store(name, PRINCIPALS_STORES), find_foreign(await read_file(state / name), each, people))
        for row in read_rows(top, each):
            note("the service's runs", find_foreign(row, each, people))
    for name in list_files(locate_state_folder()):
        told = await read_file(locate_state_folder() / name)
        owners = [each for each in people if any(trace in told for trace in each.list_traces() if trace)]
        note(find_store(name, PERSONS_STORES), [each.mark for each in owners[1:]])
    assert {each.name for each in (top / PRINCIPALS_FOLDER).iterdir()} == {"ada", "=41da=42ob"}
    if sys.platform != "win32":
        own = [top / PRINCIPALS_FOLDER, *(top / PRINCIPALS_FOLDER).iterdir()]
        assert {stat.S_IMODE(each.stat().st_mode) for each in own} == {0o700}
    assert sorted(looked) == sorted({**PRINCIPALS_STORES, **SHARED_STORES, **PERSONS_STORES})
    print_table("store", looked, crossed)
    assert not +crossed


async def test_no_verb_recalls_forgets_or_takes_back_what_is_anothers(house: House, people: Sequence[Someone]) -> None:
    looked, crossed = Counter[str](), Counter[str]()
    for each in people:
        await house.service.stop(each.caller, run_id=each.waiting)
    for number, each in enumerate(people):
        recall, summarize = ("memory.recall", {"key": "city"}), ("project.summarize", {})
        for way, record in (
            ("recall", await house.run(each, recall)),
            ("summarise", await house.run(each, summarize)),
            ("what was said", await house.say(each, "what did you do?")),
            ("undo", await house.say(each, "undo")),
            ("forget", await house.run(each, ("memory.forget", {"key": "city"}))),
            ("recall what is forgotten", await house.run(each, recall)),
        ):
            looked[way] += 1
            crossed[way] += len(find_foreign(repr(record), each, people))
        left = [(house.folder / other.file).read_text("utf-8") == other.mark for other in people]
        assert left[: number + 1] == [False] * (number + 1)  # each took back their own
        crossed["undo"] += left[number + 1 :].count(False)
    print_table("way", looked, crossed)
    assert not +crossed


async def test_no_route_tells_of_or_touches_what_is_anothers(
    house: House, people: Sequence[Someone], address: str
) -> None:
    looked, crossed = Counter[str](), Counter[str]()
    gone: list[Someone] = []
    async with httpx.AsyncClient(base_url=address, trust_env=False, timeout=60) as client:
        routes = await list_routes(client, people[0])
        for who in people:
            for other in (each for each in people if each is not who and each not in gone):
                for method, route in routes:
                    if not who.name and route.startswith("/v1/questions"):
                        continue  # the person at this machine answers for all
                    looked[f"{method} {route}"] += 1
                    crossed[f"{method} {route}"] += await cross(client, (method, route), who, other)
                assert (await house.service.read_run(other.caller, other.waiting))["status"] == "running"
                assert other.question in [q.question_id for q in await house.service.list_questions(other.caller)]
            gone.append(who)  # what stops and closes everything of theirs was asked for, too
    print_table("route", looked, crossed)
    assert len(routes) > 30
    assert not +crossed


async def test_the_same_request_id_and_the_same_words_in_a_chat_are_of_each_principal_their_own(
    house: House, people: Sequence[Someone], address: str
) -> None:
    assert len({each.waiting for each in people}) == len(people)
    said = {"model": "surehand", "messages": [{"role": "user", "content": "what can you do?"}]}
    async with httpx.AsyncClient(base_url=address, trust_env=False, timeout=60) as client:
        for each in people:
            theirs = {"Authorization": f"Bearer {each.token}"}
            assert (await client.post("/v1/chat/completions", json=said, headers=theirs)).status_code == 200
    chats = [
        {session.name for session in await house.service.list_sessions(each.caller) if session.name != "main"}
        for each in people
    ]
    assert [len(each) for each in chats] == [1, 1, 1]
    assert len(set.union(*chats)) == len(people)


async def test_what_one_has_too_many_of_makes_nobody_else_forget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent.store.service_rows._KEPT", 3)
    monkeypatch.setattr("agent.store.service_rows._FORGOTTEN_AT_ONCE", 1)
    monkeypatch.setattr("agent.http.completions._MOST_CHATS", 3)
    shelf, threads = ServiceRuns(tmp_path), ChatThreads()
    said = [ChatMessage(role="user", content="hello"), ChatMessage(role="assistant", content="hello")]
    threads.keep("", said[:1], "hello", "mine")
    for number in range(5):
        for principal in ("", "ada") if not number else ("ada",):
            run = ServedRun(run_id=f"{principal}{number}", principal=principal, session="main", request_id=str(number))
            assert await shelf.claim(run) is None
        threads.keep("ada", [ChatMessage(role="user", content=str(number))], "hello", "theirs")
    assert [each.run_id for each in await shelf.list_of("ada")] == ["ada4", "ada3", "ada2"]
    assert [each.run_id for each in await shelf.list_of("")] == ["0"]
    assert threads.find_session("", said, "call") == "mine"
    await shelf.close()


async def test_what_principals_keep_is_migrated_with_the_rest(
    house: House, people: Sequence[Someone], surehand: Command
) -> None:
    await house.service.close(0)
    assert surehand("migrate", "--workspace", str(house.folder)).out == "Everything is up to date.\n"
    (locate_state(house.folder, "ada") / "agent_context.json").write_text("{}", encoding="utf-8")
    said = surehand("migrate", "--workspace", str(house.folder))
    assert (said.code, "principals/ada/agent_context.json: left unchanged" in said.out) == (1, True)


async def list_routes(client: httpx.AsyncClient, who: Someone) -> Sequence[tuple[str, str]]:
    """Return every route that the service has; what ends the asker's own comes last."""
    told = (await client.get("/v1/openapi.json", headers={"Authorization": f"Bearer {who.token}"})).json()
    found = [(method.upper(), path) for path, ways in told["paths"].items() for method in ways]
    return sorted(found, key=lambda each: (each[0] == "DELETE" or each[1].endswith("stop"), each))


async def cross(client: httpx.AsyncClient, route: tuple[str, str], who: Someone, other: Someone) -> int:
    """Ask for something of another's in every place where a route takes a name; return what was wrong with the answer."""
    method, path = route
    names: Mapping[str, Any] = {
        "run_id": other.runs[0],
        "artifact_id": f"{other.runs[0]}.0",
        "question_id": other.question,
        "name": "main",
        "alert": other.mark,
        "item_id": other.mark,
        "model": "surehand",
    }
    target = re.sub(r"\{(\w+)(:\w+)?\}", lambda found: str(names[found[1]]), path)
    bodies: Mapping[str, Any] = {"POST": {"digest": "0" * 64, "answer": False}, "PUT": {}}
    if "{item_id}" in path:
        bodies = {"POST": {"state": "failed"}}
    body = (
        bodies.get(method)
        if "{question_id}" in path or "{item_id}" in path or method == "PUT"
        else {}
        if method == "POST"
        else None
    )
    theirs = {"Authorization": f"Bearer {who.token}"}
    text, status = "", 0
    with suppress(TimeoutError):  # of a stream that never ends, its beginning
        async with (
            asyncio.timeout(ENDLESS_S),
            client.stream(method, target, json=body, headers=theirs) as response,
        ):
            status = response.status_code
            async for part in response.aiter_text():
                text += part
    asked = {*names.values()}
    foreign = [trace for trace in find_foreign(text, who, [other]) if trace not in asked]
    return len(foreign) + (bool(BY_ID.search(path)) and status != 404)


def print_table(kind: str, looked: Counter[str], crossed: Counter[str]) -> None:
    """Print what was looked at and how much of it was another's."""
    width = max(map(len, looked))
    rows = [(kind, "looked at", "crossings"), *((name, count, crossed[name]) for name, count in looked.items())]
    rows.append(("together", looked.total(), crossed.total()))
    sys.stdout.write("".join(f"\n{name:<{width}}  {count:>9}  {foreign:>9}" for name, count, foreign in rows) + "\n")
