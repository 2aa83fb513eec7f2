import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from actuators.base import Environment
from actuators.system.fake.machine import FakeFacts, FakeMachine, FakeNotification
from actuators.system.platforms.fake import make_fake_back_end
from actuators.system.platforms.macos import make_back_end as make_macos_back_end
from actuators.system.ports.facts import Battery, Disk, DisplayFacts, NetworkFacts
from actuators.system.tools.controlling import MachineTools
from core.base.errors import ActionError, DeviceError, UnsupportedError
from tests.contracts.system.bench import SystemBench, make_fake_bench, make_fake_machine


@pytest.fixture
def machine() -> FakeMachine:
    return make_fake_machine()


@pytest.fixture
def fake(machine: FakeMachine, tmp_path: Path) -> SystemBench:
    return make_fake_bench(tmp_path, machine)


@pytest.mark.parametrize(
    ("operation", "verb", "params"),
    [
        ("start", "launch", {"app": "Sleeper"}),
        ("start", "run", {"argv": ("hello",)}),
        ("open", "open", {"target": "https://example.com/"}),
        ("notify", "notify", {"title": "x"}),
        ("lock", "lock", {}),
        ("sleep", "sleep", {}),
        ("schedule", "shutdown", {}),
        ("cancel", "restart", {"abort": True}),
        ("brightness", "set", {"target": "brightness", "value": 10}),
    ],
)
async def test_a_fault_comes_out_as_it_is(
    fake: SystemBench, machine: FakeMachine, operation: str, verb: str, params: dict[str, Any]
):
    machine.faults[operation] = ActionError("on purpose", code="fault")
    with pytest.raises(ActionError, match="on purpose"):
        await fake.call(verb, **params)


@pytest.mark.parametrize(
    ("operation", "verb", "params"),
    [
        ("lock", "lock", {}),
        ("brightness", "set", {"target": "brightness", "value": 90}),
    ],
)
async def test_what_is_taken_and_not_done_is_not_settled(
    fake: SystemBench, machine: FakeMachine, operation: str, verb: str, params: dict[str, Any]
):
    machine.deaf.add(operation)
    with pytest.raises(DeviceError) as caught:
        await fake.call(verb, **params)
    assert caught.value.code == "not_settled"


async def test_a_shutdown_that_is_not_called_off_is_not_settled(fake: SystemBench, machine: FakeMachine):
    await fake.call("shutdown", delay=60.0)
    machine.deaf.add("cancel")
    with pytest.raises(DeviceError, match="still ordered"):
        await fake.call("shutdown", abort=True)


async def test_a_shutdown_that_the_system_does_not_tell_of_is_not_claimed(fake: SystemBench, machine: FakeMachine):
    machine.deaf.add("schedule")
    outcome = await fake.call("shutdown", delay=60.0)
    assert (outcome.effect, outcome.output["at"], outcome.undo_record) == ("unverified", None, None)


@pytest.mark.parametrize(
    ("capability", "verb", "params"),
    [
        ("opener", "open", {"target": "https://example.com/"}),
        ("notifications", "notify", {"title": "x"}),
        ("session_lock", "lock", {}),
        ("power", "sleep", {}),
        ("power", "shutdown", {}),
        ("power", "restart", {"abort": True}),
    ],
)
async def test_what_is_missing_is_refused_with_the_reason(
    fake: SystemBench, machine: FakeMachine, capability: str, verb: str, params: dict[str, Any]
):
    machine.missing[capability] = "taken away"
    assert not fake.back_end.assess(capability).available
    with pytest.raises(UnsupportedError, match="taken away"):
        await fake.call(verb, **params)


async def test_a_machine_without_battery_or_backlight_says_so(fake: SystemBench, machine: FakeMachine):
    machine.facts.battery, machine.brightness_percent = None, None
    assert not fake.back_end.assess("battery").available
    with pytest.raises(DeviceError):
        await fake.call("get", target="battery")
    for verb, params in (("get", {}), ("set", {"value": 10})):
        with pytest.raises(UnsupportedError):
            await fake.call(verb, target="brightness", **params)


