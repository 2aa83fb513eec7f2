"""Which addresses are the open internet, and which only look like it."""

import ipaddress
from ipaddress import IPv4Address, IPv6Address

from hypothesis import given
from hypothesis import strategies as st

from actuators.browser.egress.address_kinds import AddressKind, classify_address, take_strictest
from tests.cases import each_case

STRICTNESS: tuple[AddressKind, ...] = ("public", "private", "loopback", "forbidden")
addresses_v4 = st.integers(0, 2**32 - 1).map(IPv4Address)
addresses_v6 = st.integers(0, 2**128 - 1).map(IPv6Address)


@each_case(
    ("text", "kind"),
    [
        ("8.8.8.8", "public"), ("93.184.215.14", "public"), ("2606:2800:220:1::1", "public"),
        ("10.0.0.1", "private"), ("172.16.0.1", "private"), ("172.32.0.1", "public"), ("192.168.1.1", "private"),
        ("100.64.0.1", "private"), ("100.128.0.1", "public"), ("198.18.0.1", "private"), ("fd12::1", "private"),
        ("fec0::1", "private"), ("127.0.0.1", "loopback"), ("127.255.0.9", "loopback"), ("::1", "loopback"),
        ("0.0.0.0", "forbidden"), ("0.1.2.3", "forbidden"), ("::", "forbidden"), ("169.254.169.254", "forbidden"),
        ("fd00:ec2::254", "forbidden"), ("100.100.100.200", "forbidden"), ("fe80::1", "forbidden"),
        ("fe80::1%eth0", "forbidden"), ("224.0.0.1", "forbidden"), ("ff02::1", "forbidden"),
        ("255.255.255.255", "forbidden"), ("240.0.0.1", "forbidden"), ("2001:db8::1", "forbidden"),
        ("64:ff9b::8.8.8.8", "public"), ("64:ff9b::10.0.0.1", "private"), ("64:ff9b::127.0.0.1", "loopback"),
        ("64:ff9b:1::8.8.8.8", "forbidden"), ("::ffff:8.8.8.8", "public"), ("::ffff:127.0.0.1", "loopback"),
        ("::ffff:169.254.169.254", "forbidden"), ("::8.8.8.8", "forbidden"), ("::127.0.0.1", "forbidden"),
        ("2002:7f00:1::", "forbidden"), ("2002:0808:0808::", "forbidden"), ("2001:0:1::1", "forbidden"),
        ("100::1", "forbidden"), ("4000::1", "forbidden"),
    ],
)  # fmt: skip
def test_an_address_is_of_its_kind(text: str, kind: AddressKind):
    assert classify_address(ipaddress.ip_address(text)) == kind


@given(addresses_v4)
def test_an_ipv4_address_stays_what_it_is_behind_a_mapping_or_a_translation(address: IPv4Address):
    kind = classify_address(address)
    assert classify_address(IPv6Address(0xFFFF << 32 | int(address))) == kind
    assert classify_address(IPv6Address((0x64FF9B << 96) | int(address))) == kind


@given(addresses_v4)
def test_addresses_inside_tunnels_are_never_public(address: IPv4Address):
    carriers = (0x2002 << 112 | int(address) << 80, 0x20010000 << 96 | (int(address) ^ 0xFFFFFFFF), int(address))
    assert "public" not in {classify_address(IPv6Address(carrier)) for carrier in carriers}


@given(addresses_v4 | addresses_v6)
def test_what_python_holds_for_not_global_is_never_public(address: IPv4Address | IPv6Address):
    if not address.is_global:
        translated = isinstance(address, IPv6Address) and (
            address.ipv4_mapped or address in ipaddress.ip_network("64:ff9b::/96")
        )
        assert translated or classify_address(address) != "public"


@given(st.lists(st.sampled_from(STRICTNESS), min_size=1))
def test_a_host_counts_as_the_worst_of_its_addresses(kinds: list[AddressKind]):
    worst = take_strictest(kinds)
    assert worst in kinds
    assert all(STRICTNESS.index(kind) <= STRICTNESS.index(worst) for kind in kinds)


def test_a_host_without_addresses_is_nowhere_to_go():
    assert take_strictest([]) == "forbidden"
