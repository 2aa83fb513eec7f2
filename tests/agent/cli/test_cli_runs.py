"""`surehand run` with a real browser on the fixture sites: exit codes, receipts and events."""

import hashlib
import json
from pathlib import Path

import pytest

from fixtures.site_server import SiteServer
from tests.agent.conftest import Command
from tests.thoroughness import spread


def write(goals: str) -> str:
    Path("flow.yaml").write_text(f"goals:\n{goals}", encoding="utf-8")
    return "flow.yaml"


def test_a_sentence_is_carried_out_and_the_server_receives_the_exact_bytes(surehand: Command, site: SiteServer) -> None:
    said = surehand(
        "run",
        f'go to {site.url}/shop/signin, type "ada@example.com" into the email field, '
        'type "s3cret: ok?" into the password field, click Sign in and wait for the dashboard',
    )
    assert said.code == 0, said.out + said.err
    assert said.err == ""
    received = site.received.requests("/shop/signin", "POST")[-1]
    assert (received.field("email"), received.field("password")) == ("ada@example.com", "s3cret: ok?")
    assert said.out.startswith("1 ✓ Opened ")
    assert said.out.count("✓") == 5
    assert said.out.splitlines()[-1].startswith("I ")
    assert "\x1b" not in said.out


def test_events_are_typed_ordered_and_valid_and_the_final_one_is_last(surehand: Command, site: SiteServer) -> None:
    flow = write(
        f"  - browser.navigate: {{url: '{site.url}/shop/'}}\n  - browser.read: {{target: title}}\n"
        f"  - {{scope: root, browser.open_tab: {{url: '{site.url}/table/small'}}}}\n"
    )
    said = surehand("run", flow, "--json")
    assert (said.code, said.err) == (0, "")
    events = [json.loads(line) for line in said.out.splitlines()]
    assert [event["seq"] for event in events] == list(range(len(events)))
    kinds = [event["event"] for event in events]
    assert (kinds[0], kinds[-2:], set(kinds[1:-2])) == ("accepted", ["say", "final"], {"step"})
    assert len({event["run_id"] for event in events}) == 1
    final = events[-1]
    assert (final["outcome"], len(final["steps"]), final["reply"]) == ("success", 3, events[-2]["text"])
    planned = {node["action_id"]: node["digest"] for node in events[0]["plan"]["nodes"]}
    assert {step["action_id"]: step["result"]["args_digest"] for step in final["steps"]} == planned


def test_a_failed_step_is_1_and_what_depends_on_it_is_left_out(surehand: Command) -> None:
    depending = "  - file.info: {path: flow.yaml}\n    scope: after:g1\n"
    flow = write(f"  - file.info: {{path: flow.yaml}}\n  - file.read: {{path: no such text}}\n{depending}")
    said = surehand("run", flow)
    assert said.code == 1
    assert [line[2] for line in said.out.splitlines() if line[2:3] in {*"✓✗–"}] == ["✓", "✗", "–"]
    assert "no such text" in said.out
    assert "So I left out one step." in said.out


def test_a_missing_approval_is_3_and_the_act_is_not_done(surehand: Command) -> None:
    flow = write("  - file.write: {path: session.json, content: one}\n")
    said = surehand("run", flow)
    assert said.code == 3
    assert "--yes apply_diff" in said.out
    assert not Path("session.json").exists()
    assert surehand("run", flow, "--yes", "apply_diff").code == 0
    assert Path("session.json").exists()


def test_a_value_from_a_page_can_not_be_approved_beforehand(surehand: Command, site: SiteServer) -> None:
    flow = write(
        f"  - browser.navigate: {{url: '{site.url}/shop/signin'}}\n  - {{id: seen, browser.read: {{target: title}}}}\n"
        "  - browser.type: {selector: 'field \"Email\"', text: '${seen.text}'}\n"
    )
    said = surehand("run", flow, "--yes", "apply_diff,run_job", "--json")
    assert said.code == 3
    events = [json.loads(line) for line in said.out.splitlines()]
    question = next(event for event in events if event["event"] == "question")
    assert (question["approval"], question["action_id"]) == ("confirm", "g2_type_1")


