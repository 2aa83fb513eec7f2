"""Planners by capability: registered with metadata that makes sense, chosen, carried out, and what came of them kept."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar

import pytest

from agent.planners.backlog.memory_backlog import MemoryBacklog
from agent.planners.backlog.sqlite_backlog import SqliteBacklog
from agent.planners.catalog import list_shipped_planners, load_planners
from agent.planners.drift.shape_file import SHAPES, ShapeFile
from agent.planners.registry import DispatcherParts, PlannerRegistry, ToolDispatcher
from agent.planners.settings import PlannerSettingsFiles
from agent.planners.templates.template_files import TemplateFiles
from agent.planners.workspace_planners import PlannerPlaces, WorkspacePlanners, open_planners
from agent.store.seals import Seal
from core.base.errors import ActionError, GoalError, InputError, SchemaError, TableError
from core.base.scope_paths import begin_scope
from core.planning.planners.base import HOOK_SETTINGS, PlannerBase
from core.planning.planners.context import PlannerContext, PlannerContextParts
from core.planning.planners.lifecycle.queueing import PlannerQueue
from core.planning.planners.metadata import PlannerInput, PlannerMetadata, RetryPolicy, StepDescriptor
from core.planning.planners.ports import BacklogItem
from core.planning.planners.results import PlannerResult
from core.planning.planners.steps import PlannerStep, PlannerStepInstance
from tests.contracts.backlog.conformance import SettableClock
from tests.core.samples import make_registry

ANN = begin_scope("ann")
RUN = ANN.child("s1").child("r1")
PROMPTS = '[toy.say]\nversion = 1\ntext = "Say {word}, {most} times."\n[my.say]\nversion = 1\ntext = "Kindly say {word}, {most} times."\n'
SAY = StepDescriptor(
    step_id="say", description="Says it.", template_id="toy.say", outputs=("said",), backlog_item="say {word}"
)
TOY = PlannerMetadata(
    name="toy",
    description="Says a word.",
    capabilities=("say", "speak"),
    inputs=(PlannerInput(name="word", kind="text", description="The word."),),
    settings={"most": 2},
    steps=(SAY,),
)


class ToyPlanner(PlannerBase):
    """Says what its template makes of a word."""

    metadata: ClassVar[PlannerMetadata] = TOY

    async def draft(self, context: PlannerContext) -> Sequence[PlannerStepInstance]:
        said = context.render("toy.say", word=context.parameters["word"], most=context.settings["most"])
        return (PlannerStepInstance(instance_id="say", step=PlannerStep(descriptor=SAY), instructions=said),)

    async def execute_step(self, context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        context.note("outcome", step.instructions)
        return {"said": step.instructions}

    async def finalise(self, context: PlannerContext, result: PlannerResult) -> PlannerResult:
        return result.with_artifact("said", context.values["said"])


class LoudPlanner(ToyPlanner):
    """Says it as well."""

    metadata: ClassVar[PlannerMetadata] = replace(TOY, name="loud", capabilities=("say", "shout"))


class FullBacklog(MemoryBacklog):
    """Keeps no run."""

    async def keep_run(self, result: PlannerResult, began_at: datetime) -> None:
        raise ActionError("The disk is full.", code="backlog_unavailable")


@pytest.fixture
def templates(tmp_path: Path) -> TemplateFiles:
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "toy.toml").write_text(PROMPTS, encoding="utf-8")
    return TemplateFiles(shipped=tmp_path / "prompts")


@pytest.fixture
def registry() -> PlannerRegistry:
    registry = PlannerRegistry()
    registry.register(ToyPlanner)
    return registry


@pytest.fixture
def files(tmp_path: Path, registry: PlannerRegistry, templates: TemplateFiles) -> PlannerSettingsFiles:
    registry.register(LoudPlanner)
    templates.check(registry.list_metadata())
    return PlannerSettingsFiles(tmp_path / "config", registry.list_metadata(), templates)


def test_a_planner_is_found_by_each_of_its_capabilities(registry: PlannerRegistry) -> None:
    assert [registry.choose(tag).name for tag in TOY.capabilities] == ["toy", "toy"]
    assert [metadata.name for metadata in registry.list_metadata()] == ["toy"]
    assert isinstance(registry.make("toy"), ToyPlanner)
    assert registry.make("toy") is not registry.make("toy")


def test_a_capability_that_no_planner_has_is_an_error_with_the_nearest(registry: PlannerRegistry) -> None:
    with pytest.raises(GoalError) as caught:
        registry.choose("speek")
    assert (caught.value.code, caught.value.message) == (
        "planner_missing",
        'No planner can speek (did you mean "speak"?).',
    )
    assert caught.value.hint == "There are planners that can say, speak."


def test_a_capability_that_several_have_is_an_error_that_names_them_until_one_is_chosen(
    registry: PlannerRegistry,
) -> None:
    registry.register(LoudPlanner)
    with pytest.raises(GoalError) as caught:
        registry.choose("say")
    assert (caught.value.code, caught.value.message) == ("planner_ambiguous", "2 planners can say: loud, toy.")
    assert registry.choose("say", "loud").name == "loud"
    assert registry.choose("shout").name == "loud"
    with pytest.raises(GoalError):
        registry.choose("say", "nobody")


STEP = StepDescriptor(step_id="s", description="S.")
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no capability": ({"capabilities": ()}, "it has no capability"),
    "no description": ({"description": ""}, "it has no name or no description"),
    "a level that is none": ({"prerequisites": ("run", "house")}, "“house” is not a level of a scope"),
    "two inputs of a name": ({"inputs": TOY.inputs * 2}, "2 of its inputs are called “word”"),
    "two steps of a name": ({"steps": (STEP, STEP, STEP)}, "3 of its steps are called “s”"),
    "a step without a name": ({"steps": (replace(STEP, step_id=""),)}, "one step has no name"),
    "an input from nowhere": (
        {"steps": (replace(STEP, inputs=("word", "page")),)},
        "step “s” reads “page”, which no step gives",
    ),
    "an item named by what is no input": (
        {"steps": (replace(STEP, backlog_item="{word} {page}"),)},
        "step “s” names its backlog item by “page”",
    ),
    "an item that can't be read": (
        {"steps": (replace(STEP, backlog_item="{word.x}"),)},
        "backlog item that can't be read",
    ),
    "a step that is never tried": (
        {"steps": (replace(STEP, retry=RetryPolicy(attempts=0)),)},
        "a retry policy that tries it never",
    ),
    "a default of another type": (
        {"inputs": (PlannerInput(name="n", kind="integer", description="N.", is_required=False, default="x"),)},
        "the default of “n” is not a whole number",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_metadata_that_makes_no_sense_is_refused(case: str) -> None:
    parts, told = WRONG[case]

    class Wrong(ToyPlanner):
        metadata: ClassVar[PlannerMetadata] = replace(TOY, **parts)

    with pytest.raises(TableError) as caught:
        PlannerRegistry().register(Wrong)
    assert caught.value.code == "bad_planner"
    assert told in caught.value.message


def test_a_name_is_taken_once(registry: PlannerRegistry) -> None:
    with pytest.raises(TableError, match="two planners are called “toy”"):
        registry.register(ToyPlanner)


def test_an_output_of_any_step_may_be_read_by_one_that_comes_round_again() -> None:
    class Round(ToyPlanner):
        metadata: ClassVar[PlannerMetadata] = replace(
            TOY,
            steps=(replace(STEP, inputs=("found",)), replace(STEP, step_id="t", outputs=("found",), inputs=("most",))),
        )

    PlannerRegistry().register(Round)


def test_a_dispatcher_refuses_to_start_without_a_template(registry: PlannerRegistry, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(TableError, match=r"step “say” of planner “toy” needs template “toy\.say”"):
        ToolDispatcher(DispatcherParts(registry=registry, templates=TemplateFiles(shipped=tmp_path / "empty")))


async def test_a_planner_is_carried_out_with_its_templates_and_kept_with_transcript_and_metrics(
    registry: PlannerRegistry, templates: TemplateFiles
) -> None:
    clock = SettableClock()
    backlog = MemoryBacklog(clock)
    await backlog.add(ANN, BacklogItem(item_id="say hello", title="Say hello."))
    dispatcher = ToolDispatcher(
        DispatcherParts(registry=registry, templates=templates, runs=backlog, queue=PlannerQueue())
    )
    parts = PlannerContextParts(scope=RUN, clock=clock, backlog=backlog)
    result = await dispatcher.plan("speak", {"word": "hello"}, parts)
    assert (result.outcome, result.artifacts) == ("success", {"said": "Say hello, 2 times."})
    (kept,) = await backlog.list_runs(ANN)
    assert (kept.planner_id, kept.scope, kept.began_at) == ("toy", str(RUN), "2026-11-23T09:00:00.000+00:00")
    assert kept.transcript == result.transcript != ()
    assert kept.metrics == result.metrics
    assert [(step.step_id, step.status) for step in kept.steps] == [("say", "done")]
    assert [item.state for item in await backlog.list_items(ANN)] == ["done"]


async def test_what_principals_set_holds_for_their_runs_alone(
    registry: PlannerRegistry, templates: TemplateFiles, files: PlannerSettingsFiles
) -> None:
    toy = {"settings": {"most": 7}, "templates": {"say": "my.say"}}
    files.write("ann", {"planners": {"toy": toy}, "capabilities": {"say": "toy"}})
    files.write("bob", {"capabilities": {"say": "loud"}})
    dispatcher = ToolDispatcher(DispatcherParts(registry=registry, templates=templates, settings=files))
    said = {}
    for name in ("ann", "bob"):
        result = await dispatcher.plan("say", {"word": "hello"}, PlannerContextParts(scope=begin_scope(name)))
        said[name] = (result.planner_id, result.artifacts["said"])
    assert said == {"ann": ("toy", "Kindly say hello, 7 times."), "bob": ("loud", "Say hello, 2 times.")}
    with pytest.raises(GoalError, match="2 planners can say"):
        await dispatcher.plan("say", {"word": "hello"}, PlannerContextParts(scope=begin_scope("eve")))
    given = PlannerContextParts(scope=ANN, settings={"most": 1})
    assert (await dispatcher.plan("say", {"word": "x"}, given)).artifacts["said"] == "Kindly say x, 1 times."


async def test_settings_that_cannot_be_used_stop_the_run_before_it_begins(
    registry: PlannerRegistry, templates: TemplateFiles, files: PlannerSettingsFiles, tmp_path: Path
) -> None:
    (tmp_path / "config").mkdir()
    files.locate("ann").write_text("{", encoding="utf-8")
    backlog = MemoryBacklog()
    dispatcher = ToolDispatcher(DispatcherParts(registry=registry, templates=templates, settings=files, runs=backlog))
    with pytest.raises(InputError, match=r"planners\.ann\.json can't be used"):
        await dispatcher.plan("shout", {"word": "hello"}, PlannerContextParts(scope=ANN))
    assert await backlog.list_runs(ANN) == []


async def test_a_run_that_is_rejected_is_kept_as_well_and_one_that_cannot_be_kept_says_so(
    registry: PlannerRegistry, templates: TemplateFiles
) -> None:
    backlog = MemoryBacklog()
    dispatcher = ToolDispatcher(DispatcherParts(registry=registry, templates=templates, runs=backlog))
    result = await dispatcher.plan("say", {}, PlannerContextParts(scope=ANN))
    assert [error.code for error in result.errors] == ["bad_parameters"]
    assert [run.outcome for run in await backlog.list_runs(ANN)] == ["failed"]
    full = ToolDispatcher(DispatcherParts(registry=registry, templates=templates, runs=FullBacklog()))
    result = await full.plan("say", {"word": "hello"}, PlannerContextParts(scope=ANN))
    assert result.outcome == "success"
    assert result.diagnostics == ("What came of this planner could not be saved: The disk is full.",)


async def test_templates_that_stopped_fitting_are_told_with_the_next_result(
    registry: PlannerRegistry, tmp_path: Path, templates: TemplateFiles
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    dispatcher = ToolDispatcher(
        DispatcherParts(registry=registry, templates=TemplateFiles(own, shipped=tmp_path / "prompts"))
    )
    (own / "mine.toml").write_text('[toy.say]\nversion = 1\ntext = "Say {word}."\n', encoding="utf-8")
    results = [await dispatcher.plan("say", {"word": "hello"}, PlannerContextParts(scope=ANN)) for _ in range(2)]
    assert [result.artifacts["said"] for result in results] == ["Say hello, 2 times."] * 2
    assert ["lacks {most}" in note for note in results[0].diagnostics] == [True]
    assert results[1].diagnostics == ()


def open_workspace(tmp_path: Path, tools: Any, registry: PlannerRegistry | None = None) -> WorkspacePlanners:
    places = PlannerPlaces(state=tmp_path / ".surehand", config=tmp_path / "config")
    return open_planners(registry or PlannerRegistry(), places, tools)


async def test_planners_of_a_workspace_start_together_and_refuse_another_shape(tmp_path: Path) -> None:
    tools = make_registry().specs()
    for _ in range(2):
        planners = open_workspace(tmp_path, tools)
        assert planners.notes == ()
        assert await planners.backlog.list_items(ANN) == []
        await planners.close()
    with pytest.raises(SchemaError) as caught:
        open_workspace(tmp_path, tools[1:])
    assert (caught.value.code, "surehand migrate" in caught.value.hint) == ("schema_drift", True)


async def test_what_somebody_else_left_in_the_workspace_is_told_with_the_first_result(
    tmp_path: Path, registry: PlannerRegistry, templates: TemplateFiles
) -> None:
    state, other = tmp_path / ".surehand", Seal(tmp_path / "other")
    planted = SqliteBacklog(state, seal=other)
    await planted.add(ANN, BacklogItem(item_id="planted", title="Send it."))
    await planted.close()
    ShapeFile(state, replace(SHAPES, seal=other)).hold({})
    planners = open_workspace(tmp_path, make_registry().specs())
    parts = DispatcherParts(
        registry=registry,
        templates=templates,
        runs=planners.backlog,
        notes=planners.notes,
        take_notes=(planners.backlog.take_notes,),
    )
    dispatcher = ToolDispatcher(parts)
    results = [await dispatcher.plan("say", {"word": "hello"}, PlannerContextParts(scope=ANN)) for _ in range(2)]
    assert ["may not be yours" in note for note in results[0].diagnostics] == [True, True]
    assert results[1].diagnostics == ()
    assert len(await planners.backlog.list_runs(ANN)) == 2
    await planners.close()


async def test_settings_of_a_planner_that_is_not_asked_for_here_are_no_fault(tmp_path: Path) -> None:
    registry = PlannerRegistry()
    registry.register(next(each for each in load_planners() if each.metadata.name == "flow"))
    planners = open_workspace(tmp_path, make_registry().specs(), registry)
    planners.settings.write("ann", {"planners": {"extract": {"settings": {"critique": True}}}})
    assert planners.settings.read("ann").planners["flow"].values == HOOK_SETTINGS
    await planners.close()


def test_every_planner_that_ships_can_be_registered_and_has_its_templates() -> None:
    registry = PlannerRegistry()
    for each in load_planners():
        registry.register(each)
    assert registry.list_metadata() == list_shipped_planners()
    TemplateFiles().check(registry.list_metadata())
