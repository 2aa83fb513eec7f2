import asyncio
import threading

import pytest

from actuators.platforms.device_thread import DeviceThread


async def test_calls_run_one_after_another_on_one_thread_of_their_own() -> None:
    device = DeviceThread("device")
    names = [await device.run(lambda: threading.current_thread().name, timeout_s=5) for _ in range(3)]
    assert names == ["device"] * 3
    await device.close()


async def test_its_thread_is_prepared_before_the_first_call_and_ended_after_the_last() -> None:
    seen: list[str] = []
    device = DeviceThread("device", begin=lambda: seen.append("begin"), end=lambda: seen.append("end"))
    await device.run(lambda: seen.append("call"), timeout_s=5)
    await device.close()
    await device.close()
    assert seen == ["begin", "call", "end"]


async def test_an_error_reaches_who_asked_and_the_thread_goes_on() -> None:
    device = DeviceThread("device")
    with pytest.raises(ZeroDivisionError):
        await device.run(lambda: 1 // 0, timeout_s=5)
    assert await device.run(lambda: 7, timeout_s=5) == 7
    await device.close()


async def test_a_call_that_hangs_does_not_block_the_next_one() -> None:
    device, never = DeviceThread("device"), threading.Event()
    with pytest.raises(TimeoutError, match=r"within 0\.05 s"):
        await device.run(never.wait, timeout_s=0.05)
    assert await device.run(lambda: 7, timeout_s=5) == 7
    never.set()
    await device.close()


async def test_a_call_that_nobody_waits_for_any_more_is_not_made() -> None:
    device, gate, made = DeviceThread("device"), threading.Event(), list[int]()
    first = asyncio.ensure_future(device.run(gate.wait, timeout_s=5))
    second = asyncio.ensure_future(device.run(lambda: made.append(1), timeout_s=5))
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.wait({second})
    gate.set()
    assert await first
    await device.close()
    assert made == []


async def test_a_device_that_can_not_be_prepared_fails_every_call() -> None:
    def fail() -> None:
        raise OSError("no such device")

    device = DeviceThread("device", begin=fail)
    for _ in range(2):
        with pytest.raises(OSError, match="no such device"):
            await device.run(lambda: 7, timeout_s=5)
    await device.close()
