"""Channels on real servers: what arrives, how it is protected, and what a failure says."""

import asyncio
import json
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest

from actuators.browser.egress.address_kinds import IPAddress
from actuators.browser.egress.networks import SystemNetwork
from actuators.browser.egress.rules import parse_literal
from agent.planners.health.channels.opening import MOST_BYTES, DesktopChannel, EmailChannel, WebhookChannel, write_body
from agent.planners.health.channels.posting import Notice, Post, Poster, choose_addresses
from agent.settings.alert_channels import EmailSetting, WebhookSetting
from core.addresses.urls import judge_address
from core.base.errors import ActionError, PolicyError, SurehandError
from fixtures.receivers.certificates import Identity, make_identity
from fixtures.receivers.hooks import HookReceiver
from fixtures.receivers.mail import MailReceiver
from tests.agent.planners.health.samples import NOW, make_alert
from tests.vaults import make_vault

NOTICE = Notice(episode_id="e1", moment="raised", alert=make_alert(), began_at=NOW, ended_at=None, source="work")
ENDED = replace(NOTICE, moment="ended", ended_at=NOW + timedelta(hours=1))


@pytest.fixture(scope="module")
def identity(tmp_path_factory: pytest.TempPathFactory) -> Identity:
    return make_identity(tmp_path_factory.mktemp("certificates"))


@pytest.fixture
def hook() -> Iterator[HookReceiver]:
    with HookReceiver() as receiver:
        yield receiver


def make_webhook(url: str, **more: Any) -> WebhookSetting:
    return WebhookSetting.model_validate({"kind": "webhook", "url": url, **more})


async def post(setting: WebhookSetting, notice: Notice = NOTICE, **secrets: str) -> None:
    await WebhookChannel(setting, SystemNetwork(), make_vault(**secrets)).send(notice)


async def test_a_plain_webhook_gets_the_alert_as_json(hook: HookReceiver) -> None:
    await post(make_webhook(f"{hook.url}?team=a%20b"))
    (got,) = hook.posts
    assert got.path == "/hook?team=a%20b"
    assert got.headers["content-type"] == "application/json"
    assert got.read() == {
        "event": "alert.raised",
        "episode": "e1",
        "id": "backlog.stuck",
        "severity": "warning",
        "subject": "local/ada:import",
        "summary": "It is stuck.",
        "facts": {"s": 5},
        "began_at": "2026-03-01T12:00:00+00:00",
        "ended_at": None,
        "source": "work",
    }


async def test_slack_gets_a_text_in_which_nobody_is_mentioned_and_nothing_is_a_link(hook: HookReceiver) -> None:
    alert = replace(make_alert(), summary="Item <!channel> & <https://evil.example|shop> is stuck.")
    await post(make_webhook(hook.url, payload="slack"), replace(NOTICE, alert=alert))
    body = hook.posts[0].read()
    assert body["text"].startswith("*warning: backlog.stuck* (work)\nItem &lt;!channel&gt; &amp; ")
    assert "<" not in body["text"]
    assert (body["unfurl_links"], body["unfurl_media"]) == (False, False)


async def test_pagerduty_gets_an_event_that_begins_an_incident_and_one_that_ends_the_same(hook: HookReceiver) -> None:
    setting = make_webhook(hook.url, payload="pagerduty", routing_key="secret:pd")
    await post(setting, NOTICE, pd="R0UT1NG")
    await post(setting, ENDED, pd="R0UT1NG")
    begins, ends = (got.read() for got in hook.posts)
    assert (begins["routing_key"], begins["event_action"], begins["dedup_key"]) == ("R0UT1NG", "trigger", "e1")
    assert begins["payload"]["summary"] == "backlog.stuck: It is stuck."
    assert (begins["payload"]["severity"], begins["payload"]["source"]) == ("warning", "work")
    assert ends == {"routing_key": "R0UT1NG", "event_action": "resolve", "dedup_key": "e1"}


async def test_a_secret_address_and_token_go_out_and_stand_in_no_body(hook: HookReceiver) -> None:
    alert = make_alert(subject=f"t0ps3cret {hook.url}")
    setting = make_webhook("secret:ops_url", token="secret:ops_token")
    await post(setting, replace(NOTICE, alert=alert), ops_url=hook.url, ops_token="t0ps3cret")
    (got,) = hook.posts
    assert got.headers["authorization"] == "Bearer t0ps3cret"
    assert got.read()["subject"] == "••• •••"


@pytest.mark.parametrize("url", ["http://192.0.2.1/hook", "ftp://127.0.0.1/", "nonsense", "https://me:pw@127.0.0.1/"])
async def test_a_secret_address_is_held_to_the_same_as_any_other(url: str) -> None:
    with pytest.raises(SurehandError) as caught:
        await post(make_webhook("secret:ops_url"), ops_url=url)
    assert caught.value.code == "bad_settings"
    assert url not in str(caught.value)


