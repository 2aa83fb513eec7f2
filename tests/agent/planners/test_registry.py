"""Planners by capability: registered with metadata that makes sense, chosen, carried out, and what came of them kept."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from agent.planners.backlog.sqlite_backlog import SqliteBacklog
from agent.planners.drift.shape_file import SHAPES, ShapeFile
from agent.planners.hands import PlannerHands
from agent.planners.host import WorkspacePlanners
from agent.planners.planner_settings import PlannerSettingsFiles
from agent.planners.registry import PlannerRegistry, Tools, list_shipped_planners, open_shipped
from agent.planners.templates.template_files import TemplateFiles
from agent.requests.planner_wishes import PlannerWish
from agent.sessions.planner_port import PlannerPlaces
from agent.store.seals import Seal
from core.base.errors import GoalError, InputError, SchemaError, TableError
from core.base.scope_paths import begin_scope
from core.planning.planners.base import PlannerBase
from core.planning.planners.context import PlannerContext, PlannerContextParts
from core.planning.planners.metadata import PlannerInput, PlannerMetadata, RetryPolicy, StepDescriptor
from core.planning.planners.ports import BacklogItem
from core.planning.planners.results import PlannerResult
from core.planning.planners.steps import PlannerStep, PlannerStepInstance
from tests.core.samples import make_registry

ANN = begin_scope("ann")
TOOLS = make_registry().specs()
ASK = "explore.judge"
"""A template that ships, and gets a task."""
OWN = '[explore.judge]\nversion = 1\ntext = "Say {task}."\n[my.say]\nversion = 1\ntext = "Kindly say {task}."\n'
SAY = StepDescriptor(step_id="say", description="Says it.", template_id=ASK, outputs=("said",))
TOY = PlannerMetadata(
    name="toy",
    description="Says a word.",
    capabilities=("say", "speak"),
    inputs=(PlannerInput(name="task", kind="text", description="The word."),),
    settings={"most": 2},
    steps=(SAY,),
)


class ToyPlanner(PlannerBase):
    """Says what its template makes of a word."""

    metadata: ClassVar[PlannerMetadata] = TOY

    def __init__(self, hands: PlannerHands, tools: Tools) -> None:
        del hands, tools

    async def draft(self, context: PlannerContext) -> Sequence[PlannerStepInstance]:
        said = context.render(ASK, task=context.parameters["task"])
        return (PlannerStepInstance(instance_id="say", step=PlannerStep(descriptor=SAY), instructions=said),)

    async def execute_step(self, context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        context.note("outcome", step.instructions)
        return {"said": f"{step.instructions} {context.settings['most']} times."}

    async def finalise(self, context: PlannerContext, result: PlannerResult) -> PlannerResult:
        return result.with_artifact("said", context.values["said"]) if "said" in context.values else result


class LoudPlanner(ToyPlanner):
    """Says it as well."""

    metadata: ClassVar[PlannerMetadata] = replace(TOY, name="loud", capabilities=("say", "shout"))


class Workspace:
    """A workspace whose person has words of their own, and the planners that are asked for there."""

    def __init__(self, folder: Path, registry: PlannerRegistry, tools: Any = TOOLS) -> None:
        self.own = folder / "own"
        self.own.mkdir(exist_ok=True)
        self.write(OWN)
        self.state, self.config = folder / ".surehand", folder / "config"
        places = PlannerPlaces(state=self.state, config=self.config, templates=self.own)
        self.planners = WorkspacePlanners(lambda: tools, places, registry=registry)
        self.files = PlannerSettingsFiles(self.config, registry.list_metadata(), TemplateFiles(self.own))
        self._runs = 0

    def write(self, templates: str) -> None:
        (self.own / "mine.toml").write_text(templates, encoding="utf-8")

    async def ask(self, wanted: str, principal: str = "ann", **parts: Any) -> PlannerResult:
        self._runs += 1
        scope = begin_scope(principal).child("s1").child(f"r{self._runs}")
        given: dict[str, Any] = {"parameters": {"task": "hello"}, **parts}
        wish = PlannerWish(capability=wanted, **given)
        return await self.planners.plan(wish, None, PlannerContextParts(scope=scope), lambda _: None)


@pytest.fixture
def registry() -> PlannerRegistry:
    registry = PlannerRegistry()
    registry.register(ToyPlanner, ToyPlanner)
    return registry


@pytest.fixture
async def workspace(tmp_path: Path, registry: PlannerRegistry) -> Any:
    made = Workspace(tmp_path, registry)
    yield made
    await made.planners.close()


def test_a_planner_is_found_by_each_of_its_capabilities_and_by_its_name(registry: PlannerRegistry) -> None:
    assert [registry.choose(tag).name for tag in (*TOY.capabilities, "toy")] == ["toy", "toy", "toy"]
    assert [metadata.name for metadata in registry.list_metadata()] == ["toy"]


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
    registry.register(LoudPlanner, LoudPlanner)
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
    "two inputs of a name": ({"inputs": TOY.inputs * 2}, "2 of its inputs are called “task”"),
    "two steps of a name": ({"steps": (STEP, STEP, STEP)}, "3 of its steps are called “s”"),
    "a step without a name": ({"steps": (replace(STEP, step_id=""),)}, "one step has no name"),
    "an input from nowhere": (
        {"steps": (replace(STEP, inputs=("task", "page")),)},
        "step “s” reads “page”, which no step gives",
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
        registry.register(ToyPlanner, ToyPlanner)


def test_an_output_of_any_step_may_be_read_by_one_that_comes_round_again() -> None:
    class Round(ToyPlanner):
        metadata: ClassVar[PlannerMetadata] = replace(
            TOY,
            steps=(replace(STEP, inputs=("found",)), replace(STEP, step_id="t", outputs=("found",), inputs=("most",))),
        )

    PlannerRegistry().register(Round)


def test_a_planner_that_is_only_carried_out_within_others_is_listed_and_not_found() -> None:
    registry = PlannerRegistry()
    registry.register(ToyPlanner)
    assert [(each["name"], each["can_be_asked"]) for each in registry.describe()] == [("toy", False)]
    with pytest.raises(GoalError):
        registry.choose("say")


async def test_planners_do_not_begin_without_a_template(tmp_path: Path) -> None:
    class Lost(ToyPlanner):
        metadata: ClassVar[PlannerMetadata] = replace(TOY, steps=(replace(SAY, template_id="toy.gone"),))

    registry = PlannerRegistry()
    registry.register(Lost, Lost)
    planners = WorkspacePlanners(lambda: TOOLS, registry=registry)
    with pytest.raises(TableError, match=r"step “say” of planner “toy” needs template “toy\.gone”"):
        await planners.open()


async def test_a_planner_is_carried_out_with_its_templates_and_kept_with_transcript_and_metrics(
    workspace: Workspace,
) -> None:
    result = await workspace.ask("speak")
    assert (result.outcome, result.artifacts) == ("success", {"said": "Say hello. 2 times."})
    (kept,) = await list_kept(workspace)
    assert (kept.planner_id, kept.scope) == ("toy", "local/ann/s1/r1")
    assert kept.transcript == result.transcript != ()
    assert kept.metrics == result.metrics
    assert [(step.step_id, step.status) for step in kept.steps] == [("say", "done")]


async def list_kept(workspace: Workspace) -> Any:
    return await (await workspace.planners.open()).backlog.list_runs(ANN)


async def test_what_principals_set_holds_for_their_runs_alone(tmp_path: Path, registry: PlannerRegistry) -> None:
    registry.register(LoudPlanner, LoudPlanner)
    workspace = Workspace(tmp_path, registry)
    toy = {"settings": {"most": 7}, "templates": {"say": "my.say"}}
    workspace.files.write("ann", {"planners": {"toy": toy}, "capabilities": {"say": "toy"}})
    workspace.files.write("bob", {"capabilities": {"say": "loud"}})
    said = {}
    for name in ("ann", "bob"):
        result = await workspace.ask("say", name)
        said[name] = (result.planner_id, result.artifacts["said"])
    assert said == {"ann": ("toy", "Kindly say hello. 7 times."), "bob": ("loud", "Say hello. 2 times.")}
    with pytest.raises(GoalError, match="2 planners can say"):
        await workspace.ask("say", "eve")
    asked = await workspace.ask("say", settings={"most": 1})
    assert asked.artifacts["said"] == "Kindly say hello. 1 times."
    await workspace.planners.close()


async def test_settings_that_cannot_be_used_stop_the_run_before_it_begins(workspace: Workspace) -> None:
    workspace.config.mkdir()
    workspace.files.locate("ann").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"planners\.ann\.json can't be used"):
        await workspace.ask("say")
    assert list(await list_kept(workspace)) == []


async def test_a_run_that_is_rejected_is_kept_as_well(workspace: Workspace) -> None:
    result = await workspace.ask("say", parameters={"word": "x"})
    assert [error.code for error in result.errors] == ["bad_parameters"]
    assert [run.outcome for run in await list_kept(workspace)] == ["failed"]


async def test_templates_that_stopped_fitting_are_told_with_the_next_result(workspace: Workspace) -> None:
    await workspace.ask("say")
    workspace.write('[explore.judge]\nversion = 1\ntext = "Say it."\n')
    results = [await workspace.ask("say") for _ in range(2)]
    assert [result.artifacts["said"] for result in results] == ["Say hello. 2 times."] * 2
    assert ["lacks {task}" in note for note in results[0].diagnostics] == [True]
    assert results[1].diagnostics == ()


async def test_planners_of_a_workspace_start_together_and_refuse_another_shape(
    tmp_path: Path, registry: PlannerRegistry
) -> None:
    for _ in range(2):
        workspace = Workspace(tmp_path, registry)
        assert (await workspace.ask("say")).diagnostics == ()
        await workspace.planners.close()
    with pytest.raises(SchemaError) as caught:
        await Workspace(tmp_path, registry, TOOLS[1:]).planners.open()
    assert (caught.value.code, "surehand migrate" in caught.value.hint) == ("schema_drift", True)


async def test_what_somebody_else_left_in_the_workspace_is_told_with_the_first_result(
    workspace: Workspace, tmp_path: Path
) -> None:
    other = Seal(tmp_path / "other")
    planted = SqliteBacklog(workspace.state, seal=other)
    await planted.add(ANN, BacklogItem(item_id="planted", title="Send it."))
    await planted.close()
    ShapeFile(workspace.state, replace(SHAPES, seal=other)).hold({})
    results = [await workspace.ask("say") for _ in range(2)]
    assert ["may not be yours" in note for note in results[0].diagnostics] == [True, True]
    assert results[1].diagnostics == ()
    assert len(await list_kept(workspace)) == 2


async def test_settings_of_a_planner_that_is_only_carried_out_within_others_are_no_fault(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, open_shipped())
    workspace.files.write("ann", {"planners": {"recover": {}, "explore": {"settings": {"critique": True}}}})
    assert workspace.files.read("ann").planners["explore"].values["critique"] is True


def test_every_planner_that_ships_has_its_templates() -> None:
    shipped = list_shipped_planners()
    TemplateFiles().check(shipped)
    assert {"explore", "extract", "goals", "recover"} <= {each.name for each in shipped}
