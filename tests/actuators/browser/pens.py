"""The form tools on a fixture page, for the tests of forms and choices."""

import asyncio
from dataclasses import dataclass, replace
from typing import Any

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from fixtures.web.received import PageEvent
from tests.actuators.browser.hands import Hands


@dataclass
class Pen:
    """The form tools on a fixture page."""

    forms: Hands
    session: PlaywrightSession
    context: ActionContext
    site: SiteServer

    async def open(self, path: str) -> None:
        page = await self.session.open_page(self.context)
        await page.goto(self.site.url + path)

    async def type(self, selector: str, text: str, **how: Any) -> ToolOutcome:
        return await self.forms.type(self.context, selector=selector, text=text, **how)

    async def value_of(self, selector: str) -> str:
        return await self.session.current_page(self.context).locator(selector).input_value()

    async def wait(self, name: str, count: int = 1) -> list[PageEvent]:
        return await asyncio.to_thread(self.site.received.wait_for_events, name, count)

    @property
    def short(self) -> ActionContext:
        return replace(self.context, timeout_s=1.0)
