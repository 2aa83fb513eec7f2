"""Pictures of the page before and after a step that acts, for people who look at the run."""

import asyncio
from typing import Literal

from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.finding.masks import MASK_COLOR, list_masks
from actuators.browser.playwright.finding.persisting import EngineError
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.failure_files import write_run_picture
from core.tools.ports import ActionContext

PICTURE_S = 1.0
QUALITY = 60


async def keep_picture(session: PlaywrightSession, context: ActionContext, when: Literal["before", "after"]) -> str:
    """Return the path of a picture of the lane's page, without secrets; empty where there is none.

    A page that is empty, asks something or doesn't answer has none: the step doesn't wait for it.
    """
    tab = session.tabs.current(context.lane)
    if tab is None or tab.crashed or tab.page.url == "about:blank" or session.dialogs.held(context.lane):
        return ""
    masks = list_masks(tab.page, context.vault)
    try:
        async with asyncio.timeout(PICTURE_S):
            content = await tab.page.screenshot(type="jpeg", quality=QUALITY, mask=masks, mask_color=MASK_COLOR)
    except (PlaywrightError, EngineError, TimeoutError):
        return ""
    folder, name = session.settings.artifacts_dir, f"{context.action_id}.{when}.jpg"
    return str(await asyncio.to_thread(write_run_picture, folder, context.run_id, name, content))
