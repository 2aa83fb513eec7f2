"""Posting: one POST to an address that was looked up once; no redirect is followed, and nothing of the answer is read but its status."""

import asyncio
import ssl
from datetime import datetime
from typing import Protocol

import ada_url
import h11

from actuators.browser.egress.address_kinds import IPAddress, classify_address
from actuators.browser.egress.networks import NetworkAccess, find_addresses
from core.addresses.urls import WebAddress, judge_address
from core.base.errors import ActionError, PolicyError
from core.base.late_dataclasses import dataclass
from core.base.phrases import cut_text, escape_text
from core.planning.planners.alerts import Alert, Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """That an alert began, or that it ended; secrets are taken out.

    Attributes:
        episode_id: The same for a notice that is sent again, and for that of the end.
        moment: ``raised`` or ``ended``.
        began_at: When it was seen first.
        ended_at: When it was found to have ended; None while it hasn't.
        source: Where it is wrong: the name of the workspace.
    """

    episode_id: str
    moment: Moment
    alert: Alert
    began_at: datetime
    ended_at: datetime | None
    source: str

    @property
    def title(self) -> str:
        """One line: severity, id, and whether it ended."""
        ended = " ended" if self.moment == "ended" else ""
        return f"{self.alert.severity}: {self.alert.alert_id}{ended}"

    @property
    def text(self) -> str:
        """What is wrong, or was, and until when."""
        if self.ended_at is None:
            return self.alert.summary
        when = self.ended_at.isoformat(timespec="seconds")
        return f"Ended at {when}: {self.alert.summary}"


class AlertChannel(Protocol):
    """Hands notices over to people or programs."""

    async def send(self, notice: Notice) -> None:
        """Hand a notice over.

        Raises:
            SurehandError: If it was not taken, or nobody says that it was.
        """
        ...


def escape_cut(text: str, limit: int) -> str:
    """Return a text that was read, without characters that control anything, and no longer than may be."""
    return cut_text(escape_text(cut_text(text, limit)), limit)


LIMIT_S = 10.0

_MOST_HEAD_BYTES = 16 * 1024
_CHUNK = 4096


@dataclass(frozen=True, slots=True)
class Post:
    """What is posted.

    Attributes:
        url: Where to: https, or http on this machine.
        body: JSON.
        token: Sent as a bearer token; empty for none.
    """

    url: str
    body: bytes
    token: str = ""


class Poster:
    """Posts without a memory: no cookies, no connections that are kept."""

    def __init__(self, network: NetworkAccess, ca_file: str = "", *, limit_s: float = LIMIT_S) -> None:
        """Connect to nothing yet; ``ca_file`` is trusted beside the system's, and ``limit_s`` is for all of a post."""
        self._network = network
        self._ca_file = ca_file
        self._limit_s = limit_s

    async def post(self, post: Post) -> None:
        """Post, and return if the server says that it took it.

        Raises:
            PolicyError: If the address leads where nothing may be sent.
            NavigationError: If its host has no address.
            ActionError: ``alert_not_sent`` if nobody answers in time, or the answer is not that it was taken.
        """
        address = judge_address(post.url)
        try:
            async with asyncio.timeout(self._limit_s):
                found = choose_addresses(address, await find_addresses(address.hostname, self._network))
                status = await self._exchange(address, found, post)
        except h11.RemoteProtocolError:
            raise fail_sending(address.host, "did not answer as a web server does") from None
        except OSError as error:
            raise fail_sending(address.host, explain_fault(error, self._limit_s)) from None
        if not 200 <= status < 300:
            moved = "; redirects are not followed" if 300 <= status < 400 else ""
            raise fail_sending(address.host, f"answered with status {status}{moved}")

    async def _exchange(self, address: WebAddress, found: tuple[IPAddress, ...], post: Post) -> int:
        context = await asyncio.to_thread(make_tls, self._ca_file) if address.scheme == "https" else None
        reader, writer = await _connect(address, found, context)
        try:
            connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=_MOST_HEAD_BYTES)
            request = h11.Request(method="POST", target=_find_target(address), headers=_list_headers(address, post))
            for event in (request, h11.Data(data=post.body), h11.EndOfMessage()):
                writer.write(connection.send(event) or b"")
            await writer.drain()
            return await _read_status(connection, reader)
        finally:
            writer.transport.abort()


