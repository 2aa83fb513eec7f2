"""Nearest candidates: named on a miss, never acted on."""

import pytest
from playwright.async_api import Error as PlaywrightError

from actuators.browser.playwright.finding.causes import read_failure
from actuators.browser.playwright.finding.explanations import Attempt, explain_failure
from actuators.browser.playwright.finding.locators import build_locator
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import TargetError
from core.selectors.selectors import parse_selector
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands


async def miss(session: PlaywrightSession, context: ActionContext, selector: str) -> TargetError:
    with pytest.raises(TargetError) as caught:
        await Hands(session).click(context, selector)
    return caught.value


@pytest.mark.parametrize(
    ("path", "selector", "nearest"),
    [
        ("/elements/hidden", 'button "Submitt"', 'button "Submit"'),
        ("/elements/hidden", 'link "Submit"', 'button "Submit"'),
        ("/elements/fields", 'field "Pasword"', 'field "Password"'),
        ("/elements/names", 'button "Zazolc gesla jazn"', 'button "Zażółć gęślą jaźń"'),
        ("/elements/choices", 'checkbox "Trems"', 'checkbox "Terms"'),
        ("/elements/hidden", "button[name='Submitt']", 'button "Submit"'),
    ],
)
async def test_the_nearest_name_is_offered_and_nothing_is_clicked(
    session: PlaywrightSession, context: ActionContext, site: SiteServer, path: str, selector: str, nearest: str
) -> None:
    page = await session.open_page(context)
    await page.goto(site.url + path)
    error = await miss(session, context, selector)
    assert error.code == "target_missing"
    assert error.evidence["nearest"][0]["selector"] == nearest
    assert nearest in error.hint
    assert site.events() == []


async def test_a_page_that_does_not_answer_in_time_has_nothing_near_to_offer(
    session: PlaywrightSession, context: ActionContext
):
    page = await session.open_page(context)
    await page.set_content("<button>Save</button>")
    spec = parse_selector('button "Safe"')
    attempt = Attempt(spec, page, build_locator(spec, page), 1.0, 0.2)
    await page.evaluate("setTimeout(() => { for (const begun = Date.now(); Date.now() - begun < 1500;); }); 0")
    error = await explain_failure(PlaywrightError("Call log:"), attempt)
    assert error.code == "target_missing"
    assert (error.evidence["nearest"], error.evidence["without"], error.evidence["frames"]) == ([], {}, [])
    assert "look" in error.hint


async def test_candidates_in_frames_are_offered_with_their_frame(
    session: PlaywrightSession, context: ActionContext, site: SiteServer
) -> None:
    page = await session.open_page(context)
    await page.set_content(f'<iframe name="leaf" src="{site.url}/frames/leaf-frame"></iframe>')
    await page.frame_locator("iframe").locator("button").wait_for()
    error = await miss(session, context, 'button "Button in the frame"')
    assert error.evidence["nearest"][0]["selector"] == 'frame "leaf" >> button "Button in the frame"'
    await Hands(session).click(context, error.evidence["nearest"][0]["selector"])


async def test_twins_among_the_candidates_are_told_apart_by_their_region(
    session: PlaywrightSession, context: ActionContext, site: SiteServer
) -> None:
    page = await session.open_page(context)
    await page.goto(f"{site.url}/elements/hidden")
    error = await miss(session, context, 'button "Updaet"')
    selectors = [each["selector"] for each in error.evidence["nearest"][:2]]
    assert selectors == ['button "Update" in "Billing"', 'button "Update" in "Shipping"']


async def test_matches_are_told_apart_by_test_id_region_or_number(
    session: PlaywrightSession, context: ActionContext
) -> None:
    page = await session.open_page(context)
    await page.set_content(
        """<button data-testid="one">Go</button><section aria-label="Two"><button>Go</button></section>
        <section aria-label="Three"><button>Go</button><button>Go</button></section>"""
    )
    error = await miss(session, context, 'button "Go"')
    assert [match["selector"] for match in error.evidence["matches"]] == [
        'testid="one"', 'button "Go" in "Two"', 'button "Go" in "Three" nth 1', 'button "Go" in "Three" nth 2',
    ]  # fmt: skip
    literal = await miss(session, context, "section > button")
    assert literal.evidence["matches"][0]["selector"] == 'button "Go" in "Two"'
    await Hands(session).click(context, literal.evidence["matches"][2]["selector"])


LOG = 'Locator.click: Timeout 900ms exceeded.\nCall log:\n  - waiting for locator("#x")\n'
FOUND = LOG + '    - locator resolved to <button id="x">…</button>\n  - attempting click action\n'


@pytest.mark.parametrize(
    ("message", "cause", "found", "performed"),
    [
        (LOG, "missing", False, False),
        (FOUND + "    - element is not visible\n", "hidden", True, False),
        (FOUND + "    - <div>…</div> intercepts pointer events\n", "covered", True, False),
        (FOUND + "    - element is not stable\n    - element is not enabled\n", "disabled", True, False),
        (FOUND + "    - performing click action\n", "unknown", True, True),
        (FOUND + "    - performing click action\n    - <p>…</p> intercepts pointer events\n", "covered", True, False),
        ("Locator.click: Target page, context or browser has been closed\n" + FOUND, "closed", True, False),
        ('Locator.click: Error: strict mode violation: locator("p") resolved to 2 elements', "ambiguous", True, False),
        ('Locator.click: Unexpected token "" while parsing css selector ""', "bad_selector", False, False),
    ],
)
def test_the_call_log_tells_what_happened(message: str, cause: str, found: bool, performed: bool) -> None:
    failure = read_failure(message)
    assert (failure.cause, failure.was_found, failure.was_performed) == (cause, found, performed)
