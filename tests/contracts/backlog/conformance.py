"""What every backlog does, whatever it is kept in."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol, get_args

import pytest

from core.base.errors import ErrorInfo, GoalError
from core.base.scope_paths import ScopePath, begin_scope
from core.planning.planners.backlog_moves import BACKLOG_MOVES
from core.planning.planners.ports import Backlog, BacklogItem, BacklogState
from core.planning.planners.results import PlannerResult, PlannerRuns
from core.planning.planners.steps import StepRecord
from core.planning.planners.transcripts import TranscriptEntry

BEGAN = datetime(2026, 11, 23, 9, tzinfo=UTC)
ANN = begin_scope("ann")
RUN = ANN.child("s1").child("r1")
STATES: tuple[BacklogState, ...] = get_args(BacklogState)


class SettableClock:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.now = BEGAN

    def read_utc(self) -> datetime:
        return self.now

    def read_monotonic_s(self) -> float:
        return self.now.timestamp()

    async def sleep(self, delay_s: float) -> None:
        self.now += timedelta(seconds=delay_s)


class Store(Backlog, PlannerRuns, Protocol):
    """What a store is."""

    async def close(self) -> None: ...


def make_item(item_id: str, **parts: Any) -> BacklogItem:
    return replace(BacklogItem(item_id=item_id, title=f"Do {item_id}"), **parts)


async def move_to(backlog: Backlog, scope: ScopePath, item_id: str, state: BacklogState) -> None:
    """Bring a new item to a state."""
    if state != "pending":
        await backlog.flip(scope, item_id, state, "to begin with")


class ItemConformance:
    """Adding, finding, moving."""

    async def test_an_item_comes_back_as_it_was_added_with_its_scope_and_time(self, store: Store, clock: SettableClock):
        item = make_item(
            "a", plan_id="p", consumed_by="extract", produced_by="local/ann/s1", data={"rows": [1, "x", None]}
        )
        await store.add(RUN, item)
        (found,) = await store.list_items(RUN)
        assert found.scope == "local/ann/s1/r1"
        assert found.changed_at == "2026-11-23T09:00:00.000+00:00"
        assert (found.item_id, found.title, found.state, found.plan_id) == ("a", "Do a", "pending", "p")
        assert (found.consumed_by, found.produced_by, found.data) == (
            "extract",
            "local/ann/s1",
            {"rows": [1, "x", None]},
        )

    async def test_what_becomes_of_data_later_changes_no_item(self, store: Store, clock: SettableClock):
        data = {"rows": [1]}
        await store.add(RUN, make_item("a", data=data))
        data["rows"].append(2)
        assert (await store.list_items(RUN))[0].data == {"rows": [1]}

    @pytest.mark.parametrize("data", [{"x": object()}, {"x": float("nan")}, {"x": {1, 2}}, {"x": b"b"}])
    async def test_data_that_is_not_json_is_refused(self, store: Store, data: dict[str, object]):
        with pytest.raises(GoalError, match="can't be stored"):
            await store.add(RUN, make_item("a", data=data))
        assert await store.list_items(RUN) == []

    @pytest.mark.parametrize("item_id", ["", "  ", "a\nb", "\ud800", "a\x00"])
    async def test_an_id_that_cannot_be_a_name_is_refused(self, store: Store, item_id: str):
        with pytest.raises(GoalError) as caught:
            await store.add(RUN, make_item(item_id))
        assert caught.value.code == "bad_backlog_item"

    async def test_an_id_is_taken_in_its_scope_and_free_in_another(self, store: Store):
        await store.add(RUN, make_item("a"))
        with pytest.raises(GoalError) as caught:
            await store.add(RUN, make_item("a"))
        assert caught.value.code == "backlog_item_exists"
        await store.add(RUN.child("g0"), make_item("a"))
        assert [item.scope for item in await store.list_items(RUN)] == [str(RUN), str(RUN.child("g0"))]

    async def test_items_are_listed_by_scope_and_state_the_oldest_first(self, store: Store):
        for scope, item_id in ((RUN, "b"), (ANN, "a"), (begin_scope("ann2"), "other"), (RUN.child("g0"), "c")):
            await store.add(scope, make_item(item_id))
        await store.flip(RUN, "b", "active", "began")
        assert [item.item_id for item in await store.list_items(ANN)] == ["b", "a", "c"]
        assert [item.item_id for item in await store.list_items(RUN)] == ["b", "c"]
        assert [item.item_id for item in await store.list_items(ANN, "pending")] == ["a", "c"]
        assert [item.item_id for item in await store.list_items(ANN, "active")] == ["b"]

    @pytest.mark.parametrize("name", ["ann/s1", "ann%2Fs1", "an", "ann0", "ann."])
    async def test_a_name_that_looks_like_a_path_is_within_nothing(self, store: Store, name: str):
        await store.add(ANN.child("s1"), make_item("a"))
        assert await store.list_items(begin_scope(name)) == []
        await store.add(begin_scope(name), make_item("b"))
        assert [item.item_id for item in await store.list_items(ANN)] == ["a"]

    @pytest.mark.parametrize("before", STATES)
    @pytest.mark.parametrize("after", STATES)
    async def test_an_item_moves_as_the_table_says_and_not_otherwise(
        self, store: Store, clock: SettableClock, before: BacklogState, after: BacklogState
    ):
        await store.add(RUN, make_item("a"))
        await move_to(store, RUN, "a", before)
        clock.now += timedelta(minutes=5)
        if after in BACKLOG_MOVES[before]:
            move = await store.flip(RUN, "a", after, "because")
            assert (move.before, move.after, move.because, move.scope) == (before, after, "because", str(RUN))
            assert move.at == "2026-11-23T09:05:00.000+00:00" == (await store.list_items(RUN))[0].changed_at
            assert (await store.list_items(RUN))[0].state == after
        else:
            with pytest.raises(GoalError) as caught:
                await store.flip(RUN, "a", after, "because")
            assert caught.value.code == "bad_backlog_move"
            assert [item.state for item in await store.list_items(RUN)] == [before]
            assert len(await store.list_transitions(RUN)) == (1 if before == "pending" else 2)

    @pytest.mark.parametrize("because", ["", "  \n"])
    async def test_an_item_goes_back_to_pending_only_for_a_reason(self, store: Store, because: str):
        await store.add(RUN, make_item("a"))
        await store.flip(RUN, "a", "done", "")
        with pytest.raises(GoalError, match="without a reason"):
            await store.flip(RUN, "a", "pending", because)
        assert (await store.flip(RUN, "a", "pending", "it was wrong")).because == "it was wrong"

    async def test_an_item_is_meant_that_is_nearest_around_or_else_the_only_one_within(self, store: Store):
        await store.add(ANN, make_item("a", title="outer"))
        await store.add(RUN, make_item("a", title="inner"))
        assert (await store.flip(RUN.child("g0"), "a", "active", "step")).scope == str(RUN)
        assert (await store.flip(ANN.child("s2"), "a", "active", "step")).scope == str(ANN)
        await store.add(RUN.child("g0"), make_item("deep"))
        assert (await store.flip(ANN, "deep", "done", "by hand")).scope == str(RUN.child("g0"))

    async def test_an_id_that_several_scopes_within_have_is_ambiguous(self, store: Store):
        await store.add(ANN.child("s1"), make_item("a"))
        await store.add(ANN.child("s2"), make_item("a"))
        with pytest.raises(GoalError, match="local/ann/s1, local/ann/s2") as caught:
            await store.flip(ANN, "a", "done", "by hand")
        assert caught.value.code == "backlog_item_ambiguous"

    async def test_an_item_of_another_principal_is_never_meant(self, store: Store):
        await store.add(begin_scope("bob"), make_item("a"))
        await store.add(begin_scope("bob").child("s1"), make_item("b"))
        for item_id in "ab":
            with pytest.raises(GoalError) as caught:
                await store.flip(RUN, item_id, "done", "mine")
            assert caught.value.code == "backlog_item_missing"
        assert await store.list_transitions(ANN) == []

    async def test_moves_are_listed_by_scope_and_time_the_oldest_first(self, store: Store, clock: SettableClock):
        await store.add(RUN, make_item("a", produced_by="local/ann/s0"))
        await store.add(begin_scope("bob"), make_item("a"))
        clock.now += timedelta(hours=1)
        await store.flip(RUN, "a", "active", "began")
        await store.flip(RUN, "a", "pending", "stopped")
        told = [(move.before, move.after, move.because) for move in await store.list_transitions(ANN)]
        assert told == [
            ("", "pending", "local/ann/s0"),
            ("pending", "active", "began"),
            ("active", "pending", "stopped"),
        ]
        assert len(await store.list_transitions(ANN, BEGAN + timedelta(minutes=1))) == 2
        assert len(await store.list_transitions(ANN, clock.now + timedelta(seconds=1))) == 0


class PlanConformance:
    """Coverage, checkpoints, what planners consume."""

    async def test_coverage_is_the_share_of_a_plan_that_is_done(self, store: Store):
        assert await store.find_coverage(RUN, "p") == 1.0
        for item_id in "abcd":
            await store.add(RUN, make_item(item_id, plan_id="p"))
        await store.add(RUN, make_item("e", plan_id="q"))
        assert await store.find_coverage(RUN, "p") == 0.0
        await store.flip(RUN, "a", "done", "")
        await store.flip(RUN, "b", "failed", "")
        assert await store.find_coverage(ANN, "p") == 0.25
        assert await store.find_coverage(RUN.child("g0"), "p") == 0.25
        assert await store.find_coverage(begin_scope("bob"), "p") == 1.0

    async def test_a_checkpoint_is_kept_in_place_of_the_one_before(self, store: Store):
        assert await store.read_checkpoint(RUN, "p") is None
        await store.keep_checkpoint(RUN, "p", {"step": 1})
        await store.keep_checkpoint(RUN, "p", {"step": 2, "left": ["x"]})
        await store.keep_checkpoint(RUN, "q", {})
        assert await store.read_checkpoint(RUN, "p") == {"step": 2, "left": ["x"]}
        assert await store.read_checkpoint(RUN.child("g0"), "p") == {"step": 2, "left": ["x"]}
        assert await store.read_checkpoint(RUN, "q") == {}
        assert await store.read_checkpoint(ANN, "p") is None
        assert await store.read_checkpoint(begin_scope("bob"), "p") is None

    async def test_a_checkpoint_that_is_not_json_is_refused(self, store: Store):
        with pytest.raises(GoalError, match="can't be stored"):
            await store.keep_checkpoint(RUN, "p", {"x": object()})


class RunConformance:
    """What came of planners."""

    async def test_a_run_is_kept_with_steps_transcript_and_metrics_but_without_what_it_made(self, store: Store):
        error = ErrorInfo("target_missing", "No such button.", "Look again.")
        inner = TranscriptEntry(kind="answer", text="click", tokens=3, is_tainted=True)
        result = PlannerResult(
            planner_id="explore",
            scope=str(RUN),
            outcome="partial",
            completed=(
                StepRecord(instance_id="p1", step_id="propose", status="done", outputs={"secret": 1}, tokens=3),
            ),
            failed=(StepRecord(instance_id="e1", step_id="execute", status="failed", iteration=2, error=error),),
            outstanding=("p2",),
            artifacts={"flow": "goals: []"},
            transcript=(TranscriptEntry(kind="instructions", text="Do it.", tokens=3, inner=(inner,)),),
            metrics={"ms": 12.5},
            diagnostics=("note",),
            errors=(error,),
        )
        await store.keep_run(result, BEGAN)
        (kept,) = await store.list_runs(ANN)
        assert [(step.step_id, step.status, step.iteration, dict(step.outputs)) for step in kept.steps] == [
            ("propose", "done", 0, {}),
            ("execute", "failed", 2, {}),
        ]
        assert kept.steps[1].error == error
        assert kept.transcript == result.transcript
        assert (kept.planner_id, kept.scope, kept.outcome, kept.outstanding) == (
            "explore",
            str(RUN),
            "partial",
            ("p2",),
        )
        assert (kept.metrics, kept.diagnostics, kept.errors) == ({"ms": 12.5}, ("note",), (error,))

    async def test_runs_are_listed_by_scope_and_time(self, store: Store):
        for number, scope in enumerate((RUN, begin_scope("bob"), ANN)):
            result = PlannerResult(planner_id=f"p{number}", scope=str(scope), outcome="success")
            await store.keep_run(result, BEGAN + timedelta(minutes=number))
        assert [run.planner_id for run in await store.list_runs(ANN)] == ["p0", "p2"]
        assert [run.planner_id for run in await store.list_runs(ANN, BEGAN + timedelta(minutes=1))] == ["p2"]

    async def test_of_a_long_transcript_the_beginning_is_kept_and_that_is_said(self, store: Store):
        entries = tuple(TranscriptEntry(kind="note", text="x" * 5000) for _ in range(300))
        nested = (TranscriptEntry(kind="note", text="all", inner=entries),)
        result = PlannerResult(planner_id="p", scope=str(RUN), outcome="success", transcript=nested)
        await store.keep_run(result, BEGAN)
        (kept,) = await store.list_runs(RUN)
        assert len(kept.transcript[0].inner) == 199
        assert all(len(entry.text) == 2000 for entry in kept.transcript[0].inner)
        assert kept.diagnostics == ("Of 301 entries of the transcript the first 200 were saved.",)
