"""Every back end of the file tools does a thing once, whenever its process dies."""

import asyncio
import itertools
import json
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.files.platforms.fake import FakeDisk
from actuators.files.stores.fake_store import FakeStore
from actuators.files.trash.xdg_trash import XdgTrash
from tests.contracts.files.bench import FakeEyes, make_environment
from tests.contracts.files.mortal_bench import SCENES, World
from tests.contracts.files.recovery_suite import MakeWorld, RecoveryConformance, act, settle


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Take the scenes that fit the back end."""
    if metafunc.cls and "name" in metafunc.fixturenames:
        metafunc.parametrize("name", metafunc.cls.scenes)


def make_fake_world(*, case_sensitive: bool) -> World:
    """Return a new machine in memory."""
    machine = FakeDisk(FakeStore(case_sensitive=case_sensitive))
    flavour = machine.store.flavour
    state_dir: Any = flavour("/home/ada/state")
    environment = replace(
        make_environment(flavour("/home/ada"), flavour(machine.workspace), "linux"), state_dir=state_dir
    )
    for folder in (machine.workspace, machine.home, str(state_dir)):
        machine.store.make_folders(folder)

    def make_volume(path: str) -> None:
        machine.store.make_folders(path, volume="stick")

    return World(
        store=machine.store,
        eyes=FakeEyes(machine),
        environment=environment,
        root=machine.workspace,
        make_trash=lambda store: XdgTrash(store, "/home/ada/.local/share", 1000),
        trash_folders=("/home/ada/.local/share/Trash",),
        make_volume=make_volume,
        any_case=not case_sensitive,
    )


class TestFake(RecoveryConformance):
    """Files in memory, on two volumes."""

    scenes = tuple(name for name, scene in SCENES.items() if scene.needs != "any_case")

    @pytest.fixture
    def make_world(self) -> MakeWorld:
        return lambda: make_fake_world(case_sensitive=True)


class TestFakeInAnyCase(RecoveryConformance):
    """Files in memory, on a volume where case makes no difference."""

    scenes = ("spell a name anew", "rename a folder", "move over a file", "unzip into a folder")

    @pytest.fixture
    def make_world(self) -> MakeWorld:
        return lambda: make_fake_world(case_sensitive=False)


_ROOT = Path(__file__).resolve().parents[2]
_WRITING = ("write", "append", "write a new file", "create a file in folders", "create in a missing root")


@given(
    name=st.sampled_from(_WRITING),
    content=st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=200),
    left=st.integers(0, 25),
    any_case=st.booleans(),
)
async def test_whatever_the_content_it_is_there_once(name: str, content: str, left: int, *, any_case: bool):
    world, scene = make_fake_world(case_sensitive=not any_case), SCENES[name]
    args = {**await world.prepare(scene), "content": content}
    facts, _ = await act(world, scene, args, left)
    found, _ = await settle(world, scene, args, facts)
    assert found.state != "unknown"
    path = args.get("path", args.get("name"))
    assert world.eyes.look(path) == (b"old\n" if name == "append" else b"") + content.encode()


@given(name=st.sampled_from(sorted(SCENES)), deaths=st.lists(st.integers(0, 40), max_size=4))
async def test_however_often_it_dies_it_is_done_once(name: str, deaths: list[int]):
    scene = SCENES[name]
    world, whole = make_fake_world(case_sensitive=False), make_fake_world(case_sensitive=False)
    await act(whole, scene, await whole.prepare(scene))
    args = await world.prepare(scene)
    facts, ended = await act(world, scene, args, 0)
    for left in deaths:
        found, _ = await settle(world, scene, args, facts, again=False)
        assert found.state != "unknown"
        if ended or found.state == "done":
            break
        facts, ended = await act(world, scene, args, left)
    await settle(world, scene, args, facts)
    assert world.look() == whole.look()


if sys.platform != "win32":
    from tests.contracts.files.posix_worlds import make_posix_world

    class TestPosix(RecoveryConformance):
        """The files of this machine."""

        stride = 2

        @pytest.fixture
        def make_world(self, tmp_path: Path) -> MakeWorld:
            numbers = itertools.count()
            return lambda: make_posix_world(tmp_path / str(next(numbers)))

    class TestMacos(RecoveryConformance):
        """The trash of macOS, on whatever POSIX system this is."""

        stride = 3
        scenes = tuple(
            name for name in RecoveryConformance.scenes if SCENES[name].verb in {"delete", "restore"} or "over" in name
        )

        @pytest.fixture
        def make_world(self, tmp_path: Path) -> MakeWorld:
            numbers = itertools.count()
            return lambda: make_posix_world(tmp_path / str(next(numbers)), mac=True)

    @pytest.mark.parametrize(
        ("name", "steps"),
        [
            ("write", (2, 5, 8)),
            ("append", (1, 4)),
            ("create a file in folders", (3, 7)),
            ("copy a folder", (6, 14)),
            ("move over a file", (2, 5, 8)),
            ("delete a folder", (4, 8)),
            ("purge a folder", (1, 3)),
            ("unzip into a folder", (4, 12, 18)),
        ],
    )
    async def test_a_process_that_the_system_kills_is_settled_by_another(
        tmp_path: Path, name: str, steps: tuple[int, ...]
    ):
        scene, whole = SCENES[name], make_posix_world(tmp_path / "whole")
        await act(whole, scene, await whole.prepare(scene))
        for step in steps:
            folder, written = tmp_path / str(step), tmp_path / f"{step}.json"
            argv = [sys.executable, "-m", "tests.contracts.files.dying", str(folder), name, str(step), str(written)]
            process = await asyncio.create_subprocess_exec(*argv, cwd=_ROOT)
            assert await process.wait() == -signal.SIGKILL
            world, noted = make_posix_world(folder), json.loads(written.read_text(encoding="utf-8"))
            found, _ = await settle(world, scene, noted["args"], noted["facts"])
            assert found.state in {"done", "not_done"}
            assert world.look() == whole.look(), step
