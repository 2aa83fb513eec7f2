"""Waiting for elements, addresses, texts and load states."""

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import DeadlineError, TargetError
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands


@pytest.fixture
def hands(session: PlaywrightSession) -> Hands:
    return Hands(session)


async def test_wait_for_an_element_that_comes_late(hands: Hands, session: PlaywrightSession, context: ActionContext):
    await hands.navigate(context, "about:blank")
    page = session.current_page(context)
    await page.evaluate("setTimeout(() => document.body.append(document.createElement('hr')), 100)")
    outcome = await hands.wait(context, selector="hr", state="attached")
    assert outcome.effect == "none"
    assert outcome.output["waited_s"] >= 0.05
    assert await page.locator("hr").count() == 1


@pytest.mark.parametrize("pattern", ["{site}/shop/", "*/shop/*", "/shop"])
async def test_wait_for_an_address_exact_by_glob_or_by_part(
    hands: Hands,
    session: PlaywrightSession,
    context: ActionContext,
    site: SiteServer,
    pattern: str,
):
    await hands.navigate(context, f"{site.url}/table/")
    await session.current_page(context).evaluate("setTimeout(() => location.href = '/shop/', 100)")
    outcome = await hands.wait(context, url=pattern.format(site=site.url))
    assert outcome.output["url"] == f"{site.url}/shop/"


async def test_wait_for_a_text_in_any_frame_whatever_its_case(
    hands: Hands, session: PlaywrightSession, context: ActionContext, site: SiteServer
):
    await hands.navigate(context, f"{site.url}/table/")
    page = session.current_page(context)
    await page.evaluate(
        """setTimeout(() => {
            const frame = document.createElement("iframe");
            frame.srcdoc = "<p>Your <b>ORDER</b> is on its way";
            document.body.append(frame);
        }, 100)"""
    )
    outcome = await hands.wait(context, text="your order is on its WAY")
    assert outcome.evidence["text"] == "Your ORDER is on its way"
    assert outcome.evidence["frame"] == "about:srcdoc"


async def test_a_hidden_text_does_not_count(hands: Hands, session: PlaywrightSession, context: ActionContext):
    await hands.navigate(context, "about:blank")
    await session.current_page(context).set_content("<p hidden>Done</p><p>Almost done by now</p>")
    with pytest.raises(DeadlineError) as caught:
        await hands.wait(context, text="Done!", timeout=0.3)
    assert caught.value.evidence["nearest"] == ["Almost done by now"]
    assert "Almost done by now" in caught.value.message


async def test_a_time_out_says_what_was_there_instead(hands: Hands, context: ActionContext, site: SiteServer):
    await hands.navigate(context, f"{site.url}/table/")
    with pytest.raises(DeadlineError) as caught:
        await hands.wait(context, selector="#nothing", timeout=0.2)
    assert 0.15 < caught.value.evidence["waited_s"] < 2
    assert f"{site.url}/table/" in caught.value.message
    assert "#nothing to be visible" in caught.value.message
    with pytest.raises(DeadlineError, match="the address /elsewhere"):
        await hands.wait(context, url="/elsewhere", timeout=0.2)


async def test_wait_for_the_page_to_load(hands: Hands, context: ActionContext, site: SiteServer):
    await hands.navigate(context, f"{site.url}/slow/with-image?ms=300", wait_until="commit")
    outcome = await hands.wait(context, load_state="load")
    assert outcome.output["waited_s"] > 0.1
    assert site.received.requests("/slow/image")


async def test_wait_for_a_plain_selector_in_a_frame(hands: Hands, session: PlaywrightSession, context: ActionContext):
    await hands.navigate(context, "about:blank")
    page = session.current_page(context)
    await page.set_content("<p>Wait</p><iframe srcdoc='<button hidden>Pay</button>'></iframe>")
    show = "setTimeout(() => { document.querySelector('button').hidden = false }, 150)"
    await page.frames[1].evaluate(show)
    outcome = await hands.wait(context, selector='control "Pay"')
    assert outcome.evidence == {"selector": 'control "Pay"', "state": "visible"}
    assert await page.frames[1].locator("button").is_visible()


async def test_wait_for_an_element_to_go_away(hands: Hands, session: PlaywrightSession, context: ActionContext):
    await hands.navigate(context, "about:blank")
    page = session.current_page(context)
    await page.set_content("<button>Busy</button><hr>")
    await page.evaluate("setTimeout(() => document.querySelector('button').remove(), 150)")
    await hands.wait(context, selector='button "Busy"', state="detached")
    assert await page.locator("button").count() == 0
    with pytest.raises(DeadlineError, match="hr to be hidden"):
        await hands.wait(context, selector="hr", state="hidden", timeout=0.2)


async def test_wait_for_two_matches_or_a_bad_selector_fails_at_once(
    hands: Hands, session: PlaywrightSession, context: ActionContext
):
    await hands.navigate(context, "about:blank")
    await session.current_page(context).set_content("<button>Yes</button><button>Yes</button>")
    with pytest.raises(TargetError) as caught:
        await hands.wait(context, selector='button "Yes"')
    assert caught.value.code == "target_ambiguous"
    with pytest.raises(TargetError) as caught:
        await hands.wait(context, selector="css=[[")
    assert caught.value.code == "bad_selector"


async def test_wait_for_no_time_at_all_only_looks(hands: Hands, context: ActionContext, site: SiteServer):
    await hands.navigate(context, f"{site.url}/shop/")
    assert (await hands.wait(context, url="/shop/", timeout=0)).output["waited_s"] < 1
    with pytest.raises(DeadlineError):
        await hands.wait(context, url="/elsewhere", timeout=0)
