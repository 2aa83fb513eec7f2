"""Steps folded by the groups and rounds that they belong to, as a tree."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agent.reports.step_views import StepView
from agent.reports.words import Shown, count_of, tell_ms

_WORST: tuple[Shown, ...] = ("trouble", "unsure", "done", "skipped")


@dataclass(slots=True)
class Group:
    """A group of steps."""

    title: str
    parts: "list[StepView | Group]" = field(default_factory=list["StepView | Group"])

    def list_steps(self) -> Iterator[StepView]:
        """Yield all its steps, those of its groups as well."""
        for part in self.parts:
            if isinstance(part, Group):
                yield from part.list_steps()
            else:
                yield part

    @property
    def shown(self) -> Shown:
        """How it did: as the worst of its steps."""
        return _WORST[min((_WORST.index(step.shown) for step in self.list_steps()), default=-1)]

    @property
    def about(self) -> str:
        """How many steps it has, and how long they took together."""
        steps = list(self.list_steps())
        return f"{count_of(len(steps), 'step')}, {tell_ms(sum(step.line.ms for step in steps))}"

    @property
    def is_open(self) -> bool:
        """Whether it is unfolded at first, however long the run is: what went wrong is in it."""
        return self.shown == "trouble"


def fold_groups(steps: Sequence[StepView]) -> Group:
    """Return all steps in a group without a title, folded by their own groups: neighbours of one title stand together."""
    root = Group("")
    trail: list[Group] = []
    for step in steps:
        titles = step.line.groups
        kept = 0
        while kept < min(len(trail), len(titles)) and trail[kept].title == titles[kept]:
            kept += 1
        del trail[kept:]
        for title in titles[kept:]:
            group = Group(title)
            (trail[-1] if trail else root).parts.append(group)
            trail.append(group)
        (trail[-1] if trail else root).parts.append(step)
    return root
