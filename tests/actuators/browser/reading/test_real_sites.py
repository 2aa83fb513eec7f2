"""Selectors and acts on pages as real sites are built; each page writes down what it received."""

import asyncio
from dataclasses import dataclass, replace
from typing import Any

import pytest
from playwright.async_api import Page

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import ActionError, TargetError
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands

LOG_SCRIPT = """<script>
window.received = [];
addEventListener('click', (event) => received.push(event.composedPath()[0].closest('[id]')?.id), true);
</script>"""


@dataclass
class Visitor:
    """All hands on a page that is written in the test."""

    session: PlaywrightSession
    context: ActionContext
    page: Page

    async def show(self, html: str) -> None:
        await self.page.set_content(LOG_SCRIPT + html)

    async def click(self, selector: str, timeout_s: float = 5.0) -> ToolOutcome:
        return await Hands(self.session).click(replace(self.context, timeout_s=timeout_s), selector)

    async def drag(self, selector: str, offset: tuple[float, float]) -> ToolOutcome:
        return await Hands(self.session).drag(self.context, selector, offset=offset)

    async def check(self, selector: str, timeout_s: float = 5.0) -> ToolOutcome:
        return await Hands(self.session).check(replace(self.context, timeout_s=timeout_s), selector)

    async def miss(self, selector: str, timeout_s: float = 0.8) -> ActionError:
        with pytest.raises(ActionError) as caught:
            await self.click(selector, timeout_s)
        assert await self.received() == []
        return caught.value

    async def received(self) -> list[str]:
        """The ids of what was clicked."""
        return await self.page.evaluate("received")


@pytest.fixture
async def visitor(session: PlaywrightSession, context: ActionContext) -> Visitor:
    return Visitor(session, context, await session.open_page(context))


NAMED = [
    ('<button id="next">Next page</button><button id="close" aria-label="Close dialog">X</button>', "X", "close"),
    (
        '<button id="trash" aria-labelledby="l">Trash</button><b id="l">Remove</b><button id="no">Trash all</button>',
        "Trash",
        "trash",
    ),
    ('<button id="many">Save all changes</button><button id="un">Unsaved</button>', "Save", "many"),
    ('<button id="cafe">Cafe\u0301</button><button id="other">Cafe\u0301s nearby</button>', "Caf\u00e9", "cafe"),
    ("<button id='dont'>Don\u2019t panic\u2026</button>", "Don't panic...", "dont"),
    ("<button id='dash'>2019\u20132024</button>", "2019-2024", "dash"),
    ("<button id='buy'>\u8cfc\u5165\u3059\u308b</button>", "\u8cfc\u5165", "buy"),
    ("<button id='five'>Page 5</button><button id='fifteen'>15</button>", "5", "five"),
]


@pytest.mark.parametrize(("html", "name", "wanted"), NAMED)
async def test_a_name_is_matched_as_people_read_it(visitor: Visitor, html: str, name: str, wanted: str) -> None:
    await visitor.show(html)
    await visitor.click(f'button "{name}"')
    assert await visitor.received() == [wanted]


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<button id='a'>Next page</button>", "X"),
        ("<button id='a'>15</button>", "5"),
        ("<button id='a'>Buy 1000</button>", "100"),
        ("<p id='a' onclick='1'>Next</p>", "x"),
    ],
)
@pytest.mark.parametrize("word", ["button", "control", "text"])
async def test_a_letter_in_a_word_or_a_digit_in_a_number_is_no_match(
    visitor: Visitor, html: str, name: str, word: str
) -> None:
    await visitor.show(html)
    assert (await visitor.miss(f'{word} "{name}"')).code == "target_missing"


@pytest.mark.parametrize(
    "twin",
    [
        '<div style="position:absolute;left:-9999px"><a href="#no" id="no">Orders</a></div>',
        '<div style="height:0;overflow:hidden"><a href="#no" id="no">Orders</a></div>',
        '<div style="opacity:0;pointer-events:none"><a href="#no" id="no">Orders</a></div>',
        '<div style="position:absolute;clip-path:inset(50%)"><a href="#no" id="no">Orders</a></div>',
    ],
)
async def test_a_twin_that_nobody_sees_does_not_make_a_link_ambiguous(visitor: Visitor, twin: str) -> None:
    await visitor.show(twin + '<a href="#yes" id="yes">Orders</a>')
    await visitor.click('link "Orders"')
    assert await visitor.received() == ["yes"]


