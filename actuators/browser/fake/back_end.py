"""The fake back end of the browser tools: all five toolsets on a web of declared pages.

It is for dry runs, simulation and fault injection, and passes the same conformance suite as the real browser. Nothing is
started and no time passes: looking for an element takes simulated seconds only. A typical use::

    web = FakeWeb({"http://shop.test/": FakePage(title="Shop", elements=(FakeElement(role="button", name="Buy", id="buy"),))})
    browser = FakeBrowser(web, faults=[Fault("click", Dies(done=True))])
    tools = make_fake_toolsets(browser)
"""

from actuators.browser.fake.browser import FakeBrowser
from actuators.browser.fake.forms import FakeForms
from actuators.browser.fake.navigation import FakeNavigation
from actuators.browser.fake.pointer import FakePointer
from actuators.browser.fake.reading import FakeReading
from actuators.browser.fake.sessions import FakeSessions
from actuators.browser.fake.tab_acts import FakeTabActs
from actuators.browser.tools.forms import FormTools
from actuators.browser.tools.navigation import NavigationTools
from actuators.browser.tools.pointer import PointerTools
from actuators.browser.tools.reading import ReadingTools
from actuators.browser.tools.sessions import SessionTools
from actuators.browser.tools.tabs import TabTools
from core.ports import Toolset


def make_fake_toolsets(browser: FakeBrowser) -> dict[type[Toolset], Toolset]:
    """Return the browser tools by their abstract class, all on one fake browser."""
    return {
        NavigationTools: FakeNavigation(browser),
        PointerTools: FakePointer(browser),
        FormTools: FakeForms(browser),
        ReadingTools: FakeReading(browser),
        TabTools: FakeTabActs(browser),
        SessionTools: FakeSessions(browser),
    }
