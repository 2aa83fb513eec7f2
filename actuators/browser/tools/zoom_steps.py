"""The steps in which browsers zoom."""

from actuators.browser.ports.tabs import NORMAL_PERCENT
from core.base.errors import ActionError, InputError
from core.rules.browser_choices import ZoomDirection

STEPS_PERCENT = (25, 33, 50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300, 400, 500)


def choose_level(now_percent: float, direction: ZoomDirection | None, level_percent: float | None) -> float:
    """Return the level to go to, in percent.

    Args:
        level_percent: The level that was asked for, instead of a direction.

    Raises:
        InputError: If both are given, or neither.
        ActionError: ``zoom_limit`` if there is no further step.
    """
    if (direction is None) == (level_percent is None):
        raise InputError("zoom needs either a direction or a level.", hint="For example direction: in, or level: 150.")
    if level_percent is not None:
        return level_percent
    if direction == "reset":
        return NORMAL_PERCENT
    further = [each for each in STEPS_PERCENT if (each > now_percent if direction == "in" else each < now_percent)]
    if not further:
        raise ActionError(
            f"The page is at {now_percent:g} %, the limit for zooming {direction}.",
            code="zoom_limit",
            hint="Give a level, or zoom the other way.",
            evidence={"level_percent": now_percent},
        )
    return further[0] if direction == "in" else further[-1]
