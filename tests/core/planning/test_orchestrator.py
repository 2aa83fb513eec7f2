from dataclasses import replace
from typing import Any

from actuators.verb_table import PLANNER_RULES
from core.goals.meta_goals import Goal
from core.goals.references import Reference
from core.goals.scopes import build_meta_goal
from core.planning.context import ContextFrame
from core.planning.orchestrator import GoalOrchestrator, Orchestration
from core.planning.planner import GoalPlanner
from tests.core.samples import WORLD, make_setting

CLOSED = replace(WORLD, sessions=frozenset())
URL = "http://shop.example/"


def goal(verb: str, scope: str = "root", **params: Any) -> Goal:
    return Goal("browser", verb, params, scope=scope)


def orchestrate(*goals: Goal, **setting: Any) -> Orchestration:
    outer = make_setting(**{"world": CLOSED, **setting})
    return GoalOrchestrator(GoalPlanner(PLANNER_RULES)).orchestrate(build_meta_goal(goals), outer, run_id="r1")


def edges(orchestration: Orchestration) -> list[tuple[str, str]]:
    graph = orchestration.graph
    return [(parent, child) for parent in graph.nodes for child in graph.children(parent)]


def lanes(orchestration: Orchestration) -> list[str]:
    return [action.lane for action in orchestration.graph.nodes.values()]


def test_actions_wait_for_what_their_goals_depend_on() -> None:
    made = orchestrate(
        goal("navigate", url=URL),
        goal("reload", "after:g0"),
        goal("back", "after:g0"),
        goal("read", "after:g1", target="url"),
    )
    assert edges(made) == [
        ("g0_navigate_1", "g1_reload_1"),
        ("g0_navigate_1", "g2_back_1"),
        ("g1_reload_1", "g3_read_1"),
    ]
    assert made.failures == ()


def test_a_goal_without_actions_is_stepped_over() -> None:
    made = orchestrate(
        goal("navigate", url=URL),
        goal("navigate", "after:g0", platform="youtube"),
        goal("navigate", "after:g1", platform="google"),
        goal("search", "after:g2", query="cats"),
    )
    assert edges(made) == [("g0_navigate_1", "g3_search_1")]


def test_a_diamond_of_goals_without_actions_gives_each_edge_once() -> None:
    empty = [goal("navigate", "after:g0", platform="youtube") for _ in range(2)]
    last = Goal(
        "browser", "search", {"query": Reference("g1", "x"), "platform": Reference("g2", "x")}, scope="after:g1"
    )
    made = orchestrate(goal("navigate", url=URL), *empty, last)
    assert edges(made) == [("g0_navigate_1", "g3_search_1")]


def test_a_tall_ladder_of_goals_without_actions_can_be_planned() -> None:
    ladder = [
        goal("navigate", f"after:g{max(index - 1, 0)}", platform=Reference(f"g{index}", "text")) for index in range(200)
    ]
    made = orchestrate(goal("navigate", url=URL), *ladder, goal("search", "after:g200", query="cats"))
    assert edges(made) == [("g0_navigate_1", "g201_search_1")]


def test_a_long_chain_of_goals_without_actions_can_be_planned() -> None:
    chain = [goal("navigate", f"after:g{index}", platform="youtube") for index in range(3000)]
    made = orchestrate(goal("navigate", url=URL), *chain, goal("search", "after:g3000", query="cats"))
    assert edges(made) == [("g0_navigate_1", "g3001_search_1")]


def test_the_first_branch_is_the_main_lane_and_others_have_their_own() -> None:
    made = orchestrate(goal("navigate", url=URL), goal("navigate", url=URL), goal("search", query="cats"))
    assert lanes(made) == ["main", "r1:g1", "r1:g2"]


def test_descendants_inherit_the_lane_of_their_branch() -> None:
    made = orchestrate(
        goal("navigate", url=URL),
        goal("open_tab", url=URL),
        goal("reload", "after:g1"),
        goal("navigate", "after:g2", url=URL),
        goal("reload", "after:g0"),
    )
    assert lanes(made) == ["main", "r1:g1", "r1:g1", "r1:g1", "main"]


