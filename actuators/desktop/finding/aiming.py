"""What an act on the desktop aims at: the element as it is now."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from actuators.desktop.finding.element_matching import write_path
from core.selectors.screen_targets import ElementTarget, parse_screen_target
from core.tools.ports import ActionContext

if TYPE_CHECKING:
    from actuators.desktop.finding.locating import Locating


async def describe_target(locator: "Locating", context: ActionContext, args: Mapping[str, Any]) -> dict[str, Any]:
    """Return role, name, place and window of the elements that are named; nothing of a text on the screen or a point.

    Raises:
        TargetError: If an element is missing, ambiguous or disabled.
        DeviceError: If there is no such window.
    """
    facts: dict[str, Any] = {}
    for param, prefix in (("target", ""), ("to", "onto_")):
        target = args.get(param)
        if not isinstance(target, str) or not isinstance(parse_screen_target(target), ElementTarget):
            continue
        found = await locator.find_element(target, args.get("window"), timeout_s=context.timeout_s)
        element = found.element
        facts[f"{prefix}role"], facts[f"{prefix}name"] = element.role, element.name
        facts[f"{prefix}in"] = [write_path(part) for part in element.path if part[1]]
        facts[f"{prefix}process"] = element.pid
    return facts
