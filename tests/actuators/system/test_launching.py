import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from actuators.base import Environment
from actuators.system.platforms.linux import make_back_end
from core.base.errors import ActionError, DeviceError, UnsupportedError
from core.policy.policy import Policy
from fixtures.machine.desktop import PrivateDesktop
from tests.contracts.system.bench import SLEEPER, ProgramFolder, SystemBench
from tests.prerequisites import miss

ROOT = Path(__file__).resolve().parents[3]
OUTLIVING = """
import asyncio, sys
from pathlib import Path
from actuators.base import Environment
from actuators.system.tools.launching import LaunchTools
from actuators.system.platforms.linux import make_back_end
from core.tools.ports import ActionContext

async def main():
    back_end = make_back_end(Environment(platform="linux", variables={"PATH": "/usr/bin:/bin"}, workspace=Path("/")))
    outcome = await back_end.toolsets[LaunchTools].launch(ActionContext("a1"), app=sys.argv[1])
    print(outcome.output["pid"], flush=True)
    await back_end.close()

asyncio.run(main())
"""


def need(program: str) -> None:
    if shutil.which(program) is None:
        miss(f"{program} is not installed")


@pytest.mark.parametrize("app", ["Galculator", "xterm"])
async def test_a_real_application_is_started_until_its_window_is_there_and_closed_by_it(bench: SystemBench, app: str):
    need(app.lower())
    outcome = await bench.call("launch", app=app, wait="window")
    assert outcome.effect == "confirmed"
    assert outcome.evidence["window"] == outcome.output["window"]
    assert bench.lives(outcome.output["pid"])
    closed = await bench.call("close", pid=outcome.output["pid"])
    assert closed.evidence["by_window"] == [outcome.output["pid"]]
    assert not bench.lives(outcome.output["pid"])


async def test_an_application_that_asks_whether_to_save_is_told_to_remain(bench: SystemBench, desk: PrivateDesktop):
    need("mousepad")
    need("xdotool")
    outcome = await bench.call("launch", app="Mousepad", wait="window")
    pid, window = outcome.output["pid"], outcome.output["window"]
    desk.ask("xdotool", "windowfocus", "--sync", window, "type", "--window", window, "unsaved")
    with pytest.raises(ActionError) as caught:
        await bench.call("close", pid=pid, timeout_s=4.0)
    assert caught.value.code == "still_running"
    assert caught.value.evidence["windows"]
    await bench.call("kill", pid=pid)
    assert not bench.lives(pid)


