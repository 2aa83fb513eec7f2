"""The wall: a proxy for one session's pages that judges each request, looks each name up once, and connects to what it judged."""

import asyncio
import base64
import ipaddress
import os
import ssl
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any
from urllib.parse import unquote

import ada_url

from actuators.browser.egress.address_kinds import IPAddress, classify_address
from actuators.browser.egress.connections import BrowserSide, ConnectionLimits, Doorkeeper, Gate
from actuators.browser.egress.far_sides import FarSide, ServerConnection
from actuators.browser.egress.networks import AddressPins, NetworkAccess, find_addresses
from actuators.browser.egress.own_services import NO_SERVICES, OwnServices
from actuators.browser.egress.requests import RequestHead
from actuators.browser.egress.rules import EgressPolicy, is_loopback_name, parse_literal
from core.addresses.urls import WebAddress
from core.base.errors import NavigationError, PolicyError, SurehandError, UnsupportedError
from core.base.late_dataclasses import dataclass
from core.base.shortages import find_shortage

KEPT_RECORDS = 500
OWN_HOST = "127.0.0.1"
HANDSHAKE_S = 20.0
HEAD_START_S = 0.25
TURNS = 5
_OWN_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class StoppedRequest:
    """A request of a page that ended at the wall.

    Attributes:
        number: Position in the session's records, from 1.
        url: Of what is encrypted and of WebSockets only scheme, host and port.
        refused: Whether it was not allowed; else it could not be brought to its goal.
        sender: The origin that the request itself names, empty where it names none.
    """

    number: int
    url: str
    host: str
    refused: bool
    code: str
    message: str
    sender: str

    def as_json(self) -> dict[str, Any]:
        """Return the record as plain data."""
        return asdict(self)


class RecordBook:
    """The latest stopped requests of a session, oldest first; whoever wants to know of new ones is told at once."""

    def __init__(self, tell: Callable[[StoppedRequest], object] = lambda _: None) -> None:
        self._tell = tell
        self.records: deque[StoppedRequest] = deque(maxlen=KEPT_RECORDS)
        self._count = 0

    def add(self, url: str, host: str, sender: str, error: SurehandError) -> None:
        """Write down that a request ended with an error; a PolicyError means that it was refused."""
        self._count += 1
        refused = isinstance(error, PolicyError)
        record = StoppedRequest(self._count, url, host, refused, error.code, error.message, sender)
        self.records.append(record)
        self._tell(record)


@dataclass(frozen=True, slots=True)
class UpstreamProxy:
    """A proxy on the way to a host; its header is a whole ``Proxy-Authorization``, or empty where it wants none."""

    hostname: str
    port: int
    is_encrypted: bool
    header: bytes = b""


def find_upstream(
    address: WebAddress, scheme: str, environment: Mapping[str, str] = os.environ
) -> UpstreamProxy | None:
    """Return the proxy that the environment names for a host; None where it is reached directly.

    This machine itself and IP addresses that aren't public are always reached directly.

    Args:
        environment: Holds ``HTTP_PROXY``, ``HTTPS_PROXY``, ``ALL_PROXY`` and ``NO_PROXY``, in small letters too.

    Raises:
        UnsupportedError: ``bad_proxy`` if it names one that can't be used: better no network than another way.
    """
    literal = parse_literal(address.hostname)
    if is_loopback_name(address.hostname) or (literal is not None and classify_address(literal) != "public"):
        return None
    named = _read_environment(environment)
    text = named.get(scheme) or named.get("all")
    if not text or goes_past(address, named.get("no", "")):
        return None
    return parse_upstream(text)


def goes_past(address: WebAddress, exceptions: str) -> bool:
    """Tell whether ``NO_PROXY`` takes a host out: ``*``, hosts, domains with all below, with ports, or networks."""
    return any(_is_exception(address, entry.strip().lower()) for entry in exceptions.split(",") if entry.strip())


