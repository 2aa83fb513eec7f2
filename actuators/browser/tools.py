"""What the browser family publishes: its toolsets, in the order in which they are listed.

Selectors take any form of docs/guides/selectors.md. Every acting tool waits until it can act, at most ``context.timeout_s``
seconds. Paths are absolute: the planner has resolved and judged them.
"""

from actuators.browser.form_tools import FormTools
from actuators.browser.navigation_tools import NavigationTools
from actuators.browser.pointer_tools import PointerTools
from actuators.browser.reading_tools import ReadingTools
from actuators.browser.session_tools import SessionTools
from actuators.browser.tab_tools import TabTools
from actuators.browser.toolset import BrowserToolset

BROWSER_TOOLSETS: tuple[type[BrowserToolset], ...] = (
    NavigationTools,
    PointerTools,
    FormTools,
    ReadingTools,
    TabTools,
    SessionTools,
)
