"""Secrets on real pages: the page gets them, and nothing that we tell, keep or picture shows them."""

import json
import os
import secrets
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Page

from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.launching import BrowserSettings
from agent.secrets.keyring_secrets import KeyringSecrets
from agent.secrets.secret_file import SecretEntry, SecretFile
from agent.secrets.vaults import SecretSources, SessionVault
from core.base.errors import ActionError, PolicyError, SurehandError
from core.goals.secret_values import Secret
from core.tools.ports import ActionContext
from fixtures.machine.network import DeclaredNetwork
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands
from tests.spies import find_leaks, read_everything

TOKEN = 'tök€n "7&+ %\\x'
HANDLE = Secret("token")
ROOT = Path(__file__).resolve().parents[4]


def make_vault(folder: Path, **values: str) -> SessionVault:
    return SessionVault(SecretSources(values, KeyringSecrets(), SecretFile(folder / "secrets.toml")))


class Desk:
    """The tools that matter here, on the page that does with a secret whatever a page can."""

    def __init__(self, session: PlaywrightSession, context: ActionContext, site: SiteServer) -> None:
        self.session = session
        self.context = context
        self.site = site
        self.forms = Hands(session)
        self.reading = Hands(session)
        self.sessions = Hands(session)

    async def open(self) -> Page:
        page = await self.session.open_page(self.context)
        await page.goto(self.site.url + "/elements/secrets-frame")
        return page

    async def type(self, selector: str, secret: Secret = HANDLE, **how: Any) -> Any:
        return await self.forms.type(self.context, selector=selector, text=secret, **how)


@pytest.fixture
async def desk(session: PlaywrightSession, context: ActionContext, site: SiteServer, tmp_path: Path) -> Desk:
    desk = Desk(
        session,
        replace(context, vault=make_vault(tmp_path, token=TOKEN, other="0ther-secret", third='thïrd "8&+ %/y')),
        site,
    )
    await desk.open()
    return desk


FIELDS = [
    'field "Password"',
    'field "Token"',
    'field "Notes"',
    'field "Safe"',
    'field "Inner code"',
    'field "Editable"',
]


@pytest.mark.parametrize("mode", ["replace", "append", "keys"])
@pytest.mark.parametrize("selector", FIELDS)
async def test_a_field_gets_the_value_and_the_receipt_says_only_that_it_matches(
    desk: Desk, selector: str, mode: str
) -> None:
    outcome = await desk.type(selector, mode=mode)
    assert outcome.effect == "confirmed"
    told = {name: value for name, value in outcome.evidence.items() if name != "since_last_action"}
    assert told == {"secret": "token", "matches": True}
    assert outcome.output == {}


async def test_the_page_receives_the_exact_characters(desk: Desk) -> None:
    await desk.type('field "Token"')
    page = desk.session.current_page(desk.context)
    assert await page.locator("[name=token]").input_value() == TOKEN


async def test_what_is_typed_before_a_secret_stays_in_front_of_it(desk: Desk) -> None:
    await desk.forms.type(desk.context, selector='field "Notes"', text="id:")
    await desk.type('field "Notes"', mode="append")
    page = desk.session.current_page(desk.context)
    assert await page.locator("textarea").input_value() == f"id:{TOKEN}"


async def test_a_field_that_cuts_a_secret_fails_without_telling_any_of_it(desk: Desk) -> None:
    with pytest.raises(ActionError) as caught:
        await desk.type('field "At most five"', mode="keys")
    info = caught.value.info()
    assert info.code == "value_differs"
    assert TOKEN[:4] not in json.dumps([info.message, info.hint, dict(info.evidence)], ensure_ascii=False)
    assert str(len(TOKEN)) not in info.message


async def test_a_field_that_takes_no_text_fails_without_telling_it(desk: Desk) -> None:
    with pytest.raises(SurehandError) as caught:
        await replaced(desk, timeout_s=1.0).type('button "Send"')
    assert not find_leaks(TOKEN, repr(caught.value.info()).encode())


