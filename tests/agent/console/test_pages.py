"""The console's files: what is given out, with which headers, and that nothing comes from elsewhere."""

import re
from pathlib import Path

import httpx
import pytest

from agent.console.pages import read_files
from tests.agent.console.conftest import SCRIPTS, Console

HOME = SCRIPTS.parent


async def fetch(console: Console, path: str, **headers: str) -> httpx.Response:
    async with httpx.AsyncClient(base_url=console.address, trust_env=False) as client:
        return await client.get(path, headers=headers)


async def test_the_page_needs_no_token_and_forbids_scripts_of_others(console: Console) -> None:
    answer = await fetch(console, "/console/")
    policy = answer.headers["content-security-policy"]
    assert answer.status_code == 200
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("path", ["/console/../app.py", "/console/%2e%2e/pages.py", "/console/pages.py", "/console/x"])
async def test_only_the_files_of_the_console_are_given_out(console: Console, path: str) -> None:
    assert (await fetch(console, path)).status_code in {401, 404}


async def test_the_console_without_a_slash_leads_to_it(console: Console) -> None:
    answer = await fetch(console, "/console")
    assert (answer.status_code, answer.headers["location"]) == (308, "/console/")


async def test_a_file_that_is_known_is_not_sent_again(console: Console) -> None:
    first = await fetch(console, "/console/scripts/main.js")
    again = await fetch(console, "/console/scripts/main.js", **{"If-None-Match": first.headers["etag"]})
    assert first.headers["content-type"].startswith("text/javascript")
    assert (again.status_code, again.content) == (304, b"")


def list_texts() -> list[Path]:
    return [path for path in HOME.rglob("*") if path.suffix in {".html", ".css", ".js"}]


def test_no_file_names_another_host() -> None:
    hosts = {
        path.name: re.findall(r"""["'(]\s*(?:https?:)?//(?!www\.w3\.org/2000/svg)[^\s"')]+""", path.read_text())
        for path in list_texts()
    }
    assert {name: found for name, found in hosts.items() if found} == {}


def test_no_script_or_style_stands_in_the_page() -> None:
    page = (HOME / "page" / "index.html").read_text(encoding="utf-8")
    assert re.findall(r"<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=", page) == []


def test_no_script_writes_markup() -> None:
    writers = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(")
    assert [path.name for path in list_texts() if path.suffix == ".js" and writers.search(path.read_text())] == []


def test_every_file_that_the_page_names_is_there() -> None:
    files = read_files()
    page = files["index.html"].data.decode()
    named = re.findall(r'(?:href|src)="([^"#]+)"', page)
    missing = [name for name in named if name not in files]
    for name in [each for each in files if each.endswith(".js")]:
        imports = re.findall(r"^import .* from '(\..*)';", files[name].data.decode(), re.MULTILINE)
        missing += [path for path in imports if not (HOME / Path(name).parent / path).resolve().is_file()]
    assert named
    assert missing == []
