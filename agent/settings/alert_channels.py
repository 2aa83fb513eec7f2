"""Channels that alerts go out on, as a person sets them: webhooks, e-mail, notifications of the desktop, the log."""

import re
from typing import Annotated, Literal

import ada_url
from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from actuators.browser.egress.address_kinds import classify_address
from actuators.browser.egress.rules import is_loopback_name, parse_literal
from core.addresses.urls import judge_address
from core.base.errors import SurehandError
from core.goals.secret_values import PREFIX, is_secret_name

PAGERDUTY_URL = "https://events.pagerduty.com/v2/enqueue"

PayloadForm = Literal["plain", "slack", "pagerduty"]
MailSecurity = Literal["starttls", "tls", "none"]

_MAILBOX = re.compile(r"[^@\s<>,;]{1,64}@[^@\s<>,;]{1,255}")
_PORTS: dict[MailSecurity, int] = {"starttls": 587, "tls": 465, "none": 25}


class _Channel(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    tell_end: bool = False

    @property
    def tells_end(self) -> bool:
        """Whether it is told when an alert ends."""
        return self.tell_end


class WebhookSetting(_Channel):
    """A webhook.

    Attributes:
        kind: ``webhook``.
        payload: Form of its body: ``plain`` JSON, or what Slack or PagerDuty (Events API v2) take.
        url: Where to: https, or http on this machine; or ``secret:NAME`` where the address itself is secret.
        routing_key: ``secret:NAME`` of PagerDuty's key.
        token: ``secret:NAME`` of what is sent as a bearer token.
    """

    kind: Literal["webhook"]
    payload: PayloadForm = "plain"
    url: str = Field(default="", validate_default=True)
    routing_key: str = Field(default="", validate_default=True)
    token: str = ""
    ca_file: str = ""

    @field_validator("url")
    @classmethod
    def _check_url(cls, url: str, info: ValidationInfo) -> str:
        if not url and info.data.get("payload") == "pagerduty":
            return PAGERDUTY_URL
        if not url:
            raise ValueError("a webhook needs a url")
        return _check_handle(url) if url.startswith(PREFIX) else check_webhook_url(url)

    @field_validator("routing_key")
    @classmethod
    def _check_key(cls, key: str, info: ValidationInfo) -> str:
        if info.data.get("payload") != "pagerduty":
            if key:
                raise ValueError('only the payload "pagerduty" has a routing_key')
            return key
        if not key:
            raise ValueError('the payload "pagerduty" needs a routing_key, as secret:NAME')
        return _check_handle(key)

    @field_validator("token")
    @classmethod
    def _check_token(cls, token: str) -> str:
        return _check_handle(token) if token else token

    @property
    def tells_end(self) -> bool:
        """Whether it is told when an alert ends; PagerDuty always is, so that its incident ends too."""
        return self.tell_end or self.payload == "pagerduty"


class EmailSetting(_Channel):
    """E-mail by SMTP.

    Attributes:
        kind: ``email``.
        security: ``starttls``, ``tls`` from the first byte on, or ``none``, on this machine only.
        port: Its port; that of the security where absent.
        user: Who signs in; nobody where empty.
        password: ``secret:NAME``.
    """

    kind: Literal["email"]
    host: Annotated[str, Field(min_length=1, max_length=253)]
    security: MailSecurity = Field(default="starttls", validate_default=True)
    port: Annotated[int, Field(gt=0, lt=65536)] | None = None
    sender: str
    recipients: Annotated[tuple[str, ...], Field(min_length=1, max_length=50)]
    user: str = ""
    password: str = Field(default="", validate_default=True)
    ca_file: str = ""

    @field_validator("sender", "recipients")
    @classmethod
    def _check_mailboxes(cls, value: str | tuple[str, ...]) -> str | tuple[str, ...]:
        for each in (value,) if isinstance(value, str) else value:
            if not _MAILBOX.fullmatch(each):
                raise ValueError(f"{each!r} is not an e-mail address; write NAME@HOST")
        return value

    @field_validator("security")
    @classmethod
    def _check_security(cls, security: MailSecurity, info: ValidationInfo) -> MailSecurity:
        if security == "none" and not is_this_machine(str(info.data.get("host", ""))):
            raise ValueError('"none" sends in the clear; use starttls or tls for other machines than this one')
        return security

    @field_validator("password")
    @classmethod
    def _check_password(cls, password: str, info: ValidationInfo) -> str:
        if bool(password) != bool(info.data.get("user")):
            raise ValueError("user and password belong together; give both or neither")
        return _check_handle(password) if password else password

    @property
    def known_port(self) -> int:
        """The port that is connected to."""
        return self.port or _PORTS[self.security]


class PlainChannelSetting(_Channel):
    """A channel that needs no address.

    Attributes:
        kind: ``desktop`` for notifications, ``log`` for lines in the log file.
    """

    kind: Literal["desktop", "log"]


ChannelSetting = Annotated[WebhookSetting | EmailSetting | PlainChannelSetting, Field(discriminator="kind")]


def check_webhook_url(url: str) -> str:
    """Return an address that alerts may be posted to.

    Raises:
        ValueError: If it is none, goes out in the clear, or holds a password.
    """
    try:
        address = judge_address(url)
    except SurehandError as error:
        raise ValueError("it is not a complete https address") from error
    parts = ada_url.URL(address.href)
    if parts.username or parts.password:
        raise ValueError("a password in an address would be shown; give a token as secret:NAME")
    if address.scheme != "https" and not is_this_machine(address.hostname):
        raise ValueError("it is not https; http is taken on this machine only")
    return url


def is_this_machine(hostname: str) -> bool:
    """Tell whether a host says of itself that it is this machine: by a usual name, or by an address of its own."""
    literal = parse_literal(hostname)
    return is_loopback_name(hostname) or (literal is not None and classify_address(literal) == "loopback")


def _check_handle(text: str) -> str:
    """Return the handle of a secret; its value must never stand here."""
    if not text.startswith(PREFIX) or not is_secret_name(text[len(PREFIX) :]):
        raise ValueError("it must be secret:NAME; save the value with surehand secrets set NAME")
    return text
