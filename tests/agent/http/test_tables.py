"""What is asked about the machine, the verbs and the planners, over HTTP."""

import json
from pathlib import Path

import httpx
import pytest

from agent.cli.commands.tables import ToolWish, print_tools
from agent.rule_tables import describe_rules
from tests.agent.http.conftest import Served


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
    told = await client.get("/metrics")
    assert told.headers["content-type"].startswith("text/plain")
    assert 'surehand_http_requests_total{method="GET",route="/v1/runs/{run_id}",status="404"} 1.0' in told.text
    assert 'method="other"' in told.text
    assert "secret-id" not in told.text
    assert "WEIRD" not in told.text
    for name in ("surehand_sessions", "surehand_running", "surehand_questions", "surehand_uptime_seconds"):
        assert f"\n{name} " in told.text
    async with served.open("other") as other:
        assert (await other.get("/metrics")).status_code == 200
