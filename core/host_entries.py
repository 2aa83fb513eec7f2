"""Host entries: ``host``, ``host:port`` and ``*.domain`` as policies name them, and what each of them covers."""

from core.urls import WebAddress, parse_host

_WILD = "*."


def is_host_entry(entry: str) -> bool:
    """Tell whether an entry names a host at all; one that names none covers nothing."""
    return parse_host(entry.removeprefix(_WILD)) is not None


def covers_address(entry: str, address: WebAddress) -> bool:
    """Tell whether an address is at a host that an entry names."""
    return _covers(entry, address.hostname, address.port)


def covers_entry(entry: str, other: str) -> bool:
    """Tell whether everything that the other entry names is named by this one."""
    wild = other.startswith(_WILD)
    found = parse_host(other.removeprefix(_WILD))
    if found is None or (wild and not entry.startswith(_WILD)):
        return False
    hostname, port = found
    return _covers(entry, f"{'x.' if wild else ''}{hostname}", port)


def _covers(entry: str, hostname: str, port: str) -> bool:
    """Tell whether an entry names a host in normal form; one that names no host covers nothing."""
    named = parse_host(entry.removeprefix(_WILD))
    if named is None or named[1] not in {"", port}:
        return False
    return hostname.endswith(f".{named[0]}") if entry.startswith(_WILD) else hostname == named[0]
