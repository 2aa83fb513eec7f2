"""Spans of runs, as a real collector receives them."""

import asyncio
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from actuators.base import Environment
from actuators.simulation import SimulatedMachine
from agent.assembly import make_simulated_session
from agent.requests.requests import Request
from agent.telemetry.logs import LogBook, Outlets
from agent.telemetry.observing import SessionTelemetry, find_trace_id
from core.approvals.approvals import ClassGate
from core.goals.meta_goals import Goal
from core.results.tool_results import RunResult

pytest.importorskip("opentelemetry.sdk", reason="surehand[telemetry] is not installed")

from agent.telemetry.exporting import SpanExport
from agent.telemetry.spans import RunSpans, read_parent
from fixtures.collector import Collector, read_attributes

TRACE, CALLER = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
CARRIER = {"traceparent": f"00-{TRACE}-{CALLER}-01"}
GOALS = (
    Goal("file", "write", {"path": "workspace:/a.txt", "content": "precious words"}),
    Goal("file", "read", {"path": "workspace:/missing.txt"}, scope="root"),
    Goal("file", "hash", {"path": "workspace:/b.txt"}, scope="after:g1"),
)


async def run_traced(url: str, workspace: Path, carrier: dict[str, str], faults: list[str]) -> RunResult:
    """Run goals on a machine in memory and send their spans to a collector."""
    export = SpanExport(url, faults.append)
    parent = read_parent(carrier)
    telemetry = SessionTelemetry(
        book=LogBook(Outlets([])),
        carrier=carrier,
        begin_spans=lambda scope: RunSpans(export.tracer, scope, parent),
        closers=[export.close],
    )
    environment = Environment(platform="linux", workspace=workspace, anchors={"workspace": str(workspace)})
    machine = SimulatedMachine()
    machine.files.store.make_folders(str(workspace))
    async with make_simulated_session(machine, environment) as session:
        session.observe(telemetry)
        return await session.run(Request(goals=GOALS, gate=ClassGate(["apply_diff"])))


async def test_run_goals_and_actions_are_a_tree_under_the_callers_span(tmp_path: Path) -> None:
    with Collector() as collector:
        result = await run_traced(collector.url, tmp_path, CARRIER, [])
    assert set(collector.paths) == {"/v1/traces"}
    assert {each.trace_id.hex() for each in collector.spans} == {TRACE} == {result.trace_id}
    run = collector.find("surehand.run")
    goals = [each for each in collector.spans if each.name == "surehand.goal"]
    actions = [each for each in collector.spans if each.name.startswith("file.")]
    assert run.parent_span_id.hex() == CALLER
    assert {each.parent_span_id for each in goals} == {run.span_id}
    owner = {read_attributes(each)["surehand.goal_id"]: each.span_id for each in goals}
    assert len(actions) == 3
    assert all(owner[read_attributes(each)["surehand.goal_id"]] == each.parent_span_id for each in actions)
    assert all(each.start_time_unix_nano <= each.end_time_unix_nano for each in collector.spans)


async def test_spans_have_ids_digests_and_codes_but_no_contents(tmp_path: Path) -> None:
    with Collector() as collector:
        result = await run_traced(collector.url, tmp_path, {}, [])
    written = read_attributes(collector.find("file.write"))
    log = result.step_logs[0]
    assert written["surehand.run_id"] == result.run_id
    assert written["surehand.action_id"] == log.action_id
    assert written["surehand.scope"] == log.scope
    assert {read_attributes(each)["surehand.scope"].rpartition("/")[0] for each in collector.spans} <= {
        result.scope,
        result.scope.rpartition("/")[0],
    }
    assert (written["surehand.status"], written["surehand.effect"]) == ("ok", "confirmed")
    assert written["surehand.args_digest"] == log.result.args_digest
    assert read_attributes(collector.find("file.read"))["error.type"] == "not_found"
    assert collector.find("file.read").status.code == 2
    assert read_attributes(collector.find("file.hash"))["surehand.status"] == "skipped"
    assert read_attributes(collector.find("surehand.run"))["surehand.outcome"] == result.outcome
    everything = " ".join(map(str, collector.spans))
    assert "precious" not in everything
    assert "a.txt" not in everything


async def test_a_run_without_a_caller_begins_a_trace_of_its_own(tmp_path: Path) -> None:
    with Collector() as collector:
        result = await run_traced(collector.url, tmp_path, {"traceparent": "nonsense"}, [])
    assert collector.find("surehand.run").trace_id.hex() == result.trace_id != TRACE
    assert collector.find("surehand.run").parent_span_id == b""


@contextmanager
def listen_in_silence() -> Generator[str]:
    """Give the address of a collector that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


@contextmanager
def listen_to_nothing() -> Generator[str]:
    """Give an address at which nobody is."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    yield f"http://127.0.0.1:{port}"


@pytest.mark.parametrize("collector", [listen_in_silence, listen_to_nothing])
async def test_a_dead_collector_delays_the_end_by_a_second_at_most(
    collector: Callable[[], AbstractContextManager[str]],
) -> None:
    loop = asyncio.get_running_loop()
    with collector() as url:
        export = SpanExport(url, lambda _: None)
        export.tracer.start_span("one").end()
        began = loop.time()
        await export.close()
        assert loop.time() - began < 5  # an exporter that is left alone waits for 10 s
    assert all(each.daemon for each in threading.enumerate() if each.name == "surehand-spans")


async def test_spans_that_could_not_be_sent_are_told() -> None:
    faults: list[str] = []
    told = threading.Event()

    def tell(text: str) -> None:
        faults.append(text)
        told.set()

    with listen_to_nothing() as url:
        export = SpanExport(url, tell)
        export.tracer.start_span("one").end()
        await export.close()
        assert await asyncio.to_thread(told.wait, 10)
    assert faults == ["1 spans could not be sent to the collector."]


@pytest.mark.parametrize(
    "parent",
    ["", "x", f"ff-{TRACE}-{CALLER}-01", f"00-{'0' * 32}-{CALLER}-01", f"00-{TRACE}-{'0' * 16}-01", TRACE],
)
def test_a_caller_that_makes_no_sense_counts_as_none(parent: str) -> None:
    found = find_trace_id({"traceparent": parent})
    assert found != TRACE
    assert len(bytes.fromhex(found)) == 16
