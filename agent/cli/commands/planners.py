"""`surehand planners` and `work`: which planners there are, and letting them do what the backlog has for them."""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from agent.cli.asking import check_workspace
from agent.cli.declaring import command, make_group
from agent.cli.exits import STEP_FAILED, SUCCEEDED
from agent.cli.options import DOING, LIMITS, LOOKING, AsJson, Option
from agent.cli.screen.output import is_at_terminal, show
from agent.cli.serving.planning import NO_TERMS, PlannerPassage, PlannerTerms
from agent.serving.opening import describe_planners

app = make_group()

Capability = Annotated[str, Option("CAPABILITY", "Only what is for this one, such as extract.")]
Most = Annotated[int | None, Option("--most N", "Work on so many items at most.", LIMITS)]


@command(app, "work", "surehand work", "surehand work extract --most 5", panel=DOING)
def work_off(
    capability: Capability = "", most: Most = None, terms: PlannerTerms = NO_TERMS, as_json: AsJson = False
) -> int:
    """Work off what planners have to do: each pending item of the backlog that a planner can take, the most urgent first.

    The service of the folder does it where one runs; surehand serve does it by itself.
    """
    check_workspace(terms.workspace)
    passage = PlannerPassage(terms, asks=is_at_terminal() and not as_json)
    worked = asyncio.run(passage.work(capability, most))
    lines = [f"{each['outcome']:<9} {each['item']} ({each['capability']}) {each['why']}".rstrip() for each in worked]
    show(list(worked), lines or ["Nothing is pending for a planner."], as_json=as_json)
    return SUCCEEDED if all(each["outcome"] == "success" for each in worked) else STEP_FAILED


@command(app, "planners", "surehand planners", panel=LOOKING)
def list_planners(as_json: AsJson = False) -> int:
    """List the planners, those of other packages among them: what they can do, what they take, and their settings."""
    found = describe_planners()
    show(found, (line for each in found for line in _describe(each)), as_json=as_json)
    return SUCCEEDED


def _describe(planner: Mapping[str, Any]) -> Iterator[str]:
    within = "" if planner["can_be_asked"] else ", carried out within others"
    yield f"{planner['name']} ({', '.join(planner['capabilities'])}{within}): {planner['description']}"
    takes = [f"{each['name']}{'*' * each['is_required']}" for each in planner["inputs"]]
    yield from [f"  takes     {', '.join(takes)}"] if takes else []
    yield from [f"  settings  {', '.join(planner['settings'])}"] if planner["settings"] else []
