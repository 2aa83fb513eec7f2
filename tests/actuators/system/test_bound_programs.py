"""A yes to a program holds for the files that it was shown with, and for nothing that takes their place."""

import hashlib
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from actuators.system.processes.program_files import ProgramFiles
from core.base.errors import ActionError, PolicyError
from core.policy.policy import Policy
from core.tools.ports import ActionContext
from core.tools.previews import Preview
from tests.actuators.system.acts import Yes, act
from tests.contracts.system.bench import ProgramFolder, SystemBench
from tests.prerequisites import miss

SHELL = Path("/bin/sh").resolve()
GOOD = "#!/bin/sh\necho good > {mark}\n"
EVIL = "#!/bin/sh\necho evil > {mark}\n"


class Place:
    """A folder with programs, and a file that each leaves when it runs."""

    def __init__(self, programs: ProgramFolder, workspace: Path) -> None:
        self.programs = programs
        self.workspace = workspace
        self.mark = workspace / "mark"

    def add(self, name: str, text: str = GOOD) -> Path:
        return self.programs.add_program(name, text.format(mark=self.mark))

    def write(self, file: Path, text: str) -> None:
        file.write_text(text.format(mark=self.mark))
        file.chmod(0o755)


@pytest.fixture
def place(bench: SystemBench, programs: ProgramFolder) -> Place:
    return Place(programs, bench.workspace)


def swap_file(place: Place) -> Callable[[], object]:
    file = place.add("tool")
    return lambda: place.write(file, EVIL)


def swap_by_rename(place: Place) -> Callable[[], object]:
    file, other = place.add("tool"), place.workspace / "other"
    place.write(other, EVIL)
    return lambda: other.replace(file)


def retarget_link(place: Place) -> Callable[[], object]:
    file, other = place.add("tool"), place.workspace / "other"
    place.write(other, EVIL)
    file.rename(place.workspace / "real")
    file.symlink_to(place.workspace / "real")

    def retarget() -> None:
        file.unlink()
        file.symlink_to(other)

    return retarget


def swap_interpreter(place: Place) -> Callable[[], object]:
    interpreter = place.workspace / "reader"
    shutil.copy("/bin/sh", interpreter)
    place.add("tool", f"#!{interpreter}\necho good > {{mark}}\n")

    def swap() -> None:
        interpreter.unlink()
        shutil.copy("/bin/cat", interpreter)

    return swap


def swap_found_interpreter(place: Place) -> Callable[[], object]:
    """The interpreter is looked for on the path, and another comes to stand before it."""
    place.add("tool", "#!/usr/bin/env sh\necho good > {mark}\n")
    before = place.programs.programs / "sh"
    return lambda: place.write(before, EVIL)


def come_before_on_the_path(place: Place) -> Callable[[], object]:
    last = place.programs.root / "last"
    last.mkdir()
    name = place.add("tool").name
    (place.programs.programs / name).rename(last / name)
    place.programs.programs.chmod(0o755)
    (place.programs.programs / name).symlink_to(last / name)

    def come() -> None:
        (place.programs.programs / name).unlink()
        place.write(place.programs.programs / name, EVIL)

    return come


SWAPS = [
    swap_file,
    swap_by_rename,
    retarget_link,
    swap_interpreter,
    swap_found_interpreter,
    come_before_on_the_path,
]


@pytest.mark.parametrize("verb", ["launch", "run"])
@pytest.mark.parametrize("prepare", SWAPS, ids=lambda each: each.__name__)
async def test_a_program_that_is_swapped_while_a_person_thinks_is_not_started(
    prepare: Callable[[Place], Callable[[], object]], verb: str, bench: SystemBench, place: Place
):
    swap = prepare(place)
    name = f"tool{place.programs.tag}"
    params: dict[str, Any] = {"app": name, "wait": "exit"} if verb == "launch" else {"argv": (name,)}
    log = await act(bench, verb, Yes(swap), **params)
    assert (log.result.status, log.result.error and log.result.error.code) == ("refused", "approval_void")
    assert not place.mark.exists()


@pytest.mark.parametrize("verb", ["launch", "run"])
async def test_a_program_that_stays_is_started_and_its_files_are_shown(verb: str, bench: SystemBench, place: Place):
    file = place.add("tool")
    gate = Yes()
    params: dict[str, Any] = {"app": file.name, "wait": "exit"} if verb == "launch" else {"argv": (file.name,)}
    log = await act(bench, verb, gate, **params)
    assert (log.result.status, place.mark.read_text()) == ("ok", "good\n")
    assert f"program: {file}" in gate.shown
    assert f"in the folder: {bench.workspace}" in gate.shown
    for each in (file, SHELL):
        assert f"file: {each} (SHA-256 {hashlib.sha256(each.read_bytes()).hexdigest()})" in gate.shown


@pytest.mark.parametrize(
    "words",
    [
        ("sh", "{script}"),
        (sys.executable, "{script}"),
        ("perl", "{script}"),
        ("env", "A=1", "sh", "{script}"),
        ("nice", "sh", "{script}"),
        ("sh", "--", "{script}"),
        ("busybox", "sh", "{script}"),
        ("awk", "-f", "{script}"),
        ("awk", "--file={script}"),
    ],
    ids=" ".join,
)
async def test_a_script_that_is_swapped_while_a_person_thinks_is_not_run(
    words: tuple[str, ...], bench: SystemBench, place: Place
):
    if shutil.which(words[0]) is None:
        miss(f"{words[0]} is not installed")
    script = bench.workspace / "script"
    script.write_text("good")
    argv = tuple(each.format(script="script" if "=" in each else script.name) for each in words)
    log = await act(bench, "run", Yes(lambda: script.write_text("evil")), argv=argv)
    assert log.result.error is not None
    assert log.result.error.code == "approval_void"
    assert f"{script} has changed" in log.result.error.message
    launched = await act(bench, "launch", Yes(lambda: script.write_text("worse")), app=argv[0], args=argv[1:])
    assert launched.result.error is not None
    assert launched.result.error.code == "approval_void"


