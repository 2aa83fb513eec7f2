"""Five planners in a row over one scripted model: the backlog advances by itself, and everything says for whom and within what it was done."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from agent.planners.backlog.sqlite_backlog import SqliteBacklog
from agent.planners.host import WorkspacePlanners
from agent.planners.registry import PlannerRegistry
from agent.requests.planner_wishes import PlannerWish
from agent.sessions.planner_port import PlannerPlaces
from agent.testing.hosts import HostParts, PlannerTestHost
from agent.testing.scripted_models import ScriptedModel
from agent.testing.snapshots import check_snapshot
from core.base.errors import ModelError
from core.base.scope_paths import begin_scope
from core.planning.planners.ports import BacklogItem
from core.planning.planners.transcripts import TranscriptEntry
from core.results.planner_events import PlannerEvent, PlannerStarted
from tests.agent.planners.stages import ASK, NAMES, PLAN, STAGES
from tests.core.samples import make_registry

ADA = begin_scope("ada")
SNAPSHOT = Path(__file__).parent / "snapshots" / "pipeline.txt"
LEFT = ("tea 2, milk 1", "milk 1, tea 2", "Buy milk and tea.", "Buy milk and tea!", "published")


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The planners, what they share, and who runs them."""

    planners: WorkspacePlanners
    host: PlannerTestHost
    model: ScriptedModel

    async def begin(self) -> None:
        item = BacklogItem(
            item_id="gather", title="gather", plan_id=PLAN, consumed_by="gather", data={"text": "a list"}
        )
        await self.host.backlog.add(ADA, item)

    async def work_off(self) -> None:
        """Let the planner that can work on the next item, until none is left."""
        host = self.host
        while pending := await host.backlog.list_items(ADA, "pending"):
            wish = PlannerWish(capability="", item=pending[0].item_id)
            host.results.append(await self.planners.plan(wish, None, host.make_parts(), lambda _: self.model))

    async def list_states(self) -> dict[str, str]:
        return {item.item_id: item.state for item in await self.host.backlog.list_items(ADA)}


@pytest.fixture
async def pipeline(tmp_path: Path) -> AsyncIterator[Pipeline]:
    registry = PlannerRegistry()
    for stage in STAGES:
        registry.register(stage, stage)
    own = tmp_path / "own"
    own.mkdir()
    (own / "mine.toml").write_text(f'[{ASK}]\nversion = 1\ntext = "In a {{task}} tone."\n', encoding="utf-8")
    places = PlannerPlaces(state=tmp_path / "state", config=tmp_path / "config", templates=own)
    planners = WorkspacePlanners(lambda: make_registry().specs(), places, registry=registry)
    model = ScriptedModel()
    backlog = (await planners.open()).backlog
    yield Pipeline(
        planners, PlannerTestHost(HostParts(model=model, templates=None, backlog=backlog, principal="ada")), model
    )
    await planners.close()


@pytest.fixture
async def worked_off(pipeline: Pipeline) -> Pipeline:
    for text in LEFT:
        pipeline.model.script({"text": text})
    await pipeline.begin()
    await pipeline.work_off()
    return pipeline


async def test_each_planner_works_on_what_the_one_before_left(worked_off: Pipeline) -> None:
    host = worked_off.host
    assert [result.outcome for result in host.results] == ["success"] * 5
    assert [result.artifacts["text"] for result in host.results] == list(LEFT)
    assert [question.data[0].text for question in worked_off.model.asked] == ["a list", *LEFT[:-1]]
    worked_off.model.check_all_given()


async def test_the_backlog_advances_by_itself_and_covers_the_plan(worked_off: Pipeline) -> None:
    host = worked_off.host
    assert await worked_off.list_states() == dict.fromkeys(NAMES, "done")
    assert await host.backlog.find_coverage(ADA, PLAN) == 1
    moves = [(each.item_id, each.after) for each in await host.backlog.list_transitions(ADA)]
    expected = [("gather", "pending")]
    for name, following in zip(NAMES, (*NAMES[1:], None), strict=True):
        expected.append((name, "active"))
        expected += [(following, "pending")] if following else []
        expected.append((name, "done"))
    assert moves == expected


async def test_each_item_says_which_step_left_it_and_which_run_finished_it(worked_off: Pipeline) -> None:
    host = worked_off.host
    items = await host.backlog.list_items(ADA)
    runs = [f"local/ada/session/run-{number}" for number in range(1, 6)]
    assert [item.produced_by for item in items] == ["", *(f"{run}/hand_on" for run in runs[:-1])]
    finished = {each.item_id: each.because for each in await host.backlog.list_transitions(ADA) if each.after == "done"}
    assert [finished[name] for name in NAMES] == runs


