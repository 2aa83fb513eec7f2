"""What an exploration leaves: a flow that does the same again without whoever proposed it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from actuators.verb_table import PLANNER_RULES
from agent.planners.explore.exploring import Deed
from agent.requests.flow_writing import WrittenStep, write_flow
from core.base.errors import GoalError
from core.base.phrases import cut_text
from core.policy.policy import Policy

_NUMBERS = re.compile(r"[0-9]+")
_STARS = re.compile(r"[*]+")
_LOOK = "snapshot"
_MOST_NAME = 80


def write_leftover(task: str, author: str, ending: str, deeds: Sequence[Deed], policy: Policy) -> str:
    """Return a flow that repeats what was done, with the addresses that it led to as expectations.

    Args:
        author: Who proposed it.
        ending: Address of the page at the end.
        policy: What it might touch; the flow may use no verbs but those that it does.

    Raises:
        GoalError: ``flow_not_writable`` if something was done to what nothing names for good, or nothing was done at all.
    """
    kept = [deed for deed in deeds if deed.goal.verb != _LOOK]
    if not kept:
        raise GoalError("Nothing was done that a flow could repeat.", code="flow_not_writable")
    if lost := [index for index, deed in enumerate(kept, 1) if not deed.is_lasting]:
        text = f"Step {lost[0]} acts on an element that only this look can name, so no flow can repeat it."
        raise GoalError(text, code="flow_not_writable", hint="Give the element a name or a testid on its page.")
    steps = list(_list_steps(kept, ending))
    verbs = [name for step in steps for name in (step.goal.name, f"{step.goal.domain}.expect" if step.expect else "")]
    limits = replace(policy, verbs=tuple(dict.fromkeys(filter(None, verbs))))
    remarks = (
        f"Found by {author} for “{task}”.",
        "Read it before you run it: from then on every value in it is yours.",
    )
    return write_flow(cut_text(task, _MOST_NAME), steps, limits, remarks)


def _list_steps(deeds: Sequence[Deed], ending: str) -> Iterator[WrittenStep]:
    addresses = [*(deed.before for deed in deeds[1:]), ending]
    for deed, after in zip(deeds, addresses, strict=True):
        yield WrittenStep(goal=deed.goal, expect=_expect(deed, after))


def _expect(deed: Deed, after: str) -> dict[str, str]:
    """Return what is expected after a step: the address that an act led to, without what differs from run to run."""
    rule = PLANNER_RULES[deed.goal.domain, deed.goal.verb]
    is_page = bool(urlsplit(after).netloc)
    if rule.action_class == "observe" or rule.provides_substrate or not is_page or after == deed.before:
        return {}
    path, before = urlsplit(after).path, urlsplit(deed.before).path
    return {} if path == before else {"url": _STARS.sub("*", f"*{_NUMBERS.sub('*', path)}*")}
