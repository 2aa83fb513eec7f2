"""`surehand look` at real pages and windows: what is seen goes to stdout, everything else to stderr."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from fixtures.machine.desktop import PrivateDesktop
from fixtures.site_server import SiteServer
from tests.agent.conftest import Command, Said

Start = Callable[..., subprocess.Popen[bytes]]
PNG = b"\x89PNG\r\n\x1a\n"


def sign_in(site: SiteServer) -> str:
    """Write a flow that signs in and saves the session."""
    Path("signin.yaml").write_text(
        f"goals:\n  - browser.navigate: {{url: '{site.url}/shop/signin'}}\n"
        "  - browser.type: {selector: 'field \"Email\"', text: ada@example.com}\n"
        "  - browser.type: {selector: 'field \"Password\"', text: 's3cret: ok?'}\n"
        "  - browser.click: {selector: 'button \"Sign in\"'}\n    expect: {text: Dashboard}\n"
        "  - browser.save_session: {path: shop.json}\n",
        encoding="utf-8",
    )
    return "signin.yaml"


def assert_refused(said: Said, code: str, *words: str) -> None:
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"error ({code}): ")
    assert said.err.count("error (") == 1
    for word in words:
        assert word in said.err


def test_a_page_is_outlined_on_stdout_and_nothing_else_is_said(surehand: Command, site: SiteServer) -> None:
    said = surehand("look", f"{site.url}/shop/signin")
    assert (said.code, said.err) == (0, "")
    assert '"Keep me signed in"' in said.out
    assert 'button "Sign in"' in said.out


def test_an_outline_is_data_too_and_an_address_needs_no_scheme(surehand: Command, site: SiteServer) -> None:
    said = surehand("look", f"{site.url.removeprefix('http://')}/shop/signin", "--json")
    seen = json.loads(said.out)
    assert (said.code, said.err, seen["surehand_outline"]) == (0, "", 1)
    assert (seen["url"], seen["title"]) == (f"{site.url}/shop/signin", "Sign in · Fixture Shop")
    assert 'button "Sign in"' in seen["text"]
    assert seen["truncated"] is False


def test_a_saved_session_is_loaded_by_its_name_and_the_page_shows_who_is_signed_in(
    surehand: Command, site: SiteServer
) -> None:
    assert surehand("run", sign_in(site), "--yes", "apply_diff").code == 0
    assert "ada@example.com" not in surehand("look", f"{site.url}/shop/dashboard").out
    for name in ("shop", "shop.json"):
        said = surehand("look", f"{site.url}/shop/dashboard", "--session", name)
        assert (said.code, said.err) == (0, "")
        assert "ada@example.com" in said.out


def test_a_page_that_leads_elsewhere_is_told(surehand: Command, site: SiteServer) -> None:
    said = surehand("look", f"{site.url}/shop/checkout")
    assert (said.code, said.err) == (0, f"note: The page led to {site.url}/shop/basket\n")


def test_a_picture_has_the_numbers_of_the_lines(surehand: Command, site: SiteServer) -> None:
    said = surehand("look", f"{site.url}/shop/signin", "--picture", "signin.png")
    assert (said.code, said.err) == (0, "")
    assert 'link "Fixture Shop" # 1\n' in said.out
    assert 'field "Password" # 5, secret\n' in said.out
    assert Path("signin.png").read_bytes().startswith(PNG)
    again = surehand("look", f"{site.url}/shop/signin", "--picture", "signin.png")
    assert_refused(again, "file_exists", "nothing is overwritten")


def test_a_part_can_be_looked_at(surehand: Command, site: SiteServer) -> None:
    said = surehand("look", f"{site.url}/shop/signin", "--scope", 'navigation "Shop"')
    assert 'link "Basket"' in said.out
    assert "Sign in" not in said.out


def test_what_is_folded_is_told_with_how_to_open_it(surehand: Command, site: SiteServer) -> None:
    said = surehand("look", f"{site.url}/table/", "--max-tokens", "200")
    assert said.code == 0
    assert said.err == "note: Parts are folded: --scope opens one, --find looks for words, --full shows all.\n"
    whole = surehand("look", f"{site.url}/table/", "--full")
    assert whole.err == ""
    assert len(whole.out) > 5 * len(said.out)


def test_a_host_that_is_not_allowed_is_not_reached(surehand: Command, site: SiteServer) -> None:
    said = surehand("look", f"{site.url}/shop/", "--host", "other.test")
    assert_refused(said, "refused_by_policy", "outside the hosts")
    assert site.received.requests("/shop/") == []


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["a.test", "--session", "shop"], "file_missing", "No saved session “shop” in this workspace."),
        (["Mousepad", "--session", "shop"], "bad_usage", "--session is for pages"),
        (["--session", "shop"], "bad_usage", "--session is for pages"),
        (["--picture", "x.png"], "bad_usage", "Name a page or a window"),
        (["--output", "x.json"], "bad_usage", "Name a page or a window"),
        (["a.test", "--full", "--max-tokens", "100"], "bad_usage", "Choose one of --full and --max-tokens."),
        (["a.test", "--since", "a.json", "--picture", "a.png"], "bad_usage", "Choose one of --picture and --since."),
        (["a.test", "--since", "nothing.json"], "file_unreadable", "nothing.json can't be read"),
        (["a.test", "--since", "taken.txt"], "not_an_outline", "taken.txt is not an outline: it is not JSON."),
        (["a.test", "--output", "taken.txt"], "file_exists", "taken.txt already exists and is not an outline."),
        (["a.test", "--output", "nowhere/x.json"], "not_found", "does not exist"),
        (["a.test", "--picture", "taken.txt"], "file_exists", "taken.txt already exists."),
        (["a.test", "--picture", "nowhere/x.png"], "not_found", "The folder of nowhere/x.png does not exist."),
        (["a.test", "--max-tokens", "1"], "validation_failed", "max_tokens"),
        (["a.test", "--depth", "0"], "validation_failed", "depth"),
        (["a.test", "--timeout", "0"], "bad_input", "--timeout must be above 0 seconds."),
        (["a.test", "--workspace", "nowhere"], "bad_input", 'The workspace "nowhere" is not a folder.'),
        (["a.test", "--host", "http://a.test"], "bad_input", "is not a host"),
        (["ftp://a.test/"], "validation_failed", "the scheme “ftp”"),
    ],
)
def test_bad_input_is_refused_before_anything_is_opened(
    arguments: list[str], code: str, words: str, surehand: Command
) -> None:
    Path("taken.txt").write_text("mine", encoding="utf-8")
    assert_refused(surehand("look", *arguments), code, words)
    assert Path("taken.txt").read_text(encoding="utf-8") == "mine"


def test_a_page_that_does_not_answer_is_a_failed_step(surehand: Command) -> None:
    said = surehand("look", "http://127.0.0.1:9/")
    assert (said.code, said.out) == (1, "")
    assert said.err.count("error (") == 1


def test_a_page_that_is_not_there_is_a_failed_step(surehand: Command, site: SiteServer) -> None:
    said = surehand("look", f"{site.url}/nothing-here")
    assert (said.code, said.out) == (1, "")
    assert said.err.startswith("error (http_status): ")


@pytest.mark.parametrize("arguments", [[], ["Mousepad"], ["notes.txt"], ["Basket: Shop"]])
def test_without_a_desktop_there_are_no_windows_to_look_at(
    arguments: list[str], surehand: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"):
        monkeypatch.delenv(name, raising=False)
    assert_refused(surehand("look", *arguments), "not_supported_here", "desktop.")


def look_on(desk: PrivateDesktop, start: Start, *arguments: str) -> Said:
    """Look from a process of its own, since a display is for a whole process."""
    process = start("look", *arguments, **desk.environ)
    out, err = process.communicate(timeout=60)
    return Said(process.returncode, out.decode(), err.decode())


def test_windows_are_listed_and_one_is_outlined_by_a_part_of_its_title(
    desk: PrivateDesktop, start: Start, tmp_path: Path
) -> None:
    (tmp_path / "shopping.txt").write_text("milk\n", encoding="utf-8")
    program = desk.open("mousepad", "--disable-server", str(tmp_path / "shopping.txt"))
    try:
        sought = ["xdotool", "search", "--sync", "--onlyvisible", "--name", "shopping"]
        subprocess.run(sought, env=desk.environ, check=True, timeout=30, stdout=subprocess.DEVNULL)
        listed = look_on(desk, start)
        assert listed.code == 0
        assert any("shopping.txt" in line for line in listed.out.splitlines())
        assert listed.err == 'note: surehand look "TITLE" outlines a window, surehand look https://… a page.\n'
        seen = look_on(desk, start, "shopping")
        assert (seen.code, 'menu "File"' in seen.out) == (0, True)
        assert "# h1" not in seen.out
        numbered = look_on(desk, start, "shopping", "--picture", "editor.png")
        assert (numbered.code, 'menu "File" # 1' in numbered.out) == (0, True)
        assert (tmp_path / "editor.png").read_bytes().startswith(PNG)
        missing = look_on(desk, start, "nothing like it")
        assert (missing.code, missing.out) == (1, "")
        assert missing.err.startswith("error (window_missing): ")
    finally:
        desk.end(program)


def test_what_a_page_builds_after_it_has_loaded_is_seen(surehand: Command, site: SiteServer) -> None:
    assert 'button "Late button"' in surehand("look", f"{site.url}/slow/late?ms=100").out


def test_a_page_that_never_rests_is_looked_at_all_the_same(surehand: Command, site: SiteServer) -> None:
    said = surehand("look", f"{site.url}/slow/poll", "--json")
    assert (said.code, said.err) == (0, "")
    seen = json.loads(said.out)
    assert (seen["url"], seen["title"], "Polling" in seen["text"]) == (f"{site.url}/slow/poll", "Polling", True)
