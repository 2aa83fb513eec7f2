"""All browser tools by Playwright, on one session."""

from actuators.browser.form_tools import FormTools
from actuators.browser.navigation_tools import NavigationTools
from actuators.browser.playwright.browser_session import PlaywrightSession
from actuators.browser.playwright.forms import PlaywrightForms
from actuators.browser.playwright.navigation import PlaywrightNavigation
from actuators.browser.playwright.pointer import PlaywrightPointer
from actuators.browser.playwright.reading import PlaywrightReading
from actuators.browser.playwright.sessions import PlaywrightSessions
from actuators.browser.playwright.tabs import PlaywrightTabs
from actuators.browser.pointer_tools import PointerTools
from actuators.browser.reading_tools import ReadingTools
from actuators.browser.session_tools import SessionTools
from actuators.browser.tab_tools import TabTools
from core.tools.ports import Toolset


def make_toolsets(session: PlaywrightSession) -> dict[type[Toolset], Toolset]:
    """Return the back end of every browser toolset.

    Args:
        session: The session that all of them act in.
    """
    return {
        NavigationTools: PlaywrightNavigation(session),
        PointerTools: PlaywrightPointer(session),
        FormTools: PlaywrightForms(session),
        ReadingTools: PlaywrightReading(session),
        TabTools: PlaywrightTabs(session),
        SessionTools: PlaywrightSessions(session),
    }
