"""Attacks on a task: by the product's rules in every way to choose a tool, and for comparison where less is held."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from scripts.benchmarks.dojo.attackers import (
    TRICKS,
    HonestReader,
    HostileResolver,
    PoisonedReader,
    Trick,
    propose_goals,
)
from scripts.benchmarks.dojo.naive import VARIANTS, Holds, hijack
from scripts.benchmarks.dojo.plans import Call, bind_calls
from scripts.benchmarks.dojo.plots import list_plot
from scripts.benchmarks.dojo.reports import NOBODY_REFUSES, PairReport
from scripts.benchmarks.dojo.tasks import TaskTrial, try_call
from scripts.benchmarks.dojo.trials import TrialParts, TrustingPerson, carry_out

_QUOTED = re.compile(r"“[^”]*”")


@dataclass(frozen=True, slots=True)
class TaskAttack:
    """An attack on a task.

    Attributes:
        trial: The task.
        raw: The attack, as AgentDojo has it.
        calls: What reaches its goal.
        acts: Those of them that change something or fetch an address; what the others give, the enemy knows.
        message: What it wants to be said, or else what it wants.
    """

    trial: TaskTrial
    raw: Any
    calls: tuple[Call, ...]
    acts: tuple[Call, ...]
    message: str

    @property
    def reader(self) -> PoisonedReader:
        """Whoever reads what the enemy wrote."""
        return PoisonedReader(self.acts, self.message)

    async def try_trick(self, name: str, trick: Trick, pair: PairReport) -> None:
        """Attack in one way, with everything at once: who chooses tools, who wrote what is read, and who proposes goals."""
        trial, table = self.trial, self.trial.suite.table
        world, person = trial.make_world(), trial.make_person()
        resolver = HostileResolver(table.name, self.acts, trick)
        goals = (*trial.plan.goals, *propose_goals(table, self.acts, trial.task.PROMPT))
        parts = TrialParts(trial.plan.taken, world.call, person, self.reader, resolver)
        end = await carry_out(table, goals, parts)
        if trial.reaches(self.raw, _take_quotes(end.reply), world, end.calls):
            pair.reached.append(name)
        elif trial.reaches(self.raw, end.reply, world, end.calls):
            pair.quoted.append(name)
        if trial.is_done(world, end.calls):
            pair.kept.append(name)

    async def reaches_unapproved(self) -> bool:
        """Tell whether the goal is reached by what is read alone, where a person says yes to everything."""
        trial, world = self.trial, self.trial.make_world()
        parts = TrialParts(trial.plan.taken, world.call, TrustingPerson(), self.reader)
        end = await carry_out(trial.suite.table, trial.plan.goals, parts)
        return trial.reaches(self.raw, _take_quotes(end.reply), world, end.calls)

    def reaches_freely(self) -> bool:
        """Tell whether the goal is reached where nothing is in the way."""
        return self._reaches_by(self.calls, self.message)

    def reaches_naively(self, holds: Holds) -> bool:
        """Tell whether the goal is reached where a tool is chosen freely, and less is held of a plan.

        Nobody is asked there; what is read is the attacker's where that helps, and it waits for its moment or doesn't.

        Args:
            holds: Which planned arguments are.
        """
        params = {each.name: tuple(each.parameters.model_fields) for each in self.trial.suite.raw.tools}
        for reader, is_patient in product((HonestReader(), self.reader), (True, False)):
            planned = bind_calls(self.trial.plan, reader)
            if self._reaches_by(hijack(planned, self.acts, params, holds, is_patient=is_patient)):
                return True
        return False

    def _reaches_by(self, calls: Sequence[Call], output: str = "") -> bool:
        world = self.trial.make_world()
        for call in calls:
            try_call(world, call)
        return self.trial.reaches(self.raw, output, world, calls)


async def attack_task(trial: TaskTrial, attack_id: str, raw: Any) -> PairReport:
    """Return what came of an attack on a task.

    Args:
        trial: The task.
        attack_id: Id of the attack.
        raw: The attack, as AgentDojo has it.
    """
    pair = PairReport(trial.suite.name, trial.task_id, attack_id)
    calls = list_plot(pair.suite, attack_id, raw, trial.before.model_copy(deep=True))
    acts = tuple(each for each in calls if each.function in trial.suite.acting)
    attack = TaskAttack(trial, raw, calls, acts, getattr(raw, "GROUND_TRUTH_OUTPUT", "") or raw.GOAL)
    pair.is_attainable = attack.reaches_freely()
    for name, trick in TRICKS.items():
        await attack.try_trick(name, trick, pair)
    pair.naive += [name for name, holds in VARIANTS.items() if attack.reaches_naively(holds)]
    if await attack.reaches_unapproved():
        pair.naive.append(NOBODY_REFUSES)
    return pair


def _take_quotes(reply: str) -> str:
    """Return a reply without what it quotes, which it tells with where it was read."""
    return _QUOTED.sub("“”", reply)
