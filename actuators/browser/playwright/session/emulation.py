"""What the browser pretends to be, and requests that are answered, stopped or delayed on purpose, for tests against fixture sites.

Most can be changed on live pages. A device and a locale belong to the browser context, so those need a new one; and so
does a time zone that the context was made with.
"""

import asyncio
import difflib
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from playwright.async_api import BrowserContext, CDPSession, Page, Route
from playwright.async_api import Error as PlaywrightError

from actuators.browser.ports.sessions import EmulationRequest, RoutePlan
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
        """Remove the route of an address; ActionError if there is none."""
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
            with suppress(PlaywrightError):  # the page went away while its request was held
                await self._follow(plan, route)

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


FOR_NEW_CONTEXT = ("device", "locale")
CHECK_SCRIPT = """({locale, timezone}) => {
    const fails = (act) => { try { return act() === false } catch { return true } };
    if (locale && fails(() => Intl.DateTimeFormat.supportedLocalesOf(locale).length > 0)) return "locale";
    if (timezone && fails(() => new Intl.DateTimeFormat("en", {timeZone: timezone}))) return "timezone";
    return null;
}"""
NAMES_SCRIPT = """() => ({
    timezone: Intl.supportedValuesOf("timeZone"),
    locale: ["en-US", "en-GB", "de-DE", "fr-FR", "es-ES", "it-IT", "nl-NL", "pl-PL", "pt-BR", "ru-RU", "tr-TR", "uk-UA",
             "ar-SA", "he-IL", "hi-IN", "ja-JP", "ko-KR", "zh-CN", "zh-TW", "cs-CZ", "da-DK", "fi-FI", "nb-NO", "sv-SE"],
})"""
READ_SCRIPT = """() => ({
    width: innerWidth, height: innerHeight, device_scale: devicePixelRatio, touch: navigator.maxTouchPoints > 0,
    user_agent: navigator.userAgent, language: navigator.language,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    color_scheme: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
    online: navigator.onLine,
})"""
LOCATE_SCRIPT = """() => new Promise((end) => {
    if (!isSecureContext) return end(null);
    navigator.geolocation.getCurrentPosition(
        ({coords}) => end({latitude: coords.latitude, longitude: coords.longitude, accuracy: coords.accuracy}),
        () => end(null), {timeout: 1000});
})"""


class Emulation:
    """What a session's pages see of the machine, as options of its context and changes since."""

    def __init__(self) -> None:
        self._options: dict[str, Any] = {}
        self._base: dict[str, Any] = {}
        self._live: dict[str, Any] = {}
        self._zones: dict[Page, CDPSession] = {}

    def begin_context(self) -> dict[str, Any]:
        """Return the options for a new context, which has everything that was asked for so far."""
        self._base, self._live = dict(self._options), {}
        self._zones.clear()
        return dict(self._base)

    def needs_context(self, request: EmulationRequest) -> bool:
        """Tell whether a request can't be met on live pages."""
        changes = request.list_changes()
        return any(name in changes for name in FOR_NEW_CONTEXT) or (
            "timezone" in changes and "timezone_id" in self._base
        )

    def note(self, request: EmulationRequest, devices: Mapping[str, Mapping[str, Any]]) -> None:
        """Remember what is asked for, for this context's pages and for the next context."""
        if request.device is not None:
            descriptor = dict(devices[request.device])
            descriptor.pop("default_browser_type", None)
            self._options |= descriptor
        named = {
            "viewport": request.viewport,
            "locale": request.locale,
            "timezone_id": request.timezone,
            "color_scheme": request.color_scheme,
            "geolocation": request.geolocation,
            "permissions": ["geolocation"] if request.geolocation else None,
        }
        self._options |= {name: value for name, value in named.items() if value is not None}
        self._live |= request.list_changes()

    async def apply_to(self, page: Page) -> None:
        """Bring a page of this context up to date with what was asked for since the context began."""
        if viewport := self._live.get("viewport"):
            await page.set_viewport_size(viewport)
        if color_scheme := self._live.get("color_scheme"):
            await page.emulate_media(color_scheme=color_scheme)
        if timezone := self._live.get("timezone"):
            if page not in self._zones:
                self._zones[page] = await page.context.new_cdp_session(page)
                page.once("close", self._forget_page)
            await self._zones[page].send("Emulation.setTimezoneOverride", {"timezoneId": timezone})

    def _forget_page(self, page: Page) -> None:
        self._zones.pop(page, None)

    @staticmethod
    async def apply_to_context(context: BrowserContext, request: EmulationRequest) -> None:
        """Change what belongs to the whole context but needs no new one."""
        if request.geolocation is not None:
            await context.grant_permissions(["geolocation"])
            place = request.geolocation
            await context.set_geolocation(
                {"latitude": place["latitude"], "longitude": place["longitude"], "accuracy": place.get("accuracy", 0)}
            )
        if request.offline is not None:
            await context.set_offline(request.offline)


async def check_request(page: Page, request: EmulationRequest, devices: Mapping[str, Any]) -> None:
    """Refuse a device, locale or time zone that is unknown, before anything is changed; name the nearest."""
    if request.device is not None and request.device not in devices:
        raise _make_unknown_error("device", request.device, list(devices))
    if request.locale is None and request.timezone is None:
        return
    wrong = await page.evaluate(CHECK_SCRIPT, {"locale": request.locale, "timezone": request.timezone})
    if wrong:
        names = await page.evaluate(NAMES_SCRIPT)
        raise _make_unknown_error(wrong, str(request.list_changes()[wrong]), names[wrong])


async def read_emulation(page: Page, request: EmulationRequest) -> tuple[dict[str, Any], bool]:
    """Read back what the page sees now; tell whether it is what was asked for."""
    try:
        seen: dict[str, Any] = await page.evaluate(READ_SCRIPT)
        if request.geolocation is not None:
            seen["geolocation"] = await page.evaluate(LOCATE_SCRIPT)
    except PlaywrightError as error:
        return {"unread": error.message.partition("\n")[0]}, False
    wanted = {
        "language": request.locale,
        "timezone": request.timezone,
        "color_scheme": "light" if request.color_scheme == "no-preference" else request.color_scheme,
        "online": None if request.offline is None else not request.offline,
        "geolocation": request.geolocation and {"accuracy": 0, **request.geolocation},
    }
    if request.viewport:
        wanted |= request.viewport
    return seen, all(seen[name] == value for name, value in wanted.items() if value is not None)


def _make_unknown_error(what: str, name: str, known: list[str]) -> ActionError:
    near = difflib.get_close_matches(name, known, 3, 0.4)
    hint = f"Did you mean {', '.join(near)}?" if near else "Use a name such as " + ", ".join(known[:3]) + "."
    return ActionError(f'Unknown {what} "{name}".', code=f"unknown_{what}", hint=hint, evidence={"nearest": near})
