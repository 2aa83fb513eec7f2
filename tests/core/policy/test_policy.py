import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.addresses.urls import judge_address
from core.base.errors import PolicyError
from core.policy.policy import Policy

ENTRIES = [
    "a.example",
    "A.example:80",
    "b.a.example",
    "*.a.example",
    "*.b.a.example",
    "a.example:81",
    "*.a.example:80",
    "!",
]
ADDRESSES = [
    f"http://{host}{port}/"
    for host in ("a.example", "b.a.example", "c.b.a.example", "xa.example", "example")
    for port in ("", ":81")
]


def allows_host(policy: Policy, url: str) -> bool:
    try:
        policy.check_address(judge_address(url))
    except PolicyError:
        return False
    return True


def allows_verb(policy: Policy, name: str) -> bool:
    try:
        policy.check_verb(name)
    except PolicyError:
        return False
    return True


@pytest.mark.parametrize(
    ("hosts", "url", "allowed"),
    [
        (None, "http://any.example/", True),
        ((), "http://any.example/", False),
        (("a.example",), "http://a.example/", True),
        (("a.example",), "https://a.example:9/", True),
        (("a.example",), "http://b.a.example/", False),
        (("a.example",), "http://a.example.evil/", False),
        (("a.example:80",), "http://a.example/", True),
        (("a.example:80",), "https://a.example/", False),
        (("a.example:443",), "https://a.example/", True),
        (("a.example:8123",), "http://a.example:8123/", True),
        (("a.example:8123",), "http://a.example/", False),
        (("*.a.example",), "http://b.a.example/", True),
        (("*.a.example",), "http://c.b.a.example/", True),
        (("*.a.example",), "http://a.example/", False),
        (("*.a.example",), "http://evila.example/", False),
        (("*.a.example:81",), "http://b.a.example:81/", True),
        (("*.a.example:81",), "http://b.a.example/", False),
        (("bücher.example",), "http://xn--bcher-kva.example/", True),
        (("xn--bcher-kva.example",), "http://bücher.example/", True),
        (("*.bücher.example",), "http://a.bücher.example/", True),
        (("*",), "http://a.example/", False),
        (("*.",), "http://a.example./", False),
        (("http://a.example/",), "http://a.example/", False),
        (("", " ", "@", "/"), "http://a.example/", False),
        (("b.example", "a.example"), "http://a.example/", True),
    ],
)
def test_hosts_are_limited_to_those_that_are_named(hosts: tuple[str, ...] | None, url: str, allowed: bool) -> None:
    assert allows_host(Policy(hosts=hosts), url) is allowed


def test_a_refused_host_is_named_with_what_is_allowed_and_how_to_allow_it() -> None:
    with pytest.raises(PolicyError) as caught:
        Policy(hosts=("a.example",)).check_address(judge_address("http://u:p@b.example:81/x"))
    error = caught.value
    assert error.code == "refused_by_policy"
    assert "(a.example)" in error.message
    assert error.hint == "Add “b.example:81” to policy.hosts if it belongs there."
    assert error.evidence == {"host": "b.example:81", "allowed": ["a.example"]}


@pytest.mark.parametrize(
    ("verbs", "name", "allowed"),
    [
        (None, "browser.click", True),
        ((), "browser.click", False),
        (("browser.click",), "browser.click", True),
        (("browser.*",), "browser.click", True),
        (("browser.*",), "browserx.click", False),
        (("file.*", "browser.read"), "browser.click", False),
        (("*",), "browser.click", False),
        (("browser.",), "browser.click", False),
    ],
)
def test_verbs_are_limited_to_those_that_are_named(verbs: tuple[str, ...] | None, name: str, allowed: bool) -> None:
    assert allows_verb(Policy(verbs=verbs), name) is allowed


entries = st.one_of(st.none(), st.lists(st.sampled_from(ENTRIES), max_size=3).map(tuple))


