"""Who may sit at the console: one-time codes, and keys that outlive the service."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.access.console_keys import ConsoleKeys
from core.base.errors import RefusedError


def test_a_code_counts_once_however_it_is_typed() -> None:
    keys = ConsoleKeys()
    code = keys.make_code("")
    halves = keys.make_key(f" {code.lower().replace('-', ' ')} ")
    assert keys.find(*halves) == ""
    with pytest.raises(RefusedError, match="wrong, used or too old"):
        keys.make_key(code)


def test_after_five_wrong_codes_no_code_counts() -> None:
    keys = ConsoleKeys()
    code = keys.make_code("")
    for _ in range(5):
        with pytest.raises(RefusedError):
            keys.make_key("AAAA-AAAA")
    with pytest.raises(RefusedError) as caught:
        keys.make_key(code)
    assert caught.value.code == "code_unknown"


def test_strangers_have_no_flood_of_codes_shown() -> None:
    keys = ConsoleKeys()
    keys.make_code("", unasked=True)
    with pytest.raises(RefusedError) as caught:
        keys.make_code("", unasked=True)
    assert caught.value.code == "over_quota"
    assert keys.make_code("anna")


def test_a_browser_stays_signed_in_when_the_service_starts_again_and_in_its_workspace_alone(tmp_path: Path) -> None:
    keys = ConsoleKeys(tmp_path, "/desk")
    halves = keys.make_key(keys.make_code("anna"))
    assert ConsoleKeys(tmp_path, "/desk").find(*halves) == "anna"
    assert ConsoleKeys(tmp_path, "/other").find(*halves) is None
    assert not any(half in (tmp_path / "consoles.json").read_text(encoding="ascii") for half in halves)
    ConsoleKeys(tmp_path, "/desk").end(*halves)
    assert ConsoleKeys(tmp_path, "/desk").find(*halves) is None


@given(st.text(max_size=70), st.text(max_size=70))
def test_nothing_but_both_halves_opens_the_console(cookie: str, word: str) -> None:
    keys = ConsoleKeys()
    known = keys.make_key(keys.make_code(""))
    assert keys.find(cookie, word) is None
    assert keys.find(known[0], word) is None
    assert keys.find(cookie, known[1]) is None


@pytest.mark.parametrize("content", [b"", b"[]", b'{"a": 1}', b'{"a": ["/desk", "", "x"]}', b"{"])
def test_a_file_that_is_damaged_lets_nobody_in(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "consoles.json").write_bytes(content)
    keys = ConsoleKeys(tmp_path, "/desk")
    assert keys.find("a", "b") is None
    assert keys.find(*keys.make_key(keys.make_code(""))) == ""


def test_a_file_with_a_second_name_lets_nobody_in(tmp_path: Path) -> None:
    halves = (keys := ConsoleKeys(tmp_path, "/desk")).make_key(keys.make_code(""))
    (tmp_path / "other").hardlink_to(tmp_path / "consoles.json")
    assert ConsoleKeys(tmp_path, "/desk").find(*halves) is None
