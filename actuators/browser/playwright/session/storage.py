"""Cookies and storage of a browser context, and what is kept of a page that moves to another one."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from playwright.async_api import BrowserContext, Page
from playwright.async_api import Error as PlaywrightError

from actuators.browser.saved.files import make_state_error
from core.addresses.urls import WEB_SCHEMES

READ_S = 1.0
LOAD_MS = 15_000


@dataclass(frozen=True, slots=True)
class PageMemory:
    """A page, its address, and what it kept in its session storage."""

    page: Page
    url: str
    storage: dict[str, str]


async def remember_page(page: Page) -> PageMemory:
    """Read what is needed to open the page again; one that doesn't answer has only its address."""
    storage: dict[str, str] = {}
    try:
        async with asyncio.timeout(READ_S):
            storage = await page.evaluate("() => ({...sessionStorage})")
    except (PlaywrightError, TimeoutError):
        # Crashed, waiting for a dialog, or without storage (about:blank): the address alone will have to do.
        storage = {}
    return PageMemory(page, page.url, storage)


async def restore_page(memory: PageMemory, page: Page) -> dict[str, str]:
    """Open the same address in another page, with the same session storage; say which, and what went wrong."""
    if memory.url.partition(":")[0] not in WEB_SCHEMES:
        return {"url": page.url}
    try:
        await page.goto(memory.url, timeout=LOAD_MS)
        if memory.storage:
            await page.evaluate(
                "(kept) => { for (const name in kept) sessionStorage.setItem(name, kept[name]) }", memory.storage
            )
            await page.reload(timeout=LOAD_MS)
    except PlaywrightError as error:
        return {"url": memory.url, "error": error.message.partition("\n")[0]}
    return {"url": page.url}


async def apply_state(context: BrowserContext, state: dict[str, Any], path: Path) -> None:
    """Replace a context's cookies and storage; ActionError if the browser doesn't take them."""
    try:
        await context.set_storage_state(cast("Any", state))
    except PlaywrightError as error:
        raise make_state_error(path, error.message.partition("\n")[0]) from error


async def count_state(context: BrowserContext) -> dict[str, int]:
    """Count the cookies and the origins with storage that a context has."""
    state = await context.storage_state(indexed_db=True)
    return {"cookies": len(state.get("cookies", [])), "origins": len(state.get("origins", []))}
