"""`surehand plan`, as a command: what it takes."""

from agent.cli.asking import Asked, PlanShowing
from agent.cli.declaring import command, make_group
from agent.cli.options import LOOKING
from agent.cli.serving.choosing import ServiceChoice
from agent.cli.serving.plans import print_plan

app = make_group()


@command(app, "plan", "surehand plan order.yaml", panel=LOOKING)
def show_plan(asked: Asked, showing: PlanShowing, choice: ServiceChoice) -> int:
    """Show the steps that a sentence or file would take; do nothing."""
    return print_plan(asked, showing, choice)