async def test_a_twin_that_is_sliding_in_still_counts(visitor: Visitor) -> None:
    slide = "<style>@keyframes slide{from{left:-999px}}</style>"
    drawer = '<div style="position:fixed;left:9px;animation:slide 60s steps(1)"><button id="in">Save</button></div>'
    await visitor.show(slide + drawer + '<button id="page">Save</button>')
    assert (await visitor.miss('button "Save"')).code == "target_ambiguous"


@pytest.mark.parametrize("style", ["display:none", "position:absolute;opacity:0;width:0;height:0"])
@pytest.mark.parametrize("selector", ['radio "Large"', 'control "Large"'])
async def test_a_radio_button_that_only_its_label_shows_is_clicked_there(
    visitor: Visitor, style: str, selector: str
) -> None:
    inputs = "".join(
        f'<label><input type="radio" name="s" id="{each}" style="{style}">{each}</label>' for each in ("Small", "Large")
    )
    await visitor.show(inputs)
    outcome = await visitor.click(selector)
    assert outcome.effect == "confirmed"
    assert await visitor.page.evaluate("document.querySelector(':checked').id") == "Large"


async def test_a_box_that_is_ticked_only_when_the_server_agrees_is_waited_for(visitor: Visitor) -> None:
    await visitor.show(
        '<div role="switch" tabindex="0" aria-checked="false" aria-label="Alerts" id="alerts"'
        " onclick=\"setTimeout(() => this.setAttribute('aria-checked', 'true'), 300)\">off</div>"
    )
    assert (await visitor.check('switch "Alerts"')).output == {"checked": True}
    assert await visitor.received() == ["alerts"]


async def test_a_box_that_stays_clear_is_not_kept(visitor: Visitor) -> None:
    await visitor.show('<div role="switch" tabindex="0" aria-checked="false" aria-label="Alerts" id="alerts">off</div>')
    with pytest.raises(ActionError) as caught:
        await visitor.check('switch "Alerts"', 1.0)
    assert caught.value.code == "state_not_kept"
    assert await visitor.received() == ["alerts"]


async def test_an_option_that_is_gone_once_it_is_pressed_is_not_called_covered(visitor: Visitor) -> None:
    await visitor.show('<li role="option" id="o" onmousedown="this.hidden = true">Villach</li>')
    with pytest.raises(TargetError) as caught:
        await visitor.click('option "Villach"')
    assert caught.value.code == "target_hidden"
    assert caught.value.evidence["received"] == ["mousedown"]


ROWS = "".join(
    f"<tr><td>{name}<td><input type=checkbox id=box-{name}><button id=edit-{name}><svg></svg></button>"
    for name in ("Ada", "Bob", "Cleo")
)


async def test_what_is_alone_of_its_kind_in_a_row_needs_no_name(visitor: Visitor) -> None:
    await visitor.show(f"<table>{ROWS}</table>")
    await visitor.click('button in "Bob"')
    await visitor.check('checkbox in row "Cleo"')
    assert await visitor.received() == ["edit-Bob", "box-Cleo"]


async def test_two_of_a_kind_in_a_region_are_ambiguous_without_a_name(visitor: Visitor) -> None:
    await visitor.show("<form aria-label='Team'><button id=a>One</button><button id=b>Two</button></form>")
    error = await visitor.miss('button in "Team"')
    assert error.code == "target_ambiguous"
    assert [match["selector"] for match in error.evidence["matches"]] == [
        'button "One"',
        'button "Two"',
    ]


async def test_a_slider_that_keeps_its_value_is_not_confirmed(visitor: Visitor) -> None:
    await visitor.show('<div role="slider" aria-valuenow="3" aria-label="Loud" style="width:20px;height:20px">o</div>')
    assert (await visitor.drag('slider "Loud"', (50, 0))).effect == "unverified"


async def test_a_slider_that_takes_another_value_is_confirmed(visitor: Visitor) -> None:
    await visitor.show('<input type="range" aria-label="Loud" min="0" max="100" value="50">')
    outcome = await visitor.drag('slider "Loud"', (30, 0))
    assert outcome.effect == "confirmed"
    assert outcome.evidence["after"]["value"] != "50"