async def test_reading_a_field_with_a_secret_gives_nothing(desk: Desk) -> None:
    await desk.type('field "Token"')
    read = await desk.reading.read(desk.context, "value", 'field "Token"')
    assert read.output["value"] is None
    assert read.output["text"] == ""


async def test_an_outline_shows_no_field_with_a_secret(desk: Desk) -> None:
    for selector in FIELDS[:4]:
        await desk.type(selector)
    outline = (await desk.reading.snapshot(desk.context)).output["text"]
    assert 'field "Token" # ' in outline
    assert find_leaks(TOKEN, outline.encode()) == []
    assert outline.count("secret") >= 3


def replaced(desk: Desk, **parts: Any) -> Desk:
    return Desk(desk.session, replace(desk.context, **parts), desk.site)


# --- which page may have it ----------------------------------------------------------------------------------------


def bind(folder: Path, *hosts: str) -> SessionVault:
    file = SecretFile(folder / "secrets.toml")
    file.write({"token": SecretEntry(TOKEN, hosts=hosts)})
    return SessionVault(SecretSources({}, KeyringSecrets(), file))


async def test_a_page_of_another_host_gets_nothing(desk: Desk, tmp_path: Path) -> None:
    bound = replaced(desk, vault=bind(tmp_path, "shop.example"))
    with pytest.raises(PolicyError) as caught:
        await bound.type('field "Password"')
    assert caught.value.code == "secret_bound"
    page = desk.session.current_page(desk.context)
    assert await page.locator("[name=password]").input_value() == ""
    assert bound.context.vault.list_revealed() == ()


async def test_a_page_of_its_own_host_gets_it(desk: Desk, tmp_path: Path) -> None:
    bound = replaced(desk, vault=bind(tmp_path, "127.0.0.1"))
    assert (await bound.type('field "Password"')).effect == "confirmed"


async def test_the_frame_decides_and_not_the_page_around_it(desk: Desk, tmp_path: Path) -> None:
    bound = replaced(desk, vault=bind(tmp_path, "127.0.0.1"))
    page = desk.session.current_page(desk.context)
    other = desk.site.url.replace("127.0.0.1", "localhost") + "/elements/secrets-inner-frame"
    await page.frames[1].goto(other)
    with pytest.raises(PolicyError):
        await bound.type('field "Inner code"')
    assert (await bound.type('field "Password"')).effect == "confirmed"


@pytest.mark.parametrize(("mode", "most"), [("replace", 0), ("append", 0), ("keys", 1)])
async def test_a_frame_of_another_host_that_takes_the_focus_gets_nothing(
    desk: Desk, tmp_path: Path, mode: str, most: int
) -> None:
    bound = replaced(desk, vault=bind(tmp_path, "127.0.0.1"))
    thief = desk.session.current_page(desk.context).frames[1]
    await thief.goto(desk.site.url.replace("127.0.0.1", "localhost") + "/elements/secrets-inner-frame")
    await thief.evaluate("setInterval(() => document.querySelector('input').focus(), 1)")
    await thief.wait_for_function("document.hasFocus()")
    if mode == "keys":
        with pytest.raises(ActionError):
            await bound.type('field "Token"', mode=mode)
    else:
        assert (await bound.type('field "Token"', mode=mode)).effect == "confirmed"
    assert len(await thief.locator("input").input_value()) <= most


@pytest.mark.parametrize(("kind", "value"), [("date", "2026-05-17"), ("number", "4711"), ("email", "ada@example.com")])
async def test_fields_of_every_kind_take_a_secret(desk: Desk, tmp_path: Path, kind: str, value: str) -> None:
    page = desk.session.current_page(desk.context)
    await page.evaluate(
        """kind => {
            const field = document.querySelector('[name=token]');
            field.type = kind;
            field.addEventListener('input', () => { document.title = 'seen ' + field.value; });
        }""",
        kind,
    )
    typing = replaced(desk, vault=make_vault(tmp_path, token=value))
    assert (await typing.type('field "Token"')).effect == "confirmed"
    assert await page.title() == f"seen {value}"


