"""`surehand record`: what it refuses, and a whole recording of a machine without a screen, from the first page to the tried flow."""

import asyncio
import os
import re
import select
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from agent.cli.recording.terminal import hear_keys
from fixtures.site_server import SiteServer
from tests.agent.conftest import Command

Start = Callable[..., subprocess.Popen[bytes]]
ADDRESS = re.compile(rb"(http://127\.0\.0\.1:\d+)/console/record\.html#token=(\S+)")
NO_DISPLAY = {"DISPLAY": "", "WAYLAND_DISPLAY": ""}


class Viewer:
    """The page of a recording, as a program would use it."""

    def __init__(self, recorder: subprocess.Popen[bytes]) -> None:
        """Find the address in what the recorder says."""
        assert recorder.stderr
        for line in recorder.stderr:
            if found := ADDRESS.search(line):
                headers = {"Authorization": f"Bearer {found[2].decode()}", "X-Surehand-Door": "console"}
                self.client = httpx.Client(base_url=found[1].decode(), headers=headers, trust_env=False, timeout=60)
                return
        raise AssertionError("no address was told")

    def send(self, path: str, **body: Any) -> dict[str, Any]:
        return self.client.post(f"/v1/recording/{path}", json=body).raise_for_status().json()

    def press(self, *keys: str) -> None:
        self.send("input", events=[{"kind": "key", "key": key} for key in keys])

    def write(self, text: str) -> None:
        self.send("input", events=[{"kind": "text", "text": text}])

    def see(self, step: str) -> None:
        """Wait until a step is listed."""
        for _ in range(200):
            if any(step in each for each in self.client.get("/v1/recording").json()["steps"]):
                return
        raise AssertionError(f"{step} was never listed")

    def end(self) -> None:
        self.send("answer", done=True)
        self.client.close()


def test_what_can_not_be_recorded_is_refused_before_a_browser_opens(surehand: Command, tmp_path: Path) -> None:
    (tmp_path / "there.yaml").write_text("goals: []")
    for arguments, code in (
        (["no address at all"], "error ("),
        (["shop.example", "--expect", "some"], "error (bad_usage)"),
        (["shop.example", "-o", "there.yaml"], "error (file_exists)"),
        (["shop.example", "-o", "missing/flow.yaml"], "error (not_found)"),
    ):
        said = surehand("record", *arguments)
        assert (said.code, said.out) == (2, ""), arguments
        assert said.err.startswith(code)
    assert (tmp_path / "there.yaml").read_text() == "goals: []"


def test_a_recording_becomes_a_flow_that_was_tried_before_the_recorder_ends(
    start: Start, site: SiteServer, tmp_path: Path
) -> None:
    url = f"{site.url}/shop/signin"
    recorder = start(
        "record", url, "-o", "flow.yaml", "--expect", "all", **NO_DISPLAY, SUREHAND_SECRET_PASSWORD="s3cret: ok?"
    )
    viewer = Viewer(recorder)
    sign_in(viewer)
    viewer.see("Press Enter")
    viewer.end()
    out, err = (text.decode() for text in recorder.communicate(timeout=60))
    assert (recorder.returncode, out) == (0, "flow.yaml: 4 steps.\n"), err
    assert "It came as recorded" in err
    flow = (tmp_path / "flow.yaml").read_text(encoding="utf-8")
    assert "s3cret" not in flow + out + err
    assert '"secret:PASSWORD"' in flow
    assert "secrets:\n- PASSWORD\n" in flow


def test_what_does_not_replay_is_told_with_its_cause_and_stands_in_the_flow(
    start: Start, site: SiteServer, tmp_path: Path
) -> None:
    recorder = start(
        "record",
        f"{site.url}/shop/signin",
        "-o",
        "flow.yaml",
        "--expect",
        "all",
        **NO_DISPLAY,
        SUREHAND_SECRET_PASSWORD="wrong",
    )
    viewer = Viewer(recorder)
    sign_in(viewer)
    viewer.see("Press Enter")
    viewer.end()
    err = recorder.communicate(timeout=90)[1].decode()
    assert recorder.returncode == 1, err
    assert "did not replay" in err
    assert re.search(
        r"^# It did not replay when it was recorded: step \d+ failed \(\w+\)\.$",
        (tmp_path / "flow.yaml").read_text(),
        re.MULTILINE,
    )


def test_a_flow_whose_secret_is_unknown_is_written_and_not_tried(
    start: Start, site: SiteServer, tmp_path: Path
) -> None:
    recorder = start("record", f"{site.url}/shop/signin", "-o", "flow.yaml", **NO_DISPLAY)
    viewer = Viewer(recorder)
    sign_in(viewer)
    viewer.see("Press Enter")
    viewer.end()
    err = recorder.communicate(timeout=60)[1].decode()
    assert recorder.returncode == 1
    assert "surehand secrets set PASSWORD" in err
    assert "# It was not tried: it needs secret PASSWORD." in (tmp_path / "flow.yaml").read_text()


def test_a_recording_of_nothing_leaves_no_file(start: Start, site: SiteServer, tmp_path: Path) -> None:
    recorder = start("record", f"{site.url}/shop/", "-o", "flow.yaml", **NO_DISPLAY)
    Viewer(recorder).end()
    err = recorder.communicate(timeout=60)[1].decode()
    assert recorder.returncode == 2
    assert "error (nothing_recorded): Nothing was recorded." in err
    assert not (tmp_path / "flow.yaml").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
async def test_a_terminal_that_is_closed_meanwhile_ends_the_hearing_of_keys_without_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal, side = os.openpty()
    heard: asyncio.Queue[str] = asyncio.Queue()
    with os.fdopen(side) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        with hear_keys(heard.put_nowait, is_wanted=True):
            os.write(terminal, b"e")
            assert await heard.get() == "e"
            os.close(terminal)
            await asyncio.to_thread(select.select, [side], [], [], 10)
            await asyncio.to_thread(os.getpid)


def sign_in(viewer: Viewer) -> None:
    """Sign in by keys alone."""
    viewer.press("Shift+Tab")  # from the end of the page
    for _ in range(40):
        viewer.press("Tab")
        viewer.write("a")
        if any('field "Email"' in each for each in viewer.client.get("/v1/recording").json()["steps"]):
            break
    viewer.press("Control+A")
    viewer.write("ada@example.com")
    viewer.press("Tab")
    viewer.write("s3cret: ok?")
    viewer.press("Enter")
