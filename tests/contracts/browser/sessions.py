"""What every back end does for dialogs, downloads, stored sessions, emulation and routes."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.base.errors import ActionError, InputError, NavigationError, TargetError
from fixtures.site_handlers.dialogs_site import HARMLESS
from tests.contracts.browser.bench import Bench
from tests.contracts.browser.reading import check_file


def write_file(path: Path, content: str) -> None:
    """Write a file that a test needs."""
    path.write_text(content, encoding="utf-8")


class DialogConformance:
    """Dialogs."""

    async def test_a_dialog_that_nobody_answers_is_dismissed_and_told(self, bench: Bench):
        await bench.open()
        outcome = await bench.call("click", selector="#ask")
        assert outcome.evidence["dialogs"] == [
            {"kind": "confirm", "message": "Delete it for ever?", "answer": "dismiss"}
        ]
        assert (await bench.far_end.events("answered"))[0]["answer"] is False
        assert outcome.effect == "unverified"
        assert "Delete it for ever?" in outcome.evidence["note"]

    @pytest.mark.parametrize(("action", "answer"), [("accept", True), ("dismiss", False)])
    async def test_a_dialog_waits_for_the_action_that_answers_it(self, bench: Bench, action: str, answer: bool):
        await bench.open()
        await bench.call("click", selector="#ask", followers=("browser.dialog",))
        with pytest.raises(ActionError) as caught:
            await bench.call("click", selector="#plain", followers=("browser.dialog",))
        assert caught.value.code == "dialog_open"
        outcome = await bench.call("dialog", action=action)
        assert outcome.output == {"kind": "confirm", "message": "Delete it for ever?", "armed": False}
        assert outcome.effect == "confirmed"
        assert outcome.evidence.keys() >= {"kind", "message", "answer", "act"}
        assert (await bench.far_end.events("answered"))[0]["answer"] is answer

    async def test_a_prompt_takes_a_text_and_nothing_else_does(self, bench: Bench):
        await bench.open()
        await bench.call("click", selector="#ask", followers=("browser.dialog",))
        with pytest.raises(ActionError) as caught:
            await bench.call("dialog", action="accept", text="Ada")
        assert caught.value.code == "no_prompt"
        await bench.call("dialog", action="dismiss")
        await bench.call("click", selector="#ask-name", followers=("browser.dialog",))
        await bench.call("dialog", action="accept", text="Ada ✓")
        assert (await bench.far_end.events("answered", 2))[1]["answer"] == "Ada ✓"

    @pytest.mark.parametrize(("press", "answer"), [('control "OK"', True), ('button "Cancel"', False)])
    async def test_a_button_of_the_open_dialog_is_pressed(self, bench: Bench, press: str, answer: bool):
        await bench.open()
        await bench.call("click", selector="#ask", followers=("browser.dialog",))
        with pytest.raises(ActionError) as caught:
            await bench.call("dialog", press='button "Delete"')
        assert caught.value.code == "no_such_button"
        outcome = await bench.call("dialog", press=press)
        assert outcome.effect == "confirmed"
        assert outcome.evidence["answer"] == ("accept" if answer else "dismiss")

    async def test_an_answer_can_come_before_its_dialog(self, bench: Bench):
        await bench.open()
        outcome = await bench.call("dialog", action="accept")
        assert outcome.output == {"kind": None, "message": None, "armed": True}
        assert outcome.effect == "unverified"
        await bench.call("click", selector="#ask")
        assert (await bench.far_end.events("answered"))[0]["answer"] is True


class DownloadConformance:
    """Downloads and stored sessions."""

    @pytest.mark.parametrize("by", ["selector", "url"])
    async def test_a_download_is_whole_and_where_it_should_be(self, bench: Bench, by: str):
        await bench.open()
        path = bench.folder / "mine.txt"
        source: dict[str, Any] = {"selector": 'link "The report"', "url": f"{bench.far_end.url}/dialogs/report"}
        outcome = await bench.call("download", path=str(path), **{by: source[by]})
        assert outcome.output == {"path": str(path), "suggested_name": "report.txt"}
        assert outcome.evidence.keys() >= {"url", "size", "sha256"}
        assert check_file(outcome, path) == HARMLESS.encode()

    async def test_a_folder_takes_the_name_that_the_server_suggests(self, bench: Bench):
        await bench.open()
        outcome = await bench.call("download", path=str(bench.folder), selector="#report")
        assert outcome.output["path"] == str(bench.folder / "report.txt")

    async def test_a_download_that_can_not_be_is_an_error_and_leaves_nothing(self, bench: Bench):
        bench.timeout_s = 3
        await bench.open()
        path = bench.folder / "mine.txt"
        with pytest.raises(TargetError) as nothing:
            await bench.call("download", path=str(path), selector="#plain")
        assert nothing.value.code == "target_unsuitable"
        with pytest.raises(InputError):
            await bench.call("download", path=str(path))
        assert not path.exists()
        write_file(path, "mine")
        with pytest.raises(ActionError) as taken:
            await bench.call("download", path=str(path), selector="#report")
        assert taken.value.code == "file_exists"
        assert path.read_text() == "mine"

    async def test_a_session_is_saved_without_being_shown_and_loaded_again(self, bench: Bench):
        path = bench.folder / "session.json"
        await bench.open("session")
        saved = await bench.call("save_session", path=str(path))
        assert saved.output == {"path": str(path)}
        assert saved.evidence.keys() == {"path", "size", "sha256", "cookies", "origins"}
        assert (saved.evidence["cookies"], saved.evidence["origins"]) == (1, 1)
        assert "returning" not in str(saved)
        check_file(saved, path)
        assert path.stat().st_mode & 0o077 == 0
        empty = bench.folder / "empty.json"
        write_file(empty, json.dumps({"cookies": [], "origins": []}))
        assert (await bench.call("load_session", path=str(empty))).output == {"cookies": 0, "origins": 0}
        await bench.open("session")
        assert (await bench.call("read", target="text", selector="testid=cookie")).output["text"] == "nothing"
        await bench.call("load_session", path=str(empty))
        loaded = await bench.call("load_session", path=str(path))
        assert loaded.output == {"cookies": 1, "origins": 1}
        assert (loaded.evidence, loaded.effect) == ({"path": str(path), "cookies": 1, "origins": 1}, "confirmed")
        await bench.open("session")
        assert (await bench.call("read", target="text", selector="testid=cookie")).output["text"] == "returning"

    @pytest.mark.parametrize(
        ("content", "code"), [(None, "file_missing"), ("{}", "not_a_session"), ("mine", "not_a_session")]
    )
    async def test_what_is_no_saved_session_is_not_loaded(self, bench: Bench, content: str | None, code: str):
        path = bench.folder / "session.json"
        if content is not None:
            write_file(path, content)
        with pytest.raises(ActionError) as caught:
            await bench.call("load_session", path=str(path))
        assert caught.value.code == code


class PretenceConformance:
    """Emulation and routes."""

    @pytest.mark.parametrize(
        ("args", "seen"),
        [
            ({"device": "iPhone 15"}, {"touch": True, "width": 393}),
            ({"viewport": {"width": 800, "height": 600}}, {"width": 800, "height": 600}),
            ({"locale": "de-DE", "timezone": "Europe/Berlin"}, {"language": "de-DE", "timezone": "Europe/Berlin"}),
            ({"color_scheme": "dark"}, {"color_scheme": "dark"}),
            ({"offline": True}, {"online": False}),
            ({"geolocation": {"latitude": 52.5, "longitude": 13.4}}, {"geolocation": {"latitude": 52.5, "longitude": 13.4, "accuracy": 0}}),
        ],
    )  # fmt: skip
    async def test_pages_see_what_is_emulated(self, bench: Bench, args: dict[str, Any], seen: dict[str, Any]):
        await bench.open()
        outcome = await bench.call("emulate", **args)
        assert outcome.output.keys() >= {"width", "height", "device_scale", "touch", "user_agent", "language"}
        assert {name: outcome.evidence[name] for name in seen if name != "geolocation"} == {
            name: value for name, value in seen.items() if name != "geolocation"
        }
        assert "online" in outcome.output

    @pytest.mark.parametrize(
        ("args", "code"),
        [
            ({"device": "iPhone 1500"}, "unknown_device"),
            ({"locale": "not a locale"}, "unknown_locale"),
            ({"timezone": "Europe/Berlino"}, "unknown_timezone"),
        ],
    )
    async def test_what_is_unknown_is_refused_with_what_is_near(self, bench: Bench, args: dict[str, Any], code: str):
        await bench.open()
        with pytest.raises(ActionError) as caught:
            await bench.call("emulate", **args)
        assert caught.value.code == code
        assert "nearest" in caught.value.evidence

    async def test_a_route_answers_for_the_server_until_it_is_removed(self, bench: Bench):
        await bench.open()
        outcome = await bench.call("route", url="**/conformance/second", body="Answered by a route")
        assert (outcome.output, outcome.effect) == ({"routes": 1}, "unverified")
        assert outcome.evidence == {"urls": ["**/conformance/second"]}
        await bench.open("second")
        assert (await bench.call("read", target="text")).output["text"] == "Answered by a route"
        assert bench.far_end.paths().count("second") == 0
        assert (await bench.call("route", url="**/conformance/second", action="remove")).output == {"routes": 0}
        await bench.open("second")
        assert (await bench.call("read", target="title")).output["text"] == "Second page"

    async def test_a_request_can_be_stopped(self, bench: Bench):
        await bench.open()
        await bench.call("route", url="**/conformance/second", action="abort")
        with pytest.raises(NavigationError):
            await bench.open("second")
        with pytest.raises(ActionError) as caught:
            await bench.call("route", url="**/other", action="remove")
        assert caught.value.code == "no_route"
