import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from dbus_fast import Message, Variant

from actuators.platforms.session_bus import (
    BUS,
    Bus,
    BusObject,
    BusRefusalError,
    ask_names,
    find_session_bus,
    find_system_bus,
)
from core.base.errors import DeviceError
from fixtures.machine.bus import PrivateBus
from fixtures.machine.bus_program import BusProgram

NAME = "org.example.Lamp"
LAMP = BusObject(NAME, "/lamp", NAME)


async def test_an_error_of_the_other_side_has_its_name(system_bus: PrivateBus):
    bus = Bus(system_bus.address)
    with pytest.raises(BusRefusalError) as caught:
        await bus.call(LAMP, "Switch")
    assert caught.value.name == "org.freedesktop.DBus.Error.ServiceUnknown"
    assert caught.value.evidence["bus_error"] == caught.value.name
    await bus.close()


async def test_a_program_that_does_not_answer_times_out_and_the_next_call_works(system_bus: PrivateBus):
    lamp = BusProgram(system_bus.address)
    lamp.silent = True
    await lamp.start(NAME)
    bus = Bus(system_bus.address)
    with pytest.raises(DeviceError) as caught:
        await bus.call(LAMP, "Switch", timeout_s=0.2)
    assert caught.value.code == "not_settled"
    assert NAME in await bus.list_names()
    await bus.close()
    await lamp.stop()


async def test_a_stop_that_comes_together_with_the_answer_is_not_lost(system_bus: PrivateBus):
    bus = Bus(system_bus.address)
    await bus.connect()
    stopped: list[bool] = []

    async def stop_after_an_answer() -> None:
        await bus.list_names()
        stopped.append(calling.cancel())

    for _ in range(50):
        stopping = asyncio.create_task(stop_after_an_answer())
        calling = asyncio.create_task(bus.list_names())
        await asyncio.wait({stopping, calling})
        assert calling.cancelled() == stopped[-1]
    assert any(stopped)
    await bus.close()


async def test_values_are_unpacked_and_signals_heard_until_the_block_is_left(system_bus: PrivateBus):
    lamp = BusProgram(system_bus.address)
    lamp.tell("/lamp", NAME, lambda: {"Level": Variant("a{sv}", {"now": Variant("u", 7)})})
    await lamp.start(NAME)
    bus = Bus(system_bus.address)
    assert await bus.get(LAMP, "Level") == {"now": 7}
    assert await bus.get_all(LAMP) == {"Level": {"now": 7}}
    heard: list[str | None] = []
    arrived = asyncio.Event()

    def hear(message: Message) -> None:
        if message.interface == NAME:
            heard.append(message.member)
            arrived.set()

    async with bus.listen(f"type='signal',interface='{NAME}'", hear):
        lamp.signal("/lamp", NAME, "Lit", "", [])
        await asyncio.wait_for(arrived.wait(), 5.0)
    lamp.signal("/lamp", NAME, "Unlit", "", [])
    await bus.call(BUS, "GetId")
    assert heard == ["Lit"]
    await bus.close()
    await lamp.stop()


async def test_many_calls_at_once_share_one_connection(system_bus: PrivateBus):
    bus = Bus(system_bus.address)
    names = await asyncio.gather(*(bus.list_names() for _ in range(20)))
    assert len(set(names)) == 1
    await bus.close()
    await bus.close()
    assert await bus.list_names() == names[0]
    await bus.close()


async def test_another_event_loop_gets_a_connection_of_its_own(system_bus: PrivateBus):
    async def ask() -> bool:
        bus = Bus(system_bus.address)
        await bus.call(BUS, "GetId")
        await bus.close()
        return True

    with ThreadPoolExecutor(1) as thread:
        assert await asyncio.wrap_future(thread.submit(asyncio.run, ask()))
    assert await ask()


@pytest.mark.parametrize("address", ["", "unix:path=/no/such/bus", "nonsense", "unix:abstract=/no/such", "tcp:port=x"])
async def test_a_bus_that_is_not_there_is_missing(address: str):
    bus = Bus(address)
    with pytest.raises(DeviceError) as caught:
        await bus.list_names()
    assert caught.value.code == "server_missing"
    assert ask_names(address) is None
    await bus.close()


def test_addresses_come_from_the_variables_that_were_given(system_bus: PrivateBus):
    assert find_session_bus({"DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"}) == "unix:path=/x"
    runtime = system_bus.address.removeprefix("unix:path=").removesuffix("/bus")
    assert find_session_bus({"XDG_RUNTIME_DIR": runtime}) == system_bus.address
    assert find_session_bus({"XDG_RUNTIME_DIR": "/nowhere"}) == ""
    assert find_system_bus({"DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/y"}) == "unix:path=/y"