def test_a_goal_with_parents_in_two_lanes_takes_that_of_its_scope() -> None:
    last = Goal("browser", "type", {"selector": "#a", "text": Reference("g0", "text")}, scope="after:g1")
    assert lanes(orchestrate(goal("navigate", url=URL), goal("navigate", url=URL), last))[-1] == "r1:g1"


def test_a_branch_that_opens_nothing_shares_the_main_lane() -> None:
    made = orchestrate(goal("navigate", url=URL), goal("reload"), world=WORLD)
    assert lanes(made) == ["main", "main"]


def test_each_lane_holds_its_own_page() -> None:
    made = orchestrate(goal("navigate", url=URL), goal("navigate", url=URL))
    assert [action.resources for action in made.graph.nodes.values()] == [("page:main",), ("page:r1:g1",)]


def test_a_page_that_an_ancestor_opens_counts_as_open() -> None:
    assert orchestrate(goal("navigate", url=URL), goal("reload", "after:g0"), goal("back", "after:g1")).failures == ()


def test_a_page_that_another_branch_opens_does_not_count_as_open() -> None:
    made = orchestrate(goal("navigate", url=URL), goal("reload"))
    assert [(each.goal_id, result.error and result.error.code) for each, result in made.failures] == [
        ("g1", "no_session")
    ]


def test_a_goal_without_an_action_opens_nothing() -> None:
    made = orchestrate(goal("navigate", platform="youtube"), goal("reload", "after:g0"))
    assert [each.goal_id for each, _ in made.failures] == ["g1"]


def test_frames_come_from_the_nearest_ancestor_first() -> None:
    made = orchestrate(
        goal("navigate", platform="google"),
        goal("navigate", "after:g0", platform="youtube"),
        goal("navigate", "after:g1", url=URL),
        goal("search", "after:g2", query="cats"),
        goal("search", "after:g0", query="dogs"),
    )
    nodes = made.graph.nodes
    assert nodes["g3_search_1"].args["platform"] == "youtube"
    assert nodes["g4_search_1"].args["platform"] == "google"


def test_frames_of_other_branches_are_not_looked_up() -> None:
    made = orchestrate(goal("navigate", platform="youtube"), goal("search", query="cats"))
    assert made.graph.nodes["g1_search_1"].args["platform"] == "google"


def test_frames_of_the_session_come_last() -> None:
    frames = (ContextFrame("browser", {"platform": "youtube"}, "earlier"),)
    made = orchestrate(
        goal("search", query="a"),
        goal("navigate", platform="google"),
        goal("search", "after:g1", query="b"),
        frames=frames,
    )
    assert made.graph.nodes["g0_search_1"].args["platform"] == "youtube"
    assert made.graph.nodes["g2_search_1"].args["platform"] == "google"


def test_the_frames_that_are_left_stand_with_the_latest_first() -> None:
    made = orchestrate(goal("navigate", platform="google"), goal("navigate", "after:g0", platform="youtube"))
    assert [frame.produced_by for frame in made.frames] == ["g1", "g0"]


def test_goals_that_can_t_be_planned_are_told_all_at_once_in_order() -> None:
    made = orchestrate(goal("click"), goal("navigate", url=URL), goal("clack"), goal("reload"))
    assert [(each.goal_id, result.status) for each, result in made.failures] == [
        ("g0", "validation_failed"),
        ("g2", "rule_not_found"),
        ("g3", "blocked"),
    ]


def test_planning_many_goals_twice_gives_the_same_plan() -> None:
    goals = [goal("navigate", url=URL), goal("search", "after:g0", query="x"), goal("navigate", url=URL)]
    first, second = orchestrate(*goals), orchestrate(*goals)
    assert first.graph == second.graph
    assert first.results == second.results
