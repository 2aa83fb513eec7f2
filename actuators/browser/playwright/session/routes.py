"""Requests that are answered, stopped or delayed on purpose, for tests against fixture sites."""

import asyncio
from collections.abc import Awaitable, Callable

from playwright.async_api import BrowserContext, Route
from playwright.async_api import Error as PlaywrightError

from actuators.browser.ports.sessions import RoutePlan
from actuators.deadlines import finish_within
from core.base.errors import ActionError

Handler = Callable[[Route], Awaitable[None]]


class RouteBook:
    """The routes of a session; a later one goes before an earlier one, and replaces one of the same address."""

    def __init__(self) -> None:
        self._handlers: dict[str, Handler] = {}
        self._closing = asyncio.Event()

    def __len__(self) -> int:
        return len(self._handlers)

    def list_urls(self) -> list[str]:
        """Return the globs of all routes, oldest first."""
        return list(self._handlers)

    async def set_route(self, context: BrowserContext, plan: RoutePlan) -> None:
        """Follow a plan from now on."""
        if plan.url in self._handlers:
            await self.remove_route(context, plan.url)
        handler = self._handlers[plan.url] = self._make_handler(plan)
        await context.route(plan.url, handler)

    async def remove_route(self, context: BrowserContext, url: str) -> None:
        """Remove the route of an address.

        Raises:
            ActionError: If there is none.
        """
        if url not in self._handlers:
            raise ActionError(
                f"No route is set for {url}.",
                code="no_route",
                hint=f"Existing routes: {', '.join(self._handlers) or 'none'}.",
            )
        await context.unroute(url, self._handlers.pop(url))

    async def install(self, context: BrowserContext) -> None:
        """Set all routes in a new context."""
        for url, handler in self._handlers.items():
            await context.route(url, handler)

    def close(self) -> None:
        """End the requests that are being delayed, so that none is sent after all, and forget all routes."""
        self._closing.set()
        self._handlers.clear()

    def _make_handler(self, plan: RoutePlan) -> Handler:
        async def handle(route: Route) -> None:
            try:
                await self._follow(plan, route)
            except PlaywrightError:
                # The page went away while its request was held; nobody waits for the answer.
                return

        return handle

    async def _follow(self, plan: RoutePlan, route: Route) -> None:
        if plan.action == "fulfil":
            await route.fulfill(status=plan.status, body=plan.body, content_type=_guess_type(plan.body))
        elif plan.action == "abort" or await self._is_closed_within(plan.delay_s):
            await route.abort()
        else:
            await route.fallback()

    async def _is_closed_within(self, limit_s: float) -> bool:
        try:
            return await finish_within(self._closing.wait(), limit_s)
        except TimeoutError:
            return False


def _guess_type(body: str) -> str:
    start = body.lstrip()[:1]
    kind = "application/json" if start in {"{", "["} else "text/html" if start == "<" else "text/plain"
    return f"{kind}; charset=utf-8"
