"""`surehand secrets`, and runs with secrets from end to end: the server gets them, nothing else does."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fixtures.site_server import SiteServer
from tests.agent.conftest import Command
from tests.spies import find_leaks, read_everything
from tests.thoroughness import is_thorough

PASSWORD = 'pä$$ "w0rd" <&> %41+\\n😀'


@pytest.fixture(autouse=True)
def config(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration folder of the test's own, and no keyring."""
    folder = tmp_path_factory.mktemp("config")
    for variable in ("XDG_CONFIG_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(variable, str(folder))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    return folder


def write(text: str) -> str:
    Path("flow.yaml").write_text(text, encoding="utf-8")
    return "flow.yaml"


def sign_in(site: SiteServer, *, listed: str = "[shop_password]", more: str = "") -> str:
    return write(
        f"secrets: {listed}\ngoals:\n  - browser.navigate: {{url: '{site.url}/shop/signin'}}\n"
        "  - browser.type: {selector: 'field \"Email\"', text: 'ada@example.com'}\n"
        "  - browser.type: {selector: 'field \"Password\"', text: 'secret:shop_password'}\n" + more
    )


# --- list, set, remove -------------------------------------------------------------------------------------------------


def test_a_secret_is_set_from_a_pipe_listed_and_removed_and_never_shown(surehand: Command, config: Path) -> None:
    said = surehand("secrets", "set", "Shop_Password", "--store", "file", "--host", "127.0.0.1", stdin=b"hunter2 x\n")
    assert said.code == 0
    assert said.out.startswith("Saved shop_password in the file ")
    assert surehand("secrets", "list").out.split() == ["shop_password", "file", "for", "127.0.0.1"]
    described = json.loads(surehand("secrets", "list", "--json").out)
    assert described == [{"name": "shop_password", "source": "file", "hosts": ["127.0.0.1"]}]
    kept = [content for _, content in read_everything(config)]
    assert any(b'"hunter2 x"' in content for content in kept)
    assert surehand("secrets", "remove", "shop_password").code == 0
    assert surehand("secrets", "list").out == ""
    again = surehand("secrets", "remove", "shop_password")
    assert (again.code, "missing_secret" in again.err) == (2, True)


def test_a_new_value_keeps_the_hosts_of_the_old_one(surehand: Command) -> None:
    surehand("secrets", "set", "pin", "--store", "file", "--host", "shop.example", stdin=b"first value")
    surehand("secrets", "set", "pin", "--store", "file", stdin=b"second value")
    assert json.loads(surehand("secrets", "list", "--json").out)[0]["hosts"] == ["shop.example"]


def test_without_a_keyring_the_file_takes_it_and_that_is_said(surehand: Command) -> None:
    said = surehand("secrets", "set", "pin", stdin=b"1234 5678")
    assert said.code == 0
    assert "in the file" in said.out
    assert "keyring can't be used" in said.err
    forced = surehand("secrets", "set", "pin", "--store", "keyring", stdin=b"1234 5678")
    assert (forced.code, "keyring_unavailable" in forced.err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "stdin", "code"),
    [
        (("my-pin",), b"1234 5678", "bad_secret_name"),
        (("pin", "--host", "not a host"), b"1234 5678", "bad_host"),
        (("pin", "--store", "cloud"), b"1234 5678", "bad_usage"),
        (("pin", "--store", "file"), b"", "empty_secret"),
        (("pin", "--store", "file"), b" \n", "empty_secret"),
    ],
)
def test_what_makes_no_sense_is_refused(surehand: Command, arguments: tuple[str, ...], stdin: bytes, code: str) -> None:
    said = surehand("secrets", "set", *arguments, stdin=stdin)
    assert said.code == 2
    assert f"error ({code})" in said.err
    assert surehand("secrets", "list").out == ""


def test_a_short_secret_is_kept_with_a_warning(surehand: Command) -> None:
    said = surehand("secrets", "set", "pin", "--store", "file", stdin=b"123")
    assert said.code == 0
    assert "shorter than 4 characters" in said.err


