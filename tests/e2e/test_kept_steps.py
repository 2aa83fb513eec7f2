"""What a run keeps of every step where its report shall show it, and that it keeps nothing otherwise."""

import asyncio
import json
import sys
import threading
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from actuators.browser.saved.picture_files import measure_picture
from actuators.catalog import BrowserShare
from agent.assembly import make_session
from agent.requests.requests import Request
from agent.settings.settings import Settings
from core.goals.meta_goals import Goal
from core.goals.secret_values import Secret
from core.results.tool_results import RunResult
from fixtures.machine.desktop import PrivateDesktop
from fixtures.web.received import ReceivedLog
from fixtures.web.routing import Route, Router, answer_html, answer_text
from fixtures.web.site_connections import SiteListener

PASSWORD = "correct horse battery"
PAGE = """<!doctype html><title>Noisy</title><h1>Noisy</h1>
<label>Name <input id="name"></label>
<button onclick="console.warn('pressed by ' + document.getElementById('name').value); fetch('/gone?as=' + encodeURIComponent(document.getElementById('name').value)); setTimeout(() => { throw new Error('it broke') })">Press</button>
<button onclick="for (let i = 0; i < 90; i++) console.log('line ' + i + ' ' + 'x'.repeat(2000))">Chat</button>
<script>console.log('opened')</script>"""


@pytest.fixture
def noisy() -> Iterator[str]:
    """Address of a page that complains."""
    routes = [
        Route("GET", "/", lambda _: answer_html(PAGE)),
        Route("GET", "/gone", lambda _: answer_text("gone", 410)),
    ]
    listener = SiteListener(("127.0.0.1", 0), Router(routes), ReceivedLog())
    thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.server_port}/"
    listener.shutdown()
    thread.join()
    listener.close()


def chain(*steps: tuple[str, Mapping[str, Any]]) -> tuple[Goal, ...]:
    """Return goals of the browser that come one after the other."""
    scopes = ["root", *(f"after:g{number}" for number in range(len(steps) - 1))]
    return tuple(
        Goal("browser", verb, params, scope=scope) for (verb, params), scope in zip(steps, scopes, strict=True)
    )


async def run(folder: Path, share: BrowserShare | None, *goals: Goal) -> RunResult:
    """Carry goals out; a run whose browser is its own is as a person has it, without pictures."""
    async with make_session(Settings(keep_pictures=bool(share)), folder, share) as session:
        return await session.run(Request(goals=goals))


def read_pages(folder: Path, result: RunResult) -> dict[str, Any]:
    path = folder / ".surehand" / "artifacts" / result.run_id / "pages.json"
    return json.loads(path.read_text("utf-8"))["steps"]


def count_dark(path: str) -> int:
    """Return how many pixels of a picture are as dark as what covers secrets."""
    with Image.open(path) as picture:
        return sum(picture.convert("L").histogram()[:60])


async def test_each_step_on_a_page_leaves_pictures_and_what_the_page_said_and_missed(
    noisy: str, tmp_path: Path, share: BrowserShare
) -> None:
    goals = chain(
        ("navigate", {"url": noisy}),
        ("type", {"selector": 'field "Name"', "text": "Ada"}),
        ("click", {"selector": 'button "Press"'}),
        ("expect", {"text": "Noisy"}),
        ("expect", {"text": "Noisy"}),
    )
    result = await run(tmp_path, share, *goals)
    assert result.outcome == "success", result.reply
    kept = {log.name.split(".")[1]: log.result.evidence["pictures"] for log in result.step_logs}
    assert {name: sorted(when for when, path in told.items() if path) for name, told in kept.items()} == {
        "navigate": ["after"],  # before it there was nothing to see
        "type": ["after", "before"],
        "click": ["after", "before"],
        "expect": ["after"],  # which changes nothing
    }
    picture = await asyncio.to_thread(Path(kept["click"]["after"]).read_bytes)
    assert Image.open(BytesIO(picture)).size == (1280, 720)

    pages = read_pages(tmp_path, result)
    assert pages["g0_navigate_1"] == {"url": noisy, "console": [{"kind": "log", "text": "opened"}]}
    told: dict[str, list[Any]] = {}
    for action_id in ("g2_click_1", "g3_expect_1", "g4_expect_1"):  # what comes late is told with the step after
        for kind in ("console", "errors", "requests"):
            told.setdefault(kind, []).extend(pages[action_id].get(kind, []))
    assert {"kind": "warning", "text": "pressed by Ada"} in told["console"]
    assert told["errors"] == [{"text": "it broke"}]
    assert told["requests"] == [{"method": "GET", "url": f"{noisy}gone?as=Ada", "outcome": "410", "type": "fetch"}]
    assert not any("surehand" in each["text"] for each in told["console"])


