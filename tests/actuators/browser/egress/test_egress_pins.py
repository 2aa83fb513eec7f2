"""Which addresses pages get to of a name, and for how long these stay."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.browser.egress.address_kinds import AddressKind, classify_address
from actuators.browser.egress.networks import AddressPins
from actuators.browser.egress.rules import EgressPolicy, parse_literal
from core.addresses.urls import judge_address
from core.base.errors import PolicyError
from core.policy.policy import Policy
from fixtures.machine.network import DeclaredNetwork
from tests.actuators.browser.egress.test_egress_rules import ask, refusal

PUBLIC, OTHER = "93.184.215.14", "2606:2800:220:1::1"
INNER = ("127.0.0.3", "10.1.2.3", "::1", "fd00::1", "169.254.169.254", "::ffff:127.0.0.1", "100.64.0.1", "0.0.0.0")
SITE = judge_address("http://site.example/")
NAMINGS: list[dict[str, tuple[str, ...] | None]] = [
    {"policy": None, "settings": ()},
    {"policy": ("*.example",), "settings": ()},
    {"policy": ("site.example",), "settings": ()},
    {"policy": None, "settings": ("*.example",)},
    {"policy": ("*.site.example", "*.example"), "settings": ("*.example", "other.example")},
]


def make(network: DeclaredNetwork, places: list[tuple[str, str]], *settings: str) -> tuple[AddressPins, EgressPolicy]:
    rules = EgressPolicy(lambda: places, settings)
    return AddressPins(rules, network), rules


@given(st.lists(st.sampled_from([PUBLIC, OTHER, *INNER]), min_size=1, unique=True), st.sampled_from(NAMINGS))
def test_an_answer_with_a_public_address_never_leads_inside_whatever_names_the_host_but_the_settings_by_its_own_name(
    answer: list[str], naming: dict[str, tuple[str, ...] | None]
):
    pins, rules = make(DeclaredNetwork({"site.example": tuple(answer)}), [], *(naming["settings"] or ()))
    rules.set_policy("main", Policy(hosts=naming["policy"]))
    with rules.heading("page", "http://site.example/"):
        pin = asyncio.run(pins.find(SITE))
    kinds = {classify_address(each) for each in pin.addresses}
    assert kinds == {"public"} or not {PUBLIC, OTHER} & set(answer)
    assert (pin.kind == "public") == (kinds == {"public"})


@given(st.lists(st.sampled_from([PUBLIC, *INNER[:4]]), min_size=1, unique=True))
def test_a_host_that_the_settings_name_keeps_all_its_addresses_and_counts_as_the_strictest(answer: list[str]):
    pins, _ = make(DeclaredNetwork({"site.example": tuple(answer)}), [], "site.example")
    pin = asyncio.run(pins.find(SITE))
    assert [str(each) for each in pin.addresses] == answer
    assert (pin.kind == "public") == (answer == [PUBLIC])


@pytest.mark.parametrize("kind", ["private", "loopback"])
@pytest.mark.parametrize(
    ("hosts", "inner_hosts", "may"),
    [
        (("box.lan",), (), True),
        (("*.lan",), (), False),
        (("*.lan", "box.lan"), (), True),
        (None, ("box.lan",), True),
        (None, ("*.lan",), False),
        (("*.lan",), ("box.lan",), True),
    ],
)
def test_a_wildcard_opens_no_inner_host(
    hosts: tuple[str, ...] | None, inner_hosts: tuple[str, ...], may: bool, kind: AddressKind
):
    rules = EgressPolicy(named_hosts=inner_hosts)
    rules.set_policy("main", Policy(hosts=hosts))
    assert refusal(rules, ask("http://box.lan/", relation="cross-site"), kind) == ("" if may else "not_public")
    assert refusal(rules, ask("http://cdn.lan/", relation="cross-site"), "public") == (
        "" if hosts is None or "*.lan" in hosts else "refused_by_policy"
    )


@pytest.mark.parametrize("shown", ["http://site.example/", "https://site.example:8443/x", "blob:http://site.example/1"])
async def test_while_a_page_of_it_lives_a_name_is_not_looked_up_again(shown: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("actuators.browser.egress.networks.KEPT_S", 0.0)
    places = [("page", shown)]
    network = DeclaredNetwork({"site.example": (PUBLIC,)})
    pins, _ = make(network, places)
    await pins.find(SITE)
    network.names["site.example"] = ("127.0.0.3", OTHER)
    pins.loosen("site.example")  # as after a connection that was refused
    assert (await pins.find(SITE)).addresses == (parse_literal(PUBLIC),)
    places.clear()
    assert (await pins.find(SITE)).addresses == (parse_literal(OTHER),)
    assert network.asked == ["site.example"] * 2


async def test_a_frame_or_a_script_that_lives_on_keeps_its_name_too(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("actuators.browser.egress.networks.KEPT_S", 0.0)
    network = DeclaredNetwork({"site.example": (PUBLIC,)})
    pins, rules = make(network, [])
    rules.note_frame("page", "http://site.example/frame")
    await pins.find(SITE)
    await pins.find(SITE)
    assert network.asked == ["site.example"]
    rules.forget("page")
    await pins.find(SITE)
    assert network.asked == ["site.example"] * 2


async def test_once_its_pages_are_gone_a_name_that_turned_inwards_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("actuators.browser.egress.networks.KEPT_S", 0.0)
    network = DeclaredNetwork({"site.example": (PUBLIC,)})
    pins, rules = make(network, [])
    rules.check_kind(ask("http://site.example/"), (await pins.find(SITE)).kind)
    network.names["site.example"] = ("127.0.0.3",)
    with pytest.raises(PolicyError) as caught:
        rules.check_kind(ask("http://site.example/"), (await pins.find(SITE)).kind)
    assert caught.value.code == "rebound"


async def test_two_look_ups_at_once_settle_on_one_answer():
    class Turning(DeclaredNetwork):
        async def resolve(self, hostname: str):
            self.names[hostname] = (PUBLIC,) if not self.asked else (OTHER,)
            found = await super().resolve(hostname)
            await asyncio.sleep(0)
            return found

    pins, _ = make(Turning(), [])
    one, other = await asyncio.gather(pins.find(SITE), pins.find(SITE))
    assert one == other


async def test_what_is_kept_of_names_has_an_end(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("actuators.browser.egress.networks.KEPT_S", 0.0)
    monkeypatch.setattr("actuators.browser.egress.networks.MOST_PINS", 3)
    names = [f"{number}.example" for number in range(10)]
    network = DeclaredNetwork(dict.fromkeys([*names, "site.example"], (PUBLIC,)))
    pins, _ = make(network, [("page", "http://site.example/")])
    await pins.find(SITE)
    for name in names:
        await pins.find(judge_address(f"http://{name}/"))
    await pins.find(SITE)
    assert network.asked.count("site.example") == 1
