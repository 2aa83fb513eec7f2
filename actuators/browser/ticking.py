"""Ticking and clearing checkboxes, switches and radio buttons."""

from typing import Any

from playwright.async_api import Error as PlaywrightError

from actuators.browser.explanations import probe
from actuators.browser.page_engine import engine_selector
from actuators.browser.reaching import Aim
from core.errors import ActionError, TargetError

UNCHANGED = "did not change its state"


async def tick_box(aim: Aim, *, checked: bool) -> dict[str, Any]:
    """Bring a box into a state; does nothing where it has that state already.

    Args:
        aim: The box, or its label.
        checked: The state.

    Returns:
        Evidence: the state read back, and ``already`` where nothing had to be done.

    Raises:
        TargetError: If it is no box, or a radio button that should be cleared.
        ActionError: If the page did not keep the state.
    """
    tick = await probe(aim.locator, "tick", aim.take_ms())
    if tick is None:
        raise _unsuitable(aim, "The element can't be ticked: it is no checkbox, switch or radio button.")
    if tick["checked"] == checked and not tick["mixed"]:
        return {"checked": checked, "already": True}
    if not checked and tick["role"] == "radio":
        raise _unsuitable(aim, "A radio button can't be cleared; choose another one of its group.")
    try:
        await _flip(aim, tick, checked=checked)
    except PlaywrightError as error:
        if UNCHANGED not in error.message:
            raise
    after = await probe(aim.locator, "tick")
    if after is None or after["checked"] != checked:
        raise ActionError(
            f"The box was clicked and is still {'not ' if checked else ''}ticked; the page put it back.",
            code="state_not_kept",
            hint="Look at what the page wants first.",
            evidence={"url": aim.page.url, "expected": checked, "actual": after and after["checked"]},
        )
    return {"checked": after["checked"], "already": False}


async def _flip(aim: Aim, tick: dict[str, Any], *, checked: bool) -> None:
    if tick["by_label"]:
        await aim.locator.locator(engine_selector("label_of")).click(timeout=aim.take_ms())
    elif tick["pressed"] or not tick["itself"]:
        await aim.locator.click(timeout=aim.take_ms())
    else:
        await aim.locator.set_checked(checked, timeout=aim.take_ms())


def _unsuitable(aim: Aim, message: str) -> TargetError:
    return TargetError(message, code="target_unsuitable", hint="", evidence={"url": aim.page.url})
