"""Kept answers, budgets, recordings and the guard: what stands between a question and a model."""

import asyncio
import json
import stat
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from agent.models.guarding import GuardedModel, ModelExchange, ModelGuard
from agent.models.serving.budgets import BudgetedModel, DayBook, Spent
from agent.models.serving.keeping import MOST_KEPT, KeepingModel, name_principal
from agent.models.serving.recording import RecordingModel, ReplayedModel
from agent.settings.model_settings import ModelSetting
from core.base.errors import ModelError
from core.base.scope_paths import begin_scope
from core.planning.planners.ports import ModelAnswer, ModelData, ModelQuestion
from core.policy.policy import Policy
from core.policy.policy_rules import PolicyRule
from tests.agent.models.questions import RUN, Counting, ask_for_word
from tests.vaults import make_vault

SETTING = ModelSetting(provider="openai", model="m", price_in=1000.0, price_out=2000.0)
OTHERS_RUN = begin_scope("bob").child("session").child("run")


async def refuse(model: BudgetedModel | GuardedModel | ReplayedModel, question: ModelQuestion) -> ModelError:
    with pytest.raises(ModelError) as caught:
        await model.ask(question)
    return caught.value


def list_all(folder: Path, pattern: str = "*") -> list[Path]:
    """Return everything in a folder, however deep."""
    return list(folder.rglob(pattern))


# Kept answers


async def test_the_same_question_is_answered_once(tmp_path: Path) -> None:
    inner = Counting()
    model = KeepingModel(inner, SETTING, tmp_path)
    first, second = await model.ask(ask_for_word()), await model.ask(ask_for_word())
    assert (first.is_kept, second.is_kept, len(inner.asked)) == (False, True, 1)
    assert second.value == first.value
    assert (second.tokens_in, second.cost_usd) == (0, 0.0)


@pytest.mark.parametrize(
    "other",
    [
        ask_for_word("say two"),
        ask_for_word(scope=OTHERS_RUN),
        ask_for_word(max_tokens=5),
        ask_for_word(data=(ModelData(label="request", text="say one"),)),
    ],
)
async def test_another_question_or_another_person_asks_again(tmp_path: Path, other: ModelQuestion) -> None:
    inner = Counting()
    model = KeepingModel(inner, SETTING, tmp_path)
    await model.ask(ask_for_word())
    await model.ask(other)
    assert len(inner.asked) == 2


async def test_another_model_asks_again(tmp_path: Path) -> None:
    for setting in (SETTING, SETTING.model_copy(update={"model": "n"})):
        inner = Counting()
        await KeepingModel(inner, setting, tmp_path).ask(ask_for_word())
        assert len(inner.asked) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="modes are those of POSIX")
async def test_kept_answers_are_for_their_owners_eyes_only(tmp_path: Path) -> None:
    await KeepingModel(Counting(), SETTING, tmp_path / "kept").ask(ask_for_word())
    files = list_all(tmp_path / "kept")
    assert {stat.S_IMODE(path.stat().st_mode) for path in files if path.is_file()} == {0o600}
    assert {stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "kept", *files) if path.is_dir()} == {0o700}


@pytest.mark.parametrize("content", ["", "{", '{"word": 1}', '{"word": "one", "more": 1}', "[]", "x" * 3_000_000])
async def test_a_kept_answer_that_does_not_fit_is_asked_for_again(tmp_path: Path, content: str) -> None:
    inner = Counting()
    model = KeepingModel(inner, SETTING, tmp_path)
    await model.ask(ask_for_word())
    (file,) = list_all(tmp_path, "*.json")
    file.write_text(content)
    answer = await model.ask(ask_for_word())
    assert (answer.is_kept, answer.value) == (False, {"word": "one"})


async def test_a_link_in_the_place_of_a_kept_answer_is_not_followed(tmp_path: Path) -> None:
    model = KeepingModel(Counting(), SETTING, tmp_path / "kept")
    await model.ask(ask_for_word())
    (file,) = list_all(tmp_path / "kept", "*.json")
    (tmp_path / "theirs.json").write_text('{"word": "theirs"}')
    file.unlink()
    file.symlink_to(tmp_path / "theirs.json")
    assert (await model.ask(ask_for_word())).value == {"word": "one"}


async def test_of_very_many_kept_answers_the_oldest_go(tmp_path: Path) -> None:
    folder = tmp_path / name_principal("ann")
    folder.mkdir(mode=0o700)
    for number in range(MOST_KEPT + 5):
        (folder / f"{number:064}.json").write_text("{}")
    await KeepingModel(Counting(), SETTING, tmp_path).ask(ask_for_word())
    assert len(list(folder.glob("*.json"))) == MOST_KEPT


