"""What every part of the back end knows of a page: its address, the elements that an act aims at, and what a failure looked like."""

from collections.abc import Mapping
from typing import Any

from actuators.browser.playwright.finding.actionability import Actionability
from actuators.browser.playwright.finding.batch import read_each
from actuators.browser.playwright.finding.failure_snapshots import show_snapshot
from actuators.browser.playwright.finding.probes import probe
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.ports.pages import merge_facts
from core.results.failure_snapshots import FailureSnapshot
from core.selectors.selectors import parse_selector
from core.tools.ports import ActionContext


class PlaywrightPages:
    """The pages of a session, which are changed or only looked at."""

    acts = False

    def __init__(self, session: PlaywrightSession) -> None:
        self._session = session
        self._reacher = Actionability(session, acts=self.acts)

    def find_address(self, context: ActionContext) -> str | None:
        """Return the address of the lane's page; None where no page is open."""
        tab = self._session.tabs.current(context.lane)
        return tab.page.url if tab else None

    async def describe_elements(self, context: ActionContext, selector: str) -> Mapping[str, Any]:
        """Return role, name, tag, where a link leads and what a form sends where; of several elements each as a list."""
        if parse_selector(selector).names_several:
            return merge_facts(await read_each(self._reacher, context, selector, "aim"))
        return await self._reacher.act(context, selector, lambda aim: probe(aim.locator, "aim", aim.take_ms()))

    async def show_snapshot(self, context: ActionContext) -> FailureSnapshot | None:
        """Return what there is to see of the lane's page; None where it has none."""
        return await show_snapshot(self._session, context)