async def test_a_page_that_was_written_by_script_has_no_host(desk: Desk, tmp_path: Path) -> None:
    bound = replaced(desk, vault=bind(tmp_path, "127.0.0.1"))
    page = desk.session.current_page(desk.context)
    await page.goto("about:blank")
    await page.set_content("<label>Password <input type=password></label>")
    with pytest.raises(PolicyError):
        await bound.type('field "Password"')


# --- pictures ------------------------------------------------------------------------------------------------------


async def picture(desk: Desk, folder: Path, **how: Any) -> bytes:
    file = folder / f"{secrets.token_hex(8)}.png"
    await desk.reading.screenshot(desk.context, path=str(file), **how)
    return file.read_bytes()


async def fill_all(desk: Desk, secret: Secret) -> None:
    await desk.open()
    for selector in FIELDS:
        await desk.type(selector, secret)
    page = desk.session.current_page(desk.context)
    await page.evaluate("document.activeElement.blur()")


@pytest.mark.parametrize("how", [{}, {"full_page": True}, {"selector": "body"}, {"selector": "iframe"}])
async def test_a_picture_is_the_same_whatever_the_secrets_are(desk: Desk, tmp_path: Path, how: dict[str, Any]) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    empty = await picture(desk, folder, **how)
    await fill_all(desk, HANDLE)
    first = await picture(desk, folder, **how)
    await fill_all(desk, Secret("other"))
    assert await picture(desk, folder, **how) == first
    assert first != empty


async def test_a_print_is_the_same_whatever_the_secrets_are(desk: Desk, tmp_path: Path) -> None:
    prints: list[bytes] = []
    for number, secret in enumerate([HANDLE, Secret("other")]):
        await fill_all(desk, secret)
        path = tmp_path / f"{number}.pdf"
        await desk.reading.pdf(desk.context, str(path))
        prints.append(b"\n".join(line for line in path.read_bytes().split(b"\n") if b"Date (D:" not in line))
    assert len(prints[0]) == len(prints[1])
    page = desk.session.current_page(desk.context)
    assert await page.locator("#echo").evaluate("element => getComputedStyle(element).visibility") == "visible"


