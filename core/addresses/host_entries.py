"""Host entries: ``host``, ``host:port`` and ``*.domain`` as policies name them, and what each of them covers.

``*.domain`` permits what lies below the domain and not the domain itself; it denies, and asks about, both.
"""

import ipaddress
from collections.abc import Callable

from core.addresses.urls import WebAddress, parse_host

_WILD = "*."
_MAPPED = "[::ffff:"


def is_host_entry(entry: str) -> bool:
    """Tell whether an entry names a host at all; one that names none covers nothing.

    A star anywhere but at the beginning would be taken for a character of the name, so that no host would match.
    """
    name = entry.removeprefix(_WILD)
    return "*" not in name and parse_host(name) is not None


def covers_address(entry: str, address: WebAddress) -> bool:
    """Tell whether an address is at a host that an entry names."""
    return _covers(entry, address.hostname, address.port)


def names_exactly(entry: str, address: WebAddress) -> bool:
    """Tell whether an entry names the host of an address and no other."""
    return not entry.startswith(_WILD) and covers_address(entry, address)


def meets_address(entry: str, address: WebAddress) -> bool:
    """Tell whether an address leads to a host that an entry names, however that is written.

    For what limits: a name with the dot of the root and an IPv4 address mapped into IPv6 are the same host here, and
    ``*.domain`` takes in the domain itself; what permits takes each of these for another host.
    """
    hostname = _fold(address.hostname)
    return any(_covers(each, hostname, address.port, fold=_fold) for each in {entry, entry.removeprefix(_WILD)})


def covers_entry(entry: str, other: str) -> bool:
    """Tell whether everything that the other entry names is named by this one."""
    wild = other.startswith(_WILD)
    found = parse_host(other.removeprefix(_WILD))
    if found is None or (wild and not entry.startswith(_WILD)):
        return False
    hostname, port = found
    return _covers(entry, f"{'x.' if wild else ''}{hostname}", port)


def _covers(entry: str, hostname: str, port: str, fold: Callable[[str], str] = str) -> bool:
    """Tell whether an entry names a host in normal form; one that names no host covers nothing."""
    named = parse_host(entry.removeprefix(_WILD))
    if named is None or named[1] not in {"", port}:
        return False
    wanted = fold(named[0])
    return hostname.endswith(f".{wanted}") if entry.startswith(_WILD) else hostname == wanted


def _fold(hostname: str) -> str:
    if hostname.startswith(_MAPPED):
        return str(ipaddress.IPv6Address(hostname[1:-1]).ipv4_mapped)
    return hostname.removesuffix(".")
