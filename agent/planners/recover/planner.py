"""RecoverPlanner: a step failed; what the declared list has against that is tried, and the step once more after each."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from actuators.verb_table import PLANNER_RULES
from agent.planners.hands import PlannerHands, find_error
from core.base.errors import ErrorInfo, GoalError, TableError
from core.base.late_dataclasses import dataclass, replace
from core.goals.meta_goals import ROOT, Goal
from core.goals.world import WorldState
from core.planning.planners.base import PlannerBase
from core.planning.planners.context import PlannerContext
from core.planning.planners.metadata import PlannerMetadata, StepDescriptor
from core.planning.planners.results import PlannerResult
from core.planning.planners.steps import PlannerStepInstance, draft_step
from core.results.tool_results import Effect
from core.rules.params import validate_params

_FILE = Path(__file__).with_name("remedies.toml")
_DIALOG = "dialog"


class Remedy(BaseModel):
    """Something that may be tried.

    Attributes:
        verb: ``domain.verb``.
        if_untouched: Whether nothing may have been typed or pressed on the page before.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    verb: str
    params: dict[str, Any] = Field(default_factory=dict)
    only_if: Literal["covered by a dialog"] | None = None
    if_untouched: bool = False
    harmless: str = ""

    def make_goal(self) -> Goal:
        """Return it as a goal."""
        domain, _, verb = self.verb.partition(".")
        return Goal(domain, verb, self.params, goal_id="g0")


class RemedyTable(BaseModel):
    """The declared list.

    Attributes:
        codes: By the code of an error the names of what may be tried, in order.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    remedies: dict[str, Remedy]
    codes: dict[str, list[str]]

    def find(self, error: ErrorInfo, *, is_untouched: bool) -> Mapping[str, Remedy]:
        """Return what may be tried against an error, by name, in order."""
        named = {name: self.remedies[name] for name in self.codes.get(error.code, ())}
        return {
            name: each
            for name, each in named.items()
            if (is_untouched or not each.if_untouched) and (each.only_if is None or _is_covered_by_dialog(error))
        }


@cache
def load_remedies(file: Path = _FILE) -> RemedyTable:
    """Return the list, checked as a whole.

    Raises:
        TableError: If a remedy is unknown, might do harm, or names an element.
    """
    table = RemedyTable.model_validate(tomllib.loads(file.read_text("utf-8")))
    faults = [fault for name, each in table.remedies.items() for fault in _find_faults(name, each)]
    faults += [
        f"{code} names {name}" for code, names in table.codes.items() for name in names if name not in table.remedies
    ]
    if faults:
        raise TableError(f"The list of remedies can't be used: {'; '.join(faults)}.", code="bad_remedies")
    return table


def _find_faults(name: str, remedy: Remedy) -> list[str]:
    goal = remedy.make_goal()
    rule = PLANNER_RULES.get((goal.domain, goal.verb))
    if rule is None:
        return [f"{name} has no verb"]
    faults = [f"{name}: {each.message}" for each in validate_params(rule, remedy.params, WorldState()).problems]
    if any(rule.param_types[param].aims for param in remedy.params if param in rule.param_types):
        faults.append(f"{name} names what it acts on")
    if not (rule.action_class == "observe" or rule.repeat == "safe" or remedy.harmless):
        faults.append(f"{name} might do harm")
    return faults


def _is_covered_by_dialog(error: ErrorInfo) -> bool:
    return _DIALOG in str(error.evidence.get("blocker", "")).casefold()


_TRY = StepDescriptor(step_id="try", description="Try what the list has against such an error.", outputs=("tried",))
_REPEAT = StepDescriptor(
    step_id="repeat", description="Do the step that failed once more.", inputs=("tried",), outputs=("recovered",)
)

RECOVER = PlannerMetadata(
    name="recover",
    description="Tries what a declared list has against the error of a step, and the step once more after each.",
    capabilities=("recover",),
    steps=(_TRY, _REPEAT),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedStep:
    """A step that failed.

    Attributes:
        effect: Of its receipt; only what had none is done once more.
        is_untouched: Whether nothing was typed or pressed on the page before.
    """

    goal: Goal
    error: ErrorInfo
    effect: Effect = "none"
    is_untouched: bool = False


class RecoverPlanner(PlannerBase):
    """Recovers from one failure; each run takes a planner of its own."""

    metadata: ClassVar[PlannerMetadata] = RECOVER

    def __init__(self, hands: PlannerHands, failed: FailedStep, repeating: PlannerHands | None = None) -> None:
        """Act by hands; ``repeating`` does the step once more, on the terms of the run in which it failed."""
        self._hands = hands
        self._repeating = repeating or hands
        self._failed = failed
        self._remedies: Mapping[str, Remedy] = {}

    async def draft(self, context: PlannerContext) -> Sequence[PlannerStepInstance]:
        """Return a try and a repetition for each remedy.

        Raises:
            GoalError: ``no_remedy`` if the list has nothing against it, or the step may have had an effect.
        """
        del context
        failed = self._failed
        if failed.effect != "none":
            text = f"{failed.goal.name} may have had an effect, so it is not done again."
            raise GoalError(text, code="no_remedy", hint="Look what became of it.")
        self._remedies = load_remedies().find(failed.error, is_untouched=failed.is_untouched)
        if not self._remedies:
            text = f"Nothing is declared to be tried against {failed.error.code}."
            raise GoalError(text, code="no_remedy", hint="Look at the page, and say the step differently.")
        instances: list[PlannerStepInstance] = []
        after = ""
        for name in self._remedies:
            trying = draft_step(_TRY, f"try-{name}", after, _is_recovered, remedy=name)
            repeating = draft_step(_REPEAT, f"repeat-{name}", trying.instance_id, _is_recovered, remedy=name)
            instances += [trying, repeating]
            after = repeating.instance_id
        return instances

    async def execute_step(self, context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        """Try a remedy, or do the step once more; that either fails is no fault of this run."""
        if step.step.descriptor is _TRY:
            remedy = self._remedies[step.values["remedy"]]
            result = await self._hands.run((remedy.make_goal(),))
            context.note("action", f"{remedy.verb}: {result.outcome}")
            return {"tried": step.values["remedy"]}
        result = await self._repeating.run((replace(self._failed.goal, goal_id="g0", scope=ROOT),))
        error = find_error(result)
        context.note("outcome", f"{self._failed.goal.name}: {error.code if error else 'done'}", is_tainted=True)
        return {"recovered": error is None}

    async def finalise(self, context: PlannerContext, result: PlannerResult) -> PlannerResult:
        """Return the result: no success unless the step was done in the end."""
        if context.values.get("recovered"):
            return result.with_artifact("remedy", context.values["tried"])
        return replace(result, outcome="failed", errors=(*result.errors, self._failed.error))


def _is_recovered(values: Mapping[str, Any]) -> bool:
    return values.get("recovered") is True
