"""What a model proposes becomes goals that know whose they are, or an error; nothing else."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.verb_table import PLANNER_RULES
from core.base.errors import ModelError
from core.goals.meta_goals import Goal
from core.goals.references import Reference, Template
from core.goals.scopes import build_meta_goal
from core.planning.planners.ports import ProposedCall
from core.planning.proposed_goals import MOST_CALLS, make_proposed_goals

SAID = "tidy up: remove old.txt and tell me"


def make(*calls: ProposedCall, said: str = SAID) -> tuple[Goal, ...]:
    return make_proposed_goals(calls, (said,), "small", PLANNER_RULES)


def call(name: str, scope: str = "", **params: Any) -> ProposedCall:
    return ProposedCall(name=name, params=params, scope=scope)


def refuse(*calls: ProposedCall, said: str = SAID) -> ModelError:
    with pytest.raises(ModelError) as caught:
        make(*calls, said=said)
    return caught.value


def test_every_goal_knows_the_model_and_the_params_that_it_wrote() -> None:
    first, second = make(call("file.read", path="old.txt"), call("file.read", path="new.txt"))
    assert (first.author, dict(first.written)) == ("small", {})
    assert (second.author, dict(second.written)) == ("small", {"path": "small"})


def test_a_step_follows_the_one_before_it_unless_it_says_otherwise() -> None:
    goals = make(call("audio.mute"), call("audio.unmute"), call("audio.mute", "root"), call("audio.mute", "after:g0"))
    assert [goal.scope for goal in goals] == ["root", "after:g0", "root", "after:g0"]


@pytest.mark.parametrize("scope", ["after:g1", "after:g7", "inside:g0", "drive:C", "after:mute", "now", "after:g0 "])
def test_a_scope_that_leads_elsewhere_is_refused(scope: str) -> None:
    assert refuse(call("audio.mute"), call("audio.mute", scope)).code == "model_bad_answer"


def test_a_reference_to_an_earlier_step_is_one_and_to_a_later_one_is_refused() -> None:
    looking = call("file.read", path="old.txt")
    _, goal = make(looking, call("file.write", path="a.txt", content="${g0.text}"))
    assert goal.params["content"] == Reference("g0", "text")
    _, goal = make(looking, call("file.write", path="a.txt", content="it says ${g0.text}!"))
    assert goal.params["content"] == Template(("it says ", Reference("g0", "text"), "!"))
    assert refuse(looking, call("file.write", path="a.txt", content="${g1.text}")).code == "model_bad_answer"


@pytest.mark.parametrize("name", ["file.shred", "file", "", "os.system", "file.delete.now", "FILE.DELETE"])
def test_a_verb_that_there_is_not_is_refused(name: str) -> None:
    assert refuse(call(name)).code == "model_bad_answer"


def test_a_param_that_there_is_not_is_refused() -> None:
    assert "recursively" in refuse(call("file.read", path="old.txt", recursively=True)).message


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "home:/.ssh/id_rsa",
        "desktop:/a.txt",
        "drive:C:/a",
        "C:\\Windows",
        "\\\\host\\share\\x",
        "~/.ssh/id_rsa",
        "../outside.txt",
        "a/../../outside.txt",
        "a\\..\\..\\x",
    ],
)
def test_only_the_persons_words_choose_a_folder(path: str) -> None:
    assert refuse(call("file.read", path=path)).code == "model_overreached"
    (goal,) = make(call("file.read", path=path), said=f'remove "{path}"')
    assert not goal.written


@pytest.mark.parametrize("path", ["a.txt", "a/b.txt", "workspace:/a.txt", "a..b/c"])
def test_a_model_may_name_what_is_in_the_workspace(path: str) -> None:
    assert dict(make(call("file.read", path=path))[0].written) == {"path": "small"}


def test_only_the_persons_words_name_a_secret() -> None:
    typing = call("browser.type", selector='field "Password"', text="secret:bank")
    assert refuse(typing).code == "model_overreached"
    assert make(typing, said="log in with secret:bank")


def test_there_are_not_more_steps_than_somebody_can_read() -> None:
    assert refuse(*[call("audio.mute")] * (MOST_CALLS + 1)).code == "model_bad_answer"


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(
    st.lists(
        st.builds(
            ProposedCall,
            name=st.sampled_from([f"{domain}.{verb}" for domain, verb in PLANNER_RULES]) | st.text(max_size=12),
            params=st.dictionaries(st.sampled_from(["path", "text", "selector", "url", "x"]), values, max_size=3),
            scope=st.sampled_from(["", "root", "after:g0", "after:g1", "x"]),
        ),
        max_size=4,
    )
)
def test_whatever_is_proposed_is_goals_of_the_model_or_an_error(calls: list[ProposedCall]) -> None:
    goals: tuple[Goal, ...] = ()
    with suppress(ModelError):
        goals = make(*calls)
    assert all(goal.author == "small" and (goal.domain, goal.verb) in PLANNER_RULES for goal in goals)
    assert not build_meta_goal(goals).diagnostics