def _is_exception(address: WebAddress, entry: str) -> bool:
    if entry == "*":
        return True
    literal = parse_literal(address.hostname)
    try:
        network = ipaddress.ip_network(entry.strip("[]"), strict=False)
    except ValueError:
        name, _, port = entry.partition(":")
        bare = name.removeprefix("*").removeprefix(".")
        is_meant = address.hostname == bare or address.hostname.endswith(f".{bare}")
        return bool(bare) and is_meant and port in {"", address.port}
    return literal is not None and literal.version == network.version and literal in network


def parse_upstream(text: str) -> UpstreamProxy:
    """Read a proxy's address; ``bad_proxy`` if it is none, or neither http nor https."""
    try:
        parsed = ada_url.URL(text if "://" in text else f"http://{text}")
        scheme = parsed.protocol.rstrip(":")
        own_port = _OWN_PORTS[scheme]
    except (ValueError, KeyError) as error:
        raise UnsupportedError(
            "The proxy in your environment is neither http nor https, so pages have no network.",
            code="bad_proxy",
            hint="Correct HTTP_PROXY, HTTPS_PROXY or ALL_PROXY, or remove them.",
        ) from error
    header = b""
    if parsed.username:
        pair = f"{unquote(parsed.username)}:{unquote(parsed.password)}"
        header = b"Proxy-Authorization: Basic " + base64.b64encode(pair.encode()) + b"\r\n"
    return UpstreamProxy(parsed.hostname, int(parsed.port or own_port), scheme == "https", header)


def _read_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the proxies by scheme, and what goes past them as ``no``; small letters win, and an empty value means none."""
    named = {name.lower(): value for name, value in environment.items() if name.lower().endswith("_proxy")}
    named |= {name: value for name, value in environment.items() if name.endswith("_proxy")}
    return {name.removesuffix("_proxy"): value for name, value in named.items() if value}


class EgressProxy:
    """Listens on this machine for one browser context at a time; without it, that context has no network at all."""

    def __init__(
        self,
        rules: EgressPolicy,
        network: NetworkAccess,
        records: RecordBook,
        environment: Mapping[str, str],
        limits: ConnectionLimits | None = None,
        services: OwnServices = NO_SERVICES,
    ) -> None:
        self.doorkeeper = Doorkeeper(limits or ConnectionLimits())
        self._rules = rules
        rules.review = self.review
        self._network = network
        self._records = records
        self._environment = environment
        self._services = services
        self._server: asyncio.Server | None = None
        self._pins = AddressPins(rules, network)
        self._gate = Gate(self._open_way, self._check_again, self._refuse, self.doorkeeper)

    @property
    def address(self) -> str:
        """Where it listens; empty while it doesn't."""
        if self._server is None or not self._server.sockets:
            return ""
        return f"http://{OWN_HOST}:{self._server.sockets[0].getsockname()[1]}"

    async def start(self) -> str:
        """Listen on a free port, and return the address. Calling it again does nothing more."""
        if self._server is None:
            loop = asyncio.get_running_loop()
            self._server = await loop.create_server(lambda: BrowserSide(self._gate), OWN_HOST, 0, backlog=128)
        return self.address

    async def stop(self) -> None:
        """Stop listening and end all connections at once. Calling it again does nothing."""
        server, self._server = self._server, None
        if server is None:
            return
        server.close()
        sides = self.doorkeeper.list_all()
        opening = [side.opening for side in sides if side.opening]
        for side in sides:
            side.abort()
        for task in opening:
            task.cancel()
        await asyncio.gather(*opening, return_exceptions=True)
        for _ in range(TURNS):  # each end is told in a turn of the loop of its own
            await asyncio.sleep(0)

    def has_sent(self, address: WebAddress, since_s: float) -> bool:
        """Tell whether a request has gone out to a host since a time by the loop's clock."""
        return any(side.host == address.host and side.sent_s >= since_s for side in self.doorkeeper.list_all())

    def review(self) -> None:
        """End the connections that would not be allowed any more."""
        for side in self.doorkeeper.list_all():
            if (latest := side.latest) and not self._rules.allows_still(latest[0].request, latest[1].kind):
                side.abort()

    async def _open_way(self, head: RequestHead) -> ServerConnection:
        request = head.request
        self._rules.check_host(request)
        address = request.address
        upstream = find_upstream(address, "https" if request.is_tunnel else "http", self._environment)
        if upstream:
            self._rules.check_kind(request, "public")  # by its name alone: the proxy looks it up, and says nothing
            return await self._go_through(upstream, head)
        pin = await self._pins.find(address)
        self._rules.check_kind(request, pin.kind)
        await self._services.check(address, pin.addresses)
        try:
            return ServerConnection(await self._connect(pin.addresses, int(address.port), address.host), pin.kind)
        except NavigationError:
            self._pins.loosen(address.hostname)
            raise

    def _check_again(self, head: RequestHead, way: ServerConnection) -> None:
        self._rules.check_host(head.request)
        self._rules.check_kind(head.request, way.kind)

    def _refuse(self, head: RequestHead | None, error: SurehandError) -> None:
        known = (head.url, head.request.address.host, head.request.sender) if head else ("", "", "")
        self._records.add(*known, error)

    async def _connect(self, addresses: tuple[IPAddress, ...], port: int, host: str) -> FarSide:
        errors: list[OSError] = []
        if far := await _connect_to_any(self._network, addresses, port, errors):
            return far
        if shortage := next(filter(None, map(find_shortage, errors)), None):
            raise NavigationError(shortage.message, code=shortage.code, hint=shortage.hint, evidence={"host": host})
        refused = any(isinstance(error, ConnectionRefusedError) for error in errors)
        raise NavigationError(
            f"{host} {'refused the connection' if refused else 'could not be reached'}.",
            code="connection_refused" if refused else "unreachable",
            hint="Check that the server is running, and the port.",
            evidence={"host": host, "tried": [str(address) for address in addresses]},
        ) from (errors[-1] if errors else None)

    async def _go_through(self, upstream: UpstreamProxy, head: RequestHead) -> ServerConnection:
        host = head.request.address.host
        addresses = await find_addresses(upstream.hostname, self._network)
        far = await self._connect(addresses, upstream.port, f"The proxy {upstream.hostname}:{upstream.port}")
        try:
            async with asyncio.timeout(HANDSHAKE_S):
                if upstream.is_encrypted:
                    await far.encrypt(ssl.create_default_context(), upstream.hostname)
                if not head.request.is_tunnel:
                    return ServerConnection(far, "public", upstream.header)
                goal = f"{head.request.address.hostname}:{head.request.address.port}"
                asked = f"CONNECT {goal} HTTP/1.1\r\nHost: {goal}\r\n".encode("ascii") + upstream.header + b"\r\n"
                answer = await far.ask(asked)
        except (OSError, TimeoutError) as error:
            far.abort()
            raise _make_upstream_error(upstream, host, str(error) or "it did not answer in time") from error
        except asyncio.CancelledError:
            far.abort()
            raise
        if answer.split(b" ")[1:2] != [b"200"]:
            far.abort()
            raise _make_upstream_error(upstream, host, answer.decode("latin-1"))
        return ServerConnection(far, "public", b"")


