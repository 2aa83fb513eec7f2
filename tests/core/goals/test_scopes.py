import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.goals.meta_goals import Goal
from core.goals.references import Reference, Template
from core.goals.scopes import ScopeBook, build_meta_goal

VERBS = ["click", "read", "create", "g1"]


def make_goals(*scopes: str, verb: str = "click") -> list[Goal]:
    return [Goal("browser", verb, scope=scope) for scope in scopes]


def resolve_scope(scope: str, earlier: Sequence[Goal]) -> tuple[str | None, str]:
    book = ScopeBook()
    for goal in earlier:
        book.add(goal)
    return book.resolve(scope)


def test_goals_are_numbered_in_the_order_in_which_they_were_said() -> None:
    meta = build_meta_goal([Goal("a", "b", goal_id="other"), Goal("c", "d")])
    assert [goal.goal_id for goal in meta.goals] == ["g0", "g1"]


@pytest.mark.parametrize(
    ("scope", "parent"),
    [
        ("root", None),
        ("after:g0", "g0"),
        ("after:read", "g1"),
        ("after:browser.read", "g1"),
        ("after:click", "g0"),
        ("drive:C", None),
        ("drive:z", None),
        ("inside:Reports", "g4"),
        ("inside:reports", "g4"),
    ],
)
def test_a_good_scope_gives_its_dependency_and_no_diagnostic(scope: str, parent: str | None) -> None:
    folder = {"object_type": "folder", "name": "Reports"}
    earlier = [
        Goal("browser", "click"),
        Goal("browser", "read"),
        Goal("browser", "read"),
        Goal("file", "create", folder),
        Goal("file", "create", folder),
        Goal("file", "delete", folder),
    ]
    meta = build_meta_goal([*earlier, Goal("browser", "click", scope=scope)])
    assert meta.dependencies.get("g6") == ((parent,) if parent else None)
    assert meta.diagnostics == ()


@pytest.mark.parametrize(
    ("scope", "reason"),
    [
        ("", "a scope is root"),
        ("Root", "a scope is root"),
        (" root", "a scope is root"),
        ("before:g0", "a scope is root"),
        ("after", "a scope is root"),
        ("inside", "a scope is root"),
        ("after:", "names nothing after after:"),
        ("inside:", "names nothing after inside:"),
        ("after:g1", "can't come after itself"),
        ("after:g2", "comes later"),
        ("after:hover", "comes later"),
        ("after:browser.hover", "comes later"),
        ("after:g9", "no earlier goal has the id or verb “g9”"),
        ("after:clik", "no earlier goal has the id or verb “clik”"),
        ("after: g0", "no earlier goal has the id or verb “ g0”"),
        ("inside:Nowhere", "no earlier goal creates the folder “Nowhere”"),
        ("drive", "is not a drive letter"),
        ("drive:", "is not a drive letter"),
        ("drive:CD", "is not a drive letter"),
        ("drive:1", "is not a drive letter"),
        ("drive:é", "is not a drive letter"),
        ("drive:C:", "is not a drive letter"),
    ],
)
def test_a_bad_scope_is_a_diagnostic_and_no_dependency(scope: str, reason: str) -> None:
    meta = build_meta_goal([Goal("browser", "click"), Goal("browser", "click", scope=scope), Goal("browser", "hover")])
    assert meta.dependencies == {}
    assert len(meta.diagnostics) == 1
    assert reason in meta.diagnostics[0]
    assert f"the scope “{scope}” is ignored" in meta.diagnostics[0]
    assert meta.diagnostics[0].startswith("g1 (browser.click)")


def test_a_goal_id_wins_over_a_verb_of_the_same_name() -> None:
    goals = [Goal("x", "g1"), Goal("x", "y"), Goal("x", "z", scope="after:g1")]
    assert build_meta_goal(goals).dependencies == {"g2": ("g1",)}


