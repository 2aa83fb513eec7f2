"""GoalOrchestrator: all goals of a request become one graph, with context and lanes passed down from goal to goal."""

import itertools
import time
from collections.abc import Mapping, Sequence

from core.base.errors import ErrorInfo, GoalError
from core.base.late_dataclasses import dataclass, field, replace
from core.goals.meta_goals import Goal, MetaGoal
from core.goals.references import has_reference
from core.planning.context import ContextFrame, Heritage, PlanningContext, inherit, list_facts
from core.planning.graph import PlanGraph, build_graph
from core.planning.planner import GoalPlanner, PlanResult, find_path
from core.planning.plans import PlannedAction
from core.rules.rule_types import PlannerRule
from core.tools.ports import MAIN_LANE


def find_term_fault(goal: Goal, rule: PlannerRule | None) -> ErrorInfo | None:
    """Return why a goal can't be planned on its terms; None if it can.

    Args:
        rule: Of its verb; None where there is no such verb, which is another fault.
    """
    if rule is None:
        return None
    if goal.terms.attempts > 1 and rule.repeat != "safe":
        text = f"{goal.name} can't be retried: doing it twice may do it twice."
        hint = "Retry only verbs that look or open, such as the step that waits for what you need."
        return ErrorInfo("not_repeatable", text, hint)
    if goal.terms.is_question and rule.action_class != "observe":
        text = f"{goal.name} can't be a condition: it changes something."
        return ErrorInfo("bad_condition", text, "Use a verb that only looks, such as expect.")
    return None


_Fact = tuple[str, str]
"""Domain and key of what a frame says."""

_LANE = "lane"

MAX_PLANNING_S = 60.0
"""Seconds that planning a request may take."""

MAX_EDGES = 1_000_000
"""Waits between the goals of a request, through goals without actions counted as often as they are handed on."""


@dataclass(frozen=True, slots=True)
class Orchestration:
    """A whole request, planned."""

    meta_goal: MetaGoal
    graph: PlanGraph
    results: Mapping[str, PlanResult]
    frames: tuple[ContextFrame, ...]

    @property
    def failures(self) -> tuple[tuple[Goal, PlanResult], ...]:
        """Goals that could not be planned; with any, nothing is executed."""
        pairs = ((goal, self.results[goal.goal_id]) for goal in self.meta_goal.goals)
        return tuple((goal, result) for goal, result in pairs if result.status != "success")


@dataclass(slots=True)
class _PlanningProgress:
    run_id: str
    began: float = field(default_factory=time.perf_counter)
    handed_on: int = 0
    results: dict[str, PlanResult] = field(default_factory=dict[str, PlanResult])
    lanes: dict[str, Heritage[str, str]] = field(default_factory=dict[str, "Heritage[str, str]"])
    main_is_taken: bool = False
    facts: dict[str, Heritage[_Fact, ContextFrame]] = field(default_factory=dict[str, "Heritage[_Fact, ContextFrame]"])
    sessions: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    ends: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    edges: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    paths: dict[str, str | None] = field(default_factory=dict[str, "str | None"])


class GoalOrchestrator:
    """Plans requests of any number of goals."""

    def __init__(self, planner: GoalPlanner) -> None:
        self.planner = planner

    def orchestrate(self, meta_goal: MetaGoal, outer: PlanningContext, *, run_id: str = "") -> Orchestration:
        """Plan every goal in its context.

        Args:
            outer: The world before the first goal, the policy, and the session's context, the latest first.

        Raises:
            GoalError: ``too_large`` if planning takes too long or too much; its evidence names the ``goal`` that it came to.
        """
        progress = _PlanningProgress(run_id)
        for goal in meta_goal.goals:
            rule = self.planner.find_rule(goal)
            context = _make_context(goal, rule, meta_goal, progress, outer)
            fault = find_term_fault(goal, rule)
            planned = self._plan(goal, context, meta_goal.bases, progress)
            result = PlanResult("blocked", error=fault) if fault else planned
            if goal.verify and result.plan:
                result = self._plan_verifier(goal, result, replace(outer, lane=f"{run_id}:{goal.goal_id}:verify"))
            progress.results[goal.goal_id] = result
            progress.paths[goal.goal_id] = find_path(result.plan[0]) if result.plan else None
            opened = rule.session_bootstraps if rule and result.plan else ()
            progress.facts[goal.goal_id] = {**progress.facts[goal.goal_id], **list_facts(result.frames)}
            progress.sessions[goal.goal_id] = context.world.sessions.union(opened)
            _connect(goal, meta_goal.dependencies, progress)
            _check_limits(goal, progress)
        actions = [action for result in progress.results.values() for action in result.plan]
        made = tuple(frame for result in reversed(progress.results.values()) for frame in result.frames)
        goals = tuple(_note_path(goal, progress.paths[goal.goal_id]) for goal in meta_goal.goals)
        planned = replace(meta_goal, goals=goals)
        return Orchestration(planned, build_graph(actions, progress.edges), progress.results, made)

    def _plan_verifier(self, goal: Goal, result: PlanResult, context: PlanningContext) -> PlanResult:
        """Return the plan of a goal with that of what verifies it, in a lane of its own that nothing is open in."""
        planned: list[PlannedAction] = []
        for number, each in enumerate(goal.verify):
            rule = self.planner.find_rule(each)
            found = self.planner.plan(replace(each, goal_id=f"{goal.goal_id}v{number}"), context)
            if found.error:
                return _refuse_verifier(goal, found.error)
            if rule and (rule.repeat != "safe" or any(has_reference(action.args) for action in found.plan)):
                text = f"{each.name} is not safe to repeat, or uses the result of an earlier step."
                return _refuse_verifier(
                    goal, ErrorInfo("bad_verifier", text, "Use only verbs that look or open a page.")
                )
            planned += found.plan
            opened = context.world.sessions.union(rule.session_bootstraps if rule else ())
            context = replace(context, world=replace(context.world, sessions=opened))
        *before, last = result.plan
        return replace(result, plan=(*before, replace(last, verifier=tuple(planned))))

    def _plan(
        self, goal: Goal, context: PlanningContext, bases: Mapping[str, str], progress: _PlanningProgress
    ) -> PlanResult:
        base = bases.get(goal.goal_id, "")
        if base in progress.results:
            path = progress.paths[base]
            if path is None:
                text = f"{goal.name} works inside the folder of {base}, which is not known while planning."
                return PlanResult("blocked", error=ErrorInfo("base_unknown", text, f"Correct {base} first."))
            base = path
        return self.planner.plan(goal, replace(context, base=base) if base else context)


