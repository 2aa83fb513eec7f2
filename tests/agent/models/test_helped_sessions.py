"""A model's help in a session: where the grammar refuses, within policy, taint and approvals, over real HTTP."""

import asyncio
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from agent.assembly import make_session
from agent.models.guarding import ModelExchange
from agent.models.serving.opening import open_model
from agent.models.wishes import ModelWish
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from core.approvals.approvals import ApprovalRequest, ClassGate
from core.base.errors import ModelError
from core.planning.planners.ports import ModelData
from core.policy.policy import Policy
from core.policy.policy_rules import PolicyRule
from core.results.tool_results import RunResult
from fixtures.model_server import ModelServer
from tests.agent.models.questions import ask_for_word, set_up
from tests.agent.models.test_adapter import CODES
from tests.thoroughness import spread

SMALL = ModelWish("small")
SAID = "frobnicate todo.txt with hello"


@dataclass
class Asker:
    """Answers every question alike, and keeps them."""

    answer: bool = True
    asked: list[ApprovalRequest] = field(default_factory=list[ApprovalRequest])

    async def decide(self, request: ApprovalRequest) -> bool:
        self.asked.append(request)
        return self.answer


def step(verb: str, scope: str = "", **params: Any) -> dict[str, Any]:
    return {"verb": verb, "scope": scope, "params": [{"name": name, "value": each} for name, each in params.items()]}


def steps(*proposed: dict[str, Any], refusal: str = "") -> dict[str, Any]:
    return {"steps": list(proposed), "refusal": refusal}


Open = Callable[..., AgentSession]


@pytest.fixture
def open_session(server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "work").mkdir()

    def make(wish: ModelWish = SMALL, **parts: Any) -> AgentSession:
        settings = Settings(models={"small": set_up(server, "local", **parts)})
        session = make_session(settings, tmp_path / "work")
        session.use_model(lambda vault: open_model(wish, settings.models, vault))
        return session

    return make


async def run(session: AgentSession, said: str = SAID, **parts: Any) -> RunResult:
    async with session:
        return await session.run(Request(utterance=said, **parts))


def read_codes(result: RunResult) -> list[str]:
    return [error.code for error in result.errors]


async def test_what_the_grammar_understands_never_reaches_a_model(
    open_session: Open, server: ModelServer, tmp_path: Path
) -> None:
    result = await run(open_session(), "create a file called a.txt", gate=ClassGate(["apply_diff"]))
    assert (result.outcome, server.asked) == ("success", [])
    assert (tmp_path / "work" / "a.txt").exists()


@pytest.mark.parametrize("said", ["open", "delete it", "click"])
async def test_what_lacks_a_word_is_asked_of_the_person_and_of_no_model(
    open_session: Open, server: ModelServer, said: str
) -> None:
    result = await run(open_session(), said)
    assert result.outcome == "failed"
    assert server.asked == [] or read_codes(result)[0] == "no_intent_match"


async def test_a_proposed_act_is_shown_with_its_author_and_done_after_a_yes(
    open_session: Open, server: ModelServer, tmp_path: Path
) -> None:
    server.answer(steps(step("file.create", object_type="file", name="todo.txt", content="hello, said politely")))
    asker = Asker()
    result = await run(open_session(), gate=asker)
    assert result.outcome == "success", result
    assert (tmp_path / "work" / "todo.txt").read_text() == "hello, said politely"
    (question,) = asker.asked
    assert question.kind == "confirm"
    assert "hello, said politely" in question.text
    assert "a model wrote" in question.text
    assert "proposed by the model “small”" in question.text
    origins = [str(origin) for log in result.step_logs for origin in log.origins]
    assert "the model “small”" in origins


async def test_nothing_that_a_model_proposes_is_approved_beforehand(
    open_session: Open, server: ModelServer, tmp_path: Path
) -> None:
    server.answer(steps(step("file.create", object_type="file", name="todo.txt", content="hello")))
    allowing = Policy(rules=(PolicyRule(verdict="allow", verbs=("file.*",)),))
    result = await run(open_session(), gate=ClassGate(["apply_diff", "run_job"]), policy=allowing)
    assert result.outcome == "failed"
    assert not (tmp_path / "work" / "todo.txt").exists()


