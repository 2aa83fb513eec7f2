"""All clipboards do the same."""

import hashlib
import shutil
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from actuators.base import Environment
from actuators.clipboard.fake import FakeClipboard
from actuators.clipboard.linux import CommandClipboard, make_clipboard
from actuators.clipboard.ports import Clipboard
from core.base.errors import DeviceError
from fixtures.machine.desktop import PrivateDesktop
from tests.contracts.desktop.clipboard_suite import PICTURE, ClipboardConformance, PictureConformance


class TestFake(PictureConformance, ClipboardConformance):
    """The clipboard in memory."""

    @pytest.fixture
    def clipboard(self) -> FakeClipboard:
        return FakeClipboard()

    async def test_a_fault_is_raised_once(self):
        clipboard = FakeClipboard("kept")
        clipboard.fault = DeviceError("Its owner hangs.", code="not_settled")
        with pytest.raises(DeviceError):
            await clipboard.read()
        assert await clipboard.read() == "kept"


@pytest.mark.skipif(sys.platform != "linux", reason="xclip is for X11")
@pytest.mark.skipif(shutil.which("xclip") is None, reason="xclip is not installed")
class TestXclip(PictureConformance, ClipboardConformance):
    """The clipboard of a private desktop, by xclip."""

    @pytest.fixture
    async def clipboard(self, desk: PrivateDesktop) -> AsyncIterator[CommandClipboard]:
        made = make_clipboard(Environment(platform="linux", variables=desk.environ))
        yield made
        await made.close()

    async def test_the_text_is_there_for_others(self, clipboard: Clipboard, desk: PrivateDesktop):
        await clipboard.write("żółć")
        assert desk.ask("xclip", "-selection", "clipboard", "-target", "UTF8_STRING", "-out") == "żółć"

    async def test_the_picture_is_there_for_others(self, clipboard: CommandClipboard, desk: PrivateDesktop):
        await clipboard.write_picture(PICTURE)
        command = "xclip -selection clipboard -target image/png -out | sha256sum"
        assert desk.ask("sh", "-c", command).split()[0] == hashlib.sha256(PICTURE).hexdigest()

    async def test_a_picture_on_the_clipboard_is_no_text(
        self, clipboard: Clipboard, desk: PrivateDesktop, tmp_path: Path
    ):
        (tmp_path / "picture.png").write_bytes(b"\x89PNG")
        command = f"xclip -selection clipboard -target image/png -in {tmp_path}/picture.png >/dev/null 2>&1"
        desk.ask("sh", "-c", command)
        assert await clipboard.read() is None


async def test_without_a_display_the_reason_and_a_remedy_are_said():
    clipboard = make_clipboard(Environment(platform="linux", variables={"PATH": "/usr/bin"}))
    found = clipboard.assess()
    assert not found.available
    assert "DISPLAY" in found.reason
    assert found.remedy


async def test_without_its_program_the_package_is_named(desk: PrivateDesktop, tmp_path: Path):
    variables = {"DISPLAY": desk.environ["DISPLAY"], "PATH": str(tmp_path)}
    clipboard = make_clipboard(Environment(platform="linux", variables=variables))
    found = clipboard.assess()
    assert not found.available
    assert "xclip" in found.remedy
    with pytest.raises(DeviceError) as caught:
        await clipboard.read()
    assert caught.value.code == "server_missing"


def test_a_wayland_session_is_served_by_its_own_program(tmp_path: Path):
    variables = {"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0", "PATH": str(tmp_path)}
    found = make_clipboard(Environment(platform="linux", variables=variables)).assess()
    assert not found.available
    assert "wl-clipboard" in found.remedy
