"""What every part of the fake browser has in common: its pages, and that it refuses what it does not know."""

from collections.abc import Mapping
from typing import Any

from actuators.browser.fake.browser import FakeBrowser, FakeView, Fetched
from actuators.browser.fake.pages import FakeRequest, resolve_address
from actuators.browser.fake.turns import Turn
from actuators.browser.ports.navigation import Arrival
from core.base.errors import NavigationError
from core.results.failure_snapshots import FailureSnapshot
from core.rules.browser_choices import WaitUntil
from core.tools.ports import ActionContext


class FakePart:
    """The pages of a fake browser."""

    def __init__(self, browser: FakeBrowser) -> None:
        self._browser = browser

    def find_address(self, context: ActionContext) -> str | None:
        """Return the address of the lane's page; None where no page is open."""
        tab = self._browser.tabs.current(context.lane)
        return tab.page.url if tab else None

    async def describe_elements(self, context: ActionContext, selector: str) -> Mapping[str, Any]:
        """Return role, name, tag and where it leads or sends to, of the element that is acted on."""
        turn = Turn(self._browser, context, "aim")
        element = turn.find(selector)
        facts: dict[str, Any] = element.describe()
        for holder in element.ascend():
            address = resolve_address(holder.declared.href or turn.document.url, turn.document.url)
            if holder.role == "form":
                facts |= {"form_sends_to": address, "form_method": (holder.attribute("method") or "get").lower()}
            elif holder.declared.href:
                facts["leads_to"] = address
        return facts

    async def show_snapshot(self, context: ActionContext) -> FailureSnapshot | None:
        """Return the address of the lane's page; None where it has none."""
        address = self.find_address(context)
        return None if address is None else FailureSnapshot({"url": address})


def open_tab(turn: Turn) -> FakeView:
    """Open a tab and move the lane to it."""
    tab = turn.browser.tabs.add(FakeView(), turn.context.lane)
    turn.browser.tabs.make_current(turn.context.lane, tab)
    return tab.page


def open_address(turn: Turn, view: FakeView, url: str, wait_until: WaitUntil) -> Arrival:
    """Open an address in a tab.

    Raises:
        NavigationError: If it can't be reached, isn't a page, never finishes loading, or answers 4xx or 5xx.
        PolicyError: If it leads outside the hosts that policy allows.
    """
    left = view.url
    fetched = turn.browser.fetch(FakeRequest("GET", url), turn.context.policy)
    if fetched.document:
        view.show(fetched.document)
    if not fetched.trouble and not view.document.page.finishes and wait_until in ("load", "networkidle"):
        raise NavigationError(
            f"{url} was opened, but did not finish loading in time.",
            code="navigation_timeout",
            hint='Navigate with wait_until "domcontentloaded", or give it more time.',
            evidence={"url": url, "current_url": view.url, "arrived": True},
        )
    return tell_arrival(turn, view, fetched, left)


def tell_arrival(turn: Turn, view: FakeView, fetched: Fetched, left: str) -> Arrival:
    """Say where a tab is now.

    Raises:
        SurehandError: Why it is nowhere else.
    """
    if fetched.trouble:
        fetched.trouble.evidence.setdefault("current_url", view.url)
        raise fetched.trouble
    redirects = {"redirects": list(fetched.redirects)} if fetched.redirects else {}
    status = None if view.url == "about:blank" else view.document.page.status
    return Arrival(view.url, view.title, status, left, evidence={**redirects, **turn.meanwhile()}).check_served()