async def test_every_question_event_and_entry_lies_within_the_run_that_it_belongs_to(worked_off: Pipeline) -> None:
    host = worked_off.host
    for number, (name, result) in enumerate(zip(NAMES, host.results, strict=True), 1):
        run = f"local/ada/session/run-{number}"
        assert result.scope == run
        assert str(worked_off.model.asked[number - 1].scope) == f"{run}/think"
        assert all(entry.scope.startswith(run) for top in result.transcript for entry in list_entries(top))
        told = [each for each in host.events if isinstance(each, PlannerEvent) and each.planner_id == name]
        assert {each.run_id for each in told} == {f"run-{number}"}
        assert [(each.event_name, each.scope.removeprefix(run)) for each in told] == [
            ("planner.started", ""),
            ("planner.step.started", "/think"),
            ("planner.step.completed", "/think"),
            ("planner.step.started", "/hand_on"),
            ("planner.step.completed", "/hand_on"),
            ("planner.completed", ""),
        ]


async def test_each_run_tells_the_tags_of_its_planner_and_holds_to_its_metadata(worked_off: Pipeline) -> None:
    started = [each for each in worked_off.host.events if isinstance(each, PlannerStarted)]
    assert [(each.planner_id, each.tags) for each in started] == [(name, ("pipeline",)) for name in NAMES]
    for stage, result in zip(STAGES, worked_off.host.results, strict=True):
        assert [record.step_id for record in result.completed] == [step.step_id for step in stage.metadata.steps]
        assert all(
            set(step.outputs) <= set(record.outputs)
            for step, record in zip(stage.metadata.steps, result.completed, strict=True)
        )


async def test_tokens_are_counted_once_from_the_question_to_the_run(worked_off: Pipeline) -> None:
    for result in worked_off.host.results:
        tokens = sum(entry.tokens for entry in result.transcript)
        assert tokens == result.metrics["tokens"] == sum(record.tokens for record in result.completed) > 0


async def test_what_was_read_is_marked_in_the_transcript_and_stands_in_no_instructions(worked_off: Pipeline) -> None:
    for result, text in zip(worked_off.host.results, ("a list", *LEFT[:-1]), strict=True):
        entries = [entry for top in result.transcript for entry in list_entries(top)]
        assert [entry.is_tainted for entry in entries if entry.kind in {"data", "answer"}] == [True, True]
        assert not any(text in entry.text for entry in entries if entry.kind == "instructions")


async def test_the_transcripts_are_as_they_were(worked_off: Pipeline) -> None:
    check_snapshot(worked_off.host.describe_transcripts(), SNAPSHOT)


async def test_what_came_of_each_run_is_kept_by_its_scope(worked_off: Pipeline) -> None:
    host = worked_off.host
    assert isinstance(host.backlog, SqliteBacklog)
    runs = await host.backlog.list_runs(ADA)
    assert [(run.planner_id, run.outcome) for run in runs] == [(name, "success") for name in NAMES]


async def test_a_model_that_fails_once_is_asked_again_after_its_pause(pipeline: Pipeline) -> None:
    pipeline.model.script(ModelError("It was too slow."))
    for text in LEFT:
        pipeline.model.script({"text": text})
    await pipeline.begin()
    await pipeline.work_off()
    assert await pipeline.list_states() == dict.fromkeys(NAMES, "done")
    assert pipeline.host.results[0].completed[0].iteration == 2
    assert pipeline.host.clock.read_monotonic_s() == 60


async def test_a_planner_that_fails_stops_the_pipeline_and_it_goes_on_from_there(pipeline: Pipeline) -> None:
    for text in LEFT[:2]:
        pipeline.model.script({"text": text})
    for _ in range(2):
        pipeline.model.script(ModelError("It was too slow."))
    await pipeline.begin()
    await pipeline.work_off()
    host = pipeline.host
    assert [result.outcome for result in host.results] == ["success", "success", "failed"]
    assert await pipeline.list_states() == {"gather": "done", "sort": "done", "write": "failed"}
    assert await host.backlog.find_coverage(ADA, PLAN) == pytest.approx(2 / 3)
    await host.backlog.flip(ADA, "write", "pending", "a person wants it tried again")
    for text in LEFT[2:]:
        pipeline.model.script({"text": text})
    await pipeline.work_off()
    assert await pipeline.list_states() == dict.fromkeys(NAMES, "done")
    assert host.results[-1].artifacts["text"] == LEFT[-1]


def list_entries(entry: TranscriptEntry) -> list[TranscriptEntry]:
    return [entry, *(each for inner in entry.inner for each in list_entries(inner))]
