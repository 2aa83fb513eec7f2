"""Real programs on a private desktop, and the tools of the real back end."""

import json
import shutil
import subprocess
from typing import Any

from actuators.deadlines import Deadline, settle
from actuators.desktop.finding.element_words import SILENT
from actuators.desktop.ports.desktop import Element, Window
from actuators.desktop.tools.back_end import DesktopBackEnd
from core.policy.policy import Policy
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext
from fixtures.machine.desktop import PrivateDesktop
from tests.prerequisites import miss


class Programs:
    """Starts programs and calls tools.

    Attributes:
        back_end: The real one.
    """

    def __init__(self, desk: PrivateDesktop, back_end: DesktopBackEnd) -> None:
        self.back_end = back_end
        self._desk = desk
        self._started: list[subprocess.Popen[bytes]] = []

    async def open(self, title: str, *argv: str) -> subprocess.Popen[bytes]:
        """Start a program, and return once its window is there."""
        if shutil.which(argv[0]) is None:
            miss(f"{argv[0]} is not installed")
        process = self._desk.open(*argv)
        self._started.append(process)
        await self.call("wait", window=title, timeout=10)
        return process

    async def call(self, verb: str, *, timeout_s: float = 20.0, **args: Any) -> ToolOutcome:
        """Call a verb; whatever comes of it must be plain data."""
        context = ActionContext(f"g0_{verb}_1", timeout_s=timeout_s, policy=Policy())
        tools = next(each for each in self.back_end.toolsets.values() if hasattr(each, verb))
        outcome = await getattr(tools, verb)(context, **args)
        json.dumps([dict(outcome.output), dict(outcome.evidence)])
        return outcome

    async def wait_for_value(self, window: str, value: str) -> None:
        """Return once the field of a window that can be edited holds a value.

        Raises:
            AssertionError: It did not within ten seconds.
        """
        seen: list[str] = []

        async def has_value() -> bool:
            fields = (await self.call("find", role="textbox", window=window)).output["matches"]
            seen[:] = [each["value"] for each in fields if "editable" in each["states"]]
            return seen == [value]

        await settle(has_value, self.back_end.parts.accessibility.wait_for_change, Deadline(10))
        assert seen == [value]

    async def list_answering(self, window: Window) -> tuple[Element, ...]:
        """Return what a window holds, once none of its programs is too busy to answer."""
        listed: list[Element] = []

        async def answers() -> bool:
            listed[:] = await self.back_end.parts.accessibility.elements(window)
            return not any(SILENT in each.states for each in listed)

        await settle(answers, self.back_end.parts.accessibility.wait_for_change, Deadline(20))
        return tuple(listed)

    async def close(self) -> None:
        """End the programs, and wait until no window is left of them."""
        windows, pids = self.back_end.parts.windows, {each.pid for each in self._started}
        titles = {each.title for each in await windows.windows() if each.pid in pids or not each.pid}
        for process in self._started:
            self._desk.end(process)

        async def are_gone() -> bool:
            return not any(each.title in titles for each in await windows.windows())

        if titles:
            await settle(are_gone, windows.wait_for_change, Deadline(5))
        await self.back_end.close()
