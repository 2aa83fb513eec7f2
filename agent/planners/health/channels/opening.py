"""Opening: the channels that settings name, by their kind; those on this machine are the desktop's notifications, and the log."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Literal

from actuators.browser.egress.networks import NetworkAccess
from agent.planners.health.channels.mail import EmailChannel
from agent.planners.health.channels.posting import AlertChannel, Notice
from agent.planners.health.channels.webhooks import WebhookChannel
from agent.settings.alert_channels import EmailSetting, PlainChannelSetting, WebhookSetting
from core.base.late_dataclasses import dataclass
from core.base.phrases import cut_text
from core.goals.secret_values import Vault
from core.planning.planners.alerts import Severity

Urgency = Literal["low", "normal", "critical"]
ShowNotification = Callable[[str, str, Urgency], Awaitable[object]]
"""Shows a notification: title, text and how much it matters."""

WriteLine = Callable[[str, Severity, Mapping[str, str]], Awaitable[object]]
"""Writes a line of the log: event, severity and facts; it is on the disk when that returns."""

_URGENCIES: Mapping[Severity, Urgency] = {"info": "low", "warning": "normal", "critical": "critical"}
_LONGEST = 500


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
