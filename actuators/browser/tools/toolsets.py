"""What the browser family publishes: its toolsets, in the order in which they are listed.

Selectors take any form of docs/guides/selectors.md. Every acting tool waits until it can act, at most ``context.timeout_s``
seconds. Paths are absolute: the planner has resolved and judged them.
"""

from actuators.browser.tools.forms import FormTools
from actuators.browser.tools.navigation import NavigationTools
from actuators.browser.tools.pointer import PointerTools
from actuators.browser.tools.reading import ReadingTools
from actuators.browser.tools.sessions import SessionTools
from actuators.browser.tools.tabs import TabTools
from actuators.browser.tools.toolset import BrowserToolset

BROWSER_TOOLSETS: tuple[type[BrowserToolset], ...] = (
    NavigationTools,
    PointerTools,
    FormTools,
    ReadingTools,
    TabTools,
    SessionTools,
)
