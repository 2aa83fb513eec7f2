"""Proxies that the environment names, through which the wall goes on."""

import base64
import ipaddress
import os
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote

import ada_url

from actuators.browser.egress.address_kinds import classify_address
from actuators.browser.egress.rules import is_loopback_name, parse_literal
from core.addresses.urls import WebAddress
from core.base.errors import UnsupportedError

_OWN_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class UpstreamProxy:
    """A proxy on the way to a host.

    Attributes:
        authorization: Value of ``Proxy-Authorization``; empty where its address holds no name and password.
    """

    hostname: str
    port: int
    is_encrypted: bool
    authorization: str = ""

    @property
    def header(self) -> bytes:
        """The header that it wants, with its line end; empty if none."""
        return f"Proxy-Authorization: {self.authorization}\r\n".encode("latin-1") if self.authorization else b""


def find_upstream(
    address: WebAddress, scheme: str, environment: Mapping[str, str] = os.environ
) -> UpstreamProxy | None:
    """Return the proxy that the environment names for a host; None where it is reached directly.

    This machine itself and IP addresses that aren't public are always reached directly.

    Args:
        scheme: ``http`` or ``https``.
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
    """Tell whether a host is among the exceptions of ``NO_PROXY``.

    Args:
        exceptions: Separated by commas: ``*``, hosts and domains (with all below them) with or without a port, networks
            such as ``10.0.0.0/8``.
    """
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
    """Read a proxy's address.

    Raises:
        UnsupportedError: ``bad_proxy`` if it is none, or neither http nor https.
    """
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
    authorization = ""
    if parsed.username:
        pair = f"{unquote(parsed.username)}:{unquote(parsed.password)}"
        authorization = "Basic " + base64.b64encode(pair.encode()).decode("ascii")
    return UpstreamProxy(parsed.hostname, int(parsed.port or own_port), scheme == "https", authorization)


def _read_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the proxies by scheme, and what goes past them as ``no``; small letters win, and an empty value means none."""
    named = {name.lower(): value for name, value in environment.items() if name.lower().endswith("_proxy")}
    named |= {name: value for name, value in environment.items() if name.endswith("_proxy")}
    return {name.removesuffix("_proxy"): value for name, value in named.items() if value}