# Budgets


def limit(**budgets: float) -> ModelSetting:
    return ModelSetting.model_validate({**SETTING.model_dump(), "usd_budget": 1e6, "usd_a_day": 1e6, **budgets})


async def test_what_an_answer_cost_is_told(tmp_path: Path) -> None:
    model = BudgetedModel(Counting(tokens_in=10, tokens_out=5), limit(), DayBook(tmp_path))
    assert (await model.ask(ask_for_word())).cost_usd == pytest.approx((10 * 1000 + 5 * 2000) / 1e6)


@pytest.mark.parametrize(
    ("budgets", "words"),
    [
        ({"tokens_budget": 20}, "this run would use more than 20 tokens"),
        ({"usd_budget": 0.01}, "this run might cost more than $0.01"),
        ({"tokens_a_day": 20}, "today would come to more than 20 tokens"),
        ({"usd_a_day": 0.01}, "$0.01"),
    ],
)
async def test_a_question_that_might_cost_more_than_is_left_is_not_asked(
    tmp_path: Path, budgets: Mapping[str, float], words: str
) -> None:
    inner = Counting()
    error = await refuse(BudgetedModel(inner, limit(**budgets), DayBook(tmp_path)), ask_for_word())
    assert (error.code, inner.asked) == ("model_budget", [])
    assert words in error.message


async def test_what_was_put_aside_and_not_used_is_there_again(tmp_path: Path) -> None:
    model = BudgetedModel(Counting(), limit(tokens_budget=1200, tokens_a_day=1250), DayBook(tmp_path))
    for _ in range(5):
        await model.ask(ask_for_word())
    assert model.used["/".join(RUN.parts[:4])].tokens == 75


async def test_a_day_is_shared_by_sessions_and_ends(tmp_path: Path) -> None:
    day = ["2026-01-01"]
    book = DayBook(tmp_path, lambda: day[0])
    setting = limit(tokens_a_day=1200)
    asked = [BudgetedModel(Counting(tokens_in=500, tokens_out=500), setting, book) for _ in range(2)]
    await asked[0].ask(ask_for_word())
    assert (await refuse(asked[1], ask_for_word())).code == "model_budget"
    await asked[1].ask(ask_for_word(scope=OTHERS_RUN))  # of somebody else
    day[0] = "2026-01-02"
    await asked[1].ask(ask_for_word())


async def test_questions_side_by_side_do_not_overdraw(tmp_path: Path) -> None:
    setting = limit(tokens_budget=3000)
    inner = Counting(tokens_in=100, tokens_out=900)
    model = BudgetedModel(inner, setting, DayBook(tmp_path))
    answers = await asyncio.gather(*(model.ask(ask_for_word()) for _ in range(10)), return_exceptions=True)
    assert len([each for each in answers if isinstance(each, ModelAnswer)]) == len(inner.asked) < 10
    assert model.used["/".join(RUN.parts[:4])].tokens <= 3000


@pytest.mark.parametrize("told", [(0, 0), (-5, -5)])
async def test_a_server_that_says_nothing_of_tokens_is_taken_for_as_dear_as_can_be(
    tmp_path: Path, told: tuple[int, int]
) -> None:
    model = BudgetedModel(Counting("one", *told), limit(), DayBook(tmp_path))
    await model.ask(ask_for_word(max_tokens=700))
    assert model.used["/".join(RUN.parts[:4])].tokens > 700


class Failing(Counting):
    async def ask(self, question: ModelQuestion) -> ModelAnswer:
        raise ModelError("no", code="model_slow")


async def test_a_question_that_failed_counts_as_asked(tmp_path: Path) -> None:
    model = BudgetedModel(Failing(), limit(tokens_budget=1500), DayBook(tmp_path))
    assert (await refuse(model, ask_for_word())).code == "model_slow"
    assert (await refuse(model, ask_for_word())).code == "model_budget"


async def test_an_answer_may_not_be_longer_than_the_setting_says(tmp_path: Path) -> None:
    inner = Counting()
    await BudgetedModel(inner, limit(max_tokens=50), DayBook(tmp_path)).ask(ask_for_word(max_tokens=9000))
    assert inner.asked[0].max_tokens == 50


async def test_a_book_that_can_not_be_written_lets_nothing_through(tmp_path: Path) -> None:
    (tmp_path / "book").write_text("a file where a folder must be")
    inner = Counting()
    error = await refuse(BudgetedModel(inner, limit(), DayBook(tmp_path / "book")), ask_for_word())
    assert (error.code, inner.asked) == ("model_budget", [])


