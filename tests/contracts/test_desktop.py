"""All back ends of the desktop's tools do the same."""

import inspect
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from actuators.base import Environment
from actuators.desktop.tools.input import InputTools
from actuators.desktop.tools.windowing import WindowTools
from core.tools.registry import list_verbs
from fixtures.machine.desktop import PrivateDesktop
from tests.contracts.desktop.bench import DesktopBench
from tests.contracts.desktop.conformance import DesktopConformance
from tests.contracts.desktop.fake_bench import FakeBench
from tests.prerequisites import require


class TestFake(DesktopConformance):
    """The desktop in memory."""

    @pytest.fixture
    def bench(self, tmp_path: Path) -> DesktopBench:
        return FakeBench(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="X11 is tested on Linux")
class TestX11(DesktopConformance):
    """A private desktop with Xvfb and openbox."""

    @pytest.fixture
    async def bench(self, desk: PrivateDesktop, tmp_path: Path) -> AsyncIterator[DesktopBench]:
        require("mousepad", "xclip", "xdotool")
        x11_bench = pytest.importorskip("tests.contracts.desktop.x11_bench", reason="python-xlib is not installed")
        environment = Environment(platform="linux", variables=desk.environ, state_dir=tmp_path)
        bench = x11_bench.X11Bench(desk, x11_bench.make_parts(environment))
        yield bench
        await bench.close()


def test_the_suite_calls_every_verb_of_windows_and_input():
    sources = "".join(inspect.getsource(inspect.getmodule(part) or part) for part in DesktopConformance.__mro__[1:-1])
    called = set(re.findall(r'bench\.call\(\s*"(\w+)"', sources))
    assert called >= {*list_verbs(InputTools)} | {*list_verbs(WindowTools)}
