"""The hands that another suite's tests act with: a session for each of its browser contexts, all in one browser."""

from contextvars import ContextVar
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, BrowserContext, Page

from actuators.catalog import BrowserShare, PlaywrightFamily
from agent.assembly import make_session
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from core.base.budgets import Budget
from core.goals.meta_goals import Goal
from core.policy.policy import Policy
from core.results.tool_results import RunResult
from core.tools.ports import MAIN_LANE

BEGUN_WITH: ContextVar[dict[str, Any]] = ContextVar("BEGUN_WITH")
"""What a test wants of the context that is being opened."""

# Nobody but a foreign suite needs the pages themselves.
_READ_SESSION = attrgetter("_session")

INNER_HOSTS = ("localhost", "127.0.0.1")
"""Where the suite's own server is."""


class NotDoneError(Exception):
    """The hands did not do what was asked; says what they told."""

    def __init__(self, result: RunResult) -> None:
        """Take what came of it."""
        failed = [log.result.error for log in result.step_logs if log.result.error]
        self.info = next(iter((*result.errors, *failed)), None)
        super().__init__(f"{self.info.code}: {self.info}" if self.info else result.reply)


@dataclass(slots=True)
class _Hand:
    session: AgentSession
    family: PlaywrightFamily


@dataclass(slots=True)
class Hands:
    """Sessions by the context that they have.

    Attributes:
        folder: Where they work.
        acts: How many acts went through them since the count was set back.
        told: What they told of the last act that they did not do.
    """

    folder: Path
    acts: int = 0
    told: str = ""
    _share: BrowserShare = field(default_factory=BrowserShare)
    _open: dict[BrowserContext, _Hand] = field(default_factory=dict[BrowserContext, _Hand])
    _fresh: dict[BrowserContext, Page] = field(default_factory=dict[BrowserContext, Page])

    async def open_context(self, wishes: dict[str, Any]) -> BrowserContext:
        """Open a session, and return the context that it acts in.

        Args:
            wishes: What the test wants of the context.
        """
        session = make_session(Settings(inner_hosts=list(INNER_HOSTS)), self.folder, self._share)
        family = next(each for each in session.parts.families if isinstance(each, PlaywrightFamily))
        token = BEGUN_WITH.set(wishes)
        try:
            await self._carry_out(session, (Goal("browser", "open_tab"),), 0)
        finally:
            BEGUN_WITH.reset(token)
        page = _find_page(family)
        self._open[page.context] = _Hand(session, family)
        self._fresh[page.context] = page
        return page.context

    async def open_browser(self) -> Browser:
        """Return the browser that all of them are in."""
        context = await self.open_context({})
        browser = context.browser
        assert browser
        await self.close_context(context)
        return browser

    def knows(self, context: BrowserContext) -> bool:
        """Tell whether a context is one of a session."""
        return context in self._open

    async def open_page(self, context: BrowserContext) -> Page:
        """Return an empty page of a context."""
        if fresh := self._fresh.pop(context, None):
            return fresh
        hand = self._open[context]
        await self._carry_out(hand.session, (Goal("browser", "open_tab"),), 0)
        return _find_page(hand.family)

    async def act(self, page: Page, *goals: Goal, timeout_s: float = 0) -> RunResult:
        """Carry out goals on a page.

        Args:
            page: The page.
            goals: What to do.
            timeout_s: How long it may take; 0 for as long as our hands take.

        Raises:
            NotDoneError: If they did not succeed.
        """
        hand = self._open[page.context]
        strip = _READ_SESSION(hand.family).tabs
        if tab := strip.find(page):
            strip.make_current(MAIN_LANE, tab)
        self.acts += 1
        try:
            return await self._carry_out(hand.session, goals, timeout_s)
        except NotDoneError as error:
            self.told = str(error)
            raise

    async def close_context(self, context: BrowserContext) -> None:
        """End the session of a context."""
        self._fresh.pop(context, None)
        if hand := self._open.pop(context, None):
            await hand.session.close()

    async def close(self) -> None:
        """End all sessions, and the browser."""
        for context in tuple(self._open):
            await self.close_context(context)
        await self._share.close()

    async def _carry_out(self, session: AgentSession, goals: tuple[Goal, ...], timeout_s: float) -> RunResult:
        budget = Budget(timeout_s or None)
        result = await session.run(Request(goals=goals, policy=Policy(roots=("/",)), budget=budget))
        if result.outcome != "success":
            raise NotDoneError(result)
        return result


def _find_page(family: PlaywrightFamily) -> Page:
    return _READ_SESSION(family).tabs.current(MAIN_LANE).page
