"""Who is asked whether programs may be ended sees which, and nothing else is ended."""

import asyncio
import re
import shutil
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import psutil
import pytest

from actuators.system.fake.machine import FakeMachine, FakeProgram
from core.base.errors import DeviceError
from core.tools.ports import ActionContext
from fixtures.machine.processes import wait_until
from tests.actuators.system.acts import RUNNING, Yes, act
from tests.contracts.system.bench import ProgramFolder, SystemBench, make_fake_bench
from tests.prerequisites import require


@pytest.fixture
async def sleepers(bench: SystemBench, programs: ProgramFolder) -> list[int]:
    """Three processes of one program."""
    programs.add_all()
    started = [await bench.call("launch", app="Sleeper") for _ in range(3)]
    return [each.output["pid"] for each in started]


@pytest.mark.parametrize("verb", ["kill", "close"])
async def test_each_process_that_would_be_ended_is_shown_by_what_tells_it_from_others(
    verb: str, bench: SystemBench, sleepers: list[int]
):
    gate = Yes()
    log = await act(bench, verb, gate, app="Sleeper")
    assert log.result.status == "ok"
    head, *lines = gate.shown.splitlines()
    assert head == "3 processes of “Sleeper”:"
    assert [int(number) for number in re.findall(r", process (\d+), ", gate.shown)] == sorted(sleepers)
    program = shutil.which("python3") or ""
    for line in lines:
        assert f"sleeper{bench.tag}" in line or program in line
        since = re.search(r"since (\S+ \S+)", line)
        assert since is not None
        assert datetime.fromisoformat(since[1]) <= datetime.now().astimezone()
    assert not any(map(bench.lives, sleepers))


async def test_a_window_is_shown_by_its_title_and_what_a_program_started_is_counted(bench: SystemBench):
    require("xterm")
    bench.policy = RUNNING
    args = ("-T", 'Letters of "Ada"', "-e", "sleep", "60")
    started = (await bench.call("launch", app="xterm", args=args, wait="window")).output["pid"]
    assert await asyncio.to_thread(wait_until, lambda: bool(psutil.Process(started).children()), 5.0)
    gate = Yes()
    log = await act(bench, "kill", gate, pid=started)
    head, xterm, child = gate.shown.splitlines()
    assert head == f"1 process of “process {started}”, with 1 process that it started:"
    assert xterm.endswith('with the window “Letters of "Ada"”')
    assert child.endswith(", started by it")
    assert f"process {log.result.output['killed'][1]['pid']}," in child


@pytest.mark.parametrize("verb", ["kill", "close"])
async def test_a_process_that_came_while_a_person_thought_is_let_alone(
    verb: str, bench: SystemBench, sleepers: list[int], programs: ProgramFolder
):
    late: list[psutil.Popen] = []
    gate = Yes(lambda: late.append(psutil.Popen([programs.programs / f"sleeper{bench.tag}"])))
    log = await act(bench, verb, gate, app="Sleeper")
    assert log.result.status == "ok"
    assert not any(map(bench.lives, sleepers))
    assert bench.lives(late[0].pid)
    assert [each["pid"] for each in log.result.output["remaining"]] == [late[0].pid]
    late[0].kill()
    late[0].wait()


async def test_of_those_that_were_shown_what_has_ended_meanwhile_keeps_nothing_from_the_others(
    bench: SystemBench, sleepers: list[int]
):
    log = await act(bench, "kill", Yes(lambda: psutil.Process(sleepers[0]).kill()), app="Sleeper")
    assert log.result.status == "ok"
    assert {each["pid"] for each in log.result.output["killed"]} <= set(sleepers)
    assert not any(map(bench.lives, sleepers))


async def test_nothing_takes_the_place_of_what_was_shown(
    bench: SystemBench, sleepers: list[int], programs: ProgramFolder
):
    late: list[psutil.Popen] = []

    def replace_all() -> None:
        for pid in sleepers:
            psutil.Process(pid).kill()
        late.append(psutil.Popen([programs.programs / f"sleeper{bench.tag}"]))

    log = await act(bench, "kill", Yes(replace_all), app="Sleeper")
    assert log.result.error is not None
    assert log.result.error.code == "process_missing"
    assert "Nothing else was ended" in log.result.error.message
    assert bench.lives(late[0].pid)
    late[0].kill()
    late[0].wait()


@pytest.fixture
def machine() -> FakeMachine:
    return FakeMachine([FakeProgram(executable="/opt/calc", name="Calc", id="calc", window="Sums")])


@pytest.mark.parametrize("verb", ["kill", "close"])
async def test_a_number_that_went_to_another_process_is_let_alone(verb: str, machine: FakeMachine, tmp_path: Path):
    bench = make_fake_bench(tmp_path, machine)
    old = machine.spawn(machine.programs[0])
    pid = old.pid
    tools = bench.toolset("kill")
    preview = await tools.preview(verb, ActionContext("a1"), {"pid": pid})
    machine.end(pid)
    machine.processes[pid] = replace(old, started_s=old.started_s + 60)  # as the kernel gives numbers out again
    with pytest.raises(DeviceError) as caught:
        await getattr(tools, verb)(ActionContext("a1", preview=preview), pid=pid)
    assert caught.value.code == "process_missing"
    assert pid in machine.processes
