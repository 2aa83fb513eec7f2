"""All browser tools by Playwright, on one session.

On the page of another program storage, routes and emulation are left alone, and receipts say what it is.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Never

from actuators.browser.playwright.acting.attending import SessionAttendance
from actuators.browser.playwright.attached.attached_session import AttachedSession, refuse_attached
from actuators.browser.playwright.looking.witness import PageWitness
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.verbs.forms import PlaywrightForms
from actuators.browser.playwright.verbs.navigation import PlaywrightNavigation
from actuators.browser.playwright.verbs.pointer import PlaywrightPointer
from actuators.browser.playwright.verbs.reading import PlaywrightReading
from actuators.browser.playwright.verbs.sessions import PlaywrightSessions
from actuators.browser.playwright.verbs.tabs import PlaywrightTabs
from actuators.browser.ports.sessions import EmulationRequest, RoutePlan
from actuators.browser.tools.forms import FormTools
from actuators.browser.tools.navigation import NavigationTools
from actuators.browser.tools.pointer import PointerTools
from actuators.browser.tools.reading import ReadingTools
from actuators.browser.tools.sessions import SessionTools
from actuators.browser.tools.tabs import TabTools
from actuators.browser.tools.toolset import BrowserToolset
from core.tools.ports import ActionContext, Toolset

ATTACHED = "attached"
"""Key that says, in a step's evidence, that the page is another program's and the wall doesn't stand around it."""


def adapt_toolsets(session: AttachedSession, made: dict[type[Toolset], Toolset]) -> None:
    """Make tools of a session those of an attached page."""
    made[SessionTools] = SessionTools(AttachedSessions(session))
    attendance = AttachedAttendance(session)
    for toolset in made.values():
        if isinstance(toolset, BrowserToolset):
            toolset.attendance = attendance


class AttachedAttendance(SessionAttendance):
    """Finds the page before the first step, and says in each step's evidence that it is another program's."""

    def __init__(self, session: AttachedSession) -> None:
        super().__init__(session)
        self._attached = session

    @asynccontextmanager
    async def attend(
        self, context: ActionContext, *, acts: bool, opens: bool, enters: bool
    ) -> AsyncGenerator[dict[str, Any]]:
        """Carry a step out in its turn; yields notes for its evidence."""
        await self._attached.open_context()
        async with super().attend(context, acts=acts, opens=opens, enters=enters) as notes:
            notes[ATTACHED] = True
            if acts:
                tab = self._attached.tabs.current(context.lane)
                page = tab.page if tab else await self._attached.open_page(context)
                await self._attached.wall.refuse_services(page.url)
            yield notes


class AttachedSessions(PlaywrightSessions):
    """Refuses what would change, or tell of, another context than the page's."""

    async def read_storage(self, context: ActionContext) -> Never:
        """Refuse it, as all below."""
        del context
        raise refuse_attached("Saving cookies and storage")

    async def replace_storage(self, context: ActionContext, state: dict[str, Any], source: Path) -> Never:
        """Refuse it."""
        del context, state, source
        raise refuse_attached("Loading cookies and storage")

    async def emulate(self, context: ActionContext, request: EmulationRequest) -> Never:
        """Refuse it."""
        del context, request
        raise refuse_attached("Emulation")

    async def route(self, context: ActionContext, plan: RoutePlan) -> Never:
        """Refuse it."""
        del context, plan
        raise refuse_attached("A route")


def make_toolsets(session: PlaywrightSession) -> dict[type[Toolset], Toolset]:
    """Return the back end of every browser toolset."""
    reading = PlaywrightReading(session)
    session.witness = PageWitness(session, reading.numbers)
    made: dict[type[Toolset], BrowserToolset[Any]] = {
        NavigationTools: NavigationTools(PlaywrightNavigation(session)),
        PointerTools: PointerTools(PlaywrightPointer(session)),
        FormTools: FormTools(PlaywrightForms(session)),
        ReadingTools: ReadingTools(reading),
        TabTools: TabTools(PlaywrightTabs(session)),
        SessionTools: SessionTools(PlaywrightSessions(session)),
    }
    attendance = SessionAttendance(session)
    for toolset in made.values():
        toolset.attendance = attendance
    return {**made}
