"""What kind of place an IP address is, so that the open internet can be told from everything else."""

import ipaddress
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address
from typing import Literal

AddressKind = Literal["public", "private", "loopback", "forbidden"]
"""``private`` are networks of a house or firm; ``forbidden`` are link-local (with the metadata of clouds), multicast,
broadcast, unspecified and reserved addresses."""

IPAddress = IPv4Address | IPv6Address
IPNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network


def _list_networks(*texts: str) -> tuple[IPNetwork, ...]:
    return tuple(map(ipaddress.ip_network, texts))


_NETWORKS: dict[AddressKind, tuple[IPNetwork, ...]] = {
    "forbidden": _list_networks(
        "0.0.0.0/8", "169.254.0.0/16", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.51.100.0/24",
        "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        "100.100.100.200/32", "168.63.129.16/32",  # metadata of clouds outside the link-local range
        "fd00:ec2::254/128", "fd20:ce::254/128",
        "64:ff9b:1::/48",  # local translation to IPv4: nobody can tell to where
        "::/128", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16", "fe80::/10", "ff00::/8",
    ),
    "loopback": _list_networks("127.0.0.0/8", "::1/128"),
    "private": _list_networks(
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16",
        "100.64.0.0/10",  # between a provider and its customers, and what VPNs give out
        "198.18.0.0/15",  # benchmarks of networks; some VPNs and proxies use it for themselves
        "fc00::/7",
        "fec0::/10",  # site-local, given up long ago and still routed by some
    ),
}  # fmt: skip
_OWN = IPv6Address("::1")
_UNICAST = ipaddress.IPv6Network("2000::/3")
_TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
_COMPATIBLE = ipaddress.IPv6Network("::/96")
_STRICTNESS: tuple[AddressKind, ...] = ("public", "private", "loopback", "forbidden")


@lru_cache(maxsize=1024)
def classify_address(address: IPAddress) -> AddressKind:
    """Tell what kind of place an address is.

    An IPv6 address that stands for an IPv4 one (mapped, compatible, NAT64, 6to4, Teredo) is at least as far from
    public as the address inside it; 6to4 and Teredo are never public, since their relays lead anywhere.
    """
    if isinstance(address, IPv4Address):
        return _find_kind(address)
    if address.scope_id is not None:
        return "forbidden"
    inner = _read_inner(address)
    if inner is not None and address != _OWN:
        return _classify_carrier(address, inner)
    kind = _find_kind(address)
    # What isn't global unicast today has no business on the open internet, whatever it becomes one day.
    return "forbidden" if kind == "public" and address not in _UNICAST else kind


def take_strictest(kinds: list[AddressKind]) -> AddressKind:
    """Return the kind that is furthest from public; a host counts as the worst of its addresses."""
    return max(kinds, key=_STRICTNESS.index) if kinds else "forbidden"


def _find_kind(address: IPAddress) -> AddressKind:
    for kind, networks in _NETWORKS.items():
        if any(address in network for network in networks):
            return kind
    return "public"


def _read_inner(address: IPv6Address) -> IPv4Address | None:
    if address.ipv4_mapped:
        return address.ipv4_mapped
    if address.sixtofour:
        return address.sixtofour
    if address.teredo:
        return address.teredo[1]
    if address in _TRANSLATED or address in _COMPATIBLE:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return None


def _classify_carrier(address: IPv6Address, inner: IPv4Address) -> AddressKind:
    kind = _find_kind(inner)
    if address.ipv4_mapped or address in _TRANSLATED:
        return kind
    return take_strictest([kind, "forbidden"])