@given(entries, entries)
def test_a_narrowed_policy_allows_no_host_that_either_forbids(
    left: tuple[str, ...] | None, right: tuple[str, ...] | None
) -> None:
    first, second = Policy(hosts=left), Policy(hosts=right)
    narrowed = first.narrow(second)
    for url in ADDRESSES:
        if allows_host(narrowed, url):
            assert allows_host(first, url)
            assert allows_host(second, url)


verbs = st.one_of(st.none(), st.lists(st.sampled_from(["a.b", "a.c", "a.*", "b.*", "b.b"]), max_size=3).map(tuple))


@given(verbs, verbs)
def test_a_narrowed_policy_allows_just_the_verbs_that_both_allow(
    left: tuple[str, ...] | None, right: tuple[str, ...] | None
) -> None:
    first, second = Policy(verbs=left), Policy(verbs=right)
    narrowed = first.narrow(second)
    for name in ("a.b", "a.c", "b.b", "b.c", "c.c"):
        assert allows_verb(narrowed, name) == (allows_verb(first, name) and allows_verb(second, name))


@pytest.mark.parametrize(
    ("left", "right", "narrowed"),
    [
        (None, None, None),
        (("a.example",), None, ("a.example",)),
        (None, ("a.example",), ("a.example",)),
        (("a.example",), ("a.example:8123",), ("a.example:8123",)),
        (("*.a.example",), ("b.a.example",), ("b.a.example",)),
        (("*.a.example",), ("*.b.a.example",), ("*.b.a.example",)),
        (("*.b.a.example",), ("*.a.example",), ("*.b.a.example",)),
        (("a.example",), ("*.a.example",), ()),
        (("a.example",), ("b.example",), ()),
        (("127.1",), ("127.0.0.1:80",), ("127.0.0.1:80",)),
    ],
)
def test_of_a_wider_and_a_narrower_host_the_narrower_stays(
    left: tuple[str, ...] | None, right: tuple[str, ...] | None, narrowed: tuple[str, ...] | None
) -> None:
    assert Policy(hosts=left).narrow(Policy(hosts=right)).hosts == narrowed


def test_roots_are_narrowed_to_those_that_both_name() -> None:
    left, right = Policy(roots=("/a", "/b")), Policy(roots=("/b", "/c"))
    assert left.narrow(right).roots == ("/b",)
    assert left.narrow(Policy()).roots == ("/a", "/b")


def test_a_verb_that_is_off_runs_only_where_it_is_named() -> None:
    for policy in (Policy(), Policy(verbs=("system.*",)), Policy(extra_verbs=("system.*",))):
        with pytest.raises(PolicyError, match="off by default"):
            policy.check_verb("system.run", opt_in=True)
    Policy(extra_verbs=("system.run",)).check_verb("system.run", opt_in=True)


windows = st.one_of(
    st.none(), st.lists(st.sampled_from(["Notes", "NOTES", "Bank", "id=3", "active"]), max_size=3).map(tuple)
)


def allows_window(policy: Policy, window: str | None) -> bool:
    try:
        policy.check_window(window)
    except PolicyError:
        return False
    return True


@given(windows, windows, st.sampled_from(["notes", "Bank", "id=3", "active", "Ban", None]))
def test_a_narrowed_policy_allows_just_the_windows_that_both_name(
    left: tuple[str, ...] | None, right: tuple[str, ...] | None, window: str | None
) -> None:
    first, second = Policy(windows=left), Policy(windows=right)
    both = allows_window(first, window) and allows_window(second, window)
    assert allows_window(first.narrow(second), window) is both


def test_where_windows_are_limited_the_whole_screen_is_refused_and_the_hint_says_what_to_name() -> None:
    with pytest.raises(PolicyError) as caught:
        Policy(windows=("Notes",)).check_window(None)
    assert caught.value.message == "The whole screen is outside the windows that this run may use (“Notes”)."
    assert caught.value.hint == "Name one of these as window."
