"""A service works its backlog off by planners, those of another package among them; none that flaps or is stuck holds up the rest."""

import asyncio
import json
import os
import signal
from pathlib import Path
from typing import Any

import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import TextResourceContents

from agent.client.hands import Surehand
from agent.remote.remote import RemoteService
from agent.remote.service_file import read_service_file
from agent.requests.planner_wishes import PlannerWish
from agent.service.callers import Caller
from agent.service.orders import RunOrder, RunRecord
from tests.agent.conftest import PROGRAM
from tests.agent.serving.conftest import Place
from tests.e2e.doors import Served
from tests.e2e.planners.conftest import add, change_settings, list_states, reach, read, wait_for

CALLER = Caller(door="cli")


def test_twenty_items_are_worked_off_while_one_planner_flaps_and_one_is_stuck(errands: Place) -> None:
    for number in range(12):
        assert add(errands, f"n{number}", "note", key=f"note {number}").code == 0
    for number in range(6):
        assert errands.run("backlog", "add", f"f{number}", "--for", "flap", "--priority", "5").code == 0
    for number in range(2):
        assert errands.run("backlog", "add", f"s{number}", "--for", "stick", "--priority", "9").code == 0
    errands.serve()
    wait_for(lambda: set(list_states(errands)["note"]) == {"done"})
    wait_for(lambda: set(list_states(errands)["flap"]) == {"done"})
    wait_for(lambda: len(read(errands, "backlog", "show", "s0", "--json")[0]["moves"]) > 2)
    moves = read(errands, "backlog", "show", "s0", "--json")[0]["moves"]
    assert [each["after"] for each in moves][:3] == ["pending", "active", "failed"], "its slot is free again"
    alerts = {each["alert_id"] for each in read(errands, "health", "--dry-run", "--json")["alerts"]}
    assert {"backlog.flapping", "planner.failing"} <= alerts


def test_a_planner_of_another_package_is_listed_and_does_what_it_does_by_the_session(errands: Place) -> None:
    listed = {each["name"]: each for each in read(errands, "planners", "--json")}
    assert {"explore", "extract", "goals", "recover", "note", "flap", "stick"} == listed.keys()
    add(errands, "one", "note", key="one", text="hello")
    said = errands.run("work")
    assert (said.code, said.out.split()[:2]) == (0, ["success", "one"]), said.err
    assert list_states(errands) == {"note": ["done"]}
    kept = read(errands, "sessions", "show", "last", "--json")
    assert [(each["instance_id"], each["actions"]) for each in kept["planner"]["steps"]] == [("do", ["g0_store_1"])]
    assert [each["action_id"] for each in kept["step_logs"]] == ["g0_store_1"]
    assert "left out" in str(kept["diagnostics"]), "one of them can't be loaded"
    assert "Undid 1 of 1 step" in errands.run("undo", "last").out


async def order(service: RemoteService, capability: str, **parameters: str) -> RunRecord:
    wish = PlannerWish(capability=capability, parameters=parameters)
    ticket = await service.begin(CALLER, RunOrder(planner=wish))
    return await service.result(CALLER, ticket.run_id)


def test_every_door_reaches_a_planner_by_what_it_can_do(errands: Place) -> None:
    errands.serve()
    found = read_service_file(errands.folder / ".surehand")
    assert found
    service = reach(errands)
    record = asyncio.run(order(service, "note", key="http"))
    assert (record["outcome"], record["planner"]["name"]) == ("success", "note")
    assert "note" in {each["name"] for each in asyncio.run(service.list_planners(CALLER))}
    assert asyncio.run(order(service, "nothing"))["errors"][0]["code"] == "planner_missing"
    with Surehand(errands.folder) as hand:
        report = hand.run(planner="note", parameters={"key": "client"})
        assert (report.outcome, report.planner["name"]) == ("success", "note")
        hand.add_to_backlog("late", "note", {"key": "late"})
    wait_for(lambda: list_states(errands)["note"] == ["done"])
    served = Served(folder=errands.folder, address=found.address, token=found.token)
    for reached in asyncio.run(ask_by_mcp(served)):
        assert (reached["outcome"], reached["planner"]["name"]) == ("success", "note")


