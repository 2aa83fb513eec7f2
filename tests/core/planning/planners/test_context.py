from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from core.base.errors import ModelError, TableError
from core.planning.planners.context import PlannerContext
from core.planning.planners.lifecycle.running import run_planner
from core.planning.planners.ports import Passage, PromptTemplate
from core.planning.planners.steps import PlannerStepInstance
from tests.core.planning.planners.toy_planners import SCOPE, ToyPlanner, ask_once, describe_step, draft, make_parts

ONE = describe_step("one")


class Prompts:
    """One prompt."""

    def read_template(self, template_id: str) -> PromptTemplate:
        return PromptTemplate(
            template_id=template_id, version=1, text="Buy {what}; {{not}} more.", placeholders=frozenset({"what"})
        )


class Shelf:
    """Finds one passage, and counts how often it was made."""

    made = 0

    def __init__(self) -> None:
        Shelf.made += 1

    async def find(self, query: str, limit: int = 5) -> Sequence[Passage]:
        return (Passage(text=query, source="shelf"),)


class Loud(ToyPlanner):
    """Says its prompts louder."""

    def override_prompt(self, template_id: str, text: str) -> str:
        return text.upper().replace("{WHAT}", "{what}")


async def look(planner: ToyPlanner, **facts: Any) -> list[PlannerContext]:
    """Run a planner of one step; return the context of the step."""
    seen: list[PlannerContext] = []

    async def keep(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        seen.append(context)
        return {}

    planner.deeds["one"] = keep
    await run_planner(planner, {}, make_parts(**facts))
    return seen


async def test_a_step_has_a_scope_of_its_own_within_that_of_the_run() -> None:
    (context,) = await look(ToyPlanner(draft(ONE)))
    assert context.scope == SCOPE.child("one")
    assert SCOPE.holds(context.scope)


async def test_settings_of_the_principal_stand_over_those_of_the_planner() -> None:
    (context,) = await look(ToyPlanner(draft(ONE), settings={"depth": 1, "width": 2}), settings={"depth": 9})
    assert (context.settings["depth"], context.settings["width"]) == (9, 2)


async def test_a_prompt_is_rendered_with_its_values() -> None:
    (context,) = await look(ToyPlanner(draft(ONE)), templates=Prompts())
    assert context.render("x", what="milk") == "Buy milk; {not} more."
    assert context.render("x", what="{what}") == "Buy {what}; {not} more."
    with pytest.raises(TableError):
        context.render("x")


async def test_without_templates_or_a_model_that_is_said() -> None:
    planner = ToyPlanner(draft(ONE))
    (context,) = await look(planner)
    assert context.model is None
    with pytest.raises(TableError, match="no templates"):
        context.render("x")
    with pytest.raises(ModelError) as caught:
        await ask_once(context, planner.instances[0])
    assert caught.value.code == "no_model"
