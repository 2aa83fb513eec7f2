"""Channels that settings name: webhooks, mail, and on this machine the desktop's notifications and the log.

Webhooks are plain, or in the words of Slack and PagerDuty; mail goes by SMTP, on a thread of its own.
"""

import json
import smtplib
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from email.message import EmailMessage
from typing import Any, Literal

from actuators.browser.egress.networks import NetworkAccess
from actuators.platforms.device_thread import DeviceThread
from agent.planners.health.channels.posting import (
    AlertChannel,
    Notice,
    Post,
    Poster,
    escape_cut,
    explain_fault,
    fail_sending,
    make_tls,
)
from agent.settings.alert_channels import (
    EmailSetting,
    PayloadForm,
    PlainChannelSetting,
    WebhookSetting,
    check_webhook_url,
)
from core.base.errors import ActionError, InputError
from core.base.late_dataclasses import dataclass
from core.base.phrases import cut_text
from core.goals.secret_values import PREFIX, Secret, Vault
from core.planning.planners.alerts import Severity

LIMIT_S = 10.0
MOST_BYTES = 16 * 1024

Urgency = Literal["low", "normal", "critical"]
ShowNotification = Callable[[str, str, Urgency], Awaitable[object]]
"""Shows a notification: title, text and how much it matters."""

WriteLine = Callable[[str, Severity, Mapping[str, str]], Awaitable[object]]
"""Writes a line of the log: event, severity and facts; it is on the disk when that returns."""

_URGENCIES: Mapping[Severity, Urgency] = {"info": "low", "warning": "normal", "critical": "critical"}
_LONGEST = 500
"""Characters of a text. All texts of a webhook together stay below its bound; facts are left out where they don't."""

_LONGEST_SUBJECT = 150
_LONGEST_BODY = 2000
_OWN_NAME = "[127.0.0.1]"
"""How this machine greets a server; its real name is nobody's business, and asking for it may take long."""


class WebhookChannel:
    """Posts each notice on its own."""

    def __init__(self, setting: WebhookSetting, network: NetworkAccess, vault: Vault) -> None:
        self._setting = setting
        self._vault = vault
        self._poster = Poster(network, setting.ca_file)

    async def send(self, notice: Notice) -> None:
        """Post a notice."""
        setting = self._setting
        url = await self._reveal_url()
        key, token = await self._reveal(setting.routing_key, url), await self._reveal(setting.token, url)
        # What was revealed just now may stand in what is told as well; the key alone has to go out.
        body = write_body(self._vault.redact(notice), setting.payload, key)
        await self._poster.post(Post(url, body, token))

    async def _reveal_url(self) -> str:
        if not self._setting.url.startswith(PREFIX):
            return self._setting.url
        url = await self._reveal(self._setting.url, "")
        try:
            return check_webhook_url(url)
        except ValueError as error:
            text = f"The address in {self._setting.url} can't be used: {error}."
            raise InputError(text, code="bad_settings", hint="Save it again: surehand secrets set NAME.") from None

    async def _reveal(self, handle: str, address: str) -> str:
        return await self._vault.reveal(Secret(handle.removeprefix(PREFIX)), address) if handle else ""


def write_body(notice: Notice, form: PayloadForm, routing_key: str = "") -> bytes:
    """Return the body of a webhook, at most ``MOST_BYTES``."""
    body = _dump(_FORMS[form](notice, routing_key))
    if len(body) <= MOST_BYTES:
        return body
    bare = replace(notice, alert=replace(notice.alert, facts={}))
    return _dump(_FORMS[form](bare, routing_key))