async def _connect_to_any(
    network: NetworkAccess, addresses: Sequence[IPAddress], port: int, errors: list[OSError]
) -> FarSide | None:
    """Connect to the first address that answers: each has a moment's head start on the next; add what went wrong to the errors."""
    waiting, trials = list(addresses), set[asyncio.Task[FarSide]]()
    try:
        while waiting or trials:
            if waiting:
                trials.add(asyncio.create_task(network.connect(FarSide, waiting.pop(0), port)))
            limit_s = HEAD_START_S if waiting else None
            done, _ = await asyncio.wait(trials, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
            for trial in done:
                trials.remove(trial)
                try:
                    return trial.result()
                except OSError as error:
                    errors.append(error)
    finally:
        for trial in trials:
            trial.cancel()
            trial.add_done_callback(_drop)
    return None


def _drop(trial: asyncio.Task[FarSide]) -> None:
    if not trial.cancelled() and trial.exception() is None:
        trial.result().abort()


def _make_upstream_error(upstream: UpstreamProxy, host: str, why: str) -> NavigationError:
    return NavigationError(
        f"The proxy {upstream.hostname}:{upstream.port} could not reach {host}: {why}.",
        code="upstream_failed",
        hint="Check the proxy in your environment.",
        evidence={"host": host},
    )
