from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.verb_table import PLANNER_RULES
from core.base.errors import PolicyError
from core.goals.meta_goals import Goal
from core.goals.references import Reference, Template
from core.goals.scopes import build_meta_goal
from core.goals.world import Capability
from core.planning.context import PlanningContext
from core.planning.orchestrator import GoalOrchestrator, Orchestration
from core.planning.planner import GoalPlanner, PlanResult, judge_args
from core.policy.policy import Policy
from tests.core.samples import WORKSPACE, WORLD

ABLE = replace(WORLD, capabilities={name: Capability(True) for name in ("browser", "files", "trash")})
WINDOWS = replace(ABLE, platform="win32", anchors={"workspace": "C:\\Users\\ada\\work"})


def folder(name: Any, scope: str = "root") -> Goal:
    return Goal("file", "create", {"object_type": "folder", "name": name}, scope=scope)


def write(path: Any, scope: str = "root") -> Goal:
    return Goal("file", "write", {"path": path, "content": "x"}, scope=scope)


def orchestrate(*goals: Goal, setting: PlanningContext | None = None) -> Orchestration:
    return GoalOrchestrator(GoalPlanner(PLANNER_RULES)).orchestrate(
        build_meta_goal(goals), setting or PlanningContext(ABLE)
    )


def find_paths(made: Orchestration) -> list[str | None]:
    """Return what each goal's path was resolved to."""
    return [goal.resolved_path for goal in made.meta_goal.goals]


def find_failure(made: Orchestration) -> PlanResult:
    """Return the only failure."""
    ((_, result),) = made.failures
    return result


# --- inside


def test_a_goal_inside_a_folder_gets_that_folder_as_base() -> None:
    made = orchestrate(folder("Reports"), write("a.txt", "inside:Reports"))
    assert made.failures == ()
    assert find_paths(made) == [f"{WORKSPACE}/Reports", f"{WORKSPACE}/Reports/a.txt"]
    assert made.graph.nodes["g1_write_1"].args["path"] == f"{WORKSPACE}/Reports/a.txt"
    assert made.meta_goal.dependencies == {"g1": ("g0",)}
    assert made.meta_goal.bases == {"g1": "g0"}


def test_folders_hang_below_folders() -> None:
    made = orchestrate(
        folder("downloads:/Reports"),
        folder("2026", "inside:Reports"),
        folder("May", "inside:2026"),
        write("a.txt", "inside:May"),
        write("b.txt", "inside:Reports/2026"),
        setting=PlanningContext(ABLE, Policy(roots=("downloads:/",))),
    )
    assert find_paths(made)[2:] == [
        "/home/ada/Downloads/Reports/2026/May",
        "/home/ada/Downloads/Reports/2026/May/a.txt",
        "/home/ada/Downloads/Reports/2026/b.txt",
    ]


@pytest.mark.parametrize(
    ("target", "parent"),
    [
        ("Reports", "g0"),
        ("REPORTS", "g0"),
        ("2026", "g3"),
        ("reports/2026", "g1"),
        ("Reports\\2026", "g1"),
        ("./Reports//2026/", "g1"),
        ("Plans/2026", "g3"),
        ("b", "g4"),
        ("a/b", "g4"),
        ("documents:/a/b", "g4"),
        ("b/c", "g5"),
        ("a/b/c", "g5"),
    ],
)
def test_the_latest_folder_whose_path_ends_so_is_meant(target: str, parent: str) -> None:
    goals = [
        folder("Reports"),
        folder("2026", "inside:Reports"),
        folder("Plans"),
        folder("2026", "inside:Plans"),
        folder("documents:/a/b"),
        folder("c", "inside:b"),
        write("x", f"inside:{target}"),
    ]
    meta = build_meta_goal(goals)
    assert meta.diagnostics == ()
    assert meta.bases["g6"] == parent
    assert meta.dependencies["g6"] == (parent,)


@pytest.mark.parametrize("target", ["Report", "eports", "2026/Reports", "x/Reports", "/", ".", "Reports/2025"])
def test_a_folder_that_nobody_creates_is_a_diagnostic_and_no_base(target: str) -> None:
    meta = build_meta_goal([folder("Reports"), folder("2026", "inside:Reports"), write("x", f"inside:{target}")])
    assert "g2" not in meta.bases
    assert "g2" not in meta.dependencies
    assert f"no earlier goal creates the folder “{target}”" in meta.diagnostics[0]


@pytest.mark.parametrize("name", [Reference("g0", "text"), Template(("Reports ", Reference("g0", "text")))])
def test_a_folder_whose_name_is_read_at_run_time_can_not_be_a_base(name: object) -> None:
    meta = build_meta_goal([Goal("browser", "read"), folder(name), write("x", "inside:Reports")])
    assert meta.bases == {}
    assert "(g1 creates one, but its name is only read while the run goes on)" in meta.diagnostics[0]


def test_a_folder_that_can_not_be_planned_is_no_base() -> None:
    made = orchestrate(folder("a/NUL"), write("b.txt", "inside:NUL"))
    (_, first), (_, second) = made.failures
    assert first.error is not None
    assert first.error.evidence["rule"] == "P5"
    assert (second.status, second.error and second.error.code) == ("blocked", "base_unknown")
    assert "inside the folder of g0, which is not known while planning" in second.reason


@pytest.mark.parametrize("path", ["/etc/passwd", "workspace:/a.txt", "downloads:/a.txt", f"{WORKSPACE}/Reports2/a.txt"])
def test_a_path_that_leads_out_of_the_folder_is_refused(path: str) -> None:
    failure = find_failure(orchestrate(folder("Reports"), write(path, "inside:Reports")))
    assert (failure.status, failure.error and failure.error.code) == ("blocked", "path_refused")
    assert failure.error is not None
    assert failure.error.evidence["rule"] == "P15"
    assert failure.error.evidence["params"] == ["path"]


