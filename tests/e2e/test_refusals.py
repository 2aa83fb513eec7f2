"""What a run may not do, and what pages may not make it do; the server and the disk are the witnesses."""

from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from agent.cli.exits import choose_exit_code
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from core.approvals.approvals import ApprovalRequest, ClassGate
from core.goals.references import Reference
from core.policy.policy import Policy
from fixtures.site_handlers.injection_site import STOLEN
from fixtures.site_server import SiteServer
from tests.e2e.receipts import chain, codes, goal, statuses


class Witness:
    """Writes down what it is asked, and answers the same to all."""

    def __init__(self, answer: bool) -> None:
        self.asked: list[ApprovalRequest] = []
        self._answer = answer

    async def decide(self, request: ApprovalRequest) -> bool:
        self.asked.append(request)
        return self._answer


@contextmanager
def redirect_to(target: str) -> Generator[str]:
    """A server that sends everybody elsewhere; yields its host and port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(302)
            self.send_header("Location", target)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize("verb", ["save_session", "download"])
async def test_without_an_approval_no_file_is_written(
    session: AgentSession, site: SiteServer, tmp_path: Path, verb: str
):
    extra = {"url": f"{site.url}/dialogs/report"} if verb == "download" else {}
    result = await session.run(
        chain(goal(0, "navigate", url=f"{site.url}/conformance/"), goal(1, verb, path="kept.txt", **extra))
    )
    assert (statuses(result), codes(result)) == (["ok", "refused"], ["", "approval_missing"])
    assert choose_exit_code(result) == 3
    assert not (tmp_path / "kept.txt").exists()
    assert site.received.requests("/dialogs/report") == []


async def test_with_an_approval_the_same_file_is_written(session: AgentSession, site: SiteServer, tmp_path: Path):
    witness = Witness(answer=True)
    goals = (goal(0, "navigate", url=f"{site.url}/conformance/session"), goal(1, "save_session", path="kept.json"))
    result = await session.run(Request(goals=goals, gate=witness))
    assert result.outcome == "success"
    assert [each.kind for each in witness.asked] == ["apply_diff"]
    assert (tmp_path / "kept.json").exists()


async def test_a_foreign_host_is_refused_before_anything_runs(session: AgentSession, site: SiteServer):
    host = site.url.removeprefix("http://")
    goals = (
        goal(0, "navigate", url=f"{site.url}/conformance/"),
        goal(1, "navigate", url=f"{site.url.replace('127.0.0.1', 'localhost')}/conformance/second"),
    )
    result = await session.run(Request(goals=goals, policy=Policy(hosts=(host,))))
    assert [error.code for error in result.errors] == ["refused_by_policy"]
    assert (result.outcome, result.step_logs) == ("failed", ())
    assert choose_exit_code(result) == 2
    assert len(site.received) == 0


async def test_a_redirect_to_a_foreign_host_is_refused_and_not_followed(session: AgentSession, site: SiteServer):
    with redirect_to(f"{site.url}/conformance/second") as host:
        goals = (goal(0, "navigate", url=f"http://{host}/"), goal(1, "read", target="title"))
        result = await session.run(Request(goals=goals, policy=Policy(hosts=(host,))))
    assert statuses(result) == ["refused", "skipped"]
    assert codes(result)[0] == "refused_by_policy"
    assert len(site.received) == 0


async def test_a_page_that_gives_orders_is_read_outlined_and_clicked_and_never_obeyed(
    session: AgentSession, site: SiteServer
):
    result = await session.run(
        chain(
            goal(0, "navigate", url=f"{site.url}/injection/"),
            goal(1, "read", target="text"),
            goal(2, "read", target="html"),
            goal(3, "snapshot"),
            goal(4, "click", selector="#labelled-order"),
            goal(5, "type", selector='field "Your e-mail"', text="ada@example.com"),
            goal(6, "click", selector='button "Subscribe"'),
            goal(7, "expect", url="*/injection/subscribe"),
        )
    )
    assert result.outcome == "success", result.reply
    assert "Ignore previous instructions" in result.step_logs[1].result.output["text"]
    assert len(site.received.requests("/injection/subscribe", "POST")) == 1
    assert site.received.requests("/injection/stolen") == []
    assert site.events(STOLEN) == []
    assert "stolen" not in result.reply
    await session.run(chain(goal(0, "navigate", url=f"{site.url}/injection/stolen")))
    assert len(site.events(STOLEN)) == 1  # so the trap does work


@pytest.mark.parametrize("answer", [False, True])
async def test_a_value_that_a_page_gave_is_typed_only_when_a_person_has_seen_it(
    session: AgentSession, site: SiteServer, answer: bool
):
    witness = Witness(answer)
    goals = (
        goal(0, "navigate", url=f"{site.url}/conformance/"),
        goal(1, "read", target="text", selector="testid=prose"),
        goal(2, "navigate", url=f"{site.url}/conformance/form"),
        goal(3, "type", selector='field "Name"', text=Reference("g1", "text"), submit=True),
    )
    result = await session.run(Request(goals=goals, gate=witness))
    prose = "Every back end does the same here."
    (asked,) = witness.asked
    assert asked.kind == "confirm"
    assert prose in asked.text
    source = f"${{g1.text}}, read from the page at {site.url}/conformance/"
    assert result.step_logs[3].result.tainted == {"text": (source,)}
    assert statuses(result)[3] == ("ok" if answer else "refused")
    sent = site.received.requests("/elements/fields", "POST")
    assert [request.field("name") for request in sent] == ([prose] if answer else [])
    shown = [approval for approval in result.required_approvals if prose in str(approval)]
    assert shown


async def test_no_class_of_approvals_lets_a_value_of_a_page_through(session: AgentSession, site: SiteServer):
    goals = (
        goal(0, "navigate", url=f"{site.url}/conformance/"),
        goal(1, "read", target="url"),
        goal(2, "navigate", url=Reference("g1", "text")),
    )
    result = await session.run(Request(goals=goals, gate=ClassGate(["apply_diff", "run_job"])))
    assert codes(result) == ["", "", "approval_missing"]
    assert len(site.received.requests("/conformance/")) == 1
