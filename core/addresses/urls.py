"""The one judge of web addresses, on the WHATWG parser that browsers agree with, and of the hosts that policies name.

An entry is ``host``, ``host:port`` or ``*.domain``: that permits what lies below the domain and not the domain itself, and
denies, and asks about, both.
"""

import ipaddress
from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

from core.base.errors import InputError, PolicyError
from core.base.late_dataclasses import dataclass
from core.base.late_parts import compile_late

if TYPE_CHECKING:
    from ada_url import URL

WEB_SCHEMES = ("http", "https")

_CREDENTIALS = compile_late(r"(?i)^(\s*[a-z][a-z0-9+.-]*:[/\\]*)[^/\\?#]*@")
_OWN_PORTS = {"http": "80", "https": "443"}
_PORT = compile_late(r":([0-9]+)\Z")
_WILD = "*."
_MAPPED = "[::ffff:"


@dataclass(frozen=True, slots=True)
class WebAddress:
    """A judged address, ``http``, ``https`` or ``about``, with the port that is connected to, also the scheme's own."""

    href: str
    scheme: str
    host: str
    hostname: str
    port: str = ""

    @property
    def is_blank(self) -> bool:
        """Whether this is ``about:blank``."""
        return self.href == "about:blank"


@lru_cache(maxsize=128)
def judge_address(text: str) -> WebAddress:
    """Parse an address as a browser would and check its scheme; what gets executed is the text itself.

    Raises:
        InputError: If a browser couldn't parse it.
        PolicyError: If the scheme is neither http nor https and it isn't ``about:blank``.
    """
    try:
        parsed = _load_parser()(text)
    except ValueError:
        shown = mask_credentials(text)
        hint = f'Did you mean "https://{shown}"?' if "://" not in text else "Check its spelling."
        raise InputError(f"“{shown}” is not a complete web address.", code="bad_url", hint=hint) from None
    scheme = parsed.protocol.rstrip(":")
    if scheme not in WEB_SCHEMES and parsed.href != "about:blank":
        raise PolicyError(
            f"“{mask_credentials(text)}” has the scheme “{scheme}”; only http, https and about:blank may be opened.",
            code="scheme_refused",
            hint="Serve the page over http instead.",
        )
    return WebAddress(parsed.href, scheme, parsed.host, parsed.hostname, parsed.port or _OWN_PORTS.get(scheme, ""))


def mask_credentials(text: str) -> str:
    """Return an address as messages may show it: with asterisks for the user name and password that it may hold."""
    return _CREDENTIALS.sub(r"\1***@", text)


@lru_cache(maxsize=256)
def parse_host(text: str) -> tuple[str, str] | None:
    """Return host and port of ``host`` or ``host:port`` as a browser would write them, so that they can be compared.

    The host is in lower case, punycode and dotted decimals, the port empty where none is named; None if it is no host.
    """
    try:
        parsed = _load_parser()(f"https://{text}")
    except ValueError:
        return None
    if parsed.href != f"https://{parsed.host}/" or text.endswith("/") or not parsed.hostname:
        return None
    named = _PORT.search(text)
    return parsed.hostname, str(int(named.group(1))) if named else ""


@cache
def _load_parser() -> "type[URL]":
    # Loaded here, since much is done without any address.
    parser: type[URL] = import_module("ada_url").URL
    return parser


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