async def test_a_desktop_entry_whose_command_is_swapped_is_not_started(bench: SystemBench, place: Place):
    place.add("tool")
    place.add("other", EVIL)
    tag = place.programs.tag
    place.programs.add_entry("test.tool", name="Tool", command=f"tool{tag}")

    def swap() -> None:
        place.programs.add_entry("test.tool", name="Tool", command=f"tool{tag} --other {place.mark}")

    log = await act(bench, "launch", Yes(swap), app="Tool", wait="exit")
    assert log.result.error is not None
    assert log.result.error.code == "approval_void"
    assert "--other" in log.result.error.message
    assert not place.mark.exists()


async def test_a_folder_that_is_swapped_while_a_person_thinks_is_not_started_in(bench: SystemBench, place: Place):
    file = place.add("tool")
    inner, other = bench.workspace / "inner", bench.workspace / "other"
    inner.mkdir()
    other.mkdir()

    def swap() -> None:
        inner.rmdir()
        inner.symlink_to(other)

    policy = Policy(roots=(str(bench.workspace),))
    log = await act(bench, "launch", Yes(swap), policy, app=file.name, cwd=str(inner))
    assert log.result.error is not None
    assert log.result.error.code == "approval_void"


async def test_a_program_that_is_swapped_after_the_second_look_is_not_started_either(bench: SystemBench, place: Place):
    file = place.add("tool")
    tool = bench.toolset("launch")
    preview = await tool.preview("launch", ActionContext("a1"), {"app": file.name})
    assert isinstance(preview, Preview)
    place.write(file, EVIL)
    with pytest.raises(ActionError, match="differs from the program you approved") as caught:
        await tool.launch(ActionContext("a1", preview=preview), app=file.name)
    assert caught.value.code == "changed_since"
    assert not place.mark.exists()


async def test_a_program_in_a_folder_that_goals_may_write_to_is_a_command(bench: SystemBench, place: Place):
    file = bench.workspace / "tool"
    place.write(file, GOOD)
    roots = (str(bench.workspace),)
    tool = bench.toolset("launch")
    for app in (str(file), "./tool", f"{bench.workspace}/../{bench.workspace.name}/tool"):
        with pytest.raises(PolicyError, match=r"is in a folder that goals can write to; that needs system\.run"):
            await tool.launch(ActionContext("a1", policy=Policy(roots=roots)), app=app)
    assert not place.mark.exists()
    allowed = Policy(roots=roots, extra_verbs=("system.run",))
    assert (await tool.launch(ActionContext("a1", policy=allowed), app=str(file), wait="exit")).effect == "confirmed"


@pytest.mark.parametrize(
    ("command", "args"),
    [
        ("{sh}", ("-c", "echo > {mark}")),
        ("{sh}", ("script.sh",)),
        ("env", ("sh", "-c", "echo > {mark}")),
    ],
)
async def test_an_entry_or_a_link_under_another_name_is_still_a_shell(
    command: str, args: tuple[str, ...], bench: SystemBench, place: Place
):
    harmless = place.programs.programs / f"harmless{place.programs.tag}"
    harmless.symlink_to("/bin/sh")
    words = tuple(each.format(mark=place.mark) for each in args)
    place.programs.add_entry("test.notes", name="Notes", command=command.format(sh=harmless))
    tool = bench.toolset("launch")
    for app in ("Notes", *([harmless.name, str(harmless)] if "{sh}" in command else [])):
        with pytest.raises(PolicyError, match=r"that needs system\.run"):
            await tool.launch(ActionContext("a1"), app=app, args=words)
    assert not place.mark.exists()


async def test_what_an_entry_itself_gives_its_interpreter_is_no_code_of_the_goal(bench: SystemBench, place: Place):
    script = place.programs.root / "app.py"
    script.write_text(f"import sys; open({str(place.mark)!r}, 'w').write(sys.argv[1])")
    place.programs.add_entry("test.app", name="App", command=f"env A=1 {sys.executable} {script} %f")
    await act(bench, "launch", Yes(), Policy(), app="App", args=("notes.txt",), wait="exit")
    assert place.mark.read_text() == "notes.txt"


def test_a_digest_is_kept_only_once_a_change_can_t_hide(tmp_path: Path):
    files = ProgramFiles({"PATH": "/usr/bin:/bin"})
    tool = tmp_path / "tool"
    for text in ("one", "two", "six"):
        tool.write_text(text)
        os.utime(tool, (1, 1))
        assert files.examine([str(tool)], (), tmp_path, code=False) == {
            str(tool): hashlib.sha256(text.encode()).hexdigest()
        }


def test_a_file_that_can_t_be_looked_at_is_told_and_no_crash(tmp_path: Path):
    files = ProgramFiles({"PATH": ""})
    ring = tmp_path / "ring"
    ring.write_text(f"#!{ring}\n")
    loop = tmp_path / "loop"
    loop.symlink_to(loop.name)
    (tmp_path / "odd").write_bytes(b"#!\0\xff\n")
    (tmp_path / "bare").write_bytes(b"#!\n")
    os.mkfifo(tmp_path / "pipe")
    for name in ("ring", "loop", "odd", "bare", "missing"):
        assert files.examine([str(tmp_path / name)], ("pipe", "\0", "", "-", "=", "a" * 5000), tmp_path, code=True)
