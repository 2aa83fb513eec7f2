"""What is asked about the machine, the verbs and the planners, over HTTP."""

import json
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from agent.cli.commands.facts import ToolWish, print_tools
from agent.planners.backlog.sqlite_backlog import SqliteBacklog
from agent.rule_tables import describe_rules
from agent.settings.folder_checks import locate_state
from agent.store.journal.sqlite_journal import SqliteJournal
from agent.testing.clocks import FakeClock
from core.base.scope_paths import begin_scope
from core.execution.run_context import make_run_id
from core.journal.journal import JournalEntry
from core.planning.planners.ports import BacklogItem
from tests.agent.http.conftest import Served


async def leave_work(workspace: Path, principal: str) -> tuple[str, str]:
    """Leave an item that has been stuck for long, and a run that was cut short; return how they are told."""
    state, item = locate_state(workspace, principal), f"secret-of-{principal or 'person'}"
    backlog = SqliteBacklog(state, clock=FakeClock(datetime(2020, 1, 1, tzinfo=UTC)))
    await backlog.add(begin_scope(principal), BacklogItem(item_id=item, title=item, state="active"))
    await backlog.close()
    journal, run_id = SqliteJournal(state), make_run_id()
    await journal.append([JournalEntry(run_id, "", "begun", {"asked": item, "principal": principal})])
    await journal.close()
    return item, run_id


async def test_the_verbs_are_those_of_the_command_line(client: httpx.AsyncClient) -> None:
    assert (await client.get("/v1/rules")).json() == json.loads(json.dumps(describe_rules()))
    assert {each["domain"] for each in (await client.get("/v1/rules?domain=audio")).json()} == {"audio"}


@pytest.mark.parametrize("shape", ["", "openai", "anthropic", "gemini", "mcp"])
async def test_the_tools_are_those_of_the_command_line(
    client: httpx.AsyncClient, capsys: pytest.CaptureFixture[str], shape: str
) -> None:
    print_tools(ToolWish(form=shape, as_json=not shape))
    printed = json.loads(capsys.readouterr().out)
    assert (await client.get("/v1/tools", params={"format": shape} if shape else {})).json() == printed


async def test_a_shape_that_nobody_has_is_refused(client: httpx.AsyncClient) -> None:
    answer = await client.get("/v1/tools?format=other")
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_input")


async def test_the_doctor_looks_at_the_machine_and_starts_a_browser_once(client: httpx.AsyncClient) -> None:
    first, second = [(await client.get("/v1/doctor")).json() for _ in range(2)]
    assert first == second
    assert first["capabilities"]["browser"]["available"] is True
    assert {"verb", "available", "reason", "remedy", "partly"} == first["verbs"][0].keys()


async def test_the_health_of_planners_is_told_and_nobody_else_is(client: httpx.AsyncClient) -> None:
    told = (await client.get("/health/planners")).json()
    assert (told["is_well"], told["alerts"], told["episodes"], told["sent"]) == (True, [], [], 0)
    assert told["thresholds"]["failure_rate"] == 0.25
    assert "channels" not in told["thresholds"]


async def test_an_alert_is_acknowledged_by_who_may_approve(served: Served, client: httpx.AsyncClient) -> None:
    missing = await client.post("/health/planners/alerts/backlog.stuck/acknowledge")
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "alert_missing")
    async with served.open("runner") as runner:
        assert (await runner.post("/health/planners/alerts/backlog.stuck/acknowledge")).status_code == 403


async def test_metrics_are_read_by_prometheus_and_name_routes_not_paths(
    served: Served, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    await client.get("/v1/runs/secret-id")
    await client.request("WEIRD", "/v1/live")
    async with served.open("person") as person:
        told = await person.get("/metrics")
    assert told.headers["content-type"].startswith("text/plain")
    assert 'surehand_http_requests_total{method="GET",route="/v1/runs/{run_id}",status="404"} 1.0' in told.text
    assert 'method="other"' in told.text
    assert "secret-id" not in told.text
    assert "WEIRD" not in told.text
    for name in ("surehand_sessions", "surehand_running", "surehand_questions", "surehand_uptime_seconds"):
        assert f"\n{name} " in told.text
    own = 'route="/v1/runs/{run_id}",status="404"} 1.0'
    assert own in (await client.get("/metrics")).text
    async with served.open("other") as other:
        guest = await other.get("/metrics")
    assert guest.status_code == 200
    assert not [name for name in (own, "process_", 'method="other"') if name in guest.text]


async def test_how_the_service_does_is_told_each_principal_of_their_own(
    served: Served, client: httpx.AsyncClient
) -> None:
    async with served.open("other") as other, served.open("person") as person:
        run_id = (await client.post("/v1/runs", json={"text": "smash hall", "session": "main"})).json()["run_id"]
        while not (await client.get("/v1/questions")).json():
            assert (await client.get(f"/v1/runs/{run_id}")).json()["status"] != "ended"
        told = [(await each.get("/v1/health")).json() for each in (client, person, other)]
    counts = [[each[name] for name in ("sessions", "running", "questions")] for each in told]
    assert counts == [[1, 1, 1], [1, 1, 1], [0, 0, 0]]


async def test_what_planners_left_and_which_runs_were_cut_short_is_told_whose_they_are_alone(
    served: Served, tmp_path: Path
) -> None:
    left = {name: await leave_work(tmp_path, name) for name in ("", "ada", "bob")}
    for token, name in (("person", ""), ("owner", "ada"), ("other", "bob")):
        async with served.open(token) as asker:
            told = [(await asker.get(path)).text for path in ("/health/planners", "/v1/doctor")]
        for whose, marks in left.items():
            assert [mark in text for mark, text in zip(marks, told, strict=True)] == [whose == name] * 2
