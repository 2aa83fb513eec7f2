"""The job of the browser benchmark: 15 actions on the fixture shop, by Surehand as people get it, and by raw Playwright.

Each side is a visitor who stays: one session with one browser, one tab, and no cookies when a job begins.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from playwright.async_api import Browser, BrowserContext, Page, Playwright, ProxySettings, async_playwright

from actuators.browser.playwright.engine.scripts import register_engine
from actuators.browser.playwright.session.discovery import find_browser
from actuators.browser.playwright.session.egress import PageEgress
from agent import assembly
from agent.cli import telemetry
from agent.requests.requests import Request
from agent.requests.run_archive import NO_ARCHIVE
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from agent.telemetry.observing import NO_TELEMETRY
from core.approvals.approvals import ClassGate
from core.goals.meta_goals import Goal
from core.journal.journal import NO_JOURNAL

EMPTY_STATE = "nobody.json"

_Steps = list[tuple[str, dict[str, Any]]]


class Visitor(Protocol):
    """Who does the job; ready once entered."""

    async def __aenter__(self) -> Self:
        """Return the visitor, with nothing started before it is needed."""
        ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close everything."""
        ...

    async def arrive(self) -> None:
        """Open the site's first page, with whatever has to be started for it."""
        ...

    async def forget(self) -> None:
        """Drop the cookies of the last job."""
        ...

    async def do_job(self) -> None:
        """Do the 15 actions."""
        ...


def list_goals(site: str) -> tuple[Goal, ...]:
    """Return the 15 goals of our job."""
    return chain_goals(
        [
            ("navigate", {"url": f"{site}/shop/signin"}),
            ("type", {"selector": 'field "Email"', "text": "ada@example.com"}),
            ("type", {"selector": 'field "Password"', "text": "s3cret: ok?"}),
            ("check", {"selector": 'checkbox "Keep me signed in"'}),
            ("click", {"selector": 'button "Sign in"'}),
            ("wait", {"url": f"{site}/shop/dashboard"}),
            ("click", {"selector": 'link "Catalogue"'}),
            ("click", {"selector": 'link "Blue mug"'}),
            ("type", {"selector": 'field "Quantity"', "text": "2"}),
            ("select", {"selector": 'field "Colour"', "value": "White"}),
            ("check", {"selector": 'checkbox "Gift wrap"'}),
            ("click", {"selector": 'button "Add to basket"'}),
            ("wait", {"selector": 'text "2 mugs"'}),
            ("click", {"selector": 'link "Basket"'}),
            ("read", {"target": "text", "selector": "testid=total"}),
        ]
    )


def chain_goals(steps: _Steps) -> tuple[Goal, ...]:
    """Return browser goals, each of which waits for the one before."""
    scopes = ["root", *(f"after:g{index}" for index in range(len(steps)))]
    return tuple(
        Goal("browser", verb, params, scope=scope) for (verb, params), scope in zip(steps, scopes, strict=False)
    )


class OurVisitor:
    """Surehand, put together as the command line does, but for what is taken out of it."""

    def __init__(self, site: str, folder: Path) -> None:
        """Visit a site from a working folder."""
        self._site, self._folder = site, folder
        self._session: AgentSession | None = None

    async def __aenter__(self) -> Self:
        """Put the session together."""
        (self._folder / EMPTY_STATE).write_text(json.dumps({"cookies": [], "origins": []}))
        settings = Settings()
        self._session = assembly.make_session(settings, self._folder)
        self._session.observe(telemetry.open_telemetry(settings, self._folder))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the session."""
        assert self._session
        await self._session.close()

    async def arrive(self) -> None:
        """Go to the site."""
        await self._run(list_goals(self._site)[:1])

    async def forget(self) -> None:
        """Load a session that holds nothing."""
        await self._run(chain_goals([("load_session", {"path": EMPTY_STATE})]))

    async def time_transfer(self, url: str) -> float:
        """Open a page that transfers something and shows the seconds that it took; return them."""
        await self._run(chain_goals([("navigate", {"url": url}), ("wait", {"selector": "testid=seconds"})]))
        return float(
            (await self._run(chain_goals([("read", {"target": "text", "selector": "testid=seconds"})])))["text"]
        )

    async def do_job(self) -> None:
        """Plan the 15 goals and run them, with receipts."""
        await self._run(list_goals(self._site))

    async def _run(self, goals: tuple[Goal, ...]) -> Mapping[str, Any]:
        assert self._session
        result = await self._session.run(Request(goals=goals, gate=ClassGate(("apply_diff",))))
        failed = [f"{log.description}: {log.result.error}" for log in result.step_logs if log.result.status != "ok"]
        if failed or len(result.step_logs) != len(goals):
            raise RuntimeError(f"The job failed: {failed} {result.errors}")
        return result.step_logs[-1].result.output


class RawVisitor:
    """Playwright alone."""

    def __init__(self, site: str, *, has_engine: bool = False, on_step: Callable[[str], None] = lambda _: None) -> None:
        """Visit a site.

        Args:
            site: Address of the fixture sites.
            has_engine: Whether our engine is sent into every document all the same, which shows what that costs.
            on_step: Told the name of each step as it begins.
        """
        self._site, self._has_engine, self._on_step = site, has_engine, on_step
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._context: BrowserContext | None = None
        self._page: Page | None = None

    async def __aenter__(self) -> Self:
        """Return it; nothing is started before the first page."""
        return self

    async def arrive(self) -> None:
        """Start a browser, and go to the site."""
        self._playwright = await async_playwright().start()
        if self._has_engine:
            await register_engine(self._playwright)
        executable = find_browser().require().executable
        self._browser = await self._playwright.chromium.launch(executable_path=executable)
        self._context = await self._browser.new_context()
        self._page = await self._context.new_page()
        await self._page.goto(f"{self._site}/shop/signin")

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the browser."""
        assert self._browser
        assert self._playwright
        await self._browser.close()
        await self._playwright.stop()

    async def forget(self) -> None:
        """Drop the cookies."""
        assert self._context
        await self._context.clear_cookies()

    async def do_job(self) -> None:
        """Do the same 15 actions."""
        assert self._page
        for name, act in list_raw_steps(self._page, self._site):
            self._on_step(name)
            assert await act() != ""


