"""How the wall looks up names, keeps what they stand for, and opens connections. The system's way is here; tests bring a network of their own."""

import asyncio
import ipaddress
import socket
import threading
from collections.abc import Callable
from typing import Protocol, TypeVar

from actuators.browser.egress.address_kinds import AddressKind, IPAddress, classify_address, take_strictest
from actuators.browser.egress.rules import EgressPolicy, is_loopback_name, parse_literal
from actuators.deadlines import finish_within
from core.addresses.urls import WebAddress
from core.base.errors import NavigationError
from core.base.late_dataclasses import dataclass
from core.base.shortages import find_shortage

LOOK_UP_S = 10.0
CONNECT_S = 10.0
LOOK_UPS_AT_ONCE = 16

P = TypeVar("P", bound=asyncio.Protocol)


class NetworkAccess(Protocol):
    """Names and connections."""

    async def resolve(self, hostname: str) -> tuple[IPAddress, ...]:
        """Return the addresses of a name, the best first; ``dns_failed`` if it has none."""
        ...

    async def connect(self, make_protocol: Callable[[], P], address: IPAddress, port: int) -> P:
        """Open a connection to exactly this address; OSError if there is none; TimeoutError if nobody answers."""
        ...


class SystemNetwork:
    """The network as this machine has it."""

    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(LOOK_UPS_AT_ONCE)

    async def resolve(self, hostname: str) -> tuple[IPAddress, ...]:
        """Ask the system's resolver, in a thread that nobody waits for once its time is up."""
        async with self._turns:
            try:
                found = await finish_within(_look_up(hostname), LOOK_UP_S)
            except (OSError, UnicodeError, TimeoutError) as error:
                raise _explain_look_up(hostname, error) from error
        return tuple(dict.fromkeys(ipaddress.ip_address(text) for text in found))

    async def connect(self, make_protocol: Callable[[], P], address: IPAddress, port: int) -> P:
        """Open a TCP connection."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(CONNECT_S):
            _, protocol = await loop.create_connection(make_protocol, str(address), port)
        return protocol


def make_dns_error(hostname: str) -> NavigationError:
    """Return the error of a name that has no address."""
    return NavigationError(
        f"No server is named {hostname}.",
        code="dns_failed",
        hint="Check the spelling of the host, and the network.",
        evidence={"host": hostname},
    )


def _explain_look_up(hostname: str, error: Exception) -> NavigationError:
    # What the resolver itself says has numbers of its own, some of which mean something else to the rest of the system.
    shortage = None if isinstance(error, socket.gaierror) else find_shortage(error)
    if shortage is None:
        return make_dns_error(hostname)
    return NavigationError(shortage.message, code=shortage.code, hint=shortage.hint, evidence={"host": hostname})


def _look_up(hostname: str) -> "asyncio.Future[list[str]]":
    """Look a name up in a thread of its own, which ends with the program however long the system takes."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[list[str]] = loop.create_future()

    def settle(found: list[str] | OSError | UnicodeError) -> None:
        if answer.done():
            return
        if isinstance(found, list):
            answer.set_result(found)
        else:
            answer.set_exception(found)

    def work() -> None:
        found = _ask_system(hostname)
        try:
            loop.call_soon_threadsafe(settle, found)
        except RuntimeError:
            return  # the loop was closed meanwhile: nobody wants to know any more

    threading.Thread(target=work, name="egress-look-up", daemon=True).start()
    return answer


def _ask_system(hostname: str) -> list[str] | OSError | UnicodeError:
    try:
        entries = socket.getaddrinfo(hostname, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        return error
    return [str(address[0]) for *_, address in entries]


KEPT_S = 60.0  # for which an answer holds in any case: until a page that is on its way shows its address
MOST_PINS = 500


@dataclass(frozen=True, slots=True)
class Pin:
    """What connections to a host may go to; of which kind is the strictest of its addresses."""

    addresses: tuple[IPAddress, ...]
    kind: AddressKind
    since_s: float = 0.0


class AddressPins:
    """Looks names up, once for each page's life, so that no site can turn its name elsewhere behind its page's back."""

    def __init__(self, rules: EgressPolicy, network: NetworkAccess) -> None:
        self._rules = rules
        self._network = network
        self._pins: dict[str, Pin] = {}

    async def find(self, address: WebAddress) -> Pin:
        """Return where connections to a host may go; ``dns_failed`` if its name stands for nothing."""
        hostname = address.hostname
        now_s = asyncio.get_running_loop().time()
        known = self._pins.get(hostname)
        if known and self._holds(hostname, known, now_s):
            return known
        addresses = await find_addresses(hostname, self._network)
        pin = self._choose(address, addresses, now_s)
        if parse_literal(hostname) is not None:
            return pin
        if (quicker := self._pins.get(hostname)) and quicker is not known:
            return quicker  # the answer that another connection waited for
        if len(self._pins) >= MOST_PINS:
            self._pins = {name: each for name, each in self._pins.items() if self._holds(name, each, now_s)}
        self._pins[hostname] = pin
        return pin

    def loosen(self, hostname: str) -> None:
        """Look a name up anew next time, unless a page of it lives: its addresses could not be reached."""
        if not self._rules.is_shown(hostname):
            self._pins.pop(hostname, None)

    def _holds(self, hostname: str, pin: Pin, now_s: float) -> bool:
        return now_s - pin.since_s < KEPT_S or self._rules.is_shown(hostname)

    def _choose(self, address: WebAddress, addresses: tuple[IPAddress, ...], now_s: float) -> Pin:
        """Leave the inner addresses out if there are public ones, unless a person said that this host is inside."""
        public = tuple(each for each in addresses if classify_address(each) == "public")
        if public and not self._rules.is_named_inner(address):
            return Pin(public, "public", now_s)
        return Pin(addresses, take_strictest([classify_address(each) for each in addresses]), now_s)


async def find_addresses(hostname: str, network: NetworkAccess) -> tuple[IPAddress, ...]:
    """Return the addresses of a host, or ``dns_failed``; of literals and loopback names without asking anybody."""
    literal = parse_literal(hostname)
    if literal is not None:
        return (literal,)
    if is_loopback_name(hostname):
        found = [parse_literal("127.0.0.1"), parse_literal("::1")]
        return tuple(address for address in found if address)
    return await network.resolve(hostname)