def test_a_variable_is_listed_and_not_ours_to_remove(surehand: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUREHAND_SECRET_PIN", "1234 5678")
    said = surehand("secrets", "list", "--json")
    assert json.loads(said.out) == [{"name": "pin", "source": "environment", "hosts": []}]
    assert "not_removable" in surehand("secrets", "remove", "pin").err


def test_a_file_that_others_can_read_is_said_by_every_command(surehand: Command, config: Path) -> None:
    surehand("secrets", "set", "pin", "--store", "file", stdin=b"1234 5678")
    (file,) = config.rglob("secrets.toml")
    file.chmod(0o644)
    for arguments in (("list",), ("remove", "pin"), ("set", "pin", "--store", "file")):
        said = surehand("secrets", *arguments, stdin=b"1234 5678")
        assert (said.code, "secrets_exposed" in said.err) == (2, True)


# --- planning ----------------------------------------------------------------------------------------------------------


def test_a_secret_that_is_not_set_is_said_with_its_place_before_anything_is_done(
    surehand: Command, site: SiteServer
) -> None:
    said = surehand("run", sign_in(site))
    assert said.code == 2
    assert "error (missing_secret): flow.yaml:5:" in said.err
    assert "surehand secrets set shop_password" in said.err
    assert site.received.requests() == []


def test_a_secret_that_the_flow_does_not_list_is_refused_with_its_place(
    surehand: Command, site: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUREHAND_SECRET_SHOP_PASSWORD", PASSWORD)
    said = surehand("run", sign_in(site, listed="[]"))
    assert said.code == 2
    assert "error (secret_not_listed): flow.yaml:5:" in said.err
    assert "secrets: [shop_password]" in said.err


def test_a_goals_file_may_name_any_secret(surehand: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUREHAND_SECRET_PIN", "1234 5678")
    goals = [
        {"goal_id": "open", "domain": "browser", "verb": "navigate", "params": {"url": "https://shop.example"}},
        {
            "domain": "browser",
            "verb": "type",
            "params": {"selector": "#pin", "text": "secret:pin"},
            "scope": "after:open",
        },
    ]
    Path("goals.json").write_text(json.dumps(goals), encoding="utf-8")
    said = surehand("plan", "--goals", "goals.json", "--json")
    assert said.code == 0, said.err
    assert "secret:pin" in said.out


def test_a_list_with_a_name_that_is_none_is_refused_with_its_place(surehand: Command, site: SiteServer) -> None:
    said = surehand("run", sign_in(site, listed="[shop_password, 'secret:pin']"))
    assert said.code == 2
    assert "flow.yaml:1:26" in said.err


@pytest.mark.parametrize("text", ["${secret.pin}", "${secret.shop_password}"])
def test_another_way_of_writing_a_secret_says_the_right_one(surehand: Command, text: str) -> None:
    flow = write(f"secrets: [pin]\ngoals:\n  - browser.type: {{selector: '#a', text: '{text}'}}\n")
    said = surehand("run", flow)
    assert said.code == 2
    assert f"secret:{text[9:-1]}" in said.err


def test_the_plan_shows_the_handle(surehand: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUREHAND_SECRET_PIN", "1234 5678")
    said = surehand("plan", 'go to https://shop.example and type "secret:pin" into the password field', "--json")
    assert said.code == 0, said.err
    assert "secret:pin" in said.out
    assert "1234" not in said.out + said.err


# --- runs --------------------------------------------------------------------------------------------------------------


def check_no_leak(secret: str, folder: Path, *told: str) -> None:
    assert [text for text in told if find_leaks(secret, text.encode())] == []
    assert [name for name, content in read_everything(folder) if find_leaks(secret, content)] == []


@pytest.mark.parametrize("how", [(), ("--json",)])
def test_a_run_gives_the_secret_to_the_server_and_to_nothing_else(
    surehand: Command, site: SiteServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, how: tuple[str, ...]
) -> None:
    monkeypatch.setenv("SUREHAND_SECRET_SHOP_PASSWORD", PASSWORD)
    more = (
        "  - browser.read: {target: value, selector: 'field \"Password\"'}\n"
        "  - browser.read: {target: html}\n  - browser.snapshot: {}\n  - browser.screenshot: {path: page.png}\n"
        "  - browser.click: {selector: 'button \"Sign in\"'}\n  - browser.read: {target: text}\n"
        "  - browser.save_session: {path: state.json}\n"
    )
    said = surehand("run", sign_in(site, more=more), "--yes", "apply_diff", "--trace", *how)
    assert said.code == 0, said.out + said.err
    assert site.received.requests("/shop/signin", "POST")[-1].field("password") == PASSWORD
    assert PASSWORD not in said.out
    assert (tmp_path / "page.png").exists()
    check_no_leak(PASSWORD, tmp_path, said.out, said.err)


def test_a_secret_in_an_address_is_redacted_in_every_event(
    surehand: Command, site: SiteServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SUREHAND_SECRET_TOKEN", PASSWORD)
    flow = write(
        f"secrets: [token]\ngoals:\n  - browser.navigate: {{url: '{site.url}/elements/secrets-frame'}}\n"
        "  - browser.type: {selector: 'field \"Token\"', text: 'secret:token', submit: true}\n"
        "  - id: place\n    browser.read: {target: url}\n  - browser.read: {target: html}\n"
        "  - browser.expect: {selector: 'field \"Token\"', text: 'not there', timeout: 0.2}\n"
    )
    said = surehand("run", flow, "--json")
    events = [json.loads(line) for line in said.out.splitlines()]
    addresses = [
        event["output"]["text"] for event in events if event.get("action_id") == "g2_read_1" and event.get("output")
    ]
    assert addresses
    assert all("token=•••" in address for address in addresses)
    check_no_leak(PASSWORD, tmp_path, said.out, said.err)


def test_a_value_that_was_read_does_not_carry_a_secret_on(
    surehand: Command, site: SiteServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SUREHAND_SECRET_TOKEN", PASSWORD)
    flow = write(
        f"secrets: [token]\ngoals:\n  - browser.navigate: {{url: '{site.url}/elements/secrets-frame'}}\n"
        "  - browser.type: {selector: 'field \"Token\"', text: 'secret:token'}\n"
        "  - id: seen\n    browser.read: {target: text, selector: '#echo'}\n"
        "  - browser.expect: {selector: '#echo', text: '${seen.text}', timeout: 0.2}\n"
    )
    said = surehand("run", flow, "--json")
    check_no_leak(PASSWORD, tmp_path, said.out, said.err)
    assert "•••" in said.out


def test_a_page_of_another_host_gets_nothing(surehand: Command, site: SiteServer, tmp_path: Path, config: Path) -> None:
    surehand("secrets", "set", "shop_password", "--store", "file", "--host", "shop.example", stdin=PASSWORD.encode())
    said = surehand("run", sign_in(site))
    assert said.code == 1
    assert "secret_bound" in said.out + said.err or "only for pages of shop.example" in said.out + said.err
    check_no_leak(PASSWORD, tmp_path, said.out, said.err)


@settings(max_examples=5 if is_thorough() else 2, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    secret=st.text(min_size=4, max_size=30).filter(
        lambda text: len(text.strip()) >= 4 and not set(text) & {"\x00", "•"} and set(text) - set("0123456789abcdef")
    )
)
def test_no_secret_whatever_is_written_or_printed(
    surehand: Command, site: SiteServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, secret: str
) -> None:
    monkeypatch.setenv("SUREHAND_SECRET_TOKEN", secret)
    flow = write(
        f"secrets: [token]\ngoals:\n  - browser.navigate: {{url: '{site.url}/elements/secrets-frame'}}\n"
        "  - browser.type: {selector: 'field \"Notes\"', text: 'secret:token'}\n"
        "  - browser.read: {target: value, selector: 'field \"Notes\"'}\n  - browser.snapshot: {}\n"
    )
    said = surehand("run", flow, "--json")
    told = {line for line in said.out.splitlines() if find_leaks(secret, line.encode())}
    assert told == set()
    check_no_leak(secret, tmp_path, said.err)


@pytest.mark.parametrize("verb", ["file.read: {path: '%s'}", "file.copy: {source: '%s', destination: copy.toml}"])
def test_no_goal_reads_the_file_with_secrets(surehand: Command, config: Path, verb: str) -> None:
    surehand("secrets", "set", "pin", "--store", "file", stdin=b"1234 5678")
    (file,) = config.rglob("secrets.toml")
    said = surehand("run", write(f"goals:\n  - {verb % file.as_posix()}\n"), "--root", str(config), "--root", ".")
    assert said.code == 2
    assert "holds secrets" in said.err
    assert "1234" not in said.out + said.err


def test_programs_that_are_started_do_not_inherit_secrets(
    start: Callable[..., "subprocess.Popen[bytes]"], tmp_path: Path
) -> None:
    flow = "secrets: []\ngoals:\n  - system.run: {argv: [env]}\n" if os.name != "nt" else ""
    if not flow:
        pytest.skip("needs the program env")
    (tmp_path / "flow.yaml").write_text(flow, encoding="utf-8")
    arguments = ("run", "flow.yaml", "--allow", "system.run", "--yes", "run_job", "--json")
    out, err = start(*arguments, SUREHAND_SECRET_PIN="1234 5678").communicate(timeout=60)
    assert b"PATH=" in out, out + err
    assert b"1234 5678" not in out + err
