import pytest

from core.addresses.spelled_addresses import complete_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("https://a.test/x?y#z", "https://a.test/x?y#z"),
        ("ftp://a.test", "ftp://a.test"),
        ("about:blank", "about:blank"),
        ("example.com", "https://example.com"),
        ("example.com/a.txt", "https://example.com/a.txt"),
        ("localhost:8000/x", "http://localhost:8000/x"),
        ("127.0.0.1:8123", "http://127.0.0.1:8123"),
        ("[::1]:80/", "http://[::1]:80/"),
        ("shop.local", "http://shop.local"),
    ],
)
def test_an_address_is_completed(text: str, address: str) -> None:
    assert complete_address(text, {"txt"}) == address


@pytest.mark.parametrize(
    "text", ["", "Mousepad", "notes.txt", "notes.TXT", "example.com - Chromium", "3.14", "a..b", "shop"]
)
def test_anything_else_is_no_address(text: str) -> None:
    assert complete_address(text, {"txt"}) is None
