"""Cookies and storage of a browser context."""

from pathlib import Path
from typing import Any, cast

from playwright.async_api import BrowserContext
from playwright.async_api import Error as PlaywrightError

from actuators.browser.saved.stored_sessions import make_state_error


async def apply_state(context: BrowserContext, state: dict[str, Any], path: Path) -> None:
    """Replace a context's cookies and storage.

    Raises:
        ActionError: If the browser doesn't take them.
    """
    try:
        await context.set_storage_state(cast("Any", state))
    except PlaywrightError as error:
        raise make_state_error(path, error.message.partition("\n")[0]) from error


async def count_state(context: BrowserContext) -> dict[str, int]:
    """Count the cookies and the origins with storage that a context has."""
    state = await context.storage_state(indexed_db=True)
    return {"cookies": len(state.get("cookies", [])), "origins": len(state.get("origins", []))}
