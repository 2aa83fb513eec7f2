"""The fake back end of the browser tools: the real tools, on a small browser in memory.

It is for dry runs, simulation and fault injection. Nothing is started and no time passes: looking for an element takes simulated
seconds only. What it does not know it refuses as ``not_simulated``. A typical use::

    web = FakeWeb({"http://shop.test/": FakePage(title="Shop", elements=(FakeElement(role="button", name="Buy", id="buy"),))})
    browser = FakeBrowser(web, faults=[Fault("click", Dies(done=True))])
    tools = make_fake_toolsets(browser)
"""

from actuators.browser.fake.acting import FakeForms, FakePointer
from actuators.browser.fake.browser import FakeBrowser
from actuators.browser.fake.navigation import FakeNavigation, FakeTabActs
from actuators.browser.fake.reading import FakeReading, FakeSessions
from actuators.browser.fake.refusals import refuse_the_rest
from actuators.browser.ports.forms import FormPort
from actuators.browser.ports.navigation import NavigationPort
from actuators.browser.ports.pointer import PointerPort
from actuators.browser.ports.reading import ReadingPort
from actuators.browser.ports.sessions import SessionPort
from actuators.browser.ports.tabs import TabPort
from actuators.browser.tools.forms import FormTools
from actuators.browser.tools.navigation import NavigationTools
from actuators.browser.tools.pointer import PointerTools
from actuators.browser.tools.reading import ReadingTools
from actuators.browser.tools.sessions import SessionTools
from actuators.browser.tools.tabs import TabTools
from core.tools.ports import Toolset


def make_fake_toolsets(browser: FakeBrowser) -> dict[type[Toolset], Toolset]:
    """Return the browser tools, all on one fake browser."""
    return {
        NavigationTools: NavigationTools(refuse_the_rest(FakeNavigation(browser), NavigationPort)),
        PointerTools: PointerTools(refuse_the_rest(FakePointer(browser), PointerPort)),
        FormTools: FormTools(refuse_the_rest(FakeForms(browser), FormPort)),
        ReadingTools: ReadingTools(refuse_the_rest(FakeReading(browser), ReadingPort)),
        TabTools: TabTools(refuse_the_rest(FakeTabActs(browser), TabPort)),
        SessionTools: SessionTools(refuse_the_rest(FakeSessions(browser), SessionPort)),
    }
