"""What people ask a page for by its name: a total, a price; from the sentence to what the shop shows."""

import pytest

from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from fixtures.site_server import SiteServer
from tests.e2e.receipts import statuses

MUGS = 'type "3" into the Quantity field, click Add to basket'


@pytest.mark.parametrize(
    ("path", "steps", "text"),
    [
        ("item/blue-mug", "read the price", "£8.50"),
        ("item/blue-mug", "tell me the price", "£8.50"),
        ("item/blue-mug", "what is the quantity", "1"),
        ("item/blue-mug", f"{MUGS} and read the total", "£25.50"),
        ("item/blue-mug", f"{MUGS}, click Basket and read the total", "£25.50"),
        ("item/blue-mug", f"{MUGS}, click Basket and what does the total say?", "£25.50"),
        ("item/blue-mug", f"{MUGS}, click Basket and what's the quantity on this page?", "3"),
    ],
)
async def test_a_sentence_reads_what_the_shop_shows_under_that_name(
    session: AgentSession, site: SiteServer, path: str, steps: str, text: str
):
    result = await session.run(Request(utterance=f"go to {site.url}/shop/{path}, {steps}"))
    assert set(statuses(result)) == {"ok"}, result.reply
    assert result.step_logs[-1].result.output["text"] == text


async def test_what_the_page_does_not_name_fails_with_the_labels_that_it_has(session: AgentSession, site: SiteServer):
    result = await session.run(Request(utterance=f"go to {site.url}/shop/item/blue-mug and read the weight"))
    assert statuses(result) == ["ok", "failed"]
    error = result.step_logs[-1].result.error
    assert error is not None
    assert error.code == "target_missing"
    assert {each["selector"] for each in error.evidence["nearest"]} >= {'value "price"', 'value "Quantity"'}


async def test_a_name_of_many_values_is_never_guessed(session: AgentSession, site: SiteServer):
    result = await session.run(Request(utterance=f"go to {site.url}/shop/catalogue and read the price"))
    assert statuses(result) == ["ok", "failed"]
    error = result.step_logs[-1].result.error
    assert error is not None
    assert error.code == "target_ambiguous"
    assert len(error.evidence["matches"]) > 1
