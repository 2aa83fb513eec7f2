"""Filling in forms of many makes by what their fields mean."""

from typing import Any

import pytest

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from core.base.errors import SurehandError
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands

CONTEXT = ActionContext("g0_fill_1", timeout_s=10.0)
SOON = ActionContext("g0_fill_1", timeout_s=2.0)


class Page:
    """A page of the fixture, filled in."""

    def __init__(self, session: PlaywrightSession, url: str) -> None:
        self._session, self._url = session, url

    async def fill(self, page: str, context: ActionContext = CONTEXT, **args: Any) -> ToolOutcome:
        await Hands(self._session).navigate(CONTEXT, f"{self._url}?page={page}" if page else self._url)
        return await Hands(self._session).fill(context, **args)

    async def told(self) -> str:
        return await self._session.current_page(CONTEXT).locator("#told").inner_text()

    async def held(self) -> list[str]:
        inputs = self._session.current_page(CONTEXT).locator("#here input")
        return [await each.input_value() for each in await inputs.all()]


@pytest.fixture
def page(session: PlaywrightSession, site: SiteServer) -> Page:
    return Page(session, site.url + "/elements/filling")


@pytest.mark.parametrize(
    ("name", "fields", "told"),
    [
        ("", {"books": "Faust", "language": "German", "published in": "1808"}, "below: Faust | German | 1808"),
        ("table", {"album": "Blue", "written by": "Ada", "year": 1974}, "table: Ada | Blue | 1974"),
        ("journey", {"from": "BGO", "to": "Oslo", "date": "12/24/2026"}, "journey: Bergen, Norway (BGO) | Oslo, Norway (OSL) | 12/24/2026"),
        ("account", {"user name": "ada", "email": "a@b.example", "password": "x y"}, "account: ada | a@b.example | x y | x y"),
    ],
)  # fmt: skip
async def test_fields_are_found_by_their_meaning_however_a_page_labels_them_and_are_sent(
    page: Page, name: str, fields: dict[str, str], told: str
):
    outcome = await page.fill(name, fields=fields, submit=True)
    assert await page.told() == told
    assert outcome.effect == "confirmed"
    assert outcome.evidence["submitted_with"] in {"Search", "Go!", "Create account"}


async def test_a_password_is_not_told_again(page: Page):
    outcome = await page.fill("account", fields={"user name": "ada", "password": "x y"})
    assert outcome.output["fields"] == {"User name": "ada"}
    assert "x y" not in str(outcome.evidence)


async def test_what_the_page_says_under_the_same_labels_is_copied(page: Page):
    outcome = await page.fill("card", from_page=True, submit=True)
    assert await page.told() == "card: Dark red | Norway"
    assert outcome.output["fields"] == {"Colour": "Dark red", "Country": "Norway"}


@pytest.mark.parametrize(
    ("name", "args", "code"),
    [
        ("twins", {"fields": {"name": "Ada"}}, "target_ambiguous"),
        ("twins", {"fields": {"first name": "Ada", "city": "Oslo", "street": "A"}}, "target_missing"),
        ("silent", {"from_page": True}, "target_missing"),
    ],
)
async def test_nothing_is_filled_in_where_one_field_is_not_clear(
    page: Page, name: str, args: dict[str, Any], code: str
):
    with pytest.raises(SurehandError) as caught:
        await page.fill(name, SOON, **args)
    assert caught.value.code == code
    assert not any(await page.held())


async def test_a_page_without_anything_that_sends_keeps_what_was_filled_in_and_says_so(page: Page):
    with pytest.raises(SurehandError) as caught:
        await page.fill("silent", SOON, fields={"name": "Ada", "city": "Oslo"}, submit=True)
    assert caught.value.code == "target_missing"
    assert await page.held() == ["Ada", "Oslo"]