def choose_addresses(address: WebAddress, found: tuple[IPAddress, ...]) -> tuple[IPAddress, ...]:
    """Return where a post may go: what a name means on the open internet before what it means inside.

    Raises:
        PolicyError: If nothing may be sent to any of them.
    """
    kinds = {each: classify_address(each) for each in found}
    allowed = {"loopback"} if address.scheme == "http" else {"public", "private", "loopback"}
    usable = [each for each in found if kinds[each] in allowed]
    if not usable or (address.scheme == "http" and len(usable) < len(found)):
        where = "another machine in the clear" if address.scheme == "http" else "a place that no server has"
        raise PolicyError(f"{address.host} leads to {where}, so no alert was sent.")
    public = tuple(each for each in usable if kinds[each] == "public")
    return public or tuple(usable)


def make_tls(ca_file: str) -> ssl.SSLContext:
    """Return what checks certificates by the system's authorities, and by those of a file.

    Args:
        ca_file: Its path; empty for none.

    Raises:
        ActionError: If it can't be read.
    """
    context = ssl.create_default_context()
    if ca_file:
        try:
            context.load_verify_locations(ca_file)
        except OSError as error:
            text = f"The certificates in {ca_file} can't be read: {error.strerror or error}."
            raise ActionError(text, code="alert_not_sent", hint="Correct ca_file in your settings.") from None
    return context


async def _connect(
    address: WebAddress, found: tuple[IPAddress, ...], context: ssl.SSLContext | None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    name = address.hostname.strip("[]") if context else None
    for place in found[:-1]:
        try:
            return await asyncio.open_connection(str(place), int(address.port), ssl=context, server_hostname=name)
        except ConnectionError:
            continue
    return await asyncio.open_connection(str(found[-1]), int(address.port), ssl=context, server_hostname=name)


def _find_target(address: WebAddress) -> str:
    parts = ada_url.URL(address.href)
    return f"{parts.pathname}{parts.search}"


def _list_headers(address: WebAddress, post: Post) -> list[tuple[str, str]]:
    headers = [
        ("Host", address.host),
        ("User-Agent", "Surehand"),
        ("Content-Type", "application/json"),
        ("Content-Length", str(len(post.body))),
        ("Connection", "close"),
    ]
    return [*headers, ("Authorization", f"Bearer {post.token}")] if post.token else headers


async def _read_status(connection: h11.Connection, reader: asyncio.StreamReader) -> int:
    while True:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            connection.receive_data(await reader.read(_CHUNK))
        elif isinstance(event, h11.Response):
            return event.status_code
        elif not isinstance(event, h11.InformationalResponse):
            raise h11.RemoteProtocolError("The connection ended before an answer.")


def explain_fault(error: OSError, limit_s: float) -> str:
    """Return what a server did that can't be reached, is another one, or takes longer than it may."""
    if isinstance(error, TimeoutError):
        return f"did not answer within {limit_s:g} s"
    if isinstance(error, ssl.SSLError):
        return f"does not show that it is who it should be ({error.reason or 'TLS'})"
    return f"could not be reached ({error.strerror or type(error).__name__})"


def fail_sending(host: str, what: str, kind: str = "") -> ActionError:
    """Return the error; of the address it says the host alone, since the rest may be a secret."""
    hint = "It is tried again at a later check."
    return ActionError(f"{kind}{host} {what}.", code="alert_not_sent", hint=hint, evidence={"host": host})
