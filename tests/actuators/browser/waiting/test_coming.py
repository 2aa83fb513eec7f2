"""Nothing is said not to be there as long as something of the page, or of an act, is still coming."""

from urllib.parse import urlencode

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import TargetError
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands

CONTEXT = ActionContext("g0_test_1", timeout_s=20.0)
SHOWN = "document.body.insertAdjacentHTML('beforeend', '<h1>Whole</h1><button>Buy</button>')"


@pytest.fixture
def hands(session: PlaywrightSession) -> Hands:
    return Hands(session)


def give(body: str, ms: int = 0, kind: str = "text/html; charset=utf-8") -> str:
    """Return the address of what is answered so, after a while."""
    return f"/slow/given?{urlencode({'body': body, 'ms': ms, 'type': kind})}"


def chain(waits_ms: list[int], end: str) -> str:
    """Return a script that gets another one, and so on, the last of which does what it is for."""
    for ms in reversed(waits_ms):
        end = f"import({give(end, ms, 'text/javascript')!r})"
    return end


def frame_after(wait_ms: int, document_ms: int) -> str:
    """Return a script that puts a frame into the page after a while, whose document takes its time."""
    source = give("<button onclick=\"parent.document.title = 'pressed'\">Inside</button>", document_ms)
    return f"""setTimeout(() => {{ const frame = document.createElement('iframe'); frame.title = 'Part';
        frame.src = {source!r}; document.body.append(frame); }}, {wait_ms})"""


async def show(hands: Hands, site: SiteServer, script: str, html: str = "<p>Shop</p>") -> None:
    """Go to a page with a script."""
    await hands.navigate(CONTEXT, site.url + give(f"<!doctype html><title>Late</title>{html}<script>{script}</script>"))


async def outline(hands: Hands) -> str:
    """Return what a look at the page says."""
    return str((await hands.snapshot(CONTEXT)).output)


@pytest.mark.parametrize("waits_ms", [[400], [1500], [300, 300, 300], [700, 900, 600]])
async def test_a_look_sees_what_modules_bring_that_modules_ask_for(hands: Hands, site: SiteServer, waits_ms: list[int]):
    await show(hands, site, chain(waits_ms, SHOWN))
    assert "Whole" in await outline(hands)


async def test_a_look_after_a_click_sees_what_the_click_has_asked_for(hands: Hands, site: SiteServer):
    await show(hands, site, f"b.onclick = () => {chain([1200], SHOWN)}", "<button id=b>More</button>")
    await hands.click(CONTEXT, 'button "More"')
    assert "Whole" in await outline(hands)


@pytest.mark.parametrize(("wait_ms", "document_ms"), [(0, 1800), (200, 2500), (600, 3000), (1200, 1800)])
async def test_an_element_in_a_frame_that_has_no_document_yet_is_waited_for(
    hands: Hands, session: PlaywrightSession, site: SiteServer, wait_ms: int, document_ms: int
):
    await show(hands, site, frame_after(wait_ms, document_ms))
    outcome = await hands.click(CONTEXT, 'frame "Part" >> button "Inside"')
    assert outcome.effect == "confirmed"
    assert await session.current_page(CONTEXT).title() == "pressed"


async def test_a_look_sees_what_is_in_a_frame_that_has_no_document_yet(hands: Hands, site: SiteServer):
    await show(hands, site, frame_after(0, 1500))
    assert "Inside" in await outline(hands)


async def test_an_element_of_a_late_module_is_waited_for(hands: Hands, site: SiteServer):
    await show(hands, site, chain([1700, 1700], SHOWN))
    assert (await hands.click(CONTEXT, 'button "Buy"')).effect == "confirmed"


async def test_a_module_that_fails_is_not_waited_for(hands: Hands, site: SiteServer):
    await show(hands, site, "import('http://127.0.0.1:9/none.js').catch(() => 0)")
    with pytest.raises(TargetError) as caught:
        await hands.click(CONTEXT, 'button "Buy"')
    assert caught.value.evidence["waited_s"] < 5


SUGGESTING = """<label>Model <input id=field autocomplete=off></label><div id=pop style="position: absolute; cursor: pointer" hidden></div><script>
let wait, chosen = '';
const offer = (all) => { pop.replaceChildren(...all.filter((each) => each.includes(field.value)).map((each) => {
  const row = document.createElement('div');
  row.textContent = each;
  row.onmousedown = (event) => { event.preventDefault(); field.value = chosen = document.title = each; pop.hidden = true; };
  return row; })); pop.hidden = !pop.children.length; };
field.oninput = () => { chosen = ''; pop.hidden = true; clearTimeout(wait); wait = setTimeout(() => ASK, WAIT); };
field.onblur = () => setTimeout(() => { pop.hidden = true; if (!chosen) field.value = ''; }, 100);
</script>"""
ALL = '["tea two", "tea", "teapot"]'


@pytest.mark.parametrize("wait_ms", [100, 600, 900])
@pytest.mark.parametrize("answer_ms", [None, 100, 800])
async def test_a_field_is_not_left_before_what_it_suggests_has_come(
    hands: Hands, session: PlaywrightSession, site: SiteServer, wait_ms: int, answer_ms: int | None
):
    ask = f"offer({ALL})" if answer_ms is None else f"fetch({give(ALL, answer_ms)!r}).then((r) => r.json()).then(offer)"
    await show(hands, site, "", SUGGESTING.replace("ASK", ask).replace("WAIT", str(wait_ms)))
    await hands.set(CONTEXT, 'field "Model"', "tea")
    assert await session.current_page(CONTEXT).title() == "tea"


LIST = """<div id=list style="height: 200px; margin-top: 250px; overflow: auto"></div><script>
let coming = false, many = 0;
const add = () => { coming = false;
  for (let count = 0; count < 10; count += 1) list.insertAdjacentHTML('beforeend', `<p>Order ${many += 1}</p>`); };
list.onscroll = () => { if (coming || many >= 30 || list.scrollTop + list.clientHeight < list.scrollHeight - 40) return;
  coming = true; MORE; };
add();
</script>"""


@pytest.mark.parametrize(
    "more",
    [
        *(f"setTimeout(add, {ms})" for ms in (150, 350, 900)),
        *(f"fetch({give('', ms)!r}).then(add)" for ms in (150, 900)),
        f"setTimeout(() => fetch({give('', 300)!r}).then(add), 300)",
    ],
)
async def test_a_list_that_gets_more_as_it_is_scrolled_is_looked_through_to_its_end(
    hands: Hands, site: SiteServer, more: str
):
    await show(hands, site, "", LIST.replace("MORE", more))
    outcome = await hands.reveal(CONTEXT, 'text "Order 29"', "scroll")
    assert (outcome.output["by"], outcome.evidence["in_view"]) == ("scroll", True)


@pytest.mark.parametrize(
    "more", ["setTimeout(add, 150)", "setTimeout(add, 900)", f"fetch({give('', 700)!r}).then(add)"]
)
async def test_the_end_of_a_page_is_one_once_nothing_more_comes_there(
    hands: Hands, session: PlaywrightSession, site: SiteServer, more: str
):
    await show(hands, site, "", LIST.replace("MORE", more))
    effects = [(await hands.scroll(CONTEXT, to="bottom")).effect for _ in range(3)]
    assert effects == ["confirmed"] * 3
    many, is_at_end = await session.current_page(CONTEXT).evaluate(
        "[many, list.scrollTop + list.clientHeight >= list.scrollHeight - 1]"
    )
    assert (many, is_at_end) == (30, True)