async def test_a_field_that_shows_its_password_is_still_covered(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    seen: list[bytes] = []
    for secret in (HANDLE, Secret("other")):
        await desk.open()
        await desk.type('field "Password"', secret)
        page = desk.session.current_page(desk.context)
        await page.evaluate("document.querySelector('[name=password]').type = 'text'; document.activeElement.blur()")
        seen.append(await picture(desk, folder))
    assert seen[0] == seen[1]


# --- files ---------------------------------------------------------------------------------------------------------


async def test_a_saved_session_holds_no_secret_that_the_page_kept(desk: Desk, tmp_path: Path) -> None:
    await desk.type('field "Token"')
    path = tmp_path / "state.json"
    outcome = await desk.sessions.save_session(desk.context, str(path))
    assert find_leaks(TOKEN, path.read_bytes()) == []
    assert b"kept" in path.read_bytes()
    assert "secrets" in outcome.evidence["left_out"]


@pytest.fixture
async def traced(browser: Browser, context: ActionContext, site: SiteServer, tmp_path: Path) -> AsyncIterator[Desk]:
    settings = BrowserSettings(
        artifacts_dir=tmp_path / "artifacts",
        traces_dir=tmp_path / "traces",
        network=DeclaredNetwork(),
        named_hosts=("127.0.0.1", "localhost"),
    )
    session = PlaywrightSession.over(browser, settings)
    desk = Desk(session, replace(context, vault=make_vault(tmp_path / "config", token=TOKEN)), site)
    await desk.open()
    yield desk
    await session.close()


async def test_a_trace_ends_before_a_secret_and_none_begins_after_it(traced: Desk, tmp_path: Path) -> None:
    await traced.forms.type(traced.context, selector='field "Notes"', text="before the secret")
    outcome = await traced.type('field "Token"', submit=True)
    assert outcome.evidence["trace"] == "ended before the secret was typed"
    await traced.session.renew_context()
    await traced.type('field "Password"')
    await traced.session.close()
    files = dict(read_everything(tmp_path / "traces"))
    assert any(b"before the secret" in content for content in files.values())
    assert [name for name, content in files.items() if find_leaks(TOKEN, content)] == []


async def test_a_trace_without_secrets_is_whole(traced: Desk, tmp_path: Path) -> None:
    await traced.forms.type(traced.context, selector='field "Token"', text=TOKEN)
    await traced.session.close()
    files = dict(read_everything(tmp_path / "traces"))
    assert [name for name, content in files.items() if find_leaks(TOKEN, content)] != []


# --- programs ------------------------------------------------------------------------------------------------------


LIST_CHILDREN = """
import asyncio, json, psutil
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.launching import BrowserSettings
from agent.settings.surroundings import read_secret_variables
from core.tools.ports import ActionContext

async def main():
    session = PlaywrightSession(BrowserSettings())
    opening = asyncio.ensure_future(session.open_page(ActionContext("g0_test_1", timeout_s=20.0)))
    known = set()
    while not opening.done():
        known.add(read_secret_variables().get("token"))
        await asyncio.sleep(0)
    await opening
    children = psutil.Process().children(recursive=True)
    print(json.dumps([list(map(str, known)), {each.name(): list(each.environ()) for each in children}]))
    await session.close()

asyncio.run(main())
"""


def test_neither_the_browser_nor_its_driver_inherits_secrets_and_they_are_known_all_the_time() -> None:
    environment = {
        **os.environ,
        "SUREHAND_SECRET_TOKEN": "abc",
        "Surehand_Secret_other": "def",
        "PYTHONPATH": str(ROOT),
    }
    asked = subprocess.run(
        [sys.executable, "-c", LIST_CHILDREN], env=environment, capture_output=True, timeout=60, check=True, cwd=ROOT
    )
    known, inherited = json.loads(asked.stdout)
    assert known == ["abc"]
    assert any("node" in name for name in inherited)
    assert any("chrom" in name for name in inherited)
    assert all("PATH" in variables for name, variables in inherited.items() if "node" in name)
    assert [each for variables in inherited.values() for each in variables if "SECRET" in each.upper()] == []


# --- failures ------------------------------------------------------------------------------------------------------


async def test_a_secret_that_a_page_puts_where_a_text_is_cut_is_not_shown_in_part(desk: Desk) -> None:
    await desk.type('field "Token"')
    page = desk.session.current_page(desk.context)
    await page.evaluate(
        """async secret => {
            const pad = (head, length) => head + 'x'.repeat(300 - head.length - length + 1);
            const packed = encodeURIComponent(secret);
            for (const cut of [1, 2, 3]) {
                history.replaceState(null, '', '?' + 'x'.repeat(300 - location.origin.length - 40) + packed);
                console.error(pad('error: ', secret.length + 6 - cut) + secret);
                await fetch(pad(location.origin + '/?', packed.length - cut) + packed);
            }
            document.title = pad('', secret.length) + secret;
        }""",
        TOKEN,
    )
    scene = await desk.forms.show_snapshot(desk.context)
    assert scene is not None
    told = json.dumps(dict(desk.context.vault.redact(scene.facts)), ensure_ascii=False)
    assert "•••" in told
    assert "tök" not in told
    assert "t%C3%B6k" not in told


@pytest.mark.parametrize("selector", ['field "Notes"', 'field "Editable"'])
@pytest.mark.parametrize(
    "value", ["first line\nsecond\n\nlast 😀 e\u0301", "x'\"`$1\\n" * 12_500], ids=["lines", "100 kB"]
)
async def test_long_secrets_and_those_of_several_lines_are_typed_exactly(
    desk: Desk, tmp_path: Path, selector: str, value: str
) -> None:
    typing = replaced(desk, vault=make_vault(tmp_path, token=value))
    assert (await typing.type(selector)).evidence["matches"] is True