def test_a_whole_path_that_lies_in_the_folder_may_be_given() -> None:
    made = orchestrate(folder("Reports"), write("workspace:/Reports/a.txt", "inside:Reports"))
    assert find_paths(made)[1] == f"{WORKSPACE}/Reports/a.txt"


def test_only_paths_hang_below_the_base() -> None:
    text = Goal("file", "find", {"path": ".", "pattern": "*.txt", "content": "a/b"}, scope="inside:Reports")
    made = orchestrate(folder("Reports"), text)
    args = made.graph.nodes["g1_find_1"].args
    assert (args["path"], args["pattern"], args["content"]) == (f"{WORKSPACE}/Reports", "*.txt", "a/b")


def test_the_roots_still_hold_below_a_base() -> None:
    failure = find_failure(
        orchestrate(write("a", "drive:D"), setting=PlanningContext(WINDOWS, Policy(roots=("C:\\Users\\ada\\work",))))
    )
    assert failure.error is not None
    assert failure.error.evidence["rule"] == "P15"
    assert "outside the folders that this run may use" in failure.reason


def test_a_path_that_is_read_at_run_time_hangs_below_the_planned_base() -> None:
    made = orchestrate(
        folder("Reports"),
        Goal("browser", "read", {"target": "title"}),
        write(Reference("g1", "title"), "inside:Reports"),
    )
    action = made.graph.nodes["g2_write_1"]
    assert action.base == f"{WORKSPACE}/Reports"
    assert find_paths(made)[2] is None
    rule = PLANNER_RULES["file", "write"]
    args = judge_args(rule, {"path": "a.txt", "content": "x"}, PlanningContext(ABLE, base=action.base))
    assert args["path"] == f"{WORKSPACE}/Reports/a.txt"
    with pytest.raises(PolicyError):
        judge_args(rule, {"path": "/etc/passwd", "content": "x"}, PlanningContext(ABLE, base=action.base))


# --- drives


def test_a_drive_is_the_base_on_windows_and_no_dependency() -> None:
    made = orchestrate(write("a\\b.txt", "drive:d"), setting=PlanningContext(WINDOWS, Policy(roots=("D:\\",))))
    assert made.failures == ()
    assert find_paths(made) == ["D:\\a\\b.txt"]
    assert made.meta_goal.dependencies == {}
    assert made.meta_goal.bases == {"g0": "drive:D:/"}


def test_a_drive_is_refused_where_there_are_none() -> None:
    failure = find_failure(orchestrate(write("a.txt", "drive:D")))
    assert (failure.status, failure.error and failure.error.code) == ("blocked", "path_refused")
    assert "the drive D:, which this machine doesn't have" in failure.reason


def test_a_folder_can_stand_for_a_drive() -> None:
    world = replace(ABLE, anchors={**ABLE.anchors, "drive:D": "/mnt/d"})
    made = orchestrate(write("a.txt", "drive:D"), setting=PlanningContext(world, Policy(roots=("/mnt",))))
    assert find_paths(made) == ["/mnt/d/a.txt"]


# --- what may be written


@pytest.mark.parametrize(("path", "rule"), [("a/desktop.ini", "P17"), ("home/.config/autostart/a.desktop", "P17")])
def test_what_the_system_reads_by_itself_is_read_and_not_written(path: str, rule: str) -> None:
    failure = find_failure(orchestrate(write(path)))
    assert failure.error is not None
    assert failure.error.evidence["rule"] == rule
    assert orchestrate(Goal("file", "read", {"path": path})).failures == ()


def test_a_workspace_of_any_name_can_be_worked_in() -> None:
    world = replace(ABLE, anchors={"workspace": "/home/ada/a: b./CON"})
    assert find_paths(orchestrate(write("a.txt"), setting=PlanningContext(world))) == ["/home/ada/a: b./CON/a.txt"]


# --- properties

names = st.sampled_from(["a", "b", "A", "a/b", "b/a", ".", "", "..", "desktop:/a"])
scopes = st.one_of(
    st.just("root"),
    st.builds(
        "{}:{}".format, st.sampled_from(["inside", "drive", "after"]), st.one_of(names, st.sampled_from(["c", "g0"]))
    ),
)
goals = st.builds(
    lambda name, scope, kind: Goal("file", "create", {"object_type": kind, "name": name}, scope=scope),
    names,
    scopes,
    st.sampled_from(["folder", "file"]),
)


@given(st.lists(goals, max_size=8))
def test_what_is_planned_inside_a_folder_lies_in_it(made: list[Goal]) -> None:
    done = orchestrate(*made, setting=PlanningContext(ABLE, Policy(roots=("/",))))
    paths = {goal.goal_id: goal.resolved_path for goal in done.meta_goal.goals}
    for goal in done.meta_goal.goals:
        base = paths.get(done.meta_goal.bases.get(goal.goal_id, ""))
        if goal.resolved_path is not None and base is not None:
            assert f"{goal.resolved_path}/".startswith(f"{base}/")
        assert goal.resolved_path is None or done.results[goal.goal_id].status == "success"


def test_a_long_chain_of_folders_can_be_planned() -> None:
    chain = [folder("a", "inside:a") for _ in range(1500)]
    meta = build_meta_goal([folder("a"), *chain, write("x", "inside:" + "/".join("a" * 1000))])
    assert meta.diagnostics == ()
    assert meta.bases["g1501"] == "g1500"