def test_a_host_that_was_not_named_is_not_reached(surehand: Command, site: SiteServer) -> None:
    flow = write(f"  - browser.navigate: {{url: '{site.url}/shop/'}}\n")
    said = surehand("run", flow, "--host", "localhost", "--host", "a.test")
    assert said.code == 2
    assert "error (refused_by_policy): flow.yaml:2:" in said.err
    assert site.received.requests() == []


def test_the_time_of_the_run_is_a_budget(surehand: Command, site: SiteServer) -> None:
    said = surehand(
        "run", write(f"  - browser.navigate: {{url: '{site.url}/shop/'}}\n  - browser.back:\n"), "--timeout", "0.01"
    )
    assert said.code == 1
    assert [line[2] for line in said.out.splitlines() if line[2:3] in {*"✓✗⊘–"}] in (["✗", "–"], ["⊘", "–"])


def test_the_manifest_of_a_run_lists_the_files_that_it_made_with_their_digests(surehand: Command) -> None:
    Path("old.txt").write_text("old", encoding="utf-8")
    Path("notes").mkdir()
    flow = write(
        "  - file.write: {path: notes/a.txt, content: one}\n  - file.copy: {source: notes, destination: copied}\n"
        "  - file.write: {path: old.txt, content: two}\n"
    )
    said = surehand("run", flow, "--yes", "apply_diff", "--json")
    assert said.code == 0, said.err
    (document,) = (json.loads(each.read_text("utf-8")) for each in Path(".surehand/agent_sessions").glob("r*.json"))
    made = {Path(each["path"]).relative_to(Path.cwd()).as_posix(): each for each in document["manifest"]["files"]}
    assert set(made) == {"notes/a.txt", "copied/a.txt"}
    assert made["copied/a.txt"]["sha256"] == hashlib.sha256(Path("notes/a.txt").read_bytes()).hexdigest()


def test_files_stay_in_the_workspace(surehand: Command, site: SiteServer) -> None:
    Path("work").mkdir()
    write(f"  - browser.navigate: {{url: '{site.url}/shop/'}}\n  - browser.screenshot: {{path: a.png}}\n")
    assert surehand("run", "flow.yaml", "--workspace", "work").code == 0
    assert Path("work/a.png").exists()
    write(f"  - browser.navigate: {{url: '{site.url}/shop/'}}\n  - browser.screenshot: {{path: /a.png}}\n")
    said = surehand("run", "flow.yaml", "--workspace", "work")
    assert said.code == 2
    assert "flow.yaml:3:" in said.err
    assert "error (path_refused)" in said.err


@pytest.mark.parametrize("form", spread(["json", "yaml"], 1))
def test_goals_of_a_program_are_carried_out(form: str, surehand: Command, site: SiteServer) -> None:
    goals = [
        {"domain": "browser", "verb": "navigate", "params": {"url": f"{site.url}/table/small"}},
        {"domain": "browser", "verb": "read", "params": {"target": "title"}, "scope": "after:g0"},
    ]
    Path(f"goals.{form}").write_text(json.dumps(goals), encoding="utf-8")
    said = surehand("run", "--goals", f"goals.{form}")
    assert said.code == 0
    assert "“" in said.out.splitlines()[-1]


def test_after_a_goal_that_failed_nothing_more_is_done_on_its_page_whether_or_not_a_scope_says_so(
    surehand: Command, site: SiteServer
) -> None:
    goals = [
        {"domain": "browser", "verb": "navigate", "params": {"url": f"{site.url}/shop/signin"}, "scope": None},
        {"domain": "browser", "verb": "type", "params": {"selector": 'field "Nickname"', "text": "ada", "mode": None}},
        {"domain": "browser", "verb": "click", "params": {"selector": 'button "Sign in"'}},
    ]
    Path("goals.json").write_text(json.dumps(goals), encoding="utf-8")
    said = surehand("run", "--goals", "goals.json", "--json")
    steps = json.loads(said.out.splitlines()[-1])["steps"]
    assert [each["result"]["status"] for each in steps] == ["ok", "failed", "skipped"]
    assert site.received.requests("/shop/signin", "POST") == []