def test_a_program_outlives_the_one_that_started_it(programs: ProgramFolder):
    file = programs.add_program("outliving", f"#!{sys.executable}\n{SLEEPER}\n")
    started = subprocess.run(
        [sys.executable, "-c", OUTLIVING, str(file)], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    pid = int(started.stdout)
    assert psutil.pid_exists(pid)
    assert os.getsid(pid) == pid
    assert Path(f"/proc/{pid}/fd/0").readlink() == Path("/dev/null")
    os.kill(pid, signal.SIGKILL)


async def test_no_shell_reads_the_arguments(bench: SystemBench, programs: ProgramFolder):
    programs.add_program("args", f"#!{sys.executable}\nimport sys; print(sys.argv[1:])\n")
    odd = ("$(touch x)", "; ls", "`id`", "*", "a b", "", "ż", "%U")
    said = await bench.call("run", argv=(f"args{bench.tag}", *odd))
    assert said.output["text"] == str(list(odd))
    programs.add_entry("test.args", name="Args", command=f"args{bench.tag} first %F last")
    programs.add_program("args", f"#!{sys.executable}\nimport sys; sys.exit(repr(sys.argv[1:]))\n")
    with pytest.raises(ActionError) as caught:
        await bench.call("launch", app="Args", args=odd)
    assert caught.value.evidence["words"] == str(["first", *odd, "last"])
    assert list(bench.workspace.iterdir()) == []


async def test_a_program_starts_in_the_folder_that_is_named_or_that_its_entry_names(
    bench: SystemBench, programs: ProgramFolder, tmp_path: Path
):
    (bench.workspace / "sub").mkdir()
    file = programs.add_program("where", "#!/bin/sh\npwd >&2\nexit 1\n")
    programs.add_entry("test.where", name="Where", command=f"where{bench.tag}", more=f"Path={tmp_path}")
    folders = {"Where": tmp_path, str(file): bench.workspace}
    for app, folder in folders.items():
        with pytest.raises(ActionError) as caught:
            await bench.call("launch", app=app)
        assert caught.value.evidence["words"] == str(folder.resolve())
    with pytest.raises(ActionError) as caught:
        await bench.call("launch", app="Where", cwd="sub")
    assert caught.value.evidence["words"] == str((bench.workspace / "sub").resolve())


async def test_a_relative_path_starts_at_the_folder_that_the_program_starts_in(
    bench: SystemBench, programs: ProgramFolder
):
    file = programs.add_program("where", "#!/bin/sh\npwd >&2\nexit 1\n")
    folder = bench.workspace / "a folder"
    folder.mkdir()
    file.rename(folder / "where")
    for app, cwd in {"a folder/where": None, "./where": "a folder"}.items():
        with pytest.raises(ActionError) as caught:
            await bench.call("launch", app=app, cwd=cwd)
        assert caught.value.evidence["words"] == str((bench.workspace / (cwd or "")).resolve())
    with pytest.raises(DeviceError, match="No application or executable"):
        await bench.call("launch", app="./where")


async def test_one_that_hands_over_to_another_is_where_that_one_shows_its_window(bench: SystemBench):
    need("mousepad")
    first = await bench.call("launch", app="Mousepad", wait="window")
    second = await bench.call("launch", app="Mousepad", wait="window")  # which adds a document to the first's window
    assert (second.effect, second.output["pid"]) == ("unverified", first.output["pid"])
    assert second.output["window"] == first.output["window"]
    assert "handed over" in second.evidence["reason"]
    assert second.undo_record is None
    await bench.call("kill", pid=first.output["pid"])


async def test_what_the_system_ended_is_told_by_the_signal(bench: SystemBench):
    bench.policy = Policy(extra_verbs=("system.run",))
    words = "was ended by the signal SIGKILL"
    with pytest.raises(ActionError, match=words) as caught:
        await bench.call("launch", app="sh", args=("-c", "kill -9 $$"))
    assert caught.value.evidence["exit_code"] == -9
    with pytest.raises(ActionError, match=words):
        await bench.call("run", argv=("sh", "-c", "kill -9 $$"))


async def test_what_runs_in_a_terminal_gets_one(bench: SystemBench, programs: ProgramFolder):
    need("xterm")
    programs.add_program("talker", f"#!{sys.executable}\n{SLEEPER}\n")
    programs.add_entry("test.talker", name="Talker", command=f"talker{bench.tag}", more="Terminal=true")
    outcome = await bench.call("launch", app="Talker", wait="window")
    family = psutil.Process(outcome.output["pid"]).children(recursive=True)
    assert any(str(programs.root) in " ".join(each.cmdline()) for each in family)
    await bench.call("kill", pid=outcome.output["pid"])


async def test_entries_whose_program_is_missing_or_that_are_hidden_are_not_listed(
    bench: SystemBench, programs: ProgramFolder
):
    programs.add_program("there", "#!/bin/sh\n")
    for name, more in {"Hidden": "Hidden=true", "Undisplayed": "NoDisplay=true", "Untried": "TryExec=/no/such"}.items():
        programs.add_entry(f"test.{name}", name=name, command=f"there{bench.tag}", more=more)
    programs.add_entry("test.gone", name="Gone", command="no-such-program")
    programs.add_entry("test.bad", name="Bad", command='"unclosed')
    programs.add_entry("test.good", name="Good", command=f"there{bench.tag} %U")
    names = {each["name"] for each in (await bench.call("list_apps", filter="test.")).output["apps"]}
    assert names == {"Good"}


async def test_what_a_person_has_put_into_their_own_folder_comes_first(bench: SystemBench, programs: ProgramFolder):
    programs.add_entry("test.app", name="Shared", command="true")
    own = programs.root / "home" / "applications"
    own.mkdir(parents=True)
    (own / "test.app.desktop").write_text("[Desktop Entry]\nType=Application\nName=Own\nExec=true\n")
    apps = (await bench.call("list_apps", filter="test.app")).output["apps"]
    assert [each["name"] for each in apps] == ["Own"]


async def test_a_file_that_is_no_program_is_an_error(bench: SystemBench, programs: ProgramFolder):
    file = programs.add_program("junk", "\x00\x01 no program")
    with pytest.raises(ActionError) as caught:
        await bench.call("launch", app=str(file))
    assert caught.value.code == "app_failed"


async def test_without_a_display_console_programs_start_and_windows_are_refused(
    programs: ProgramFolder, tmp_path: Path
):
    programs.add_program("sleeper", f"#!{sys.executable}\n{SLEEPER}\n")
    environment = Environment(platform="linux", variables=programs.variables({}), workspace=tmp_path)
    bench = SystemBench(make_back_end(environment), tmp_path, psutil.pid_exists)
    found = bench.back_end.assess("launcher")
    assert found.available
    assert "without a display" in found.reason
    outcome = await bench.call("launch", app=f"sleeper{programs.tag}")
    with pytest.raises(UnsupportedError):
        await bench.call("launch", app=f"sleeper{programs.tag}", wait="window")
    assert bench.lives(outcome.output["pid"])
    await bench.call("close", pid=outcome.output["pid"])
    with pytest.raises(DeviceError):  # what was refused has not been started
        await bench.call("close", app=f"sleeper{programs.tag}")
    for capability in ("opener", "notifications", "session_lock", "brightness", "clipboard"):
        found = bench.back_end.assess(capability)
        assert found.available or (found.reason and capability == found.capability), found
    assert not bench.back_end.assess("opener").available
    await bench.back_end.close()
