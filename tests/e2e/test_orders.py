"""Sentences and flows, from what a person says to what the server receives."""

import asyncio
from pathlib import Path

from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from core.approvals.approvals import ClassGate
from fixtures.site_server import SiteServer
from tests.e2e.receipts import chain, flow_request, goal, overlap_ms, statuses, unconfirmed

PASSWORD = "s3cret: ok?"


async def test_a_sentence_signs_in_with_exactly_the_bytes_that_were_said(session: AgentSession, site: SiteServer):
    text = (
        f'go to {site.url}/shop/signin, type "ada@example.com" into the email field, '
        f'type "{PASSWORD}" into the password field, click Sign in and wait for the dashboard'
    )
    result = await session.run(Request(utterance=text))
    assert (result.outcome, statuses(result)) == ("success", ["ok"] * 5)
    assert unconfirmed(result) == []
    (sent,) = site.received.requests("/shop/signin", "POST")
    assert sent.body == b"email=ada%40example.com&password=s3cret%3A+ok%3F"
    assert (sent.field("email"), sent.field("password")) == ("ada@example.com", PASSWORD)
    assert site.received.requests("/shop/dashboard")
    assert result.reply


async def test_the_order_flow_fills_the_basket_while_another_branch_waits_for_a_slow_page(
    session: AgentSession, site: SiteServer
):
    result = await session.run(flow_request("order.yaml", site))
    assert result.outcome == "success", result.reply
    assert set(statuses(result)) == {"ok"}
    assert unconfirmed(result) == []
    (added,) = [request for request in site.received if request.method == "POST" and request.field("quantity")]
    assert (added.field("quantity"), added.field("colour")) == ("2", "White")
    *main, slow, title = result.step_logs
    assert (slow.name, title.result.output["text"]) == ("browser.open_tab", "Slow pages")
    assert slow.result.ms >= 600
    assert overlap_ms(main, [slow]) > 100
    assert slow.result.started_ms < main[1].result.started_ms


async def test_the_demo_flow_orders_and_keeps_the_receipt(session: AgentSession, site: SiteServer, tmp_path: Path):
    result = await session.run(flow_request("demo.yaml", site, ClassGate(["apply_diff"])))
    assert result.outcome == "success", result.reply
    assert set(statuses(result)) == {"ok"}
    assert unconfirmed(result) == []
    assert any("sort=" in request.query for request in site.received)
    (order,) = site.received.requests("/shop/order", "POST")
    assert order.field("notes") == "Żółć, 日本 and 😀 travel well."
    assert order.field("card_number") == "4242 4242 4242 4242"
    assert order.field("delivery") == "express"
    receipt = (tmp_path / "receipt.txt").read_text(encoding="utf-8")
    assert "2 x Blue mug" in receipt
    assert (tmp_path / "order.png").read_bytes().startswith(b"\x89PNG")
    assert {str(tmp_path / "receipt.txt"), str(tmp_path / "order.png")} <= set(result.artifacts)
    assert overlap_ms(result.step_logs[:-2], result.step_logs[-2:]) > 100


async def test_two_sentences_in_one_session_share_the_page(session: AgentSession, site: SiteServer):
    first = await session.run(Request(utterance=f"go to {site.url}/shop/signin"))
    second = await session.run(
        Request(utterance=f'type "ada@example.com" into the email field, type "{PASSWORD}" into the password field, click Sign in')
    )  # fmt: skip
    third = await session.run(Request(utterance="read the title"))
    assert [first.outcome, second.outcome, third.outcome] == ["success"] * 3
    assert len(site.received.requests("/shop/signin", "GET")) == 1
    assert len(site.received.requests("/shop/signin", "POST")) == 1
    assert "Dashboard" in third.step_logs[0].result.output["text"]


async def test_a_failing_step_skips_what_depends_on_it_and_nothing_else(session: AgentSession, site: SiteServer):
    result = await session.run(
        chain(
            goal(0, "navigate", url=f"{site.url}/conformance/form"),
            goal(1, "expect", selector='heading "Never"', timeout=0.3),
            goal(2, "click", selector='button "Send"'),
            goal(3, "read", target="title"),
            goal(4, "open_tab", "root", url=f"{site.url}/table/small"),
            goal(5, "read", target="title"),
        )
    )
    assert result.outcome == "partial"
    assert statuses(result) == ["ok", "failed", "skipped", "skipped", "ok", "ok"]
    assert result.step_logs[5].result.output["text"] == "A small table"
    assert site.received.requests("/elements/fields") == []


async def test_the_same_request_id_is_carried_out_once(session: AgentSession, site: SiteServer):
    request = Request(
        goals=(
            goal(0, "navigate", url=f"{site.url}/conformance/form"),
            goal(1, "type", selector='field "Name"', text="Ada", submit=True),
        ),
        request_id="order-7",
    )
    together = await asyncio.gather(session.run(request), session.run(request))
    later = await session.run(request)
    assert {result.run_id for result in together} == {later.run_id}
    assert later.outcome == "success"
    await asyncio.to_thread(site.received.wait_for_requests, "/elements/fields")
    assert len(site.received.requests("/conformance/form")) == 1
    assert len(site.received.requests("/elements/fields", "POST")) == 1
