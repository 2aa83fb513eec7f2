"""Videos of pages: made by the machine's ffmpeg where Playwright's own is missing, refused where nothing makes them."""

import json
import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser

from actuators.browser.playwright.filming.videos import VideoDesk, lend_encoder
from actuators.browser.playwright.session.browser_session import PlaywrightSession
from actuators.browser.playwright.session.launching import BrowserSettings
from core.base.errors import UnsupportedError
from core.tools.ports import ActionContext
from fixtures.machine.network import DeclaredNetwork
from fixtures.site_server import SiteServer
from tests.actuators.browser.hands import Hands

needs_ffmpeg = pytest.mark.skipif(
    not (shutil.which("ffmpeg") and shutil.which("ffprobe")), reason="this machine has no ffmpeg"
)


def make_settings(folder: Path) -> BrowserSettings:
    return BrowserSettings(
        artifacts_dir=folder / "artifacts",
        videos_dir=folder / "videos",
        network=DeclaredNetwork(),
        named_hosts=("127.0.0.1", "localhost"),
    )


@pytest.fixture
async def filmed(tmp_path: Path) -> AsyncIterator[PlaywrightSession]:
    """A session with a browser and a driver of its own: the tests' own driver knows no ffmpeg."""
    session = PlaywrightSession(make_settings(tmp_path))
    yield session
    await session.close()


def list_videos(folder: Path) -> list[Path]:
    return sorted((folder / "videos").iterdir())


def measure_video(file: Path) -> tuple[str, int]:
    """Return the codec of a video, and how many frames it has."""
    command = ["ffprobe", "-v", "error", "-count_frames", "-of", "json", "-show_streams", str(file)]
    told = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    (stream,) = told["streams"]
    return stream["codec_name"], int(stream["nb_read_frames"])


@needs_ffmpeg
async def test_every_page_leaves_a_video_that_plays(
    filmed: PlaywrightSession, site: SiteServer, tmp_path: Path
) -> None:
    await Hands(filmed).navigate(ActionContext("g0_film_1", timeout_s=30.0), f"{site.url}/shop")
    await filmed.close()
    (video,) = list_videos(tmp_path)
    codec, frames = measure_video(video)
    assert codec == "vp9"
    assert frames > 0


async def test_a_video_of_a_session_with_a_secret_is_not_kept(tmp_path: Path) -> None:
    desk, video = VideoDesk(tmp_path), tmp_path / "a.webm"
    video.write_bytes(b"x")
    await desk.finish(has_secrets=False)
    assert video.exists()
    await desk.finish(has_secrets=True)
    assert not video.exists()


async def test_a_machine_without_ffmpeg_opens_no_page_that_nothing_would_film(
    browser: Browser, context: ActionContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    session = PlaywrightSession.over(browser, make_settings(tmp_path))
    with pytest.raises(UnsupportedError, match="ffmpeg is missing") as refused:
        await session.open_page(context)
    assert refused.value.code == "video_unavailable"
    assert "playwright install ffmpeg" in refused.value.hint
    assert lend_encoder(tmp_path / "driver") == {}
    await session.close()


@pytest.mark.skipif("sys.platform == 'win32'", reason="a script is no program there")
async def test_an_ffmpeg_that_can_not_write_the_format_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "ffmpeg"
    program.write_text("#!/bin/sh\necho ' V..... mpeg4'\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    with pytest.raises(UnsupportedError, match=f"{program} can't write libvpx-vp9"):
        await VideoDesk(tmp_path / "videos").list_options()
