"""Webhooks: alerts as JSON to an address, plain or in the words of Slack and PagerDuty."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from actuators.browser.egress.networks import NetworkAccess
from agent.planners.health.channels.posting import Notice, Post, Poster, escape_cut
from agent.settings.alert_channels import PayloadForm, WebhookSetting, check_webhook_url
from core.base.errors import InputError
from core.goals.secret_values import PREFIX, Secret, Vault

MOST_BYTES = 16 * 1024

_LONGEST = 500
"""Characters of a text. All texts together stay below the bound; facts are left out where they don't."""


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
