"""What is looked for in a list that has not got its first rows yet, and gets more as it is scrolled."""

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.tools.ports import ActionContext
from tests.actuators.browser.hands import Hands

CONTEXT = ActionContext("g0_reveal_1", timeout_s=15.0)
LIST = """<div id="list" style="height: 200px; overflow: auto"></div><script>
const list = document.getElementById('list');
let coming = false, first = 700;
const load = () => {
  if (coming || list.childElementCount > 60) return;
  coming = true;
  setTimeout(() => {
    for (let count = 0; count < 20; count += 1) list.insertAdjacentHTML('beforeend', `<p>Order ${list.childElementCount + 1}</p>`);
    coming = false;
  }, first || 50);
  first = 0;
};
list.onscroll = load;
load();
</script>"""


async def test_rows_that_had_not_come_when_the_search_began_are_looked_through(session: PlaywrightSession) -> None:
    page = await session.open_page(CONTEXT)
    await page.route("http://list.test/", lambda route: route.fulfill(body=LIST, content_type="text/html"))
    await page.goto("http://list.test/")
    outcome = await Hands(session).reveal(CONTEXT, 'text "Order 55"', "scroll")
    assert (outcome.output["by"], outcome.evidence["in_view"]) == ("scroll", True)
