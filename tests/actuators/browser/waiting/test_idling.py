"""What does not come is known as soon as the page is idle, and no sooner."""

import time
from dataclasses import replace
from typing import Any

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import DeadlineError, SurehandError, TargetError
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands
from tests.thoroughness import spread

LONG = ActionContext("g0_test_1", timeout_s=15.0)
BUTTON = "document.body.insertAdjacentHTML('beforeend', '<button>Late</button>')"


@pytest.fixture
def hands(session: PlaywrightSession) -> Hands:
    return Hands(session)


async def show(hands: Hands, session: PlaywrightSession, html: str) -> None:
    """Show a document, with its scripts, in the lane's page."""
    await hands.navigate(LONG, "about:blank")
    await session.current_page(LONG).set_content(html)


@pytest.mark.parametrize(
    "selector", ['button "Save"', 'field "Name"', 'text "Nowhere"', "#nothing", 'button "x" in "y"']
)
async def test_on_an_idle_page_a_miss_is_known_early(hands: Hands, session: PlaywrightSession, selector: str):
    await show(hands, session, "<button>Cancel</button>")
    with pytest.raises(TargetError) as caught:
        await hands.click(LONG, selector)
    assert caught.value.code == "target_missing"
    assert caught.value.evidence["waited_s"] < 5
    assert caught.value.evidence["idle_s"] >= 1
    assert "the page was idle for" in caught.value.message


@pytest.mark.parametrize(
    ("verb", "args"),
    spread(
        [
            ("hover", {"selector": 'link "Nowhere"'}),
            ("focus", {"selector": 'field "Nowhere"'}),
            ("mark", {"selector": 'text "Nowhere"'}),
            ("drag", {"selector": 'text "Nowhere"', "target": 'button "Cancel"'}),
            ("drag", {"selector": 'button "Cancel"', "target": 'text "Nowhere"'}),
            ("scroll", {"selector": 'table "Nowhere"'}),
            ("reveal", {"selector": 'button "Nowhere"'}),
            ("type", {"selector": 'field "Nowhere"', "text": "x"}),
            ("press", {"selector": 'field "Nowhere"', "key": "Enter"}),
            ("select", {"selector": 'field "Nowhere"', "value": "x"}),
            ("check", {"selector": 'checkbox "Nowhere"', "checked": True}),
            ("set", {"selector": 'field "Nowhere"', "value": "x"}),
            ("fill", {"fields": {"Nowhere": "x"}}),
            ("read", {"target": "text", "selector": 'value "Nowhere"'}),
            ("extract", {"rows": 'record "Nowhere"', "fields": {"name": "b"}}),
            ("snapshot", {"scope": 'region "Nowhere"'}),
            ("screenshot", {"selector": 'image "Nowhere"'}),
        ],
        6,
    ),
)
async def test_whatever_looks_for_an_element_knows_a_miss_early(
    hands: Hands, session: PlaywrightSession, verb: str, args: dict[str, Any]
):
    await show(hands, session, "<button>Cancel</button>")
    began_s = time.monotonic()
    with pytest.raises(SurehandError) as caught:
        await getattr(hands, verb)(replace(LONG, timeout_s=28), **args)
    assert caught.value.code == "target_missing"
    assert time.monotonic() - began_s < 9


@pytest.mark.parametrize(
    ("html", "code"),
    [
        ("<button hidden>Save</button>", "target_hidden"),
        ("<button disabled>Save</button>", "target_disabled"),
        ('<button>Save</button><div id="veil" style="position: fixed; inset: 0">Wait</div>', "target_covered"),
    ],
)
async def test_on_an_idle_page_what_is_in_no_state_to_be_clicked_is_known_early(
    hands: Hands, session: PlaywrightSession, html: str, code: str
):
    await show(hands, session, html)
    with pytest.raises(TargetError) as caught:
        await hands.click(LONG, 'button "Save"')
    assert caught.value.code == code
    assert caught.value.evidence["waited_s"] < 6
    assert caught.value.evidence["idle_s"] >= 1


@pytest.mark.parametrize(
    ("verb", "args"),
    [
        ("check", {"selector": 'checkbox "Off"', "checked": True}),
        ("click", {"selector": "every checkbox"}),
        ("select", {"selector": 'field "List"', "value": "B"}),
        ("type", {"selector": 'field "Fixed"', "text": "x", "mode": "append"}),
    ],
)
async def test_what_is_asked_for_its_kind_first_is_given_up_early_as_well(
    hands: Hands, session: PlaywrightSession, verb: str, args: dict[str, Any]
):
    await show(
        hands,
        session,
        """<label><input type="checkbox" disabled> Off</label><label>Fixed <input readonly value="x"></label>
        <label>List <select disabled><option>A<option>B</select></label>""",
    )
    with pytest.raises(TargetError) as caught:
        await getattr(hands, verb)(LONG, **args)
    assert caught.value.code in {"target_disabled", "target_readonly"}
    assert caught.value.evidence["waited_s"] < 6


@pytest.mark.parametrize(
    "script",
    [
        f"setTimeout(() => {{ {BUTTON} }}, 4000)",
        # A chain of timers, each of which is too short to be noticed for long.
        f"let left = 12; const go = () => {{ left ? (left -= 1, document.title = left, setTimeout(go, 350)) : {BUTTON} }}; go()",
        f"document.body.animate([{{}}, {{}}], 4000).onfinish = () => {BUTTON}",
        f"let left = 8; const id = setInterval(() => {{ if (!--left) {{ {BUTTON}; clearInterval(id) }} document.body.dataset.left = left }}, 500)",
    ],
)
async def test_as_long_as_something_goes_on_an_element_is_waited_for(
    hands: Hands, session: PlaywrightSession, site: SiteServer, script: str
):
    await hands.navigate(LONG, f"{site.url}/table/small")
    await session.current_page(LONG).evaluate(f"() => {{ {script} }}")
    outcome = await hands.click(LONG, 'button "Late"')
    assert outcome.effect == "confirmed"


async def test_a_request_without_an_answer_is_waited_for(hands: Hands, session: PlaywrightSession, site: SiteServer):
    await hands.navigate(LONG, f"{site.url}/table/small")
    page = session.current_page(LONG)
    await page.evaluate(
        f"fetch('/slow/image?ms=4000').then((answer) => answer.blob()).then(() => {{ {BUTTON} }}); null"
    )
    outcome = await hands.click(LONG, 'button "Late"')
    assert outcome.effect == "confirmed"


async def test_a_wait_is_given_up_early_only_where_nothing_can_happen_and_no_time_was_said(
    hands: Hands, session: PlaywrightSession, site: SiteServer
):
    await hands.navigate(LONG, f"{site.url}/table/small")
    with pytest.raises(DeadlineError) as idle:
        await hands.wait(LONG, text="Not on this page")
    assert idle.value.evidence["waited_s"] < 12
    assert "the page was idle" in idle.value.message
    with pytest.raises(DeadlineError) as timed:
        await hands.wait(LONG, selector='button "Not there"', timeout=8)
    assert timed.value.evidence["waited_s"] > 6.5  # the rest is kept for saying what was there instead


async def test_what_looks_every_few_seconds_is_waited_for_by_a_wait(
    hands: Hands, session: PlaywrightSession, site: SiteServer
):
    await hands.navigate(LONG, f"{site.url}/table/small")
    polls = f"let left = 2; setInterval(() => {{ left -= 1; if (!left) {{ {BUTTON} }} }}, 4000)"
    await session.current_page(LONG).evaluate(f"() => {{ {polls} }}")
    assert (await hands.wait(LONG, selector='button "Late"')).output["waited_s"] > 6
