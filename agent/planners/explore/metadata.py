"""What the planner ``explore`` is: its inputs, settings and steps, round by round."""

import tomllib
from pathlib import Path

from core.planning.planners.metadata import PlannerInput, PlannerMetadata, RetryPolicy, StepDescriptor, make_option
from core.planning.planners.steps import Condition, PlannerStepInstance, draft_step

PROPOSE, JUDGE = "explore.propose", "explore.judge"
ROUND = "round"
_DEFAULTS = Path(__file__).with_name("defaults.toml")

OPEN_STEP = StepDescriptor(step_id="open", description="Open the page that the person named.", inputs=("url",))
LOOK_STEP = StepDescriptor(step_id="look", description="Look at the page or window as it is now.", outputs=("sight",))
PROPOSE_STEP = StepDescriptor(
    step_id="propose",
    description="Ask for the next few calls.",
    template_id=PROPOSE,
    inputs=("task", "sight"),
    outputs=("proposal",),
    retry=RetryPolicy(attempts=2),
)
ACT_STEP = StepDescriptor(
    step_id="act", description="Do what was proposed, as far as it may be.", inputs=("proposal",), outputs=("deeds",)
)
JUDGE_STEP = StepDescriptor(
    step_id="judge",
    description="Ask whether the task is done, by what is seen.",
    template_id=JUDGE,
    inputs=("task", "sight"),
    outputs=("is_done", "missing"),
)


EXPLORE = PlannerMetadata(
    name="explore",
    description="Does an open-ended task on pages or in windows: looks, asks for the next calls, does what may be done, until the task is done.",
    capabilities=("explore",),
    inputs=(
        PlannerInput(name="task", kind="text", description="What is wanted, in a person's words."),
        make_option("url", "text", "Where it begins; the page that is open where empty.", ""),
        make_option("rounds", "integer", "Looks and proposals at most, from 1.", 20),
        make_option("hosts", "list", "Hosts that may be reached; that of the first page where there are none.", ()),
        make_option(
            "windows",
            "list",
            "Windows that the task is done in, in place of pages: the main one first, then those that it may open.",
            (),
        ),
    ),
    settings={
        **tomllib.loads(_DEFAULTS.read_text("utf-8")),
        "model": "",
        "recall": 0,
        "critique": False,
        "critique_rounds": 1,
        "project": False,
        "recover": True,
        "max_calls": 5,
        "max_tokens": 2000,
        "answer_tokens": 1500,
        "answer_s": 60.0,
    },
    steps=(OPEN_STEP, LOOK_STEP, PROPOSE_STEP, ACT_STEP, JUDGE_STEP),
    tags=("web", "desktop"),
)


def make_round(number: int, after: str, skip_if: Condition | None = None) -> tuple[PlannerStepInstance, ...]:
    """Return the steps of a round, each after the one before."""
    instances: list[PlannerStepInstance] = []
    for descriptor in (LOOK_STEP, PROPOSE_STEP, ACT_STEP):
        name = f"{descriptor.step_id}-{number}"
        instances.append(draft_step(descriptor, name, after, skip_if, **{ROUND: number}))
        after = name
    return tuple(instances)
