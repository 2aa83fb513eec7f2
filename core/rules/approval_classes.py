"""The approval classes: what a person is asked before a step. A new class is one line of the table here.

A row of the rules names its class. Everything that treats one class unlike another reads it from this table: what a plan
shows, what ``--yes`` and a policy may give beforehand, and which of two classes asks for more.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

ApprovalClass = Literal["none", "apply_diff", "run_job", "confirm"]


class ApprovalTraits(NamedTuple):
    """How a class is treated.

    Attributes:
        beforehand: Whether ``--yes`` and an ``allow`` rule of the policy may give it before anybody has seen the step.
        must_show: Whether a plan names the step even where its tool can't say what would change.
    """

    beforehand: bool
    shows_changes: bool
    must_show: bool = False


APPROVAL_CLASSES: Mapping[ApprovalClass, ApprovalTraits] = {
    "none": ApprovalTraits(beforehand=False, shows_changes=False),
    "apply_diff": ApprovalTraits(beforehand=True, shows_changes=True, must_show=True),
    "run_job": ApprovalTraits(beforehand=True, shows_changes=False),
    "confirm": ApprovalTraits(beforehand=False, shows_changes=True),
}
"""The classes; each asks for more than those before it."""

_ORDER: tuple[ApprovalClass, ...] = tuple(APPROVAL_CLASSES)
GIVEN_BEFOREHAND: tuple[ApprovalClass, ...] = tuple(name for name in _ORDER if APPROVAL_CLASSES[name].beforehand)


def choose_stricter(first: ApprovalClass, second: ApprovalClass) -> ApprovalClass:
    """Return the one of two classes that asks for more."""
    return first if _ORDER.index(first) > _ORDER.index(second) else second
