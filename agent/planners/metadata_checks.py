"""What metadata of planners must be like, whatever planner it is of; all that is wrong is said at once."""

from collections.abc import Iterable, Iterator, Sequence

from core.planning.planners.metadata import PlannerInput, PlannerMetadata, StepDescriptor
from core.planning.planners.parameters import find_parameter_faults


def find_metadata_faults(metadata: PlannerMetadata) -> list[str]:
    """Return what is wrong with what a planner says of itself, one text each."""
    return [f"planner “{metadata.name}”: {fault}" for fault in _judge(metadata)]


def _judge(metadata: PlannerMetadata) -> Iterator[str]:
    if not metadata.name or not metadata.description:
        yield "it has no name or no description"
    if not metadata.capabilities or not all(metadata.capabilities):
        yield "it has no capability"
    yield from _find_doubles("input", (each.name for each in metadata.inputs))
    yield from _find_doubles("step", (each.step_id for each in metadata.steps))
    for each in metadata.inputs:
        yield from _judge_default(each)
    for step in metadata.steps:
        yield from _judge_step(step, metadata)


def _judge_default(wanted: PlannerInput) -> Iterator[str]:
    if not wanted.is_required:
        yield from (
            f"the default of {fault}" for fault in find_parameter_faults([wanted], {wanted.name: wanted.default})
        )


def _judge_step(step: StepDescriptor, metadata: PlannerMetadata) -> Iterator[str]:
    parameters = {each.name for each in metadata.inputs}
    known = {*parameters, *metadata.settings, *(name for each in metadata.steps for name in each.outputs)}
    for name in step.inputs:
        if name not in known:
            yield f"step “{step.step_id}” reads “{name}”, which no step gives and no one passes in"
    if step.retry.attempts < 1 or min(step.retry.delay_s, step.retry.longest_delay_s) < 0:
        yield f"step “{step.step_id}” has a retry policy that tries it never, or waits less than no time"


def _find_doubles(what: str, names: Iterable[str]) -> Iterator[str]:
    listed: Sequence[str] = list(names)
    for name in dict.fromkeys(listed):
        if not name:
            yield f"one {what} has no name"
        elif listed.count(name) > 1:
            yield f"{listed.count(name)} of its {what}s are called “{name}”"
