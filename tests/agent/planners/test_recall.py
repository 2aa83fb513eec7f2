"""What planners are told of what a person stored and asked before, where their settings ask for it."""

from pathlib import Path

from agent.planners.goals import GoalsPlanner
from agent.planners.hands import NO_HANDS
from agent.planners.planner_runs import VERBS
from agent.planners.recall import WorkspaceRecall
from agent.planners.templates.template_files import TemplateFiles
from agent.store.context_file import ContextFile
from agent.store.session_files import SessionFiles
from agent.testing.hosts import HostParts, PlannerTestHost
from agent.testing.scripted_models import ScriptedModel
from core.memory.facts import Preference, store_preference

RUN = "r0123456789abcdef"


async def test_what_was_stored_and_asked_before_is_found_by_its_words(tmp_path: Path) -> None:
    context = ContextFile(tmp_path)
    await context.change(lambda memory: store_preference(memory, Preference(key="favourite mug", value="blue")))
    await context.close()
    runs = SessionFiles(tmp_path)
    runs.write(RUN, {"run_id": RUN, "outcome": "success", "request": {"utterance": "order the blue mug again"}})
    recall = WorkspaceRecall(tmp_path)
    found = await recall.find("blue mug")
    assert {(each.source, each.text) for each in found} == {
        ("memory", "favourite mug: blue"),
        (f"run {RUN}", "Asked before: order the blue mug again (success)"),
    }
    assert await recall.find("weather") == ()
    await recall.close()


async def tell_background(recall: int) -> list[str]:
    model = ScriptedModel({"steps": [], "refusal": "no"})
    parts = HostParts(
        model=model,
        templates=TemplateFiles(),
        passages=("favourite mug: blue", "favourite tea: green"),
        settings={"recall": recall},
        environment={VERBS: ("browser.click",)},
    )
    await PlannerTestHost(parts).run(GoalsPlanner(NO_HANDS), text="the favourite mug")
    return [each.text for each in model.asked[0].data if each.label == "memory"]


async def test_a_model_is_told_as_much_of_it_as_settings_say_and_nothing_by_default() -> None:
    assert await tell_background(0) == []
    assert await tell_background(1) == ["favourite mug: blue"]