def _refuse_verifier(goal: Goal, error: ErrorInfo) -> PlanResult:
    text = f"The check of {goal.name} can't be planned: {error.message}"
    return PlanResult("blocked", error=replace(error, message=text))


def _note_path(goal: Goal, path: str | None) -> Goal:
    return goal if path is None else replace(goal, resolved_path=path)


def _make_context(
    goal: Goal,
    rule: PlannerRule | None,
    meta_goal: MetaGoal,
    progress: _PlanningProgress,
    outer: PlanningContext,
) -> PlanningContext:
    parents = meta_goal.dependencies.get(goal.goal_id, ())
    facts = inherit(progress.facts[each] for each in parents)
    progress.facts[goal.goal_id] = facts
    opened = outer.world.sessions.union(*(progress.sessions[each] for each in parents))
    world = outer.world if opened == outer.world.sessions else replace(outer.world, sessions=opened)
    lane = _choose_lane(goal, rule, parents, progress)
    inherited = tuple(frame for _, frame in facts.values())
    return PlanningContext(world, outer.policy, inherited + outer.frames, lane, vault=outer.vault)


def _choose_lane(goal: Goal, rule: PlannerRule | None, parents: Sequence[str], progress: _PlanningProgress) -> str:
    """Return the nearest ancestor's lane; a branch that opens its own session beside another gets its own."""
    inherited = inherit(progress.lanes[each] for each in parents)
    progress.lanes[goal.goal_id] = inherited
    if rule is None or not (rule.session_bootstraps or any(need.startswith("session:") for need in rule.needs)):
        return MAIN_LANE
    first = not (progress.main_is_taken and rule.session_bootstraps)
    _, lane = inherited.get(_LANE) or (0, MAIN_LANE if first else f"{progress.run_id}:{goal.goal_id}")
    progress.lanes[goal.goal_id] = {_LANE: (0, lane)}
    progress.main_is_taken = progress.main_is_taken or lane == MAIN_LANE
    return lane


def _connect(goal: Goal, dependencies: Mapping[str, tuple[str, ...]], progress: _PlanningProgress) -> None:
    """Note the edges into a goal's actions; a parent without actions stands for its own parents."""
    plan = progress.results[goal.goal_id].plan
    parents = dependencies.get(goal.goal_id, ())
    before = tuple(dict.fromkeys(end for parent in parents for end in progress.ends[parent]))
    progress.handed_on += len(before)
    progress.ends[goal.goal_id] = (plan[-1].action_id,) if plan else before
    progress.edges += [(left.action_id, right.action_id) for left, right in itertools.pairwise(plan)]
    if plan:
        progress.edges += [(each, plan[0].action_id) for each in before]


def _check_limits(goal: Goal, progress: _PlanningProgress) -> None:
    limit = ""
    if time.perf_counter() - progress.began > MAX_PLANNING_S:
        limit = f"planning takes longer than {MAX_PLANNING_S:g} s"
    elif progress.handed_on > MAX_EDGES:
        limit = f"its goals have more than {MAX_EDGES:,} dependencies"
    if limit:
        text = f"The request is too large: {limit}; {len(progress.results)} goals were planned."
        raise GoalError(text, code="too_large", hint="Split it into several requests.", evidence={"goal": goal.goal_id})