async def test_a_redirect_is_not_followed(hook: HookReceiver) -> None:
    with HookReceiver() as other:
        hook.status, hook.location = 307, other.url
        with pytest.raises(ActionError, match="status 307; redirects are not followed"):
            await post(make_webhook(hook.url))
        assert (len(hook.posts), other.posts) == (1, [])


@pytest.mark.parametrize("status", [400, 403, 404, 429, 500, 503])
async def test_what_a_server_does_not_take_is_a_failure_that_names_the_host_alone(
    hook: HookReceiver, status: int
) -> None:
    hook.status = status
    with pytest.raises(ActionError, match=f"answered with status {status}") as caught:
        await post(make_webhook(f"{hook.url}/T0/S3CRET"))
    assert "S3CRET" not in str(caught.value)
    assert caught.value.message.startswith("127.0.0.1:")


async def test_a_server_that_is_not_there_is_a_failure() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(ActionError, match="could not be reached"):
            await post(make_webhook(f"http://127.0.0.1:{taken.getsockname()[1]}/"))


async def test_a_server_that_does_not_answer_is_given_up(hook: HookReceiver) -> None:
    hook.keeps_waiting = True
    with pytest.raises(ActionError, match=r"did not answer within 0\.3 s"):
        await Poster(SystemNetwork(), limit_s=0.3).post(Post(hook.url, b"{}"))


