"""What is sent to pages is made of these sources, is small and plain, and runs in pages of any policy."""

import hashlib
import json
import re
from urllib.parse import quote, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.async_api import Browser, Page, Route

from actuators.browser.playwright.engine import scripts
from actuators.browser.playwright.engine.scripts import CONTEXT_SCRIPT, ENGINE_SCRIPT, EngineFault, engine_selector
from tests.actuators.browser.engine.conftest import FOLDERS, HOME, list_sources
from tests.actuators.browser.engine.places import find_places
from tests.architecture.sources import ROOT

BUILT = HOME / "engine" / "built"
SCRIPTS = ("context", *scripts.CHUNKS, "recording", "shell")
# Those of core also hold the way to past members.
FOLDERS_OF = {
    "core": {"engine", "engine/names", "engine/acting", "engine/finding"},
    "more": {"engine/looks", "engine/values", "engine/controls", "engine/choosing", "engine/more"},
    "outline": {"engine/selectors", "engine/things", "engine/outline"},
}
_SOURCE = re.compile(r"(?P<file>engine/(?:\w+/)?\w+\.ts):(?P<line>\d+)(?: \w+)?")
POLICY = "default-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'"


def test_what_was_built_is_of_these_sources() -> None:
    digest = hashlib.sha256()
    sources = [file for folder in FOLDERS for file in list_sources(folder)]
    for file in [*sources, HOME / "engine" / "members.json", ROOT / "scripts" / "javascript" / "build.js"]:
        digest.update(file.read_text(encoding="utf-8").encode())
    kept = (BUILT / "sources.sha256").read_text(encoding="ascii").strip()
    assert digest.hexdigest() == kept, "run: python3 scripts/engine.py build"


def test_what_is_sent_is_ascii_and_has_no_comments() -> None:
    for name in SCRIPTS:
        text = (BUILT / f"{name}.js").read_bytes()
        assert text.isascii()
        assert b"/**" not in text
    assert ENGINE_SCRIPT.isascii()
    assert CONTEXT_SCRIPT.isascii()


def test_a_chunk_is_made_of_its_own_folders_and_each_of_its_lines_leads_there() -> None:
    core, *others = ((BUILT / f"{name}.js").stat().st_size for name in scripts.CHUNKS)
    assert core < sum(others)  # only what the first selector needs is read at once
    found = find_places(*(place for name in scripts.CHUNKS for place in list_places(name)))
    for chunk, folders in FOLDERS_OF.items():
        told = [_SOURCE.fullmatch(text) for place, text in found.items() if place.startswith(f"{chunk}.js:")]
        sources = [(match["file"], int(match["line"])) for match in told if match]
        assert len(sources) > 0.9 * len(told)  # the build itself wrote the others
        # Of the other chunks there is nothing but the way to them.
        assert {file.rpartition("/")[0] for file, _ in sources} == folders
        assert [each for each in sources if each[1] > len((HOME / each[0]).read_text("utf-8").splitlines())] == []


def list_places(chunk: str) -> list[str]:
    """Return the end of each line of a chunk."""
    lines = (BUILT / f"{chunk}.js").read_text(encoding="ascii").splitlines()
    return [f"{chunk}.js:{number}:{len(text)}" for number, text in list(enumerate(lines, 1))[2:-1]]


def test_no_place_is_told_where_none_is_known() -> None:
    assert EngineFault("", "", 0, 0, "").place == "an unknown place"


@pytest.mark.parametrize(
    ("folder", "later"),
    [
        (".", "looks|values|controls|choosing|more|selectors|things|outline"),
        ("acting", "looks|values|controls|choosing|more|selectors|things|outline"),
        ("finding", "looks|values|controls|choosing|more|selectors|things|outline"),
        ("more", "selectors|things|outline"),
    ],
)
def test_no_module_imports_what_is_evaluated_later(folder: str, later: str) -> None:
    imported = re.compile(rf"^import .*'\.{{1,2}}/({later})/", re.MULTILINE)
    assert [
        file.name for file in list_sources(f"engine/{folder}") if imported.search(file.read_text(encoding="utf-8"))
    ] == []


def test_a_room_of_python_names_each_folder_of_scripts_that_it_speaks_to() -> None:
    told = "".join(file.read_text(encoding="utf-8") for file in HOME.glob("*/__init__.py"))
    named = set(re.findall(r"``(engine/\w+)``", told))
    assert named == set(FOLDERS) - {"engine"}


async def answer_strictly(route: Route) -> None:
    body = "<!doctype html><dl><dt>Total</dt><dd>£24</dd></dl><button>Go</button>"
    headers = {"Content-Security-Policy": POLICY, "Content-Type": "text/html; charset=utf-8"}
    await route.fulfill(body=body, headers=headers)


@pytest.fixture
async def page(browser: Browser) -> Page:
    """A page that forbids scripts made of text."""
    context = await browser.new_context()
    page = await context.new_page()
    await page.route("**/*", answer_strictly)
    await page.goto("http://strict.test/")
    return page


async def test_a_page_that_forbids_scripts_made_of_text_hinders_nothing(page: Page) -> None:
    assert await page.locator(engine_selector("role", name="Go", roles=["button"])).count() == 1
    assert await page.locator(engine_selector("value", name="Total")).inner_text() == "£24"
    await page.context.close()


@given(st.text(), st.text())
def test_whatever_text_is_asked_for_is_escaped_as_in_addresses(name: str, role: str) -> None:
    engine, _, body = engine_selector("role", name=name, roles=[role]).partition("=")
    assert engine == scripts.ENGINE_NAME
    assert body == quote(unquote(body), safe="")
    assert json.loads(unquote(body)) == {"op": "role", "name": name, "roles": [role]}


def test_the_events_by_which_the_worlds_talk_have_names_that_no_page_knows() -> None:
    events = [value for name, value in scripts.SETTINGS.items() if name.endswith("_event")]
    assert len(set(events)) == len(events) > 0
    assert [each for each in events if not re.fullmatch(r"surehand-[0-9a-f]{16}", str(each))] == []
