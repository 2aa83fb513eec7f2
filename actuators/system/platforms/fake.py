"""The fake back end of the system tools, which passes the same conformance suite as the real ones.

A typical use::

    machine = FakeMachine([FakeProgram(executable="/usr/bin/calc", name="Calculator", id="calc", window="Calculator")])
    back_end = make_fake_back_end(machine)
"""

from pathlib import Path

from actuators.system.fake.machine import FakeMachine
from actuators.system.fake.programs import (
    FakeBrightness,
    FakeCommands,
    FakeExecutables,
    FakeLauncher,
    FakeMachineFacts,
    FakeNotifier,
    FakeOpener,
    FakePower,
    FakeProcesses,
    FakeScreenLock,
)
from actuators.system.ports.parts import SystemParts
from actuators.system.tools.back_end import SystemBackEnd


def make_fake_back_end(machine: FakeMachine, workspace: Path = Path()) -> SystemBackEnd:
    """Return the back end of a fake machine; files are real, and relative to the workspace."""
    parts = SystemParts(
        launcher=FakeLauncher(machine),
        commands=FakeCommands(machine),
        executables=FakeExecutables(machine),
        processes=FakeProcesses(machine),
        opener=FakeOpener(machine),
        notifier=FakeNotifier(machine),
        screen_lock=FakeScreenLock(machine),
        power=FakePower(machine),
        brightness=FakeBrightness(machine),
        machine=FakeMachineFacts(machine),
        clipboard=machine.clipboard,
    )
    return SystemBackEnd(parts, workspace)
