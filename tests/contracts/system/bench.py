"""Benches: a machine with the same programs, as real ones on a private desktop and as the shipped fake."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

import psutil
import pytest

from actuators.base import BackEnd, Environment
from actuators.system.fake.machine import FakeMachine, FakeProgram
from actuators.system.platforms.fake import make_fake_back_end
from actuators.system.ports.programs import CommandResult
from actuators.verb_table import load_toolsets
from core.policy.policy import Policy
from core.results.tool_results import ToolOutcome, UndoRecord
from core.tools.ports import ActionContext
from core.tools.registry import list_verbs

ENTRY = """[Desktop Entry]
Type=Application
Name={name}
Name[de]={german}
GenericName={generic}
Exec={command}
{more}
"""
SLEEPER = "import select; select.select([], [], [], 60)"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); {SLEEPER}"


@dataclass
class SystemBench:
    """A back end, the folder that it works in, and how what it did is seen from outside.

    Programs on it: ``Sleeper`` goes on, ``Stubborn`` doesn't end when it is asked to, ``Failing`` ends at once with code
    3 and the words "no way", ``Quick`` ends at once with code 0, ``Twin`` is the name of two; as commands, ``hello``
    says "hello", ``broken`` complains "broken" and ends with code 2, ``endless`` never ends, and ``loud`` says much. Their
    executables end in the tag, so that benches side by side don't end each other's.

    Attributes:
        back_end: What is tested.
        workspace: The folder that it works in.
        lives: Tells whether a process lives.
        tag: The end of the executables' names.
        windowless: What ``launch`` calls a program that goes on and shows no window.
        other_names: What ``Sleeper`` may be called as well.
        twins: The ids of both twins.
        lacks: What can't be tested here, with the reason of each.
        policy: The policy of the calls.
    """

    back_end: BackEnd
    workspace: Path
    lives: Callable[[int], bool]
    tag: str = ""
    windowless: str = "Sleeper"
    other_names: tuple[str, ...] = ("test.sleeper", "night watch", "test.sleeper.desktop")
    twins: tuple[str, str] = ("test.twin1", "test.twin2")
    lacks: Mapping[str, str] = field(default_factory=dict[str, str])
    policy: Policy = field(default_factory=Policy)

    async def call(self, verb: str, timeout_s: float = 20.0, **params: Any) -> ToolOutcome:
        context = ActionContext("a1", timeout_s=timeout_s, policy=self.policy)
        return await asyncio.wait_for(getattr(self.toolset(verb), verb)(context, **params), timeout_s)

    def toolset(self, verb: str) -> Any:
        """Return the tools that a verb is among."""
        declared = next(each for each in load_toolsets("system") if verb in list_verbs(each))
        return self.back_end.toolsets[declared]

    async def undo(self, outcome: ToolOutcome) -> ToolOutcome:
        """Take an outcome back, by its record as a file would keep it."""
        record = outcome.undo_record
        assert record is not None
        params, guard = (json.loads(json.dumps(dict(each))) for each in (record.params, record.guard))
        record = UndoRecord(record.domain, record.operation, params, guard)
        context = ActionContext("undo", timeout_s=20.0, policy=self.policy)
        return await self.back_end.take_back(context, record)

    def need(self, what: str) -> None:
        """Skip the test where there is no such thing."""
        if reason := self.lacks.get(what):
            pytest.skip(reason)

    def is_program(self, executable: str, name: str) -> bool:
        """Tell whether an executable is the program of a name."""
        return PurePath(executable.replace("\\", "/")).name.removesuffix(".exe") == name + self.tag


def make_fake_machine() -> FakeMachine:
    def program(name: str, **more: Any) -> FakeProgram:
        return FakeProgram(executable=f"/opt/{name.lower()}", name=name, id=f"test.{name.lower()}", **more)

    twins = [FakeProgram(executable=f"/opt/twin{n}", name="Twin", id=f"test.twin{n}") for n in (1, 2)]
    commands = [
        FakeProgram(executable="/opt/hello", said=CommandResult(0, "hello\n", "")),
        FakeProgram(executable="/opt/broken", said=CommandResult(2, "", "broken\n")),
        FakeProgram(executable="/opt/endless", said=CommandResult(None, "", "")),
        FakeProgram(executable="/opt/loud", said=CommandResult(0, "x" * 3_000_000, "")),
    ]
    return FakeMachine(
        [
            program("Sleeper", names=("Night Watch",)),
            program("Stubborn", stubborn=True),
            program("Failing", exit_code=3, words="no way"),
            program("Quick", exit_code=0),
            program("Window", window="A window"),
            *twins,
            *commands,
        ]
    )


def make_fake_bench(workspace: Path, machine: FakeMachine | None = None) -> SystemBench:
    machine = machine or make_fake_machine()
    return SystemBench(make_fake_back_end(machine, workspace), workspace, lambda pid: pid in machine.processes)


class ProgramFolder:
    """Programs of ours as desktop entries and executables in a folder, and what was started of them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.tag = f"-{os.getpid():x}"
        self.programs = root / "bin"
        self.entries = root / "share" / "applications"
        for each in (self.programs, self.entries):
            each.mkdir(parents=True)

    def add_all(self) -> None:
        python = sys.executable
        self.add_program("sleeper", f"#!{python}\n{SLEEPER}\n")
        self.add_program("stubborn", f"#!{python}\n{STUBBORN}\n")
        self.add_program("failing", "#!/bin/sh\necho no way >&2\nexit 3\n")
        self.add_program("quick", "#!/bin/sh\nexit 0\n")
        self.add_program("hello", "#!/bin/sh\necho hello\n")
        self.add_program("broken", "#!/bin/sh\necho broken >&2\nexit 2\n")
        self.add_program("endless", f"#!{python}\n{SLEEPER}\n")
        self.add_program("loud", f"#!{python}\nprint('x' * 3_000_000)\n")
        for name in ("twin1", "twin2"):
            self.add_program(name, f"#!{python}\n{SLEEPER}\n")
            self.add_entry(f"test.{name}", name="Twin", command=name + self.tag)
        for name in ("sleeper", "stubborn", "failing", "quick"):
            generic = "Night Watch" if name == "sleeper" else ""
            self.add_entry(f"test.{name}", name=name.capitalize(), command=name + self.tag, generic=generic)

    def add_program(self, name: str, text: str) -> Path:
        file = self.programs / (name + self.tag)
        file.write_text(text)
        file.chmod(0o755)
        return file

    def add_entry(self, entry_id: str, *, name: str, command: str, generic: str = "", more: str = "") -> None:
        text = ENTRY.format(name=name, german=f"{name} auf Deutsch", generic=generic, command=command, more=more)
        (self.entries / f"{entry_id}.desktop").write_text(text)

    def variables(self, base: Mapping[str, str]) -> dict[str, str]:
        own = {
            "PATH": f"{self.programs}:{os.environ['PATH']}",
            "XDG_DATA_HOME": str(self.root / "home"),
            "XDG_DATA_DIRS": str(self.root / "share"),
        }
        return dict(base) | own

    def clear(self) -> None:
        """End whatever was started of these programs."""
        for process in psutil.process_iter(["cmdline"]):
            if any(str(self.root) in part for part in process.info["cmdline"] or ()):
                os.kill(process.pid, signal.SIGKILL)


def is_alive(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


def make_environment(variables: Mapping[str, str], workspace: Path) -> Environment:
    return Environment(platform="linux", variables=variables, workspace=workspace)
