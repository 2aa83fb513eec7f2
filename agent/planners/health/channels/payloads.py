"""Bodies of webhooks: plain JSON, and what Slack and PagerDuty take. Pure."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from agent.planners.health.channels.notices import Notice
from agent.settings.alert_channels import PayloadForm
from core.base.phrases import cut_text, escape_text

MOST_BYTES = 16 * 1024

_LONGEST = 500
"""Characters of a text. All texts together stay below the bound; facts are left out where they don't."""


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
        "subject": _tell(alert.subject),
        "summary": _tell(alert.summary),
        "facts": _list_facts(notice),
        "began_at": notice.began_at.isoformat(),
        "ended_at": notice.ended_at.isoformat() if notice.ended_at else None,
        "source": _tell(notice.source),
    }


def _write_slack(notice: Notice, _: str) -> Mapping[str, Any]:
    """Return a message in which nothing that was read is a link, a mention or a channel."""
    text = f"*{_escape(notice.title)}* ({_escape(_tell(notice.source))})\n{_escape(_tell(notice.text))}"
    return {"text": text, "unfurl_links": False, "unfurl_media": False}


def _write_pagerduty(notice: Notice, routing_key: str) -> Mapping[str, Any]:
    """Return an event of the Events API v2; the incident of an episode ends with it."""
    alert = notice.alert
    head = {"routing_key": routing_key, "dedup_key": notice.episode_id}
    if notice.moment == "ended":
        return {**head, "event_action": "resolve"}
    payload = {
        "summary": _tell(f"{alert.alert_id}: {alert.summary}"),
        "source": _tell(notice.source),
        "severity": alert.severity,
        "timestamp": notice.began_at.isoformat(),
        "component": _tell(alert.subject),
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
    return {name: _tell(value) if isinstance(value, str) else value for name, value in facts}


def _tell(text: str) -> str:
    return cut_text(escape_text(cut_text(text, _LONGEST)), _LONGEST)


def _escape(text: str) -> str:
    """Return a text with Slack's three control characters as it wants them."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
