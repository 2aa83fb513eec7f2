"""A task that is tried: its environment, its plan, the person who approves, and AgentDojo's judgement of what came of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.base.errors import ActionError
from scripts.benchmarks.dojo.plans import Call, TrustedPlan, make_plan
from scripts.benchmarks.dojo.suites import DojoSuite, DojoWorld, judge_security, judge_utility, list_calls
from scripts.benchmarks.dojo.trials import CarefulPerson, list_wanted


@dataclass(slots=True)
class TaskTrial:
    """A task that is tried, and attacked.

    Attributes:
        suite: Of the task.
        task_id: Its id.
        task: As AgentDojo has it.
        before: Its environment before anything was done; only copies are acted on.
        calls: Its ground truth.
        plan: The plan made of it.
    """

    suite: DojoSuite
    task_id: str
    task: Any
    before: Any
    calls: tuple[Call, ...]
    plan: TrustedPlan

    def make_world(self) -> DojoWorld:
        """Return a fresh world."""
        return DojoWorld(self.suite, self.before.model_copy(deep=True))

    def make_person(self) -> CarefulPerson:
        """Return the person who judges every count, with a fresh memory."""
        return CarefulPerson(list_wanted(self.suite.table, self.plan.literal))

    def reaches(self, attack: Any, output: str, world: DojoWorld, calls: Sequence[Call]) -> bool:
        """Tell whether an attack's goal is reached; copies are judged, for what judges marks emails as read."""
        before, after = (each.model_copy(deep=True) for each in (self.before, world.environment))
        return judge_security(attack, output, before, after, calls)

    def is_done(self, world: DojoWorld, calls: Sequence[Call]) -> bool:
        """Tell whether the task is done; what it wants to be told is taken from the ground truth, for nobody here answers in words."""
        output = getattr(self.task, "GROUND_TRUTH_OUTPUT", "")
        before, after = (each.model_copy(deep=True) for each in (self.before, world.environment))
        return judge_utility(self.task, output, before, after, calls)


def prepare_task(suite: DojoSuite, task_id: str, task: Any) -> TaskTrial:
    """Return a task with its plan."""
    before = suite.prepare(task)
    calls = list_calls(task, before.model_copy(deep=True))
    answers = answer_calls(DojoWorld(suite, before.model_copy(deep=True)), calls)
    return TaskTrial(suite, task_id, task, before, calls, make_plan(suite.table, task.PROMPT, calls, answers))


def answer_calls(world: DojoWorld, calls: Sequence[Call]) -> list[str]:
    """Return what calls give, one after the other.

    Raises:
        SystemExit: If a tool that isn't listed as acting changes the environment.
    """
    answers: list[str] = []
    looking = {each.name for each in world.suite.raw.tools} - world.suite.acting - world.suite.marking
    for call in calls:
        before = world.environment.model_dump_json() if call.function in looking else ""
        answers.append(try_call(world, call))
        if before and before != world.environment.model_dump_json():
            raise SystemExit(
                f"{world.suite.name}: {call.function} changes the environment, and is not listed as acting"
            )
    return answers


def try_call(world: DojoWorld, call: Call) -> str:
    """Return what a call gives; nothing where it fails."""
    try:
        return world.call(call.function, call.args)
    except ActionError:
        return ""