async def ask_by_mcp(served: Served) -> list[dict[str, Any]]:
    """Return the saved runs of a planner that was asked for over stdio, and over HTTP."""
    command = StdioServerParameters(command=str(PROGRAM), args=["mcp"], cwd=served.folder, env=dict(os.environ))
    async with Client(command) as client:
        by_stdio = await do_planner(client, "stdio")
    async with (
        httpx2.AsyncClient(headers=served.headers, trust_env=False, timeout=60) as http,
        Client(streamable_http_client(f"{served.address}/mcp", http_client=http)) as client,
    ):
        return [by_stdio, await do_planner(client, "mcp")]


async def do_planner(client: Client, key: str) -> dict[str, Any]:
    (listed,) = (await client.read_resource("surehand://planners")).contents
    assert isinstance(listed, TextResourceContents)
    assert "note" in {each["name"] for each in json.loads(listed.text)}
    wish = {"planner": {"capability": "note", "parameters": {"key": key}}}
    told = (await client.call_tool("do", wish)).structured_content
    assert told
    (run,) = (await client.read_resource(f"surehand://runs/{told['run_id']}")).contents
    assert isinstance(run, TextResourceContents)
    return json.loads(run.text)


def test_who_works_one_kind_off_waits_for_no_other_that_is_stuck(errands: Place) -> None:
    change_settings("[service.backlog]\nminutes = 10\nlook_every_s = 0.05\n")
    errands.run("backlog", "add", "s", "--for", "stick")
    errands.serve()
    wait_for(lambda: list_states(errands)["stick"] == ["active"])
    add(errands, "n", "note", key="n")
    assert errands.run("work", "note").code == 0
    assert list_states(errands) == {"stick": ["active"], "note": ["done"]}


def test_what_a_killed_service_was_at_is_worked_off_by_the_next(errands: Place, tmp_path: Path) -> None:
    change_settings("[service.backlog]\nminutes = 10\nlook_every_s = 0.05\n")
    errands.run("backlog", "add", "s", "--for", "stick")
    killed, _ = errands.serve()
    wait_for(lambda: list_states(errands)["stick"] == ["active"])
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    (tmp_path / "free").touch()
    errands.serve()
    wait_for(lambda: list_states(errands)["stick"] == ["done"])


async def wait_in_line(service: RemoteService) -> tuple[list[str], RunRecord, int]:
    """Begin a planner behind one that never ends; return what it tells before that is stopped, what came of it, and how many were stopped."""
    first = await service.begin(CALLER, RunOrder(planner=PlannerWish(capability="stick")))
    async for event in service.follow(CALLER, first.run_id):
        if event["event"] == "planner.step.started":
            break
    wish = PlannerWish(capability="note", parameters={"key": "late"})
    second = await service.begin(CALLER, RunOrder(planner=wish))
    told: list[str] = []
    async for event in service.follow(CALLER, second.run_id):
        told.append(event["event"])
        if event["event"] == "planner.throttled":
            break
    stopped = await service.stop(CALLER, run_id=first.run_id)
    return told, await service.result(CALLER, second.run_id), stopped


def test_one_planner_too_many_waits_for_its_turn_and_says_so(errands: Place) -> None:
    change_settings("[service]\nplanners_at_once = 1\n")
    errands.serve()
    told, record, stopped = asyncio.run(wait_in_line(reach(errands)))
    assert (told, stopped) == (["planner.throttled"], 1)
    assert (record["outcome"], record["planner"]["name"]) == ("success", "note")


def test_a_principal_has_no_model_that_it_was_not_granted(errands: Place) -> None:
    change_settings(
        '[models.big]\nprovider = "openai"\nmodel = "m"\nbase_url = "http://127.0.0.1:9/v1"\n[service.principals.anna]\n'
    )
    headers = {"Authorization": f"Bearer {errands.run('service', 'token', 'anna').out.strip().splitlines()[-1]}"}
    _, told = errands.serve()
    order = {"planner": {"capability": "goals", "parameters": {"text": "tidy up"}}, "model": "big"}
    with httpx2.Client(base_url=told["address"], headers=headers, trust_env=False, timeout=60) as client:
        begun = client.post("/v1/runs", json=order).json()
        record = client.get(f"/v1/runs/{begun['run_id']}?wait=true").json()
    assert [each["code"] for each in record["errors"]] == ["model_not_granted"]
