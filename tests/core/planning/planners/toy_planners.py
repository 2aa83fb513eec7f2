"""Planners for tests: what each step does is a function, and all that is told of a run is kept."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from core.base.scope_paths import begin_scope
from core.planning.planners.base import PlannerBase
from core.planning.planners.context import PlannerContext, PlannerContextParts
from core.planning.planners.metadata import PlannerInput, PlannerMetadata, StepDescriptor
from core.planning.planners.ports import ModelAnswer, ModelQuestion
from core.planning.planners.results import PlannerResult
from core.planning.planners.steps import PlannerStep, PlannerStepInstance, StepRecord
from core.results.events import Event

SCOPE = begin_scope("anna").child("s1").child("r1")
CLOSED = {"type": "object", "properties": {}, "additionalProperties": False}

Deed = Callable[[PlannerContext, PlannerStepInstance], Awaitable[Mapping[str, Any]]]


async def do_nothing(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
    """Give nothing."""
    del context, step
    return {}


def describe_step(step_id: str, **facts: Any) -> StepDescriptor:
    """Return a descriptor of a step."""
    return StepDescriptor(step_id=step_id, description=f"Do {step_id}", **facts)


def draft(descriptor: StepDescriptor, *depends_on: str, name: str = "", **facts: Any) -> PlannerStepInstance:
    """Return a drafted step; its id is that of the descriptor where nothing else is said."""
    skip_if = facts.pop("skip_if", None)
    return PlannerStepInstance(
        instance_id=name or descriptor.step_id,
        step=PlannerStep(descriptor=descriptor, skip_if=skip_if),
        depends_on=depends_on,
        **facts,
    )


class ToyPlanner(PlannerBase):
    """Drafts the instances that it is given, and does each by the function of its step."""

    def __init__(
        self,
        *instances: PlannerStepInstance,
        deeds: Mapping[str, Deed] | None = None,
        inputs: tuple[PlannerInput, ...] = (),
        **facts: Any,
    ) -> None:
        """Draft these instances."""
        self.instances = instances
        self.deeds = dict(deeds or {})
        self.added: dict[str, Sequence[PlannerStepInstance]] = facts.pop("added", {})
        self.critiques: list[Sequence[PlannerStepInstance]] = facts.pop("critiques", [])
        self.fallback: Sequence[PlannerStepInstance] = facts.pop("fallback", ())
        more = [each for group in (*self.added.values(), *self.critiques, self.fallback) for each in group]
        steps = {each.step.descriptor.step_id: each.step.descriptor for each in (*instances, *more)}
        metadata = PlannerMetadata(
            name="toy", description="A toy.", capabilities=("toy",), inputs=inputs, steps=tuple(steps.values()), **facts
        )
        object.__setattr__(self, "metadata", metadata)  # each toy has its own

    async def draft(self, context: PlannerContext) -> Sequence[PlannerStepInstance]:
        """Return the instances."""
        del context
        return self.instances

    async def execute_step(self, context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        """Do what the step's function does."""
        return await self.deeds.get(step.step.descriptor.step_id, do_nothing)(context, step)

    async def after_step(
        self, context: PlannerContext, step: PlannerStepInstance, record: StepRecord
    ) -> Sequence[PlannerStepInstance]:
        """Return what was said to be added."""
        del context, record
        return self.added.pop(step.instance_id, ())

    async def critique(self, context: PlannerContext, result: PlannerResult) -> Sequence[PlannerStepInstance]:
        """Return what was said to be added."""
        del context, result
        return self.critiques.pop(0) if self.critiques else ()

    async def draft_fallback(self, context: PlannerContext, result: PlannerResult) -> Sequence[PlannerStepInstance]:
        """Return what was said to take the place."""
        del context, result
        return self.fallback


class ToyClock:
    """A clock that moves only when it is slept by, or told to."""

    def __init__(self) -> None:
        """Begin at zero."""
        self.now_s = 0.0
        self.slept: list[float] = []

    def read_monotonic_s(self) -> float:
        """Return the seconds so far."""
        return self.now_s

    def read_utc(self) -> datetime:
        """Return a day in UTC."""
        return datetime(2026, 1, 1, tzinfo=UTC)

    async def sleep(self, delay_s: float) -> None:
        """Move on at once."""
        self.slept.append(delay_s)
        self.now_s += delay_s
        await asyncio.sleep(0)


@dataclass(slots=True)
class ToyModel:
    """Answers each question with so many tokens, after a moment."""

    tokens: int = 10
    asked: list[ModelQuestion] = field(default_factory=list[ModelQuestion])
    is_kept: bool = False
    name: str = "toy"

    async def ask(self, question: ModelQuestion) -> ModelAnswer:
        """Answer."""
        self.asked.append(question)
        await asyncio.sleep(0)
        return ModelAnswer(value={}, model="toy", tokens_in=0, tokens_out=self.tokens, is_kept=self.is_kept)

    async def close(self) -> None:
        """Have nothing open."""


@dataclass(slots=True)
class Told:
    """Keeps the events of a run."""

    events: list[Event] = field(default_factory=list[Event])

    def __call__(self, event: Event) -> None:
        """Keep an event."""
        self.events.append(event)

    @property
    def names(self) -> list[str]:
        """The names of the events, in order."""
        return [each.event_name for each in self.events]


async def ask_once(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
    """Ask the model once."""
    del step
    await context.ask(ModelQuestion(kind="propose", instructions="Propose.", schema=CLOSED, scope=context.scope))
    return {}


def make_parts(**facts: Any) -> PlannerContextParts:
    """Return what a run is made from."""
    given: dict[str, Any] = {"scope": SCOPE, "clock": ToyClock(), **facts}
    return PlannerContextParts(**given)


async def wait_until(is_so: Callable[[], bool]) -> None:
    """Return once something is so; it has to be after a few turns of the loop."""
    for _ in range(1000):
        if is_so():
            return
        await asyncio.sleep(0)
    raise AssertionError("It never was so.")


def give(**outputs: Any) -> Deed:
    """Return what gives these outputs."""

    async def deed(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        del context, step
        return outputs

    return deed


def fail(*errors: Exception | None) -> Deed:
    """Return what raises these, one a try, and then gives nothing."""
    left = list(errors)

    async def deed(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
        del context, step
        error = left.pop(0) if left else None
        if error:
            raise error
        return {}

    return deed


async def wait_forever(context: PlannerContext, step: PlannerStepInstance) -> Mapping[str, Any]:
    """Never end."""
    del context, step
    await asyncio.Event().wait()
    return {}


def list_done(result: PlannerResult) -> list[str]:
    """Return the ids of what was completed."""
    return [each.instance_id for each in result.completed]
