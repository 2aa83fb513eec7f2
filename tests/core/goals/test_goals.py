from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from core.goals.meta_goals import Goal


def test_a_goal_is_read_only_down_to_its_params() -> None:
    goal: Any = Goal("browser", "click", {"selector": "#a"})
    with pytest.raises(TypeError):
        goal.params["selector"] = "#b"
    with pytest.raises(FrozenInstanceError):
        goal.verb = "hover"


def test_a_goal_keeps_its_params_when_the_mapping_that_it_was_made_from_changes() -> None:
    given = {"selector": "#a"}
    goal = Goal("browser", "click", given)
    given["selector"] = "#b"
    assert goal.params == {"selector": "#a"}


def test_a_goal_stands_alone_unless_it_says_otherwise() -> None:
    goal = Goal("browser", "click")
    assert (goal.scope, goal.name, goal.resolved_path) == ("root", "browser.click", None)