async def test_an_act_without_params_asks_as_well(open_session: Open, server: ModelServer) -> None:
    server.answer(steps(step("audio.mute")))
    asker = Asker(answer=False)
    result = await run(open_session(), "hush now", gate=asker)
    assert result.outcome == "failed"
    if asker.asked:  # without a sound server planning refuses before
        assert asker.asked[0].kind == "confirm"
    else:
        assert read_codes(result) == ["not_supported_here"]


async def test_looking_in_the_workspace_needs_no_yes_but_another_place_does(
    open_session: Open, server: ModelServer, tmp_path: Path
) -> None:
    (tmp_path / "work" / "todo.txt").write_text("milk")
    server.answer(steps(step("file.read", path="todo.txt")))
    result = await run(open_session(), gate=Asker(answer=False))
    assert result.outcome == "success"
    (tmp_path / "work" / "other.txt").write_text("secret plans")
    server.answer(steps(step("file.read", path="other.txt")))
    asker = Asker(answer=False)
    result = await run(open_session(), f"{SAID} again", gate=asker)
    assert (result.outcome, [each.kind for each in asker.asked]) == ("failed", ["confirm"])


@pytest.mark.parametrize(
    ("proposed", "code"),
    [
        (step("file.read", path="/etc/passwd"), "model_overreached"),
        (step("file.write", path="home:/.bashrc", content="x"), "model_overreached"),
        (step("browser.type", selector='field "Password"', text="secret:bank"), "model_overreached"),
        (step("file.read", path="${g5.text}"), "model_bad_answer"),
        (step("file.read", path="a", mode="all"), "model_bad_answer"),
        (step("file.read"), "validation_failed"),
        (step("file.write", path=".surehand/settings.toml", content="rules = []"), "refused_by_policy"),
    ],
)
async def test_what_an_injection_made_of_a_model_ends_in_an_error_and_nothing_is_done(
    open_session: Open, server: ModelServer, tmp_path: Path, proposed: dict[str, Any], code: str
) -> None:
    before = sorted(path.name for path in (tmp_path / "work").rglob("*"))
    server.answer(steps(step("file.create", object_type="file", name="todo.txt"), proposed))
    result = await run(open_session(), gate=Asker())
    assert code in read_codes(result), result.errors
    assert (result.step_logs, result.reply != "") == ((), True)
    assert sorted(path.name for path in (tmp_path / "work").rglob("*") if ".surehand" not in path.parts) == before


@pytest.mark.parametrize("verb", ["system.run", "system.shutdown_everything", "file"])
async def test_a_verb_that_is_off_or_unknown_is_not_even_offered(
    open_session: Open, server: ModelServer, verb: str
) -> None:
    server.answer(steps(step(verb, argv=["rm", "-rf", "/"])))
    result = await run(open_session(), gate=Asker())
    assert "model_bad_answer" in read_codes(result)
    assert (
        verb
        not in server.asked[0].body["response_format"]["json_schema"]["schema"]["properties"]["steps"]["items"][
            "properties"
        ]["verb"]["enum"]
    )


async def test_only_verbs_that_policy_allows_are_offered(open_session: Open, server: ModelServer) -> None:
    server.answer(steps(refusal="no"))
    await run(open_session(), policy=Policy(verbs=("file.read", "audio.*")))
    schema = server.asked[0].body["response_format"]["json_schema"]["schema"]
    offered = schema["properties"]["steps"]["items"]["properties"]["verb"]["enum"]
    assert {name.partition(".")[0] for name in offered} == {"file", "audio"}
    assert [name for name in offered if name.startswith("file.")] == ["file.read"]


async def test_a_model_that_declines_leaves_the_grammars_refusal_first(open_session: Open, server: ModelServer) -> None:
    server.answer(steps(refusal="I don't know what frobnicating is."))
    result = await run(open_session())
    assert read_codes(result) == ["no_intent_match", "model_declined"]
    assert "frobnicating" in result.errors[1].message
    assert result.outcome == "failed"