async def test_matches_in_several_frames_are_described(visitor: Visitor) -> None:
    frames = "".join(
        f'<iframe title="{each}" srcdoc="<button id=pay>Pay now</button>"></iframe>' for each in ("One", "Two")
    )
    await visitor.show(frames)
    error = await visitor.miss('control "Pay now"', 3.0)
    assert error.code == "target_ambiguous"
    assert [(match["role"], match["name"], match["frame"]) for match in error.evidence["matches"]] == [
        ("button", "Pay now", "One"),
        ("button", "Pay now", "Two"),
    ]


async def test_a_slow_page_is_still_explained(visitor: Visitor, site: SiteServer) -> None:
    cover = '<div id="cover" style="position:fixed;inset:0;background:red">Wait</div>'
    hold = f"const ask = new XMLHttpRequest(); ask.open('GET', '{site.url}/slow/?ms=300', false); ask.send();"
    await visitor.page.goto(f"{site.url}/status/404")  # its script may ask its own server only
    await visitor.show(f'<button id="b">Go</button>{cover}<script>setInterval(() => {{ {hold} }}, 10)</script>')
    error = await visitor.miss('button "Go"', 8.0)
    assert error.code == "target_covered"
    assert error.evidence["blocker"]["id"] == "cover"


async def test_a_device_is_refused_while_another_branch_has_a_page(visitor: Visitor) -> None:
    beside = replace(visitor.context, lane="beside")
    other = await visitor.session.open_page(beside)
    hands = Hands(visitor.session)
    with pytest.raises(ActionError) as caught:
        await hands.emulate(visitor.context, locale="de-AT")
    assert caught.value.code == "session_shared"
    assert not other.is_closed()
    await visitor.session.end_lane("beside")
    outcome: Any = await asyncio.wait_for(hands.emulate(visitor.context, locale="de-AT"), 20)
    assert outcome.output["language"] == "de-AT"


async def test_a_window_that_a_click_opens_is_in_the_evidence_of_that_click(visitor: Visitor, site: SiteServer) -> None:
    address = f"{site.url}/slow/?ms=300"
    await visitor.show(f"<button id='a' onclick=\"window.open('{address}')\">Help</button><button id='b'>Next</button>")
    assert (await visitor.click('button "Help"')).evidence["opened_tab"] == [address]
    assert "opened_tab" not in (await visitor.click('button "Next"')).evidence


async def test_a_window_that_opens_between_two_clicks_is_reported_apart(visitor: Visitor) -> None:
    await visitor.show("<button id='a'>Next</button>")
    async with visitor.page.expect_popup():
        await visitor.page.evaluate("void window.open('about:blank')")
    evidence = (await visitor.click('button "Next"')).evidence
    assert "opened_tab" not in evidence
    assert evidence["since_last_action"]["opened_tab"] == ["about:blank"]


async def test_a_page_does_not_notice_that_its_windows_are_watched(visitor: Visitor) -> None:
    await visitor.show("<p>Hello</p>")
    assert "[native code]" in await visitor.page.evaluate("window.open.toString()")


CARDS = """<div><strong>Team</strong><button id="team">Choose</button></div>
<div><strong>Solo</strong><button id="solo">Choose</button></div>
<ul><li>Milk <button id="milk">Remove</button></li><li>Oat milk <button id="oat">Remove</button></li></ul>"""


@pytest.mark.parametrize(
    ("selector", "wanted"),
    [
        ('button "Choose" in "Solo"', "solo"),
        ('button in "Team"', "team"),
        ('button "Remove" in "Milk"', "milk"),
        ('button "Remove" in "Oat milk"', "oat"),
    ],
)
async def test_a_card_or_list_item_is_told_by_its_own_text(visitor: Visitor, selector: str, wanted: str) -> None:
    await visitor.show(CARDS)
    await visitor.click(selector)
    assert await visitor.received() == [wanted]


async def test_list_items_are_told_apart_by_their_own_text(visitor: Visitor) -> None:
    await visitor.show(CARDS)
    matches = (await visitor.miss('button "Remove"')).evidence["matches"]
    assert [match["in"] for match in matches] == ["Milk", "Oat milk"]


async def test_what_covers_a_frame_is_named_as_the_blocker(visitor: Visitor) -> None:
    frame = '<iframe id="pay" srcdoc="<button>Pay now</button>" width="300" height="150"></iframe>'
    cover = '<div style="position:absolute;inset:0;background:white" id="cover">Consent first</div>'
    await visitor.show(frame + cover)
    error = await visitor.miss('frame "pay" >> button "Pay now"', 5.0)
    assert error.code == "target_covered"
    assert error.evidence["blocker"]["id"] == "cover"
