"""WebhookChannel: alerts as JSON to an address."""

from actuators.browser.egress.networks import NetworkAccess
from agent.planners.health.channels.notices import Notice
from agent.planners.health.channels.payloads import write_body
from agent.planners.health.channels.posting import Post, Poster
from agent.settings.alert_channels import WebhookSetting, check_webhook_url
from core.base.errors import InputError
from core.goals.secret_values import PREFIX, Secret, Vault


class WebhookChannel:
    """Posts each notice on its own."""

    def __init__(self, setting: WebhookSetting, network: NetworkAccess, vault: Vault) -> None:
        """Reveal and send nothing yet."""
        self._setting = setting
        self._vault = vault
        self._poster = Poster(network, setting.ca_file)

    async def send(self, notice: Notice) -> None:
        """Post a notice.

        Raises:
            SurehandError: If it was not taken.
        """
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
