"""Items of the backlog flip by themselves, and where a run stands is kept after each step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from core.base.errors import ActionError, GoalError, SchemaError
from core.base.scope_paths import ScopePath
from core.planning.planners.context import PlannerContext
from core.planning.planners.lifecycle.running import run_planner
from core.planning.planners.metadata import PlannerInput
from core.planning.planners.ports import BacklogItem, BacklogState, Transition
from core.planning.planners.steps import PlannerStepInstance
from core.results.redaction import Redactor
from tests.core.planning.planners.toy_planners import SCOPE, ToyPlanner, describe_step, draft, make_parts

NAME = PlannerInput(name="name", kind="text", description="Which item.")
ONE, TWO = describe_step("one", backlog_item="{name}-one"), describe_step("two", backlog_item="{name}-two")


@dataclass
class Notebook:
    """A backlog that notes what it is told, and knows some items."""

    known: set[str] = field(default_factory=lambda: {"shop-one", "shop-two"})
    flips: list[tuple[str, str, str, str]] = field(default_factory=list[tuple[str, str, str, str]])
    checkpoints: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list[tuple[str, Mapping[str, Any]]])
    is_broken: bool = False

    async def list_items(self, scope: ScopePath, state: BacklogState | None = None) -> Sequence[BacklogItem]:
        return ()

    async def add(self, scope: ScopePath, item: BacklogItem) -> None:
        self.known.add(item.item_id)

    async def flip(self, scope: ScopePath, item_id: str, state: BacklogState, because: str) -> Transition:
        if item_id not in self.known:
            raise GoalError("There is no such item.")
        self.flips.append((str(scope), item_id, state, because))
        return Transition(item_id=item_id, before="pending", after=state, because=because, at="")

    async def list_transitions(self, scope: ScopePath, since: datetime | None = None) -> Sequence[Transition]:
        return ()

    async def keep_checkpoint(self, scope: ScopePath, plan_id: str, data: Mapping[str, Any]) -> None:
        if self.is_broken:
            raise SchemaError("It is of another version.")
        self.checkpoints.append((plan_id, data))

    async def read_checkpoint(self, scope: ScopePath, plan_id: str) -> Mapping[str, Any] | None:
        return None

    async def find_coverage(self, scope: ScopePath, plan_id: str) -> float:
        return 1.0


async def find(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
    return {"found": "hunter2"}


async def fail(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
    raise ActionError("No.")


def make_planner(**deeds: Any) -> ToyPlanner:
    return ToyPlanner(draft(ONE), draft(TWO, "one"), inputs=(NAME,), deeds={"one": find, **deeds})


async def test_the_item_of_a_completed_step_is_done_because_of_that_step() -> None:
    backlog = Notebook()
    await run_planner(make_planner(), {"name": "shop"}, make_parts(backlog=backlog))
    assert backlog.flips == [
        (str(SCOPE), "shop-one", "done", f"{SCOPE}/one"),
        (str(SCOPE), "shop-two", "done", f"{SCOPE}/two"),
    ]


async def test_the_item_of_a_step_that_failed_has_failed() -> None:
    backlog = Notebook()
    await run_planner(make_planner(two=fail), {"name": "shop"}, make_parts(backlog=backlog))
    assert [(item, state) for _, item, state, _ in backlog.flips] == [("shop-one", "done"), ("shop-two", "failed")]


async def test_items_belong_to_the_scope_that_is_said() -> None:
    backlog, around = Notebook(), make_parts().scope
    parts = make_parts(scope=around.child("within"), backlog=backlog, backlog_scope=around)
    await run_planner(make_planner(), {"name": "shop"}, parts)
    assert {scope for scope, *_ in backlog.flips} == {str(around)}


async def test_an_item_that_is_not_there_holds_up_nothing() -> None:
    result = await run_planner(make_planner(), {"name": "ghost"}, make_parts(backlog=Notebook()))
    assert (result.outcome, result.diagnostics) == ("success", ())


async def test_after_each_step_it_is_kept_where_the_run_stands_without_secrets() -> None:
    backlog, redactor = Notebook(), Redactor()
    redactor.add("hunter2")
    await run_planner(make_planner(), {"name": "shop"}, make_parts(backlog=backlog, redact=redactor.redact))
    assert backlog.checkpoints == [
        ("toy", {"scope": str(SCOPE), "completed": ["one"], "outstanding": ["two"], "values": {"found": "•••"}}),
        ("toy", {"scope": str(SCOPE), "completed": ["one", "two"], "outstanding": [], "values": {"found": "•••"}}),
    ]


async def test_what_can_not_be_kept_is_told_and_undoes_nothing() -> None:
    result = await run_planner(make_planner(), {"name": "shop"}, make_parts(backlog=Notebook(is_broken=True)))
    assert result.outcome == "success"
    assert result.diagnostics[0] == "The backlog could not be written after step “one”: It is of another version."