def list_raw_steps(page: Page, site: str) -> list[tuple[str, Callable[[], Awaitable[object]]]]:
    """Return the same 15 actions as calls of Playwright, by name."""
    return [
        ("goto", lambda: page.goto(f"{site}/shop/signin")),
        ("fill", lambda: page.get_by_label("Email").fill("ada@example.com")),
        ("fill", lambda: page.get_by_label("Password").fill("s3cret: ok?")),
        ("check", lambda: page.get_by_role("checkbox", name="Keep me signed in").check()),
        ("click", lambda: page.get_by_role("button", name="Sign in").click()),
        ("wait_for_url", lambda: page.wait_for_url(f"{site}/shop/dashboard")),
        ("click", lambda: page.get_by_role("link", name="Catalogue").click()),
        ("click", lambda: page.get_by_role("link", name="Blue mug").click()),
        ("fill", lambda: page.get_by_label("Quantity").fill("2")),
        ("select_option", lambda: page.get_by_label("Colour").select_option("White")),
        ("check", lambda: page.get_by_role("checkbox", name="Gift wrap").check()),
        ("click", lambda: page.get_by_role("button", name="Add to basket").click()),
        ("wait_for", lambda: page.get_by_text("2 mugs").wait_for()),
        ("click", lambda: page.get_by_role("link", name="Basket").click()),
        ("inner_text", lambda: page.get_by_test_id("total").inner_text()),
    ]


def put(module: object, name: str, stand_in: object) -> None:
    """Put something in the place of a part of the program.

    Args:
        module: Where the part is.
        name: What it is called there.
        stand_in: What takes its place.

    Raises:
        AttributeError: If there is no such part.
    """
    if not hasattr(module, name):
        raise AttributeError(f"{module} has no {name}; say in browser_jobs.py what takes its place")
    setattr(module, name, stand_in)


async def _open_no_wall(_: PageEgress) -> ProxySettings:
    # The browser itself is told to take an address that doesn't exist; this machine is let past it.
    return {"server": "http://nothing.invalid:9", "bypass": "127.0.0.1"}


async def _admit_anybody(_: PageEgress, page: Page, then: Callable[[BrowserContext], Awaitable[None]]) -> None:
    await then(page.context)


def _take_out_wall() -> None:
    put(PageEgress, "open", _open_no_wall)
    put(PageEgress, "admit", _admit_anybody)


_TAKE_OUT: Mapping[str, Callable[[], None]] = {
    "journal": lambda: put(assembly, "_make_journal", lambda *_, **__: NO_JOURNAL),
    "kept_runs": lambda: put(assembly, "_make_keeper", lambda *_, **__: NO_ARCHIVE),
    "logs": lambda: put(telemetry, "open_telemetry", lambda *_: NO_TELEMETRY),
    "proxy": _take_out_wall,
}
PARTS = tuple(_TAKE_OUT)
"""What of the program can be taken out, to see what it costs."""


def take_out(parts: str) -> None:
    """Take parts, joined by commas, out of the sessions that this process makes from now on."""
    for part in filter(None, parts.split(",")):
        _TAKE_OUT[part]()
