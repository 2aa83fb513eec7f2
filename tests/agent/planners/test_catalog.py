"""The list of planners that ship has all of them."""

import ast

from agent.planners.catalog import list_shipped_planners
from tests.architecture.sources import read_shipped


def test_every_planner_that_ships_is_listed() -> None:
    planners = [
        node.name
        for source in read_shipped()
        if source.name.startswith("agent/planners/")
        for node in source.find_classes()
        if any(ast.unparse(base) == "PlannerBase" for base in node.bases)
    ]
    assert len(planners) == len(list_shipped_planners()), planners
