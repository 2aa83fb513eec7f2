"""Opening: the channels that settings name, by their kind."""

from collections.abc import Mapping
from dataclasses import dataclass

from actuators.browser.egress.networks import NetworkAccess
from agent.planners.health.channels.local import DesktopChannel, LogChannel, ShowNotification, WriteLine
from agent.planners.health.channels.mail import EmailChannel
from agent.planners.health.channels.notices import AlertChannel
from agent.planners.health.channels.webhooks import WebhookChannel
from agent.settings.alert_channels import EmailSetting, PlainChannelSetting, WebhookSetting
from core.goals.secret_values import Vault


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelParts:
    """What channels need of the world.

    Attributes:
        write: Writes a line of the log.
    """

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
