"""`surehand serve`: one a folder, found and ended in order, and nothing is left of one that is killed."""

import asyncio
import http.client
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from agent.planners.backlog.sqlite_backlog import SqliteBacklog
from agent.remote.socket_places import list_places, list_records
from agent.settings.settings import locate_config_folder
from core.base.scope_paths import begin_scope
from core.planning.planners.ports import BacklogItem
from fixtures.receivers.hooks import HookReceiver
from fixtures.site_server import SiteServer
from tests.agent.serving.conftest import Place, list_below
from tests.thoroughness import spread

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the sockets and signals of other systems")


def test_a_folder_has_one_service_which_answers_whoever_has_its_token(place: Place) -> None:
    first, told = place.serve()
    host, port = told["address"].removeprefix("http://").split(":")
    answers: list[int] = []
    for token in (told["token"], "another"):
        connection = http.client.HTTPConnection(host, int(port), timeout=10)
        connection.request("GET", "/v1/health", headers={"Authorization": f"Bearer {token}"})
        answers.append(connection.getresponse().status)
        connection.close()
    assert answers == [200, 401]
    second = place.run("serve", "--port", "0")
    assert (second.code, "service_running" in second.err, str(first.pid) in second.err) == (2, True, True)
    assert json.loads(place.run("service", "status", "--json").out)["address"] == told["address"]


def test_status_tells_whether_a_service_runs_and_stop_ends_it(place: Place) -> None:
    assert place.run("service", "status").code == 1
    assert place.run("service", "stop").code == 0
    process, told = place.serve()
    assert place.run("run", "remember that the code is '1'").code == 0
    status = json.loads(place.run("service", "status", "--json").out)
    assert (status["serving"], status["pid"], status["address"]) == (True, process.pid, told["address"])
    state = place.folder / ".surehand"
    assert any(record.exists() for record in list_records(state))
    assert not [path for path in state.rglob("*") if path.is_file() and told["token"].encode() in path.read_bytes()]
    assert [each["name"] for each in status["open"]] == ["main"]
    stopped = place.run("service", "stop")
    assert (stopped.code, stopped.out) == (0, "The service has ended.\n")
    assert process.wait(100) == 0
    assert place.run("service", "status").out == "No service runs for this folder.\n"
    assert not any(path.exists() for path in (*list_places(state), *list_records(state)))


def test_many_that_begin_at_once_agree_on_one_service(place: Place) -> None:
    begun = [place.start("run", "remember that the code is '1'", "--session", f"s{number}") for number in range(3)]
    assert [each.wait(100) for each in begun] == [0, 0, 0], [each.communicate() for each in begun]
    status = json.loads(place.run("service", "status", "--json").out)
    assert {each["name"] for each in status["open"]} == {"s0", "s1", "s2"}


def test_a_port_that_is_taken_is_told(place: Place) -> None:
    _, told = place.serve("--private", stdin=subprocess.PIPE)
    said = place.run("serve", "--port", told["address"].rpartition(":")[2])
    assert (said.code, "port_taken" in said.err) == (2, True)


def test_a_private_service_is_found_by_nobody_and_ends_with_its_input(place: Place) -> None:
    process, told = place.serve("--private", stdin=subprocess.PIPE)
    assert place.run("service", "status").code == 1
    assert Path(told["socket"]).is_socket()
    assert process.stdin
    process.stdin.close()
    process.stdin = None
    assert process.wait(100) == 0
    assert not Path(told["socket"]).exists()


def test_a_service_that_nobody_needs_ends_by_itself(place: Place) -> None:
    process, _ = place.serve("--idle-end", "0.3")
    assert process.wait(100) == 0


def test_a_run_that_nobody_follows_keeps_its_service(place: Place, site: SiteServer) -> None:
    process, told = place.serve("--idle-end", "5")  # a busy machine takes a while to ask
    flow = f"goals:\n  - browser.navigate: {{url: '{site.url}/shop/'}}\n  - browser.wait: {{text: never, timeout: 7}}\n"
    asked = _ask(told, "POST", "/v1/runs", {"flow": flow, "session": "main"})
    assert process.wait(100) == 0
    kept = json.loads((place.folder / ".surehand" / "agent_sessions" / f"{asked['run_id']}.json").read_bytes())
    assert kept["step_logs"][-1]["result"]["error"]["code"] == "timed_out", "it was not cut short"


@pytest.mark.parametrize("name", spread(["SIGTERM", "SIGINT"], 1))
def test_a_signal_lets_a_run_end_and_then_the_service(name: str, place: Place, site: SiteServer) -> None:
    process, _ = place.serve()
    flow = (
        f"goals:\n  - browser.navigate: {{url: '{site.url}/shop/'}}\n  - browser.wait: {{text: never, timeout: 1.5}}\n"
    )
    (place.folder / "flow.yaml").write_text(flow, encoding="utf-8")
    run = place.start("run", "flow.yaml", "--json")
    _await_step(run, "browser.wait")
    began = time.monotonic()
    process.send_signal(getattr(signal, name))
    out, err = run.communicate(timeout=100)
    assert (run.returncode, b"timed_out" in out) == (1, True), err
    assert process.wait(100) == 0
    assert time.monotonic() - began < 30


def test_a_service_ends_within_10_s_whatever_runs_and_the_run_can_be_told_to_have_stopped(
    place: Place, site: SiteServer
) -> None:
    process, _ = place.serve()
    flow = (
        f"goals:\n  - browser.navigate: {{url: '{site.url}/shop/'}}\n  - browser.wait: {{text: never, timeout: 60}}\n"
    )
    (place.folder / "flow.yaml").write_text(flow, encoding="utf-8")
    run = place.start("run", "flow.yaml", "--json")
    _await_step(run, "browser.wait")
    below = list_below(process.pid)
    assert below, "a browser runs"
    began = time.monotonic()
    process.terminate()
    assert process.wait(100) == 0
    assert time.monotonic() - began < 30  # a busy machine; what is waited for would take 60
    assert run.wait(100) == 130
    assert psutil.wait_procs(below, timeout=5)[1] == []


