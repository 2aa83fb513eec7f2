"""The benches on a private X11 desktop with a real calculator, and over the real reader."""

import subprocess
from pathlib import Path

from actuators.base import Environment
from actuators.deadlines import Deadline, settle
from actuators.desktop.platforms.linux import make_back_end
from actuators.desktop.ports.desktop import Rect
from actuators.desktop.sight.reader import PictureReader
from fixtures.machine.desktop import PrivateDesktop
from tests.contracts.desktop_perception.bench import CALCULATOR, PREFERENCES, ElementBench, ReaderBench
from tests.contracts.desktop_perception.drawing import draw_paper

PLACES = {"Total 128.50": Rect(10, 10, 200, 30), "Sign in": Rect(10, 60, 100, 30)}


class RealBench(ElementBench):
    """A real calculator on the accessibility bus."""

    def __init__(self, desk: PrivateDesktop, folder: Path) -> None:
        self._back_end = make_back_end(Environment(platform="linux", variables=desk.environ, state_dir=folder))
        super().__init__(self._back_end)
        self._desk = desk
        self._process: subprocess.Popen[bytes] | None = None

    async def open(self) -> None:
        """Start the calculator and open its preferences."""
        self._process = self._desk.open("galculator")
        await self.call("wait", role="button", name="7", window=CALCULATOR, timeout=10)
        await self.call("invoke", target='menuitem "Preferences..."', window=CALCULATOR)
        await self.call("wait", role="tab", name="Numbers", window=PREFERENCES, timeout=10)

    async def close(self) -> None:
        """End the calculator, and wait until its windows are gone."""
        if self._process is not None:
            self._desk.end(self._process)
        windows = self.parts.windows

        async def is_gone() -> bool:
            return not any(CALCULATOR in each.title for each in await windows.windows())

        await settle(is_gone, windows.wait_for_change, Deadline(5))
        await self._back_end.close()


def make_reader_bench(folder: Path) -> ReaderBench:
    """Return the real reader and a picture that was drawn."""
    picture, images = draw_paper(folder, PLACES)
    return ReaderBench(PictureReader(), picture, PLACES, images)