@pytest.mark.parametrize("failure", spread(sorted(CODES), 6))
async def test_whatever_goes_wrong_with_a_model_the_grammar_has_its_say_and_nothing_is_done(
    open_session: Open, server: ModelServer, tmp_path: Path, failure: str
) -> None:
    server.fail(failure)
    result = await run(open_session(timeout_s=0.5 if CODES[failure] == "model_slow" else 20.0))
    assert read_codes(result)[0] == "no_intent_match"
    assert read_codes(result)[1].startswith("model_")
    assert all(error.hint for error in result.errors[1:])
    assert [each.name for each in (tmp_path / "work").glob("*")] == [".surehand"]


async def test_a_run_that_is_stopped_while_a_model_thinks_ends_at_once(open_session: Open, server: ModelServer) -> None:
    server.fail("never")
    async with open_session() as session:
        running = asyncio.ensure_future(session.run(Request(utterance=SAID)))
        await asyncio.to_thread(server.arrived.wait, 20)
        began = time.perf_counter()
        session.stop()
        result = await running
    assert time.perf_counter() - began < 10  # it would wait for 20
    assert read_codes(result) == ["no_intent_match"]


async def test_the_transcript_says_what_left_and_what_came_back(open_session: Open, server: ModelServer) -> None:
    server.answer(steps(step("file.read", path="todo.txt")))
    result = await run(open_session())
    (line,) = [entry for entry in result.transcript if entry["kind"] == "model"]
    assert line["origin"] == "the model “small”"
    assert f"request: {SAID}" in line["text"]
    assert "file.read" in line["text"]


async def test_only_the_sentence_leaves(open_session: Open, server: ModelServer, tmp_path: Path) -> None:
    (tmp_path / "work" / "private.txt").write_text("diary")
    server.answer(steps(refusal="no"))
    await run(open_session())
    text = server.asked[0].text
    assert SAID in text
    assert "private.txt" not in text
    assert str(tmp_path) not in text


async def test_answers_are_kept_and_a_second_session_asks_nobody(open_session: Open, server: ModelServer) -> None:
    server.answer(steps(step("file.read", path="todo.txt")))
    await run(open_session())
    await run(open_session())
    assert len(server.asked) == 1


async def test_what_was_recorded_is_replayed_without_a_server(
    open_session: Open, server: ModelServer, tmp_path: Path
) -> None:
    (tmp_path / "work" / "todo.txt").write_text("milk")
    server.answer(steps(step("file.read", path="todo.txt")))
    file = tmp_path / "replies.jsonl"
    await run(open_session(ModelWish("small", record=file)))
    result = await run(open_session(ModelWish(replay=file)))
    assert (result.outcome, len(server.asked)) == ("success", 1)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
async def test_planners_get_the_same_guard_and_a_link_into_a_private_folder_leads_nowhere(
    open_session: Open, server: ModelServer, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "work" / "diary").symlink_to(tmp_path / "elsewhere")
    told: list[ModelExchange] = []
    private = Policy(rules=(PolicyRule(verdict="private", roots=("workspace:/diary",), hosts=("bank.example",)),))
    async with open_session() as session:
        model = session.guard_model(private, told.append)
        assert model is not None
        for source in (
            str(tmp_path / "work" / "diary" / "a"),
            str(tmp_path / "elsewhere" / "a"),
            "https://bank.example/",
        ):
            data = (ModelData(label="seen", text="x", source=source),)
            with pytest.raises(ModelError) as caught:
                await model.ask(ask_for_word(data=data))
            assert caught.value.code == "private_source"
        assert (server.asked, told) == ([], [])
        server.answer({"word": "one"})
        await model.ask(ask_for_word(data=(ModelData(label="seen", text="x", source="https://shop.example/"),)))
        assert len(told) == 1


async def test_without_a_model_there_is_none_to_give(open_session: Open, tmp_path: Path) -> None:
    async with make_session(Settings(), tmp_path / "work") as session:
        assert session.guard_model(Policy(), lambda _: None) is None
