"""What may pass the wall around pages: pure judgement."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.browser.egress.address_kinds import AddressKind
from actuators.browser.egress.rules import EgressPolicy, JudgedRequest
from core.addresses.urls import judge_address
from core.base.errors import PolicyError
from core.policy.policy import Policy

PAGE, OTHER_PAGE = "page", "other page"


def ask(url: str, *, is_tunnel: bool = False, sender: str = "", relation: str = "") -> JudgedRequest:
    return JudgedRequest(judge_address(url), is_tunnel, sender, relation)


def refusal(rules: EgressPolicy, request: JudgedRequest, kind: AddressKind) -> str:
    """Return the code of the refusal; empty if the request may pass."""
    try:
        rules.check_host(request)
        rules.check_kind(request, kind)
    except PolicyError as error:
        return error.code
    return ""


@pytest.fixture
def places() -> list[tuple[str, str]]:
    return []


@pytest.fixture
def rules(places: list[tuple[str, str]]) -> EgressPolicy:
    return EgressPolicy(lambda: places)


def is_reviewed(rules: EgressPolicy, act: Callable[[], object]) -> bool:
    """Tell whether something has what passed before looked at again."""
    reviews: list[bool] = []
    rules.review = lambda: reviews.append(True)
    act()
    return bool(reviews)


@pytest.fixture
def stay(rules: EgressPolicy, places: list[tuple[str, str]]) -> Callable[[str, str], None]:
    """Let an action bring a page to an address."""

    def go(page: str, url: str) -> None:
        with rules.heading(page, url):
            rules.arrive(page, url)
        places.append((page, url))

    return go


def test_any_public_host_may_be_reached_without_a_limit(rules: EgressPolicy):
    assert refusal(rules, ask("https://example.com/", is_tunnel=True), "public") == ""


@pytest.mark.parametrize("kind", ["private", "loopback", "forbidden"])
def test_what_is_not_public_is_refused_unless_it_was_named(rules: EgressPolicy, kind: AddressKind):
    assert refusal(rules, ask("http://box.lan/"), kind) == "not_public"


def test_with_listed_hosts_only_these_are_reached_wherever_they_are(rules: EgressPolicy):
    rules.set_policy("main", Policy(hosts=("box.lan", "example.com:443")))
    assert refusal(rules, ask("http://box.lan:8080/", relation="cross-site"), "private") == ""
    assert refusal(rules, ask("https://example.com/", is_tunnel=True), "public") == ""
    assert refusal(rules, ask("http://example.com/"), "public") == "refused_by_policy"
    assert refusal(rules, ask("http://other.lan/"), "private") == "refused_by_policy"


def test_a_host_must_suit_the_policies_of_all_lanes(rules: EgressPolicy):
    rules.set_policy("main", Policy(hosts=("a.example",)))
    rules.set_policy("branch", Policy(hosts=("b.example",)))
    assert refusal(rules, ask("http://a.example/"), "public") == "refused_by_policy"
    rules.end_lane("branch")
    assert refusal(rules, ask("http://a.example/"), "public") == ""


def test_names_never_stand_for_metadata_or_multicast_but_a_named_address_may_be_one(rules: EgressPolicy):
    rules.set_policy("main", Policy(hosts=("metadata.example", "169.254.169.254")))
    assert refusal(rules, ask("http://metadata.example/"), "forbidden") == "not_public"
    assert refusal(rules, ask("http://169.254.169.254/"), "forbidden") == ""


def test_a_public_name_that_turns_inwards_is_refused_even_if_it_is_listed_or_named(
    rules: EgressPolicy, stay: Callable[[str, str], None]
):
    stay(PAGE, "http://evil.example/")
    own = ask("http://evil.example/router", sender="http://evil.example", relation="same-origin")
    assert refusal(rules, own, "public") == ""
    assert refusal(rules, own, "loopback") == "rebound"
    rules.set_policy("main", Policy(hosts=("evil.example",)))
    assert refusal(rules, own, "private") == "rebound"


def test_the_address_of_an_action_is_named_on_every_port_and_for_all_usual_names_of_this_machine(
    rules: EgressPolicy, stay: Callable[[str, str], None]
):
    stay(PAGE, "http://localhost:3000/")
    for host in ("localhost:8080", "127.0.0.1:9000", "[::1]:5173", "api.localhost:3000"):
        assert refusal(rules, ask(f"http://{host}/", sender="http://localhost:3000"), "loopback") == ""
    assert refusal(rules, ask("http://127.0.0.2:3000/", sender="http://localhost:3000"), "loopback") == "not_public"
    assert refusal(rules, ask("http://192.168.0.1/", sender="http://localhost:3000"), "private") == "not_public"


def test_a_naming_ends_when_its_page_goes_elsewhere_or_is_closed(rules: EgressPolicy, stay: Callable[[str, str], None]):
    stay(PAGE, "http://localhost:3000/")
    assert is_reviewed(rules, lambda: rules.arrive(PAGE, "https://example.com/"))
    assert refusal(rules, ask("http://localhost:3000/", relation="none"), "loopback") == "not_public"
    stay(PAGE, "http://localhost:3000/")
    rules.forget(PAGE)
    assert refusal(rules, ask("http://localhost:3000/", relation="none"), "loopback") == "not_public"


def test_an_empty_page_or_an_error_page_ends_no_naming(rules: EgressPolicy, stay: Callable[[str, str], None]):
    stay(PAGE, "http://localhost:3000/")
    assert not is_reviewed(rules, lambda: rules.arrive(PAGE, "chrome-error://chromewebdata/"))
    assert not is_reviewed(rules, lambda: rules.arrive(PAGE, "about:blank"))
    assert refusal(rules, ask("http://localhost:3000/", relation="none"), "loopback") == ""


@pytest.mark.parametrize("relation", ["cross-site", "same-site", ""])
@pytest.mark.parametrize("sender", ["http://evil.example", "null", "https://1.1.1.1", "garbage"])
def test_a_page_from_elsewhere_does_not_get_to_a_place_that_was_named_for_another_page(
    rules: EgressPolicy, stay: Callable[[str, str], None], sender: str, relation: str
):
    stay(PAGE, "http://box.lan/")
    stay(OTHER_PAGE, "http://evil.example/")
    refusal(rules, ask("http://evil.example/"), "public")  # it was reached, and is known as public
    assert refusal(rules, ask("http://box.lan/", sender=sender, relation=relation), "private") == "foreign_sender"


def test_requests_that_hide_their_sender_pass_only_while_no_foreign_page_is_shown(
    rules: EgressPolicy, stay: Callable[[str, str], None], places: list[tuple[str, str]]
):
    stay(PAGE, "https://box.lan/")
    hidden = ask("https://box.lan/", is_tunnel=True)
    assert refusal(rules, hidden, "private") == ""
    places.append((PAGE, "https://evil.example/frame"))
    assert refusal(rules, hidden, "private") == "foreign_sender"
    assert refusal(rules, ask("http://box.lan/", sender="https://box.lan"), "private") == ""


def test_on_the_way_elsewhere_only_what_surely_comes_from_the_named_place_passes(
    rules: EgressPolicy, stay: Callable[[str, str], None]
):
    stay(PAGE, "http://localhost:3000/")
    with rules.heading(PAGE, "http://evil.example/"):
        assert refusal(rules, ask("http://localhost:3000/beacon", relation="same-origin"), "loopback") == ""
        assert refusal(rules, ask("http://localhost:3000/", relation="none"), "loopback") == "foreign_sender"
        assert refusal(rules, ask("https://localhost:3000/", is_tunnel=True), "loopback") == "foreign_sender"


def test_a_pop_up_and_a_page_in_the_place_of_another_have_what_was_named_for_the_first(
    rules: EgressPolicy, stay: Callable[[str, str], None]
):
    stay(PAGE, "http://localhost:3000/")
    rules.inherit(PAGE, "pop-up")
    rules.forget(PAGE)
    rules.replace("pop-up", "new page")
    assert refusal(rules, ask("http://localhost:3000/", relation="none"), "loopback") == ""


def test_hosts_of_the_settings_are_named_for_all_pages(places: list[tuple[str, str]]):
    rules = EgressPolicy(lambda: places, ("box.lan",))
    assert refusal(rules, ask("http://box.lan/", sender="http://example.com", relation="cross-site"), "private") == ""
    assert refusal(rules, ask("http://other.lan/"), "private") == "not_public"


def test_a_connection_stays_only_while_it_would_be_allowed(rules: EgressPolicy, stay: Callable[[str, str], None]):
    tunnel = ask("https://box.lan/", is_tunnel=True)
    stay(PAGE, "https://box.lan/")
    assert rules.allows_still(tunnel, "private")
    rules.forget(PAGE)
    assert not rules.allows_still(tunnel, "private")
    assert rules.allows_still(ask("https://example.com/", is_tunnel=True), "public")
    rules.set_policy("main", Policy(hosts=()))
    assert not rules.allows_still(ask("https://example.com/", is_tunnel=True), "public")


# What browsers may say of a request from a public page to a host that isn't: never that it is of the same origin, and of
# the same site only for names below one domain.
FOREIGN = st.tuples(
    st.sampled_from(["http://evil.example", "https://evil.example", "null", "", "http://1.1.1.1"]),
    st.sampled_from(["cross-site", ""]),
)
INNER = st.sampled_from(["http://localhost:3000/", "http://box.lan/", "https://10.0.0.1/"])


@given(FOREIGN, st.booleans(), INNER)
def test_whatever_a_public_page_sends_it_reaches_nothing_inside(said: tuple[str, str], is_tunnel: bool, goal: str):
    rules = EgressPolicy(lambda: [("evil page", "http://evil.example/"), ("own page", goal)])
    for page, url in (("own page", goal), ("evil page", "http://evil.example/")):
        with rules.heading(page, url):
            refusal(rules, ask(url, relation="none"), "private" if url == goal else "public")
            rules.arrive(page, url)
    sender, relation = ("", "") if is_tunnel else said
    request = ask(goal, is_tunnel=is_tunnel, sender=sender, relation=relation)
    assert refusal(rules, request, "private") == "foreign_sender"