@pytest.mark.parametrize("verb", ["lock", "sleep"])
async def test_a_delayed_act_that_is_called_off_does_not_happen(fake: SystemBench, machine: FakeMachine, verb: str):
    waiting = asyncio.create_task(fake.call(verb, delay=60.0))
    async with asyncio.timeout(5.0):
        while not (await fake.call(verb, abort=True)).output["aborted"]:  # until it waits
            assert not waiting.done()
    assert not (await fake.call(verb, abort=True)).output["aborted"]
    with pytest.raises(ActionError) as caught:
        await waiting
    assert caught.value.code == "called_off"
    assert (machine.locked, machine.slept) == (False, 0)


@pytest.mark.parametrize("verb", ["lock", "sleep"])
async def test_a_delayed_act_that_is_cancelled_does_not_happen(fake: SystemBench, machine: FakeMachine, verb: str):
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(fake.call(verb, delay=60.0), 0.05)
    assert (machine.locked, machine.slept) == (False, 0)
    assert (await fake.call(verb, abort=True)).output["aborted"] is False


async def test_a_delayed_act_happens_in_the_end(fake: SystemBench, machine: FakeMachine):
    await fake.call("lock", delay=0.02)
    assert machine.locked


async def test_what_was_shown_is_noted(fake: SystemBench, machine: FakeMachine):
    await fake.call("notify", title="a", message="<b>", urgency="critical")
    assert machine.notifications == [FakeNotification("a", "<b>", "critical")]


async def test_a_clipboard_without_text_leaves_nothing_to_go_back_to(fake: SystemBench, machine: FakeMachine):
    machine.clipboard.text = None
    assert (await fake.call("get", target="clipboard")).output == {"text": "", "empty": True, "characters": 0}
    outcome = await fake.call("set", target="clipboard", value="x")
    assert (outcome.output["before"], outcome.undo_record) == (None, None)


@pytest.mark.parametrize(
    ("target", "facts", "text"),
    [
        ("battery", {}, "The battery is at 80 percent and not charging; about 2 hours left."),
        ("battery", {"battery": Battery(99.6, charging=True)}, "The battery is at 100 percent and charging."),
        ("memory", {}, "8.0 GB of 16.0 GB of memory is available."),
        ("disk", {}, "200.0 GB of 500.0 GB is free on /."),
        ("disk", {"disks": ()}, "No volume found."),
        (
            "disk",
            {"disks": (Disk("/", 1000, 999, 0.1),) * 3},
            "999 bytes of 1.0 KB is free on /. There are 2 other volumes.",
        ),
        (
            "disk",
            {"disks": (Disk("/", 2000, 1000, 50.0),) * 2},
            "1.0 KB of 2.0 KB is free on /. There is 1 other volume.",
        ),
        ("network", {}, "Connected through eth0 (192.0.2.7)."),
        ("network", {"network": NetworkFacts("x", ())}, "No network interface has an address."),
        ("uptime", {}, "The machine has been running for 1 day and 2 hours."),
        ("uptime", {"uptime_s": 0.2}, "The machine has been running for 0 seconds."),
        ("uptime", {"uptime_s": 3600.0}, "The machine has been running for 1 hour."),
        ("displays", {}, "There is 1 display: 1920 by 1080 pixels."),
        ("displays", {"displays": ()}, "There is no display."),
        (
            "displays",
            {"displays": (DisplayFacts(0, 9, 8), DisplayFacts(1, 7, 6))},
            "There are 2 displays: 9 by 8 pixels, 7 by 6 pixels.",
        ),
        ("os", {}, "This is Fake OS 1 on x86_64."),
        ("cpu", {}, "The processor is 12 percent busy; it has 8 threads."),
        ("time", {}, "It is 09:30 (UTC) on Sunday, 22 November 2026."),
    ],
)
async def test_facts_are_said_as_people_say_them(target: str, facts: dict[str, Any], text: str, tmp_path: Path):
    machine = FakeMachine(facts=replace(FakeFacts(), **facts))
    bench = make_fake_bench(tmp_path, machine)
    assert (await bench.call("get", target=target)).output["text"] == text


async def test_the_fake_publishes_every_toolset():
    assert MachineTools in make_fake_back_end(FakeMachine()).toolsets


async def test_the_back_end_of_macos_can_be_made_anywhere(tmp_path: Path):
    back_end = make_macos_back_end(Environment(platform="darwin", variables={"PATH": "/nowhere"}, workspace=tmp_path))
    for capability in ("launcher", "opener", "notifications", "session_lock", "power", "brightness", "clipboard"):
        assert back_end.assess(capability).capability == capability
    await back_end.close()
