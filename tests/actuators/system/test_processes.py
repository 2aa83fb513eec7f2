import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from actuators.system.ports.programs import Process
from actuators.system.processes.commands import SystemCommands
from actuators.system.processes.psutil_processes import PsutilProcesses, read_processes, wait_for_exit
from actuators.system.tools.matching import find_processes, nearest_names, with_descendants
from core.base.errors import ActionError, PolicyError
from tests.contracts.system.bench import SLEEPER, ProgramFolder, SystemBench, is_alive


def count_descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


FAMILY = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "{sleeper}", "{mark}"], start_new_session=True)
print(child.pid, flush=True)
{sleeper}
"""


@pytest.fixture
def family(tmp_path: Path) -> Iterator[tuple[int, int]]:
    """A process and its child, which has a session of its own."""
    script = FAMILY.format(sleeper=SLEEPER, mark=tmp_path)
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    yield parent.pid, child
    for pid in (parent.pid, child):
        if is_alive(pid):
            psutil.Process(pid).kill()
    parent.wait()
    parent.stdout.close()


async def test_a_kill_ends_all_that_the_process_started(bench: SystemBench, family: tuple[int, int]):
    parent, child = family
    outcome = await bench.call("kill", pid=parent)
    assert {each["pid"] for each in outcome.output["killed"]} == {parent, child}
    assert not is_alive(parent)
    assert not is_alive(child)


async def test_a_close_tells_what_the_process_left_behind(bench: SystemBench, family: tuple[int, int]):
    parent, child = family
    outcome = await bench.call("close", pid=parent)
    assert [each["pid"] for each in outcome.output["closed"]] == [parent]
    assert [each["pid"] for each in outcome.output["remaining"]] == [child]


async def test_what_takes_no_notice_and_shows_nothing_is_not_said_to_ask_anything(
    bench: SystemBench, programs: ProgramFolder
):
    programs.add_all()
    outcome = await bench.call("launch", app="Stubborn")
    with pytest.raises(ActionError) as caught:
        await bench.call("close", pid=outcome.output["pid"], timeout_s=2.0)
    assert (caught.value.code, caught.value.evidence["windows"]) == ("still_running", [])
    assert "save" not in caught.value.hint


async def test_neither_we_nor_what_we_live_in_may_be_ended(bench: SystemBench):
    for pid in (os.getpid(), *(each.pid for each in psutil.Process().parents() if each.pid != 1)):
        with pytest.raises(PolicyError) as caught:
            await bench.call("kill", pid=pid)
        assert caught.value.code == "process_protected"
        assert "Surehand" in caught.value.message


async def test_a_name_that_means_us_among_others_ends_none_of_them(bench: SystemBench):
    own = psutil.Process().name()
    with pytest.raises(PolicyError):
        await bench.call("kill", app=own)


async def test_a_number_that_has_gone_to_another_process_is_let_alone(family: tuple[int, int]):
    processes = PsutilProcesses()
    now = next(each for each in await processes.list() if each.pid == family[0])
    earlier = Process(pid=now.pid, name=now.name, started_s=now.started_s - 10)
    await processes.end_by_force([earlier])
    assert is_alive(now.pid)
    assert await processes.wait_until_gone([earlier], 5.0) == ()


async def test_a_process_of_another_user_is_told_to_be_so():
    if os.getuid() == 0:
        pytest.skip("root may end any process")
    processes = PsutilProcesses()
    first = next(each for each in await processes.list() if each.pid == 1)
    with pytest.raises(ActionError) as caught:
        await processes.terminate([first])
    assert caught.value.code == "no_permission"


async def test_an_exit_is_noticed_when_it_comes(family: tuple[int, int]):
    waiting = asyncio.create_task(wait_for_exit(family[1], 30.0))
    assert not await wait_for_exit(family[1], 0.05)
    psutil.Process(family[1]).kill()
    assert await asyncio.wait_for(waiting, 5.0)
    assert await wait_for_exit(4_000_000, 1.0)


async def test_a_wait_that_is_cancelled_leaves_no_descriptor(family: tuple[int, int]):
    before = count_descriptors()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(wait_for_exit(family[0], 30.0), 0.05)
    assert count_descriptors() == before


async def test_a_command_that_is_cancelled_is_ended_with_all_that_it_started(tmp_path: Path, programs: ProgramFolder):
    programs.add_program("family", f"#!{sys.executable}\n{FAMILY.format(sleeper=SLEEPER, mark=programs.root)}")
    commands = SystemCommands(programs.variables({}))
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(commands.run([f"family{programs.tag}"], tmp_path, 30.0, 1000), 1.0)
    mine = [each for each in read_processes() if any(str(programs.root) in part for part in each.argv)]
    assert mine == []


async def test_what_a_command_has_orphaned_ends_with_it(tmp_path: Path, programs: ProgramFolder):
    programs.add_program("sleeper", f"#!{sys.executable}\n{SLEEPER}\n")
    programs.add_program("orphaner", f"#!/bin/sh\n(sleeper{programs.tag} &)\nexec sleeper{programs.tag}\n")
    result = await SystemCommands(programs.variables({})).run([f"orphaner{programs.tag}"], tmp_path, 1.0, 1000)
    assert result.exit_code is None
    assert [each for each in read_processes() if any(str(programs.root) in part for part in each.argv)] == []


async def test_a_command_that_is_cancelled_while_it_starts_does_not_go_on(tmp_path: Path, programs: ProgramFolder):
    programs.add_program("sleeper", f"#!{sys.executable}\n{SLEEPER}\n")
    commands = SystemCommands(programs.variables({}))

    async def give_up() -> None:
        running = asyncio.create_task(commands.run([f"sleeper{programs.tag}"], tmp_path, 30.0, 1000))
        begun = asyncio.Event()
        asyncio.get_running_loop().call_soon(begun.set)
        await begun.wait()  # the thread that starts it is under way, and nobody has heard of it yet
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    await asyncio.to_thread(asyncio.run, give_up())  # its end waits for its threads
    assert [each for each in read_processes() if any(str(programs.root) in part for part in each.argv)] == []


async def test_a_command_is_not_waited_for_because_of_what_it_left_running(tmp_path: Path, programs: ProgramFolder):
    programs.add_program("sleeper", f"#!{sys.executable}\n{SLEEPER}\n")
    programs.add_program("leaver", f"#!/bin/sh\nsleeper{programs.tag} &\necho gone\n")
    commands = SystemCommands(programs.variables({}))
    result = await asyncio.wait_for(commands.run([f"leaver{programs.tag}"], tmp_path, 30.0, 1000), 10.0)
    assert (result.exit_code, result.stdout) == (0, "gone\n")


async def test_output_that_is_no_text_is_kept_as_far_as_it_is(tmp_path: Path):
    result = await SystemCommands(os.environ).run(["printf", r"a\377\305\274"], tmp_path, 5.0, 1000)
    assert result.stdout == "a\ufffdż"


def make(pid: int, name: str, parent: int = 0, **more: object) -> Process:
    executable = str(more.get("executable", ""))
    argv = more.get("argv", ())
    assert isinstance(argv, tuple)
    return Process(pid=pid, name=name, parent=parent, started_s=float(pid), executable=executable, argv=argv)


def test_a_name_that_the_kernel_cuts_is_completed_by_the_command_line():
    cut = make(5, "a-very-long-nam", argv=("/usr/bin/python3", "/opt/a-very-long-name"))
    assert find_processes([cut], "a-very-long-name") == (cut,)


def test_a_process_is_not_taken_for_another_because_of_an_argument():
    editor = make(5, "vim", executable="/usr/bin/vim", argv=("vim", "firefox"))
    browser = make(6, "firefox", executable="/opt/firefox", argv=("/opt/firefox",))
    assert find_processes([editor, browser], "Firefox") == (browser,)


def test_descendants_come_after_their_parents_and_a_reused_parent_number_has_none():
    tree = [make(1, "init"), make(2, "a", 1), make(3, "b", 2), make(4, "c", 3), make(9, "young"), make(5, "old", 9)]
    assert [each.pid for each in with_descendants(tree, [tree[1]])] == [2, 3, 4]
    assert [each.pid for each in with_descendants(tree, [tree[4]])] == [9]


def test_what_is_not_alike_is_not_near():
    assert nearest_names("calculater", {"Calculator", "Terminal", "xyz"})[0] == "Calculator"
    assert nearest_names("qqqq", {"Calculator"}) == []
