"""Where secrets come from, what is refused, and for whom each is."""

import os
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.secrets.keyring_secrets import SERVICE, KeyringSecrets
from agent.secrets.secret_file import SecretEntry, SecretFile
from agent.secrets.vaults import SecretSources, SessionVault
from agent.settings.surroundings import read_environment, read_secret_variables
from core.base.errors import InputError, PolicyError, RefusedError, SurehandError, UnsupportedError
from core.goals.secret_values import Secret
from core.results.redaction import MASK
from tests.agent import toy_keyring
from tests.thoroughness import examples

PIN = Secret("pin")
ON_POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs the access modes of POSIX")


@pytest.fixture
def keyring() -> Iterator[KeyringSecrets]:
    toy_keyring.reset()
    yield KeyringSecrets(toy_keyring.__name__, limit_s=5.0)
    toy_keyring.unlocked.set()


@pytest.fixture
def file(tmp_path: Path) -> SecretFile:
    return SecretFile(tmp_path / "config" / "secrets.toml")


@pytest.fixture
def sources(keyring: KeyringSecrets, file: SecretFile) -> SecretSources:
    return SecretSources({}, keyring, file)


def with_variables(sources: SecretSources, **values: str) -> SecretSources:
    return SecretSources(values, sources.keyring, sources.file)


# --- order -----------------------------------------------------------------------------------------------------------


async def test_a_variable_comes_before_the_keyring_and_the_keyring_before_nothing(sources: SecretSources) -> None:
    sources.file.write({"pin": SecretEntry(in_keyring=True)})
    await sources.keyring.write("pin", "from the keyring")
    assert await SessionVault(sources).reveal(PIN) == "from the keyring"
    assert await SessionVault(with_variables(sources, pin="from a variable")).reveal(PIN) == "from a variable"


async def test_the_file_is_asked_where_it_holds_the_value(sources: SecretSources) -> None:
    sources.file.write({"pin": SecretEntry("from the file")})
    assert await SessionVault(sources).reveal(PIN) == "from the file"


async def test_capital_letters_make_no_difference(sources: SecretSources) -> None:
    sources.file.write({"Shop_PIN": SecretEntry("1234 5678")})
    assert await SessionVault(sources).reveal(Secret("shop_pin")) == "1234 5678"
    assert await SessionVault(with_variables(sources, pin="9")).reveal(Secret("PIN")) == "9"


def test_variables_are_read_by_prefix_and_not_passed_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SUREHAND_SECRET_SHOP_PIN", "1234 5678")
    monkeypatch.setenv("SUREHAND_SECRET_EMPTY", "")
    found = read_secret_variables()
    assert found["shop_pin"] == "1234 5678"
    assert "empty" not in found
    passed_on = read_environment(tmp_path, tmp_path, {}).variables
    assert not [name for name in passed_on if name.startswith("SUREHAND_SECRET")]
    assert "PATH" in passed_on or "Path" in passed_on


# --- without reading values --------------------------------------------------------------------------------------------


def test_planning_asks_no_keyring(sources: SecretSources) -> None:
    toy_keyring.reset("locked")
    sources.file.write({"pin": SecretEntry(in_keyring=True)})
    assert SessionVault(sources).find_lack(PIN) is None


def test_a_secret_that_nobody_knows_is_said_with_the_nearest_and_how_to_set_it(sources: SecretSources) -> None:
    sources.file.write({"shop_password": SecretEntry("x" * 8)})
    lack = SessionVault(sources).find_lack(Secret("shop_pasword"))
    assert lack is not None
    assert lack.code == "missing_secret"
    assert 'did you mean "shop_password"' in lack.message
    assert "surehand secrets set shop_pasword" in lack.hint
    assert "SUREHAND_SECRET_SHOP_PASWORD" in lack.hint