def test_inside_means_only_a_goal_that_creates_a_folder() -> None:
    earlier = [
        Goal("file", "create", {"object_type": "file", "name": "a"}, goal_id="g0"),
        Goal("file", "delete", {"object_type": "folder", "name": "a"}, goal_id="g1"),
        Goal("browser", "click", {"object_type": "folder", "name": "a"}, goal_id="g2"),
        Goal("file", "create", {"object_type": "folder", "name": Reference("g0", "text")}, goal_id="g3"),
    ]
    assert resolve_scope("inside:a", earlier)[0] is None


@pytest.mark.parametrize(
    "value",
    [
        Reference("g0", "text"),
        Template(("Hello ", Reference("g0", "text"))),
        [1, {"deep": (Reference("g0", "rows.0"),)}],
    ],
)
def test_a_reference_is_a_dependency(value: object) -> None:
    meta = build_meta_goal([Goal("browser", "read"), Goal("browser", "type", {"text": value})])
    assert meta.dependencies == {"g1": ("g0",)}
    assert meta.diagnostics == ()


def test_a_scope_and_references_give_each_parent_once() -> None:
    params = {"text": Template((Reference("g1", "a"), Reference("g0", "b"), Reference("g1", "c")))}
    goals = [Goal("x", "a"), Goal("x", "b"), Goal("x", "c", params, scope="after:g0")]
    assert build_meta_goal(goals).dependencies == {"g2": ("g0", "g1")}


@pytest.mark.parametrize("target", ["g0", "g1", "g7"])
def test_a_reference_to_no_earlier_goal_is_a_diagnostic_and_no_dependency(target: str) -> None:
    meta = build_meta_goal([Goal("x", "a", {"text": Reference(target, "text")}), Goal("x", "b")])
    assert meta.dependencies == {}
    assert f"it refers to {target}, which is not an earlier goal" in meta.diagnostics[0]


@pytest.mark.parametrize(
    ("scopes", "meta_type"),
    [
        ((), "single"),
        (("root",), "single"),
        (("root", "root"), "independent_multi"),
        (("root", "after:g0"), "dependent_multi"),
        (("root", "after:g5"), "independent_multi"),
    ],
)
def test_the_meta_type_follows_from_the_dependencies(scopes: tuple[str, ...], meta_type: str) -> None:
    assert build_meta_goal(make_goals(*scopes)).meta_type == meta_type


@given(st.text())
def test_the_source_is_kept_byte_for_byte(source: str) -> None:
    assert build_meta_goal([], source=source).source == source


targets = st.one_of(
    st.integers(0, 12).map("g{}".format), st.sampled_from([*VERBS, "x.click", "x.read", "a", "B"]), st.text(max_size=4)
)
scopes = st.one_of(
    st.text(max_size=12),
    st.builds("{}:{}".format, st.sampled_from(["after", "inside", "drive", "root", "under"]), targets),
    st.just("root"),
)
params = st.one_of(
    st.just({}),
    st.builds(lambda name: {"object_type": "folder", "name": name}, st.sampled_from(["a", "b", "A"])),
    st.builds(lambda target: {"text": [Reference(target, "text")]}, targets),
)
goals = st.builds(
    lambda verb, scope, given: Goal("file" if verb == "create" else "x", verb, given, scope=scope),
    st.sampled_from(VERBS),
    scopes,
    params,
)


@given(st.lists(goals, max_size=10))
def test_dependencies_always_point_backwards(made: list[Goal]) -> None:
    meta = build_meta_goal(made)
    for child, parents in meta.dependencies.items():
        assert parents
        assert len(set(parents)) == len(parents)
        assert all(int(parent[1:]) < int(child[1:]) for parent in parents)


@given(st.lists(goals, max_size=10))
def test_every_scope_gives_a_dependency_or_a_diagnostic_unless_it_is_root_or_a_drive(made: list[Goal]) -> None:
    meta = build_meta_goal(made)
    for goal in meta.goals:
        said = any(text.startswith(f"{goal.goal_id} (") and "the scope" in text for text in meta.diagnostics)
        free = goal.scope == "root" or re.fullmatch("drive:[A-Za-z]", goal.scope)
        parent, fault = resolve_scope(goal.scope, meta.goals[: int(goal.goal_id[1:])])
        assert said == bool(fault)
        assert (parent is None and not fault) == bool(free)
