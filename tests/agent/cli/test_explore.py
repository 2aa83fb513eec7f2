"""`surehand explore`: a model's proposals, replayed; who answers, what is kept, and what the exit code says."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agent.assembly import make_session
from agent.models.serving.recording import RecordingModel
from agent.requests.flows import load_flow
from agent.settings.settings import Settings, locate_config_folder
from agent.testing.scripted_models import ScriptedModel
from core.approvals.approvals import ClassGate
from fixtures.site_server import SiteServer
from tests.agent.conftest import Command
from tests.agent.planners.exploring import call, explore, propose

READING = (
    propose(call("browser.read", target="text", selector="testid=price")),
    propose(is_done=True, why="It costs £8.50."),
)
BUYING = (
    propose(call("browser.click", selector='button "Add to basket"')),
    propose(is_done=True, why="I may not."),
)


@pytest.fixture
def record(site: SiteServer, tmp_path: Path):
    """Writes down what a model answers on the page of the blue mug, and returns the recording."""

    def write(task: str, *answers: Mapping[str, Any]) -> Path:
        talk = tmp_path / "talk.jsonl"
        model = RecordingModel(ScriptedModel(*answers, name=f"replay of {talk.name}"), talk)
        parameters = {"task": task, "url": f"{site.url}/shop/item/blue-mug"}

        async def explore_once() -> None:
            async with make_session(Settings(), tmp_path) as session:
                await explore(session, model, ClassGate(), parameters)

        asyncio.run(explore_once())
        site.reset()
        return talk

    return write


def test_what_was_found_is_told_and_kept_as_a_flow(surehand: Command, site: SiteServer, record: Any, tmp_path: Path):
    talk = record("What does it cost?", *READING)
    said = surehand(
        "explore", "What does it cost?", f"{site.url}/shop/item/blue-mug", "--replay", str(talk), "-o", "price.yaml"
    )
    assert (said.code, said.out.splitlines()[-1]) == (0, "The model says: “It costs £8.50.”"), said.err
    flow = load_flow(tmp_path / "price.yaml")
    assert [goal.name for goal in flow.goals] == ["browser.navigate", "browser.read"]
    again = surehand("run", "price.yaml", "--quiet")
    assert again.code == 0, again.err


def test_one_exploration_is_one_saved_run_whose_transcript_can_be_read_when_it_succeeded(
    surehand: Command, site: SiteServer, record: Any, tmp_path: Path
):
    talk, before = record("What does it cost?", *READING), len(list((tmp_path / ".surehand/agent_sessions").glob("r*")))
    said = surehand("explore", "What does it cost?", f"{site.url}/shop/item/blue-mug", "--replay", str(talk))
    assert said.code == 0, said.err
    assert len(list((tmp_path / ".surehand/agent_sessions").glob("r*"))) == before + 1
    shown = surehand("sessions", "show", "last", "--full").out
    for line in (
        "What does it cost?",
        "planner   explore: success",
        "propose-1: done",
        "transcript",
        "It costs £8.50.",
    ):
        assert line in shown, shown
    assert "(read)" in shown, "what a page or model wrote is marked"
    assert "transcript" not in surehand("sessions", "show", "last").out


FAULTS = {"not JSON": "{", "an unknown planner": '{"planners": {"explor": {}}}', "no object": "[]"}


@pytest.mark.parametrize("text", FAULTS.values(), ids=FAULTS)
@pytest.mark.parametrize("command", ["explore", "extract"])
def test_a_fault_in_the_settings_of_planners_is_an_error_with_a_code_and_the_file(
    surehand: Command, site: SiteServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str, text: str
):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "schema.json").write_text('{"type": "object", "properties": {"name": {"type": "string"}}}')
    file = locate_config_folder() / "planners.person.json"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    page, talk = f"{site.url}/shop/item/blue-mug", tmp_path / "talk.jsonl"
    talk.write_text("")
    given = {"explore": ("Buy it", page, "--replay", str(talk)), "extract": (page, "--schema", "schema.json")}
    said = surehand(command, *given[command])
    assert said.code == 2, said.err
    assert said.err.startswith(f"error (bad_settings): {file} can't be used: ")
    assert not site.received.requests("/shop/item/blue-mug")


def test_what_acts_is_refused_where_no_person_can_be_asked(surehand: Command, site: SiteServer, record: Any):
    talk = record("Buy it", *BUYING)
    said = surehand("explore", "Buy it", f"{site.url}/shop/item/blue-mug", "--replay", str(talk), "--json")
    result = json.loads("{" + said.out.rpartition("\n{")[2])
    assert [deed["code"] for deed in result["deeds"]] == ["", "approval_missing"]
    assert site.received.requests("/shop/basket/add") == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["explore", "Buy it", "127.0.0.1:1/shop/"], "Name a model with --model."),
        (["explore", " ", "127.0.0.1:1/shop/", "--replay", "x"], "The task is empty."),
        (["explore", "Buy it", "the shop", "--replay", "x"], "is not an address"),
        (["explore", "Buy it", "127.0.0.1:1/", "--model", "none"], "none"),
        (["explore", "Buy it", "127.0.0.1:1/", "--replay", "x", "-o", "x.yaml"], "already exists"),
    ],
)
def test_what_can_not_begin_is_said_before_a_browser_is_started(
    surehand: Command, tmp_path: Path, arguments: list[str], told: str
):
    (tmp_path / "x.yaml").write_text("mine", encoding="utf-8")
    said = surehand(*arguments)
    assert said.code == 2
    assert told in said.err
    assert (tmp_path / "x.yaml").read_text(encoding="utf-8") == "mine"