async def test_a_run_reveals_only_what_its_flow_lists(sources: SecretSources) -> None:
    vault = SessionVault(with_variables(sources, pin="1234 5678", pan="8765 4321"))
    limited = vault.limit(["pan"])
    lack = limited.find_lack(PIN)
    assert lack is not None
    assert (lack.code, "secrets: [pin]" in lack.hint) == ("secret_not_listed", True)
    with pytest.raises(PolicyError):
        await limited.reveal(PIN)
    assert await limited.reveal(Secret("pan")) == "8765 4321"
    with pytest.raises(PolicyError):
        await limited.limit(["pin"]).reveal(PIN)


async def test_what_one_run_revealed_is_redacted_in_every_other(sources: SecretSources) -> None:
    vault = SessionVault(with_variables(sources, pin="1234 5678"))
    assert vault.redact("1234 5678") == "1234 5678"
    await vault.limit(["pin"]).reveal(PIN)
    assert vault.redact("it is 1234 5678") == f"it is {MASK}"
    assert vault.limit([]).redact("it is 1234 5678") == f"it is {MASK}"


# --- hosts -------------------------------------------------------------------------------------------------------------

BOUND = SecretEntry("1234 5678", hosts=("shop.example", "*.bank.example", "127.0.0.1"))


@pytest.mark.parametrize(
    "address",
    [
        "https://shop.example/login",
        "https://SHOP.example:443/",
        "https://www.bank.example/",
        "http://127.0.0.1:8000/",
    ],
)
async def test_a_page_of_a_named_host_gets_the_secret(sources: SecretSources, address: str) -> None:
    sources.file.write({"pin": BOUND})
    assert await SessionVault(sources).reveal(PIN, address) == "1234 5678"


@pytest.mark.parametrize(
    "address",
    [
        "",
        "about:blank",
        "about:srcdoc",
        "data:text/html,x",
        "blob:https://shop.example/1",
        "file:///shop.example",
        "http://shop.example/",
        "https://shop.example.evil.example/",
        "https://evil.example/shop.example",
        "https://shop.example@evil.example/",
        "https://bank.example/",
        "https://xn--shp-sna.example/",
        "chrome-error://chromewebdata/",
    ],
)
async def test_any_other_place_gets_nothing(sources: SecretSources, address: str) -> None:
    sources.file.write({"pin": BOUND})
    vault = SessionVault(with_variables(sources, pin="1234 5678"))  # what the file says of it holds for variables, too
    with pytest.raises(PolicyError) as caught:
        await vault.reveal(PIN, address)
    assert caught.value.code == "secret_bound"
    assert vault.list_revealed() == ()


# --- the file ----------------------------------------------------------------------------------------------------------


@settings(max_examples=examples(50))
@given(value=st.text(min_size=1, max_size=50), hosts=st.lists(st.text(min_size=1, max_size=20), max_size=3))
def test_what_is_written_is_read_back(tmp_path_factory: pytest.TempPathFactory, value: str, hosts: list[str]) -> None:
    file = SecretFile(tmp_path_factory.mktemp("config") / "secrets.toml")
    entry = SecretEntry(value, hosts=tuple(hosts) or None)
    file.write({"pin": entry, "other": SecretEntry(in_keyring=True)})
    assert file.read() == {"pin": entry, "other": SecretEntry(in_keyring=True)}


@ON_POSIX
def test_file_and_folder_are_for_their_owner_alone(file: SecretFile) -> None:
    file.write({"pin": SecretEntry("1234 5678")})
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.path.parent.stat().st_mode) == 0o700
    assert [each.name for each in file.path.parent.iterdir()] == ["secrets.toml"]


@ON_POSIX
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o644, 0o660, 0o777])
async def test_a_file_that_others_may_open_is_not_used(sources: SecretSources, mode: int) -> None:
    sources.file.write({"pin": SecretEntry("1234 5678")})
    sources.file.path.chmod(mode)
    with pytest.raises(RefusedError) as caught:
        sources.file.read()
    assert (caught.value.code, "chmod 600" in caught.value.hint) == ("secrets_exposed", True)
    lack = SessionVault(sources).find_lack(PIN)
    assert lack is not None
    assert lack.code == "secrets_exposed"
    with pytest.raises(RefusedError):
        await SessionVault(sources).reveal(PIN)


