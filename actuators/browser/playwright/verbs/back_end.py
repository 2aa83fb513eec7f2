"""All browser tools by Playwright, on one session."""

from typing import Any

from actuators.browser.playwright.acting.attending import SessionAttendance
from actuators.browser.playwright.looking.witness import PageWitness
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.verbs.forms import PlaywrightForms
from actuators.browser.playwright.verbs.navigation import PlaywrightNavigation
from actuators.browser.playwright.verbs.pointer import PlaywrightPointer
from actuators.browser.playwright.verbs.reading import PlaywrightReading
from actuators.browser.playwright.verbs.sessions import PlaywrightSessions
from actuators.browser.playwright.verbs.tabs import PlaywrightTabs
from actuators.browser.tools.forms import FormTools
from actuators.browser.tools.navigation import NavigationTools
from actuators.browser.tools.pointer import PointerTools
from actuators.browser.tools.reading import ReadingTools
from actuators.browser.tools.sessions import SessionTools
from actuators.browser.tools.tabs import TabTools
from actuators.browser.tools.toolset import BrowserToolset
from core.tools.ports import Toolset


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
