"""The command of a model's open-ended task."""

from typing import Annotated

import typer

from agent.cli.declaring import command
from agent.cli.options import (
    DOING,
    LIMITS,
    LOOKING,
    AsJson,
    Option,
)
from agent.cli.planner_wishes import NO_TERMS, ExploreWish, PlannerTerms

Capability = Annotated[str, Option("CAPABILITY", "Only what is for this one, such as extract.")]
Most = Annotated[int | None, Option("--most N", "Work on so many items at most.", LIMITS)]


app = typer.Typer()


@command(
    app,
    "explore",
    "surehand explore 'order two blue mugs' 127.0.0.1:8123/shop/ --model NAME -o order.yaml",
    "surehand explore 'find the opening hours' https://museum.example --model NAME --steps 5",
    "surehand explore 'write a note about the meeting' --window Mousepad --window 'Save As' --model NAME",
    panel=DOING,
)
def explore(wish: ExploreWish) -> int:
    """Let a model propose steps on pages or in windows, towards a task; you are asked before each that changes something.

    What it may propose is what people do by hand, at the host where it begins or in the windows that you name. What worked can be kept
    as a flow file.
    """
    from agent.cli.commands.explore import explore_task

    return explore_task(wish)


@command(app, "work", "surehand work", "surehand work extract --most 5", panel=DOING)
def work(
    capability: Capability = "", most: Most = None, terms: PlannerTerms = NO_TERMS, as_json: AsJson = False
) -> int:
    """Work off what planners have to do: each pending item of the backlog that a planner can take, the most urgent first.

    The service of the folder does it where one runs; surehand serve does it by itself.
    """
    from agent.cli.commands.explore import work_off

    return work_off(capability, most, terms, as_json=as_json)


@command(app, "planners", "surehand planners", panel=LOOKING)
def planners(as_json: AsJson = False) -> int:
    """List the planners, those of other packages among them: what they can do, what they take, and their settings."""
    from agent.cli.commands.explore import list_planners

    return list_planners(as_json=as_json)
