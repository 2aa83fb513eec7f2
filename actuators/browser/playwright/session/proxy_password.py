"""Telling a browser context the password of its proxy.

Playwright's own way answers each challenge, and for that holds every request up and switches the cache off; it would also
tell the password to servers that ask for one. The browser keeps what a proxy took once, for all that a context does. So
the one first challenge is answered here.
"""

import asyncio
from typing import Any

from playwright.async_api import CDPSession, Page
from playwright.async_api import Error as PlaywrightError

from actuators.browser.egress.visitors import USER
from core.base.errors import ActionError

# The answer of the entry has no content, so that the page stays what it is; the browser calls that so.
_NO_CONTENT = "net::ERR_ABORTED"


async def tell_password(page: Page, entry: str, password: str) -> None:
    """Let a page's context ask its proxy for something, and show the password when the proxy wants it.

    Args:
        page: Shows nothing yet, and still doesn't afterwards.
        entry: An address that the proxy itself answers, with no content, to whoever shows the password.

    Raises:
        ActionError: If the proxy didn't take it.
    """
    session = await page.context.new_cdp_session(page)
    answering: set[asyncio.Task[None]] = set()

    def answer(method: str, event: dict[str, Any], **more: Any) -> None:
        task = asyncio.ensure_future(_send(session, method, {"requestId": event["requestId"], **more}))
        answering.add(task)
        task.add_done_callback(answering.discard)

    shown = {"response": "ProvideCredentials", "username": USER, "password": password}
    session.on("Fetch.requestPaused", lambda event: answer("Fetch.continueRequest", event))
    session.on("Fetch.authRequired", lambda event: answer("Fetch.continueWithAuth", event, authChallengeResponse=shown))
    _, arrival = await asyncio.gather(
        session.send("Fetch.enable", {"handleAuthRequests": True}), session.send("Page.navigate", {"url": entry})
    )
    await session.detach()
    if arrival.get("errorText") != _NO_CONTENT:
        raise ActionError(
            "The browser could not be connected to its proxy.",
            code="wall_closed",
            hint="Close the session and start again.",
            evidence={"browser_says": arrival.get("errorText", "")},
        )


async def _send(session: CDPSession, method: str, params: dict[str, Any]) -> None:
    try:
        await session.send(method, params)
    except PlaywrightError:
        return  # the page went away: the navigation says so
