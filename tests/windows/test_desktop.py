"""The desktop's tools on Windows do what they do everywhere."""

import os
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

if sys.platform != "win32":
    raise pytest.skip.Exception("needs Windows: python3 scripts/test.py --windows", allow_module_level=True)
if "SUREHAND_LANE_SCREEN" not in os.environ:
    raise pytest.skip.Exception("needs a screen that nobody uses: install xvfb", allow_module_level=True)

from actuators.base import Environment
from actuators.clipboard.windows import WindowsClipboard
from actuators.desktop.platforms.windows import make_parts
from tests.contracts.desktop.clipboard_suite import ClipboardConformance
from tests.contracts.desktop.conformance import DesktopConformance
from tests.windows.win32_bench import RecorderProcess, Win32Bench


@pytest.fixture(scope="module")
def recorder() -> Iterator[RecorderProcess]:
    program = RecorderProcess()
    yield program
    program.close()


class TestWin32(DesktopConformance):
    """The desktop of Windows."""

    @pytest.fixture
    async def bench(self, recorder: RecorderProcess, tmp_path: Path) -> AsyncIterator[Win32Bench]:
        environment = Environment(platform="win32", variables=dict(os.environ), state_dir=tmp_path)
        bench = Win32Bench(make_parts(environment), recorder)
        yield bench
        await bench.close()


class TestWin32Clipboard(ClipboardConformance):
    """Windows' own clipboard."""

    @pytest.fixture
    async def clipboard(self) -> AsyncIterator[WindowsClipboard]:
        made = WindowsClipboard()
        yield made
        await made.close()