async def test_a_secret_is_in_nothing_that_is_kept_of_pages(
    noisy: str, tmp_path: Path, share: BrowserShare, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUREHAND_SECRET_DOOR", PASSWORD)
    goals = chain(
        ("navigate", {"url": noisy}),
        ("type", {"selector": 'field "Name"', "text": Secret("door")}),
        ("click", {"selector": 'button "Press"'}),
        ("read", {"target": "title"}),
    )
    result = await run(tmp_path, share, *goals)
    assert result.outcome == "success", result.reply
    text = json.dumps(read_pages(tmp_path, result), ensure_ascii=False)
    assert "pressed by •••" in text
    assert PASSWORD not in text
    assert "correct%20horse" not in text
    before, after = (count_dark(result.step_logs[1].result.evidence["pictures"][when]) for when in ("before", "after"))
    assert after > before + 2000, (before, after)  # the field is covered


async def test_what_is_kept_of_a_page_that_never_stops_talking_is_bounded(
    noisy: str, tmp_path: Path, share: BrowserShare
) -> None:
    goals = chain(("navigate", {"url": noisy}), ("click", {"selector": 'button "Chat"'}), ("read", {"target": "title"}))
    result = await run(tmp_path, share, *goals)
    pages = read_pages(tmp_path, result)
    lines = [line for step in ("g1_click_1", "g2_read_1") for line in pages[step].get("console", [])]
    left_out = sum(pages[step].get("more", {}).get("console", 0) for step in ("g1_click_1", "g2_read_1"))
    assert len(lines) + left_out == 90
    assert len(lines) <= 100
    assert max(len(line["text"]) for line in lines) <= 500


async def test_a_step_that_fails_tells_what_its_page_said_until_then(
    noisy: str, tmp_path: Path, share: BrowserShare
) -> None:
    goals = chain(("navigate", {"url": noisy}), ("click", {"selector": 'button "No such thing"'}))
    result = await run(tmp_path, share, *goals)
    failed = result.step_logs[1].result
    assert failed.status == "failed"
    assert read_pages(tmp_path, result)["g1_click_1"]["url"] == noisy
    assert sorted(failed.evidence["pictures"]) == ["before"]
    assert failed.artifacts, "the picture of the failure is that of its end"


async def test_a_run_that_does_not_ask_for_it_keeps_nothing_and_asks_the_browser_for_no_more(
    noisy: str, tmp_path: Path
) -> None:
    goals = chain(("navigate", {"url": noisy}), ("click", {"selector": 'button "Press"'}))
    result = await run(tmp_path, None, *goals)
    assert result.outcome == "success", result.reply
    assert not (tmp_path / ".surehand" / "artifacts").exists()
    assert not any({"pictures", "page_log"} & log.result.evidence.keys() for log in result.step_logs)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a private desktop is Linux's")
@pytest.mark.parametrize("wanted", [True, False])
async def test_a_step_that_acts_on_the_desktop_leaves_a_picture_after_it_where_one_is_wanted(
    wanted: bool, desk: PrivateDesktop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, desk.environ[name])
    goals = (
        Goal("desktop", "move", {"target": {"point": [40, 50]}}),
        Goal("desktop", "list_windows", {}, scope="after:g0"),
    )
    async with make_session(Settings(keep_pictures=wanted), tmp_path) as session:
        result = await session.run(Request(goals=goals))
    assert result.outcome == "success", result.reply
    moved, listed = (log.result.evidence.get("pictures", {}) for log in result.step_logs)
    assert listed == {}
    assert sorted(moved) == (["after"] if wanted else [])
    if wanted:
        assert measure_picture(await asyncio.to_thread(Path(moved["after"]).read_bytes)) == (1280, 800)