@pytest.mark.parametrize(
    "text",
    [
        "pin = ",
        'pin = ""',
        "pin = 1234",
        '[pin]\nvalue = "1234 5678"\nhost = "shop.example"',
        '[pin]\nvalue = "1234 5678"\nhosts = "shop.example"',
        '[pin]\nvalue = "1234 5678"\nhosts = []',
        '[pin]\nkeyring = "yes"',
        '"a-b" = "1234 5678"',
        'pin = "1234 5678"\nPIN = "1234 5678"',
        "\xff",
    ],
)
def test_a_file_that_makes_no_sense_is_refused_without_quoting_it(file: SecretFile, text: str) -> None:
    file.path.parent.mkdir()
    file.path.write_bytes(text.encode("latin-1"))
    file.path.chmod(0o600)
    with pytest.raises(InputError) as caught:
        file.read()
    assert caught.value.code == "bad_secrets"
    assert "1234" not in str(caught.value)


def test_a_plain_text_is_an_entry(file: SecretFile) -> None:
    file.path.parent.mkdir()
    file.path.write_text('pin = "1234 5678"\n', encoding="utf-8")
    file.path.chmod(0o600)
    assert file.read() == {"pin": SecretEntry("1234 5678")}


def test_no_entry_and_no_source_tells_a_value_by_its_repr(sources: SecretSources) -> None:
    told = repr(SecretEntry("1234 5678")) + repr(with_variables(sources, pin="1234 5678"))
    assert "1234" not in told


@ON_POSIX
def test_a_file_that_can_not_be_written_is_said(file: SecretFile) -> None:
    file.path.parent.write_text("in the way", encoding="utf-8")
    with pytest.raises(InputError):
        file.write({"pin": SecretEntry("1234 5678")})


# --- the keyring -------------------------------------------------------------------------------------------------------


async def test_a_keyring_keeps_and_forgets(keyring: KeyringSecrets) -> None:
    await keyring.write("pin", "1234 5678")
    assert toy_keyring.kept == {(SERVICE, "pin"): "1234 5678"}
    assert await keyring.read("pin") == "1234 5678"
    await keyring.remove("pin")
    await keyring.remove("pin")
    assert await keyring.read("pin") is None


async def test_a_keyring_that_is_not_installed_is_said() -> None:
    with pytest.raises(UnsupportedError) as caught:
        await KeyringSecrets("no_such_library_of_ours").read("pin")
    assert (caught.value.code, caught.value.hint) == ("keyring_unavailable", "Install it: surehand[secrets].")


@pytest.mark.parametrize(("mood", "words"), [("locked", "locked"), ("forgets", "did not save")])
async def test_a_keyring_that_fails_is_said(keyring: KeyringSecrets, mood: str, words: str) -> None:
    toy_keyring.reset(mood)
    with pytest.raises(UnsupportedError) as caught:
        await keyring.write("pin", "1234 5678")
    assert caught.value.code == "keyring_unavailable"
    assert words in caught.value.message
    assert "1234" not in str(caught.value)


async def test_a_keyring_that_waits_for_a_person_is_given_up(keyring: KeyringSecrets) -> None:
    toy_keyring.reset("asks")
    began = time.monotonic()
    with pytest.raises(UnsupportedError) as caught:
        await KeyringSecrets(toy_keyring.__name__, limit_s=0.2).read("pin")
    assert "within 0.2 s" in caught.value.message
    assert time.monotonic() - began < 5


async def test_a_secret_that_left_the_keyring_is_missing(sources: SecretSources) -> None:
    sources.file.write({"pin": SecretEntry(in_keyring=True)})
    with pytest.raises(SurehandError) as caught:
        await SessionVault(sources).reveal(PIN)
    assert caught.value.code == "missing_secret"


@ON_POSIX
def test_nothing_is_written_where_nothing_is_kept(sources: SecretSources) -> None:
    assert sources.list_names() == {}
    assert not os.path.lexists(sources.file.path.parent)