async def test_what_is_no_web_server_is_a_failure() -> None:
    async def greet(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 hello\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    async with server:
        with pytest.raises(ActionError, match="did not answer as a web server"):
            await post(make_webhook(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"))


async def test_https_is_spoken_with_who_shows_a_certificate_that_is_trusted(identity: Identity) -> None:
    with HookReceiver(identity.serve()) as secure:
        await post(make_webhook(secure.url, ca_file=str(identity.certificate)))
        await post(make_webhook(secure.url.replace("127.0.0.1", "localhost"), ca_file=str(identity.certificate)))
        assert len(secure.posts) == 2
        with pytest.raises(ActionError, match="does not show that it is who it should be"):
            await post(make_webhook(secure.url))
        assert len(secure.posts) == 2


async def test_certificates_that_are_not_there_are_a_failure(tmp_path: Path) -> None:
    with pytest.raises(ActionError, match=r"none\.pem can't be read"):
        await post(make_webhook("https://127.0.0.1:1/", ca_file=str(tmp_path / "none.pem")))


P = TypeVar("P", bound=asyncio.Protocol)


class Names:
    """A network in which a name leads wherever a test wants."""

    def __init__(self, *addresses: str) -> None:
        self.addresses = tuple(found for each in addresses if (found := parse_literal(each)))
        self.asked: list[str] = []

    async def resolve(self, hostname: str) -> tuple[IPAddress, ...]:
        self.asked.append(hostname)
        return self.addresses

    async def connect(self, make_protocol: Callable[[], P], address: IPAddress, port: int) -> P:
        raise AssertionError("Nothing else connects by it.")


async def test_a_name_is_looked_up_once_and_what_was_judged_is_what_is_connected_to(identity: Identity) -> None:
    names = Names("127.0.0.1")
    with HookReceiver(identity.serve()) as secure:
        url = secure.url.replace("127.0.0.1", "hooks.example")
        with pytest.raises(ActionError, match="does not show"):  # the certificate is for other names
            await Poster(names, str(identity.certificate)).post(Post(url, b"{}"))
    assert names.asked == ["hooks.example"]


@pytest.mark.parametrize(
    ("url", "addresses"),
    [
        ("https://hooks.example/", ["169.254.169.254"]),
        ("https://hooks.example/", ["fd00:ec2::254"]),
        ("https://hooks.example/", ["0.0.0.0"]),
        ("http://hooks.example/", ["10.0.0.1"]),
        ("http://box.localhost/", ["127.0.0.1", "8.8.8.8"]),
    ],
)
def test_nothing_is_sent_to_metadata_or_in_the_clear_to_other_machines(url: str, addresses: list[str]) -> None:
    with pytest.raises(PolicyError):
        choose_addresses(judge_address(url), Names(*addresses).addresses)


def test_what_a_name_means_on_the_open_internet_comes_before_what_it_means_inside() -> None:
    chosen = choose_addresses(judge_address("https://hooks.example/"), Names("10.0.0.1", "8.8.8.8").addresses)
    assert [str(each) for each in chosen] == ["8.8.8.8"]


@pytest.mark.parametrize("form", ["plain", "slack", "pagerduty"])
@pytest.mark.parametrize("text", ["x" * 100_000, "\x00\x1b" * 50_000, "😀" * 50_000, '"' * 100_000, "<" * 100_000])
def test_every_body_is_bounded_and_json(form: Any, text: str) -> None:
    alert = replace(make_alert(subject=text), summary=text, facts={str(number): text for number in range(100)})
    body = write_body(replace(NOTICE, alert=alert, source=text), form, "key")
    assert len(body) <= MOST_BYTES
    assert json.loads(body)


def make_mail(port: int, **more: Any) -> EmailSetting:
    given = {"kind": "email", "host": "127.0.0.1", "port": port, "security": "none", "sender": "surehand@a.example"}
    return EmailSetting.model_validate({**given, "recipients": ("ada@a.example", "bob@a.example"), **more})


async def send_mail(setting: EmailSetting, notice: Notice = NOTICE, **secrets: str) -> None:
    await EmailChannel(setting, make_vault(**secrets)).send(notice)


async def test_a_message_says_what_is_wrong_since_when_and_how_to_acknowledge_it() -> None:
    with MailReceiver() as mail:
        await send_mail(make_mail(mail.port))
    (got,) = mail.envelopes
    assert (got.sender, got.recipients) == ("surehand@a.example", ("ada@a.example", "bob@a.example"))
    assert got.message["Subject"] == "[Surehand] warning: backlog.stuck (work)"
    assert got.message["Message-ID"] == "<e1.raised@surehand.invalid>"
    assert got.message["Auto-Submitted"] == "auto-generated"
    text = got.message.get_content()
    for line in ("It is stuck.", "About: local/ada:import", "s: 5", "surehand health ack backlog.stuck"):
        assert line in text


async def test_a_message_goes_out_encrypted_and_signed_in(identity: Identity) -> None:
    trusted = {"ca_file": str(identity.certificate), "user": "ada", "password": "secret:mail"}
    with MailReceiver(identity.serve()) as plain, MailReceiver(identity.serve(), is_encrypted=True) as encrypted:
        await send_mail(make_mail(plain.port, security="starttls", **trusted), mail="s3cret pass")
        await send_mail(make_mail(encrypted.port, security="tls", **trusted), mail="s3cret pass")
    for receiver in (plain, encrypted):
        (got,) = receiver.envelopes
        assert (got.encrypted, got.signed_in) == (True, ("ada", "s3cret pass"))
        assert "s3cret" not in got.message.as_string()


async def test_no_message_and_no_password_go_to_a_server_that_can_not_show_who_it_is(identity: Identity) -> None:
    account = {"user": "ada", "password": "secret:mail"}
    with MailReceiver(identity.serve()) as mail, MailReceiver() as without:
        with pytest.raises(ActionError, match="does not show that it is who it should be"):
            await send_mail(make_mail(mail.port, security="starttls", **account), mail="s3cret")
        with pytest.raises(ActionError, match="did not take it"):
            await send_mail(make_mail(without.port, security="starttls", **account), mail="s3cret")
        assert mail.envelopes == without.envelopes == []


@pytest.mark.parametrize(
    ("command", "answer", "words"),
    [
        ("MAIL", "550 no", "status 550"),
        ("RCPT", "550 nobody", "refused every recipient"),
        ("DATA", "451 later", "status 451"),
        ("AUTH", "535 no", "status 535"),
        ("EHLO", "421 busy", "did not take it|status 421|could not be reached"),
    ],
)
async def test_a_message_that_is_refused_is_a_failure(command: str, answer: str, words: str) -> None:
    with MailReceiver(refuses={command: answer, "HELO": answer}) as mail:
        with pytest.raises(ActionError, match=words) as caught:
            await send_mail(make_mail(mail.port, user="ada", password="secret:mail"), mail="s3cret")
        assert mail.envelopes == []
    assert "s3cret" not in str(caught.value)


async def test_a_server_that_hangs_up_after_it_took_a_message_took_it() -> None:
    with MailReceiver(leaves_rudely=True) as mail:
        await send_mail(make_mail(mail.port))
    assert len(mail.envelopes) == 1


async def test_no_line_of_an_alert_becomes_a_header() -> None:
    alert = replace(
        make_alert("backlog.stuck", "a\r\nBcc: eve@evil.example\r\n\r\nx"), summary="b\r\n.\r\nMAIL FROM:<e@e>"
    )
    with MailReceiver() as mail:
        await send_mail(make_mail(mail.port), replace(NOTICE, alert=alert, source="w\r\nTo: eve@evil.example"))
    (got,) = mail.envelopes
    assert got.message["Bcc"] is None
    assert got.recipients == ("ada@a.example", "bob@a.example")


async def test_a_notification_says_how_bad_it_is() -> None:
    shown: list[tuple[str, str, str]] = []

    async def show(*told: Any) -> None:
        shown.append(told)

    channel = DesktopChannel(show)
    await channel.send(replace(NOTICE, alert=make_alert("planner.failing", "tidy")))
    await channel.send(ENDED)
    assert shown == [
        ("Surehand: critical: planner.failing", "It is stuck.", "critical"),
        ("Surehand: warning: backlog.stuck ended", "Ended at 2026-03-01T13:00:00+00:00: It is stuck.", "low"),
    ]