def test_a_killed_service_leaves_no_process_and_its_run_can_be_continued(place: Place, site: SiteServer) -> None:
    process, _ = place.serve()
    flow = (
        f"goals:\n  - browser.navigate: {{url: '{site.url}/shop/'}}\n  - browser.wait: {{text: never, timeout: 60}}\n"
        "  - file.write: {path: 'workspace:/never.txt', content: never}\n"
    )
    (place.folder / "flow.yaml").write_text(flow, encoding="utf-8")
    run = place.start("run", "flow.yaml", "--json")
    _await_step(run, "browser.wait")
    below = list_below(process.pid)
    assert below, "a browser runs"
    process.kill()
    process.wait()
    assert psutil.wait_procs(below, timeout=100)[1] == [], "browsers end with their service"
    _, err = run.communicate(timeout=100)
    assert (run.returncode, b"service_gone" in err, b"surehand resume last" in err) == (4, True, True), err
    (kept,) = json.loads(place.run("sessions", "list", "--json").out)
    assert kept["status"] == "interrupted"
    again, _ = place.serve()
    assert again.pid != process.pid, "what the killed one left is in nobody's way"
    assert "To continue: surehand resume" in place.run("sessions", "show", "last").out
    assert not (place.folder / "never.txt").exists()


def test_what_a_killed_service_left_is_in_no_commands_way(place: Place) -> None:
    process, told = place.serve()
    process.kill()
    process.wait()
    assert Path(told["socket"]).is_socket()
    assert place.run("service", "status").out == "No service runs for this folder.\n"
    assert place.run("run", "remember that the code is '1'").code == 0
    _, again = place.serve()
    assert again["pid"] != told["pid"]


def test_a_folder_with_a_path_too_long_for_a_socket_is_served(place: Place) -> None:
    deep = place.folder / ("d" * 120)
    deep.mkdir()
    process, told = place.serve("--workspace", str(deep))
    assert len(os.fsencode(told["socket"])) <= 100
    assert place.run("run", "remember that the code is '1'", "--workspace", str(deep)).code == 0
    status = json.loads(place.run("service", "status", "--json", "--workspace", str(deep)).out)
    assert [each["name"] for each in status["open"]] == ["main"]
    process.terminate()
    assert process.wait(100) == 0
    assert not Path(told["socket"]).exists()


def _ask(told: dict[str, str], method: str, path: str, body: object) -> dict[str, str]:
    host, port = told["address"].removeprefix("http://").split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=100)
    headers = {"Authorization": f"Bearer {told['token']}", "Content-Type": "application/json"}
    connection.request(method, path, json.dumps(body), headers)
    answer = json.loads(connection.getresponse().read())
    connection.close()
    return answer


def _await_step(run: subprocess.Popen[bytes], name: str) -> None:
    """Return once a run says that a step of this verb has started."""
    assert run.stdout
    names: dict[str, str] = {}
    for line in run.stdout:
        event = json.loads(line)
        if event["event"] == "accepted":
            names = {node["action_id"]: node["name"] for node in event["plan"]["nodes"]}
        if event["event"] == "step" and event["status"] == "started" and names[event["action_id"]] == name:
            return
    pytest.fail(f"no step {name}: {run.communicate()}")


@pytest.mark.parametrize("command", [("run", "--dry-run"), ("plan",)])
def test_what_only_plans_starts_no_service(command: tuple[str, ...], place: Place) -> None:
    name, *options = command
    planned = place.run(name, "remember that the code is '1'", "--session", "till", *options)
    assert planned.code == 0, planned.err
    assert place.run("service", "status").code == 1


def test_what_makes_no_sense_is_told_with_a_service_as_without(place: Place) -> None:
    place.serve()
    for options in (("--yes", "confirm"), ("--yes", "apply_diff,nope"), ("--timeout", "0")):
        asked = ("run", "take a screenshot", *options)
        through, alone = place.run(*asked), place.run(*asked, "--no-service")
        assert (through.code, through.err) == (alone.code, alone.err)
        assert (through.code, options[0] in through.err) == (2, True)
    for name in ("a b/..", "-x", "x" * 65, "x\n"):
        said = place.run("run", "take a screenshot", f"--session={name}")
        assert (said.code, "bad_session_name" in said.err, "1 to 64 letters" in said.err) == (2, True, True)


async def test_a_service_with_a_channel_tells_of_stuck_work_without_being_asked(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    with HookReceiver() as hook:
        settings = locate_config_folder() / "settings.toml"
        settings.parent.mkdir(parents=True)
        channel = f'[health.channels.ops]\nkind = "webhook"\nurl = "{hook.url}"\n'
        settings.write_text(f"[health]\ncheck_every_s = 1\nstuck_after_s = 0.001\n{channel}", encoding="utf-8")
        backlog = SqliteBacklog(place.folder / ".surehand")
        await backlog.add(begin_scope(), BacklogItem(item_id="import", title="Import the orders", plan_id="shop"))
        await backlog.flip(begin_scope(), "import", "active", "somebody began")
        await backlog.close()
        process, _ = place.serve()
        assert await asyncio.to_thread(hook.arrived.wait, 30)
        assert hook.posts[0].read()["id"] == "backlog.stuck"
        process.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(process.wait, 100) == 0
