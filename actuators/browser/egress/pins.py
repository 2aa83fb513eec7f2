"""Which addresses a host has, for as long as a page of it lives: looked up once, and what is inside is left out."""

import asyncio

from actuators.browser.egress.address_kinds import AddressKind, IPAddress, classify_address, take_strictest
from actuators.browser.egress.networks import NetworkAccess
from actuators.browser.egress.rules import EgressPolicy, is_loopback_name, parse_literal
from core.addresses.urls import WebAddress
from core.base.late_dataclasses import dataclass

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
    """Return the addresses of a host; of literals and this machine's usual names without asking anybody.

    Raises:
        NavigationError: ``dns_failed`` if its name stands for nothing.
    """
    literal = parse_literal(hostname)
    if literal is not None:
        return (literal,)
    if is_loopback_name(hostname):
        found = [parse_literal("127.0.0.1"), parse_literal("::1")]
        return tuple(address for address in found if address)
    return await network.resolve(hostname)