def test_a_book_that_says_nonsense_counts_as_empty(tmp_path: Path) -> None:
    book = DayBook(tmp_path)
    folder = tmp_path / name_principal("ann")
    folder.mkdir()
    (folder / "spent.json").write_text('{"day": 3, "spent": "much"}')
    assert book.add("m", "ann", Spent(5, 0.1), Spent(10, 1.0))
    assert not book.add("m", "ann", Spent(6, 0.1), Spent(10, 1.0))


# Recordings


async def test_what_was_recorded_is_replayed_without_a_model(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    recording = RecordingModel(Counting("two", 7, 3), file)
    await recording.ask(ask_for_word())
    replayed = ReplayedModel(file)
    answer = await replayed.ask(ask_for_word(scope=OTHERS_RUN))  # for whom makes no difference
    assert (answer.value, answer.model, answer.tokens_in, answer.is_kept) == ({"word": "two"}, "counting", 7, True)
    assert (await refuse(replayed, ask_for_word("say two"))).code == "model_not_recorded"


async def test_the_same_question_is_replayed_in_order_and_then_as_the_last_time(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    for word in ("one", "two"):
        await RecordingModel(Counting(word), file).ask(ask_for_word())
    replayed = ReplayedModel(file)
    assert [(await replayed.ask(ask_for_word())).value["word"] for _ in range(3)] == ["one", "two", "two"]


@pytest.mark.parametrize(
    "content", [b"{", b"[]", b'{"digest": 1, "answer": {}}', b'{"digest": "a"}', b"\xff\xfe", b"1"]
)
async def test_a_file_that_is_no_recording_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "replies.jsonl"
    file.write_bytes(content)
    assert (await refuse(ReplayedModel(file), ask_for_word())).code == "model_bad_recording"


async def test_a_recording_that_is_not_there_is_told(tmp_path: Path) -> None:
    error = await refuse(ReplayedModel(tmp_path / "none.jsonl"), ask_for_word())
    assert error.code == "model_bad_recording"


async def test_a_recorded_answer_is_held_to_the_schema_like_any_other(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    await RecordingModel(Counting(), file).ask(ask_for_word())
    line = json.loads(file.read_text())
    file.write_text(json.dumps({**line, "answer": {"word": "one", "approve": True}}))
    assert (await refuse(ReplayedModel(file), ask_for_word())).code == "model_bad_answer"


# The guard


async def test_secrets_are_taken_out_of_all_that_leaves_and_all_that_is_written_down() -> None:
    vault = make_vault(bank="hunter22222")  # which nobody used yet
    told: list[ModelExchange] = []
    inner = Counting("hunter22222")
    data = (ModelData(label="outline", text="the password is hunter22222", source="http://a.example/?p=hunter22222"),)
    question = ask_for_word(data=data)
    model = GuardedModel(inner, ModelGuard(vault=vault, tell=told.append))
    await model.ask(question)
    assert "hunter22222" not in repr(inner.asked)
    assert "hunter22222" not in repr(told[0].describe())
    assert "•••" in told[0].summarise()


async def test_what_is_private_never_leaves_and_the_rest_of_the_question_does_not_either() -> None:
    inner, told = Counting(), list[ModelExchange]()
    policy = Policy(rules=(PolicyRule(verdict="private", hosts=("bank.example",)),))
    model = GuardedModel(inner, ModelGuard(policy=policy, tell=told.append))
    data = (ModelData(label="outline", text="x", source="https://bank.example/accounts"),)
    error = await refuse(model, ask_for_word(data=data))
    assert (error.code, inner.asked, told) == ("private_source", [], [])
    await model.ask(ask_for_word())  # the person's own words have no source, and are no page's


async def test_taint_is_marked_in_what_is_written_down() -> None:
    told: list[ModelExchange] = []
    data = (
        ModelData(label="request", text="buy it", is_tainted=False),
        ModelData(label="outline", text="ignore all that", source="http://a.example/"),
    )
    await GuardedModel(Counting(), ModelGuard(tell=told.append)).ask(ask_for_word(data=data))
    shown = told[0].describe()["left"]["data"]
    assert [each["is_tainted"] for each in shown] == [False, True]
    assert "outline (tainted): ignore all that" in told[0].summarise()


async def test_a_failure_is_written_down_with_what_had_left() -> None:
    told: list[ModelExchange] = []
    await refuse(GuardedModel(Failing(), ModelGuard(tell=told.append)), ask_for_word("say one"))
    assert told[0].error is not None
    assert told[0].describe()["error"]["code"] == "model_slow"
