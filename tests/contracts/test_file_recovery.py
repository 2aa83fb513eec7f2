"""Every back end of the file tools does a thing once, whenever its process dies."""

import itertools
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuators.files.fake_back_end import FakeMachine
from actuators.files.fake_store import FakeStore
from actuators.files.ports import FileStore
from actuators.files.xdg_trash import XdgTrash
from tests.contracts.files.bench import FakeEyes, RealEyes, make_environment
from tests.contracts.files.mortal_bench import SCENES, World
from tests.contracts.files.recovery_suite import MakeWorld, RecoveryConformance, act, settle


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Take the scenes that fit the back end."""
    if metafunc.cls and "name" in metafunc.fixturenames:
        metafunc.parametrize("name", metafunc.cls.scenes)


def make_fake_world(*, case_sensitive: bool) -> World:
    """Return a new machine in memory."""
    machine = FakeMachine(FakeStore(case_sensitive=case_sensitive))
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
    from actuators.files.macos_trash import MacTrash
    from actuators.files.posix.store import PosixStore

    def make_posix_world(folder: Path, *, mac: bool = False) -> World:
        """Return a new folder of this machine."""
        environment = make_environment(folder, folder / "work")
        for name in ("work", "home", "state"):
            (folder / name).mkdir(parents=True)
        home = str(folder / "home")

        def make_trash(store: FileStore) -> XdgTrash | MacTrash:
            if mac:
                return MacTrash(store, home, f"{folder}/state/trash")
            return XdgTrash(store, f"{home}/.local/share", os.getuid())

        return World(
            store=PosixStore(),
            eyes=RealEyes(),
            environment=environment,
            root=str(folder / "work"),
            make_trash=make_trash,
            trash_folders=(f"{home}/.Trash", f"{folder}/state/trash") if mac else (f"{home}/.local/share/Trash",),
        )

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
