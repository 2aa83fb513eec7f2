import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.addresses.urls import judge_address, mask_credentials, parse_host
from core.base.errors import InputError, PolicyError
from core.policy.policy import Policy

# What a browser makes of an address: the host that it really connects to.
HOSTS = [
    ("http://shop.example/", "shop.example", "80"),
    ("HTTPS://SHOP.Example", "shop.example", "443"),
    ("http://shop.example:80/", "shop.example", "80"),
    ("http://shop.example:8123/x", "shop.example", "8123"),
    ("http://shop.example@evil.example/", "evil.example", "80"),
    ("http://shop.example:pw@evil.example:81/", "evil.example", "81"),
    ("http://shop.example%40evil.example/", None, None),
    ("http://evil.example/@shop.example", "evil.example", "80"),
    ("http://evil.example#@shop.example", "evil.example", "80"),
    ("http://evil.example?@shop.example", "evil.example", "80"),
    ("http:\\\\evil.example\\@shop.example", "evil.example", "80"),
    ("http:/evil.example", "evil.example", "80"),
    ("http:evil.example", "evil.example", "80"),
    ("http:////evil.example", "evil.example", "80"),
    ("ht\ntp://ev\til.exa\nmple/", "evil.example", "80"),
    ("  http://evil.example  ", "evil.example", "80"),
    ("http://127.1/", "127.0.0.1", "80"),
    ("http://2130706433/", "127.0.0.1", "80"),
    ("http://0x7f.0.0.1/", "127.0.0.1", "80"),
    ("http://0177.0.0.1/", "127.0.0.1", "80"),
    ("http://１２７.0.0.1/", "127.0.0.1", "80"),
    ("http://[::1]:8080/", "[::1]", "8080"),
    ("http://[0:0::1]/", "[::1]", "80"),
    ("http://[::ffff:127.0.0.1]/", "[::ffff:7f00:1]", "80"),
    ("http://bücher.example/", "xn--bcher-kva.example", "80"),
    ("http://BÜCHER.example/", "xn--bcher-kva.example", "80"),
    ("http://shop。example/", "shop.example", "80"),
    ("http://ｓhop.example/", "shop.example", "80"),
    ("http://shop.example./", "shop.example.", "80"),
    ("http://%73hop.example/", "shop.example", "80"),
]


@pytest.mark.parametrize(("text", "hostname", "port"), HOSTS)
def test_an_address_is_read_as_a_browser_reads_it(text: str, hostname: str | None, port: str | None) -> None:
    if hostname is None:
        with pytest.raises(InputError):
            judge_address(text)
        return
    address = judge_address(text)
    assert (address.hostname, address.port) == (hostname, port)


@pytest.mark.parametrize(("text", "hostname", "port"), [each for each in HOSTS if each[1]])
def test_policy_holds_for_the_host_that_a_browser_connects_to(text: str, hostname: str, port: str) -> None:
    address = judge_address(text)
    for allowed in (hostname, f"{hostname}:{port}", hostname.upper()):
        Policy(hosts=(allowed,)).check_address(address)
    for forbidden in ("other.example", f"{hostname}:{int(port) + 1}", f"x{hostname}", f"{hostname}.evil.example"):
        with pytest.raises(PolicyError):
            Policy(hosts=(forbidden,)).check_address(address)


@pytest.mark.parametrize(
    "text",
    [
        "file:///etc/passwd",
        "FILE:///etc/passwd",
        "javascript:alert(1)",
        "java\nscript:alert(1)",
        " javascript:alert(1)",
        "data:text/html,x",
        "blob:http://shop.example/1",
        "view-source:http://shop.example/",
        "chrome://settings",
        "about:srcdoc",
        "about:blank#x",
        "about:blank?x",
        "ws://shop.example/",
        "ftp://shop.example/",
        "mailto:ada@shop.example",
        "filesystem:http://shop.example/x",
    ],
)
def test_only_web_addresses_and_the_blank_page_may_be_opened(text: str) -> None:
    with pytest.raises(PolicyError) as caught:
        judge_address(text)
    assert caught.value.code == "scheme_refused"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "shop.example",
        "//shop.example/",
        "/path",
        "http://",
        "http://a b/",
        "http://[::1/",
        "http://a:99999/",
        "http://256.0.0.1/",
        "http://a<b/",
        "http://\ud800/",
    ],
)
def test_what_a_browser_could_not_read_is_bad_input(text: str) -> None:
    with pytest.raises(InputError) as caught:
        judge_address(text)
    assert caught.value.code == "bad_url"


def test_an_address_without_a_scheme_is_refused_with_what_was_probably_meant() -> None:
    with pytest.raises(InputError) as caught:
        judge_address("shop.example/x")
    assert caught.value.hint == 'Did you mean "https://shop.example/x"?'


def test_the_blank_page_has_no_host() -> None:
    address = judge_address("about:blank")
    assert (address.is_blank, address.hostname, address.port) == (True, "", "")
    Policy(hosts=()).check_address(address)


@given(st.text(max_size=30))
def test_judging_an_address_gives_a_web_address_or_an_error(text: str) -> None:
    for each in (text, f"http://{text}", f"http://{text}@shop.example/"):
        try:
            address = judge_address(each)
        except (InputError, PolicyError):
            continue
        assert address.is_blank or (address.scheme in {"http", "https"} and address.hostname)
        assert judge_address(address.href) == address


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("shop.example", ("shop.example", "")),
        ("SHOP.example:80", ("shop.example", "80")),
        ("shop.example:443", ("shop.example", "443")),
        ("shop.example:0", ("shop.example", "0")),
        ("bücher.example", ("xn--bcher-kva.example", "")),
        ("127.1:8123", ("127.0.0.1", "8123")),
        ("[0::1]:80", ("[::1]", "80")),
        ("", None),
        ("a b", None),
        ("a/b", None),
        ("a\\b", None),
        ("a?b", None),
        ("a#b", None),
        ("user@a", None),
        ("http://a", None),
        ("a:99999", None),
        ("a:b", None),
    ],
)
def test_a_host_is_read_in_normal_form_and_nothing_else_is_a_host(text: str, host: tuple[str, str] | None) -> None:
    assert parse_host(text) == host


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("http://ada:s3cret@shop.example/a@b", "http://***@shop.example/a@b"),
        ("http://ada:s3@cret@shop.example/", "http://***@shop.example/"),
        ("HTTPS:\\\\ada:s3cret@shop.example", "HTTPS:\\\\***@shop.example"),
        ("http:ada:s3cret@shop.example", "http:***@shop.example"),
        ("ftp://ada@shop.example", "ftp://***@shop.example"),
        ("http://shop.example/?mail=a@b", "http://shop.example/?mail=a@b"),
        ("http://shop.example/", "http://shop.example/"),
        ("ada@shop.example", "ada@shop.example"),
    ],
)
def test_credentials_in_an_address_are_not_shown(text: str, shown: str) -> None:
    assert mask_credentials(text) == shown


@pytest.mark.parametrize("text", ["ftp://ada:s3cret@x/", "http://ada:s3cret@a b/", "https://ada:s3cret@evil.example/"])
def test_no_refusal_of_an_address_shows_its_credentials(text: str) -> None:
    with pytest.raises((InputError, PolicyError)) as caught:
        Policy(hosts=("shop.example",)).check_address(judge_address(text))
    assert "s3cret" not in f"{caught.value}{caught.value.evidence}"
    assert "***@" in str(caught.value)
