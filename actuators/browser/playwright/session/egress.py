"""The wall around a session's pages: its proxy, and what pages, lanes and actions tell it."""

import asyncio
import os
import weakref
from collections.abc import Awaitable, Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import Any

from playwright.async_api import BrowserContext, CDPSession, Page, ProxySettings
from playwright.async_api import Error as PlaywrightError

from actuators.browser.egress.connections import USER
from actuators.browser.egress.networks import NetworkAccess, SystemNetwork, find_addresses
from actuators.browser.egress.own_services import FindService, OwnServices
from actuators.browser.egress.proxy import EgressProxy, RecordBook, StoppedRequest
from actuators.browser.egress.rules import EgressPolicy, is_literal, is_loopback_name
from actuators.browser.playwright.session.watches import HappeningKind, HappeningLog
from actuators.browser.ports.tabs import TabStrip
from core.addresses.urls import judge_address
from core.base.errors import ActionError, SurehandError
from core.tools.ports import ActionContext

# The answer of the entry has no content, so that the page stays what it is; the browser calls that so.
_NO_CONTENT = "net::ERR_ABORTED"


async def tell_password(page: Page, entry: str, password: str) -> None:
    """Let a page's context ask its proxy for something, and show the password; ``wall_closed`` if it didn't take it."""
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
    with suppress(PlaywrightError):  # the page went away: the navigation says so
        await session.send(method, params)


class PageEgress:
    """Keeps a session's pages within policy and the open internet; doesn't stand around another program's pages."""

    stands = True

    def __init__(
        self,
        tabs: TabStrip[Page],
        log: HappeningLog,
        network: NetworkAccess | None,
        named_hosts: Sequence[str],
        find_service: FindService,
    ) -> None:
        self._tabs = tabs
        self._log = log
        self._asides: dict[Page, str] = {}
        self.rules = EgressPolicy(self._list_places, named_hosts)
        self.book = RecordBook(self._tell)
        self._services = OwnServices(find_service, named_hosts)
        self._network = network or SystemNetwork()
        self._proxy = EgressProxy(self.rules, self._network, self.book, os.environ, services=self._services)
        self._admitted: weakref.WeakSet[BrowserContext] = weakref.WeakSet()
        self._admitting = asyncio.Lock()

    async def open(self) -> ProxySettings:
        """Open the wall's gate unless it is open, and return the settings for a context behind it."""
        # The bypass rule takes out the exception that browsers make for this machine, so that there is no other way.
        return {"server": await self._proxy.start(), "bypass": "<-loopback>"}

    async def admit(self, page: Page, then: Callable[[BrowserContext], Awaitable[None]]) -> None:
        """Let a page's context use the gate; once for each context, before any page of it goes anywhere.

        Args:
            then: Done right after that, also once: what holds requests up, such as routes, would keep the password from the gate.

        Raises:
            ActionError: If the browser didn't take the gate's password.
        """
        async with self._admitting:
            if page.context not in self._admitted:
                keeper = self._proxy.doorkeeper
                await tell_password(page, f"http://{keeper.entry}/", keeper.password)
                await then(page.context)
                self._admitted.add(page.context)

    async def close(self) -> None:
        """End all connections. Calling it again does nothing."""
        await self._proxy.stop()

    def has_sent(self, url: str, since_s: float) -> bool:
        """Tell whether a request has gone out to an address's host since a time by the loop's clock."""
        try:
            return self._proxy.has_sent(judge_address(url), since_s)
        except SurehandError:  # it is none of a server
            return True

    def adopt(self, context: ActionContext) -> None:
        """Let an action's policy hold for its lane."""
        self.rules.set_policy(context.lane, context.policy)

    async def refuse_services(self, url: str) -> None:
        """Refuse (``own_service``) an address of a service of Surehand, for pages that aren't behind the wall."""
        if self.stands or not url.startswith(("http://", "https://")):
            return
        address = judge_address(url)
        if is_loopback_name(address.hostname) or is_literal(address.hostname):
            await self._services.check(address, await find_addresses(address.hostname, self._network))

    @contextmanager
    def heading(self, context: ActionContext, page: Page, url: str) -> Generator[None]:
        """Let a page go to the address of an action, if policy allows its host."""
        self.adopt(context)
        with self.rules.heading(page, url):
            yield

    def reloading(self, context: ActionContext, page: Page) -> AbstractContextManager[None]:
        """Let a page load again what it shows, as if an action went there."""
        is_web = page.url.startswith(("http://", "https://"))
        return self.heading(context, page, page.url) if is_web else nullcontext()

    @contextmanager
    def aside(self, context: ActionContext, page: Page) -> Generator[None]:
        """Know of a page that is nobody's tab, for as long as it is open."""
        self.adopt(context)
        self._asides[page] = context.lane
        try:
            yield
        finally:
            del self._asides[page]

    def _list_places(self) -> Iterator[tuple[Page, str]]:
        pages = [*(tab.page for tab in self._tabs), *self._asides]
        return ((page, frame.url) for page in pages for frame in page.frames)

    def _tell(self, record: StoppedRequest) -> None:
        pages = {tab.page: self._tabs.lane_of(tab.page) for tab in self._tabs} | self._asides
        senders = [page for page in pages if record.sender and _has_origin(page, record.sender)]
        lanes: dict[str, Page] = {}
        for page in senders or pages:
            lanes.setdefault(pages[page], page)
        kind: HappeningKind = "unanswered" if record.code == "unanswered" else "unreached"
        kind = "blocked" if record.refused else kind
        for lane, page in lanes.items() if record.host else ():
            self._log.add(kind, lane, page, record.as_json())


def _has_origin(page: Page, origin: str) -> bool:
    return any(frame.url == origin or frame.url.startswith(f"{origin}/") for frame in page.frames)