def _dump(body: Mapping[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


def _write_plain(notice: Notice, _: str) -> Mapping[str, Any]:
    alert = notice.alert
    return {
        "event": f"alert.{notice.moment}",
        "episode": notice.episode_id,
        "id": alert.alert_id,
        "severity": alert.severity,
        "subject": escape_cut(alert.subject, _LONGEST),
        "summary": escape_cut(alert.summary, _LONGEST),
        "facts": _list_facts(notice),
        "began_at": notice.began_at.isoformat(),
        "ended_at": notice.ended_at.isoformat() if notice.ended_at else None,
        "source": escape_cut(notice.source, _LONGEST),
    }


def _write_slack(notice: Notice, _: str) -> Mapping[str, Any]:
    """Return a message in which nothing that was read is a link, a mention or a channel."""
    text = f"*{_escape(notice.title)}* ({_escape(escape_cut(notice.source, _LONGEST))})\n{_escape(escape_cut(notice.text, _LONGEST))}"
    return {"text": text, "unfurl_links": False, "unfurl_media": False}


def _write_pagerduty(notice: Notice, routing_key: str) -> Mapping[str, Any]:
    """Return an event of the Events API v2; the incident of an episode ends with it."""
    alert = notice.alert
    head = {"routing_key": routing_key, "dedup_key": notice.episode_id}
    if notice.moment == "ended":
        return {**head, "event_action": "resolve"}
    payload = {
        "summary": escape_cut(f"{alert.alert_id}: {alert.summary}", _LONGEST),
        "source": escape_cut(notice.source, _LONGEST),
        "severity": alert.severity,
        "timestamp": notice.began_at.isoformat(),
        "component": escape_cut(alert.subject, _LONGEST),
        "class": alert.alert_id,
        "custom_details": _list_facts(notice),
    }
    return {**head, "event_action": "trigger", "client": "Surehand", "payload": payload}


_FORMS: Mapping[PayloadForm, Callable[[Notice, str], Mapping[str, Any]]] = {
    "plain": _write_plain,
    "slack": _write_slack,
    "pagerduty": _write_pagerduty,
}


def _list_facts(notice: Notice) -> dict[str, str | int | float]:
    facts = notice.alert.facts.items()
    return {name: escape_cut(value, _LONGEST) if isinstance(value, str) else value for name, value in facts}


def _escape(text: str) -> str:
    """Return a text with Slack's three control characters as it wants them."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class EmailChannel:
    """Sends each notice as a message."""

    def __init__(self, setting: EmailSetting, vault: Vault, *, limit_s: float = LIMIT_S) -> None:
        """Connect to nothing yet; a message may take ``limit_s`` in all."""
        self._setting = setting
        self._vault = vault
        self._limit_s = limit_s

    async def send(self, notice: Notice) -> None:
        """Send a notice."""
        setting, thread = self._setting, DeviceThread("alert mail")
        handle = setting.password.removeprefix(PREFIX)
        password = await self._vault.reveal(Secret(handle)) if handle else ""
        message = write_message(self._vault.redact(notice), setting)
        try:
            await thread.run(lambda: self._deliver(message, password), timeout_s=self._limit_s)
        except smtplib.SMTPResponseException as error:
            raise self._fail(f"refused it (SMTP status {error.smtp_code})") from None
        except smtplib.SMTPRecipientsRefused:
            raise self._fail("refused every recipient") from None
        except smtplib.SMTPException as error:
            raise self._fail(f"did not take it ({type(error).__name__})") from None
        except OSError as error:
            raise self._fail(explain_fault(error, self._limit_s)) from None
        finally:
            await thread.close()

    def _deliver(self, message: EmailMessage, password: str) -> None:
        server = self._connect()
        try:
            if self._setting.user:
                server.login(self._setting.user, password)
            server.send_message(message)
        except BaseException:
            server.close()
            raise
        with suppress(smtplib.SMTPException, OSError):  # it was taken; how the server takes its leave is its own affair
            server.quit()
        server.close()

    def _connect(self) -> smtplib.SMTP:
        setting = self._setting
        place = (setting.host, setting.known_port, _OWN_NAME)
        if setting.security == "tls":
            return smtplib.SMTP_SSL(*place, timeout=self._limit_s, context=make_tls(setting.ca_file))
        server = smtplib.SMTP(*place, timeout=self._limit_s)
        if setting.security == "starttls":
            try:
                server.starttls(context=make_tls(setting.ca_file))
            except BaseException:
                server.close()
                raise
        return server

    def _fail(self, what: str) -> ActionError:
        return fail_sending(self._setting.host, what, "Mail server ")


def write_message(notice: Notice, setting: EmailSetting) -> EmailMessage:
    """Return a notice as a message; one that is sent again has the same id."""
    alert, message = notice.alert, EmailMessage()
    message["From"] = setting.sender
    message["To"] = ", ".join(setting.recipients)
    message["Subject"] = escape_cut(f"[Surehand] {notice.title} ({notice.source})", _LONGEST_SUBJECT)
    message["Date"] = notice.ended_at or notice.began_at
    message["Message-ID"] = f"<{notice.episode_id}.{notice.moment}@surehand.invalid>"
    message["Auto-Submitted"] = "auto-generated"
    lines = [escape_cut(notice.text, _LONGEST_BODY), "", f"Alert: {alert.alert_id}", f"Severity: {alert.severity}"]
    lines += [
        f"About: {escape_cut(alert.subject, _LONGEST_BODY)}",
        f"Since: {notice.began_at.isoformat(timespec='seconds')}",
    ]
    lines += [f"{name}: {escape_cut(str(value), _LONGEST_BODY)}" for name, value in alert.facts.items()]
    lines += ["", f"To be told no more until it ends: surehand health ack {alert.alert_id}"]
    message.set_content("\n".join(lines) + "\n")
    return message


class DesktopChannel:
    """Shows each notice as a notification."""

    def __init__(self, show: ShowNotification) -> None:
        self._show = show

    async def send(self, notice: Notice) -> None:
        """Show a notice."""
        urgency = "low" if notice.moment == "ended" else _URGENCIES[notice.alert.severity]
        await self._show(f"Surehand: {notice.title}", cut_text(notice.text, _LONGEST), urgency)


class LogChannel:
    """Writes each notice as a line of the log."""

    def __init__(self, write: WriteLine) -> None:
        self._write = write

    async def send(self, notice: Notice) -> None:
        """Write a notice."""
        facts = {"alert": notice.alert.alert_id, "subject": notice.alert.subject, "episode": notice.episode_id}
        await self._write(f"alert.{notice.moment}", notice.alert.severity, {**facts, "message": notice.text})


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelParts:
    """What channels need of the world."""

    network: NetworkAccess
    vault: Vault
    show: ShowNotification
    write: WriteLine


def open_channels(
    settings: Mapping[str, WebhookSetting | EmailSetting | PlainChannelSetting], parts: ChannelParts
) -> dict[str, AlertChannel]:
    """Return the channels by name; none of them connects before it is used."""
    return {name: _open(setting, parts) for name, setting in settings.items()}


def _open(setting: WebhookSetting | EmailSetting | PlainChannelSetting, parts: ChannelParts) -> AlertChannel:
    if isinstance(setting, WebhookSetting):
        return WebhookChannel(setting, parts.network, parts.vault)
    if isinstance(setting, EmailSetting):
        return EmailChannel(setting, parts.vault)
    return DesktopChannel(parts.show) if setting.kind == "desktop" else LogChannel(parts.write)
