"""The lease of keyboard and pointer: one run at a time on a display, whoever it is and however it ends."""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actuators.desktop.fake.state import FakeDesktop
from actuators.desktop.platforms.fake import make_fake_back_end
from actuators.desktop.tools.input import InputTools
from actuators.desktop.tools.perceiving import ScreenTools
from actuators.seat.attending import Attendance, AttendedToolset
from actuators.seat.lease import KEPT_S, SeatLease, find_lease
from actuators.verb_table import PLANNER_RULES, load_toolsets
from core.base.errors import DeviceError
from core.tools.ports import ActionContext
from core.tools.registry import list_verbs

SEAT = "display :7"
OWNER = str(Path(__file__).with_name("seat_owner.py"))
ONE, OTHER = ActionContext("g0_type_1", run_id="one"), ActionContext("g0_type_1", run_id="other", timeout_s=0.3)


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lease."""
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    argv = [sys.executable, OWNER, SEAT, str(tmp_path)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
        process.kill()


async def test_who_waits_too_long_is_told_which_process_and_run_have_it_and_since_when(
    owner: subprocess.Popen[str], tmp_path: Path
):
    with pytest.raises(DeviceError) as caught:
        async with SeatLease(SEAT, tmp_path).hold(OTHER):
            pytest.fail("two hold it")
    assert caught.value.code == "seat_taken"
    held_by = caught.value.evidence["held_by"]
    assert (held_by["pid"], held_by["run"]) == (owner.pid, "run-of-another")
    for part in (SEAT, str(owner.pid), "run-of-another", held_by["since"]):
        assert part in caught.value.message


async def test_the_death_of_its_owner_lets_it_go_to_who_waits(owner: subprocess.Popen[str], tmp_path: Path):
    lease, begun = SeatLease(SEAT, tmp_path), asyncio.Event()

    async def wait() -> dict[str, object]:
        begun.set()
        async with lease.hold(ONE) as notes:
            return notes

    waiting = asyncio.ensure_future(wait())
    await begun.wait()
    owner.kill()
    notes = await asyncio.wait_for(waiting, 10)
    assert notes["on"] == SEAT


async def test_the_receipt_of_who_waited_says_for_whom(owner: subprocess.Popen[str], tmp_path: Path):
    lease = SeatLease(SEAT, tmp_path)
    with pytest.raises(DeviceError):
        async with lease.hold(OTHER):
            pytest.fail("two hold it")
    asyncio.get_running_loop().call_later(0.2, owner.kill)
    async with lease.hold(ONE) as notes:
        assert notes["waited_for"]["pid"] == owner.pid
        assert notes["waited_s"] > 0
    async with lease.hold(ONE) as notes:
        assert notes == {"on": SEAT}


async def test_another_display_and_another_persons_folder_are_free(owner: subprocess.Popen[str], tmp_path: Path):
    for lease in (SeatLease("display :8", tmp_path), SeatLease(SEAT, tmp_path / "another")):
        async with lease.hold(OTHER) as notes:
            assert "waited_for" not in notes
    assert owner.poll() is None


async def test_a_run_that_is_stopped_while_it_waits_leaves_nothing_locked(owner: subprocess.Popen[str], tmp_path: Path):
    lease = SeatLease(SEAT, tmp_path)
    for step in range(8):
        waiting = asyncio.ensure_future(lease.hold(ONE).__aenter__())
        await asyncio.wait({waiting}, timeout=0.01 * step)
        waiting.cancel()
        start_s = time.monotonic()
        await asyncio.wait({waiting})
        assert time.monotonic() - start_s < 0.2
    owner.kill()
    owner.wait()

    async def take() -> None:
        async with lease.hold(ONE, keep=True):
            await asyncio.Event().wait()

    for step in range(8):
        taking = asyncio.ensure_future(take())
        await asyncio.wait({taking}, timeout=0.0005 * step)
        taking.cancel()
        await asyncio.wait({taking})
        async with SeatLease(SEAT, tmp_path).hold(OTHER) as notes:
            assert notes == {"on": SEAT}


async def test_between_two_steps_that_belong_together_nobody_else_gets_it(tmp_path: Path):
    mine, yours = SeatLease(SEAT, tmp_path), SeatLease(SEAT, tmp_path)
    async with mine.hold(ONE, keep=True):
        pass
    for lease in (mine, yours):
        with pytest.raises(DeviceError):
            async with lease.hold(OTHER):
                pytest.fail("it came between")
    start_s = time.monotonic()
    async with mine.hold(ONE):
        assert time.monotonic() - start_s < KEPT_S / 2
    async with yours.hold(OTHER) as notes:
        assert "waited_for" not in notes


async def test_a_next_step_that_does_not_come_frees_it_after_a_moment(tmp_path: Path):
    mine, yours = SeatLease(SEAT, tmp_path), SeatLease(SEAT, tmp_path)
    async with mine.hold(ONE, keep=True):
        pass
    async with yours.hold(ActionContext("g0_type_1", run_id="other", timeout_s=KEPT_S * 5)) as notes:
        assert KEPT_S / 2 < notes["waited_s"] < KEPT_S * 3
    async with mine.hold(ONE, keep=True):
        pass
    await mine.close()
    async with yours.hold(OTHER) as notes:
        assert "waited_for" not in notes


async def test_a_step_that_failed_keeps_nothing(tmp_path: Path):
    mine, yours = SeatLease(SEAT, tmp_path), SeatLease(SEAT, tmp_path)
    with pytest.raises(DeviceError, match="the click failed"):
        async with mine.hold(ONE, keep=True):
            raise DeviceError("the click failed")
    async with yours.hold(OTHER) as notes:
        assert "waited_for" not in notes


@settings(max_examples=20)
@given(st.lists(st.sampled_from(["one", "other", "third"]), min_size=2, max_size=6))
def test_no_two_acts_ever_hold_it_at_the_same_time(tmp_path_factory: pytest.TempPathFactory, runs: list[str]):
    folder = tmp_path_factory.mktemp("seat")
    holding: list[int] = []

    async def act(lease: SeatLease, run: str) -> None:
        async with lease.hold(ActionContext("g0_type_1", run_id=run, timeout_s=30)):
            holding.append(1)
            await asyncio.sleep(0)
            assert len(holding) == 1
            holding.pop()

    async def act_all() -> None:
        shared = SeatLease(SEAT, folder)
        leases = [shared if index % 2 else SeatLease(SEAT, folder) for index in range(len(runs))]
        await asyncio.gather(*(act(lease, run) for lease, run in zip(leases, runs, strict=True)))

    asyncio.run(act_all())


@pytest.mark.parametrize(
    ("display", "seat"),
    [(":0", "display :0"), (":0.0", "display :0"), ("unix:0.1", "display :0"), ("host:10.0", "display host:10.0")],
)
def test_one_display_has_one_lease_whatever_it_is_called(display: str, seat: str, tmp_path: Path):
    lease = find_lease("linux", {"DISPLAY": display, "XDG_RUNTIME_DIR": str(tmp_path)})
    assert lease is not None
    assert lease.seat == seat


def test_a_session_of_windows_has_a_lease_and_a_process_without_a_display_has_none():
    windows = find_lease("win32", {"SESSIONNAME": "RDP-Tcp#1", "USERNAME": "ada"})
    assert windows is not None
    assert windows.seat == "session RDP-Tcp#1"
    assert find_lease("linux", {}) is None


async def test_acts_hold_it_and_looks_do_not(tmp_path: Path):
    lease = SeatLease(SEAT, tmp_path)
    back_end = make_fake_back_end(FakeDesktop())
    held: set[str] = set()
    for declared in load_toolsets("desktop"):
        tools = back_end.toolsets[declared]
        assert isinstance(tools, AttendedToolset)
        tools.attendance = Attendance(lease)
        for verb in list_verbs(declared):
            rule = PLANNER_RULES["desktop", verb]
            async with tools.attend(verb, replace(ONE, holds_seat=rule.holds_seat)) as notes:
                held |= {verb} if "seat" in notes else set()
    looking = {"list_windows", "active_window", "displays", *list_verbs(ScreenTools)}
    assert held == {verb for each in load_toolsets("desktop") for verb in list_verbs(each)} - looking
    assert held >= {*list_verbs(InputTools)}


async def test_who_holds_it_is_written_for_the_person_only(tmp_path: Path):
    folder = tmp_path / "seats"
    async with SeatLease(SEAT, folder).hold(ONE):
        (facts,) = [json.loads(path.read_text()) for path in folder.glob("*.json")]
        assert (facts["pid"], facts["run"]) == (os.getpid(), "one")
    if sys.platform != "win32":
        assert folder.stat().st_mode & 0o077 == 0
