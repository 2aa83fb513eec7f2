"""Setting controls of a page's own making: sliders, counters, calendars, suggestions, chips."""

from typing import Any

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import SurehandError
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands
from tests.thoroughness import spread

CONTEXT = ActionContext("g0_set_1", timeout_s=10.0)


@pytest.fixture
async def forms(session: PlaywrightSession, site: SiteServer) -> Hands:
    await Hands(session).navigate(CONTEXT, site.url + "/elements/controls")
    return Hands(session)


async def set_it(forms: Hands, selector: str, value: str | bool | float) -> ToolOutcome:
    return await forms.set(CONTEXT, selector, value)


SET: list[tuple[str, Any, str]] = [
    ('slider "Bass"', -7, "-7"),
    ('slider "Fade"', 315, "315"),
    ('slider "Fade"', "-35 dB", "-35"),
    ('slider "Zoom"', 27, "27"),
    ('field "Speed"', "fast", "Fast"),
    ("#lift", 33, "33"),
    ('field "Adults"', 5, "5"),
    ('field "Hours"', "17", "17"),
    ('field "Town"', "Graz", "Graz"),
    ('field "Town"', "Linz", "Linz"),
    ('field "Departure date"', "24 December 2026", "12/24/2026"),
    ('field "Departure date"', "03/05/2026", "03/05/2026"),
    ('field "Delivery date"', "03/05/2026", "03/05/2026"),
    ('field "Delivery date"', "2025-12-24", "24/12/2025"),
    ('field "Date of birth"', "4 July 1990", "4 July 1990"),
    ('button "Pick-up"', "24 December 2026", "24 December 2026"),
    ('field "Date on the letter"', "24 December 2026", "24.12.2026"),
    ('group "Plan"', "Pro", "Pro"),
    ("#sizes", "L", "L"),
    ('switch "Dark mode"', "on", "on"),
]


@pytest.mark.parametrize(("selector", "value", "held"), spread(SET, 10))
async def test_a_control_of_a_pages_own_making_comes_to_the_value_and_shows_it(
    forms: Hands, selector: str, value: Any, held: str
):
    outcome = await set_it(forms, selector, value)
    assert (outcome.output["value"], outcome.effect) == (held, "confirmed")
    again = await set_it(forms, selector, value)
    assert (again.output["value"], again.effect) == (held, "confirmed")


@pytest.mark.parametrize(
    ("selector", "value", "code"),
    [
        ('slider "Bass"', 11, "bad_value"),
        ('slider "Fade"', 317, "value_differs"),
        ('field "Adults"', 9, "value_differs"),
        ("#mute-slider", 3, "target_unsuitable"),
        ('field "Departure date"', "2026-05-13", "bad_value"),
        ('field "Departure date"', "soon", "target_readonly"),
        ('group "Plan"', "Gold", "target_missing"),
        ("#sizes", "XL", "target_missing"),
        ('field "Stubborn"', 5, "value_differs"),
        ("h1", "x", "target_unsuitable"),
    ],
)
async def test_what_a_control_does_not_come_to_is_never_told_as_done(
    forms: Hands, selector: str, value: Any, code: str
):
    with pytest.raises(SurehandError) as caught:
        await set_it(forms, selector, value)
    assert caught.value.code == code


async def test_a_calendar_that_has_no_such_day_is_closed_again(forms: Hands, session: PlaywrightSession):
    with pytest.raises(SurehandError):
        await set_it(forms, 'field "Departure date"', "2026-05-13")
    assert await session.current_page(CONTEXT).locator(".popup").count() == 0


async def test_a_slider_that_takes_no_keys_leaves_the_others_where_they_are(forms: Hands, session: PlaywrightSession):
    await set_it(forms, 'slider "Bass"', 4)
    await set_it(forms, "#zoom", 12)
    assert await session.current_page(CONTEXT).locator("#bass").get_attribute("aria-valuenow") == "4"


async def test_the_page_receives_what_a_person_would_have_done(forms: Hands, site: SiteServer):
    await set_it(forms, 'field "Town"', "Graz")
    (event,) = site.received.wait_for_events("chosen")
    assert (event.detail["value"], event.detail["trusted"]) == ("Graz", True)
