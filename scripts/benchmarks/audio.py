"""The audio benchmark: every verb as a whole tool call, and the same by raw pulsectl, in turn, on one private PulseAudio.

The raw calls only act; ours find what is meant by its name, act, and read back what came of it. Aim: 2 ms more at most.
"""

import select
import statistics
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pulsectl

from actuators.audio.mixing.mixer import AudioBackEnd
from actuators.audio.platforms.linux import make_back_end
from actuators.base import Environment
from actuators.verb_table import load_toolsets
from core.results.tool_results import ToolCall
from core.tools.ports import ActionContext, Toolset
from core.tools.registry import ToolRegistry
from fixtures.machine.processes import Keeper
from fixtures.machine.sound import PrivatePulse

CALLS_PER_ROUND = 10
APP = "Bench"
START_LIMIT_S = 10.0
CONTEXT = ActionContext("bench")
Job = Callable[[int], Awaitable[object]]
Ours = Callable[[int], ToolCall]
Raw = Callable[[pulsectl.Pulse, int], object]


def find_sink(pulse: pulsectl.Pulse) -> Any:
    """Return the default sink, as every raw call that acts on it must."""
    server: Any = pulse.server_info()
    return pulse.get_sink_by_name(server.default_sink_name)


def find_stream(pulse: pulsectl.Pulse) -> Any:
    """Return the application's stream."""
    return next(each for each in pulse.sink_input_list() if each.proplist.get("application.name") == APP)


def set_raw_default(pulse: pulsectl.Pulse, number: int) -> None:
    """Choose one of the two sinks."""
    pulse.default_set(pulse.get_sink_by_name(name_sink(number)))


def move_raw_stream(pulse: pulsectl.Pulse, number: int) -> None:
    """Send the stream to one of the two sinks."""
    pulse.sink_input_move(find_stream(pulse).index, pulse.get_sink_by_name(name_sink(number)).index)


def name_sink(number: int) -> str:
    """Return the one sink or the other in turn."""
    return "desk_b" if number % 2 else "desk_a"


def make_call(verb: str, **args: Any) -> Ours:
    """Return a call that is the same each time."""
    return lambda _: ToolCall(f"audio_{verb}", args)


PAIRS: Mapping[str, tuple[Ours, Raw]] = {
    "get_volume": (make_call("get_volume"), lambda pulse, _: find_sink(pulse).volume.value_flat),
    "set_volume": (
        lambda number: ToolCall("audio_set_volume", {"level": 20.0 + number % 50}),
        lambda pulse, number: pulse.volume_set_all_chans(find_sink(pulse), (20 + number % 50) / 100),
    ),
    "volume_up": (
        make_call("volume_up", amount=0.1),
        lambda pulse, _: pulse.volume_change_all_chans(find_sink(pulse), 0.001),
    ),
    "volume_down": (
        make_call("volume_down", amount=0.1),
        lambda pulse, _: pulse.volume_change_all_chans(find_sink(pulse), -0.001),
    ),
    "toggle_mute": (
        make_call("toggle_mute"),
        lambda pulse, _: (sink := find_sink(pulse)) and pulse.mute(sink, not sink.mute),
    ),
    "mute": (make_call("mute"), lambda pulse, _: pulse.mute(find_sink(pulse), mute=True)),
    "unmute": (make_call("unmute"), lambda pulse, _: pulse.mute(find_sink(pulse), mute=False)),
    "list_devices": (make_call("list_devices"), lambda pulse, _: (pulse.sink_list(), pulse.source_list())),
    "list_apps": (make_call("list_apps"), lambda pulse, _: pulse.sink_input_list()),
    "set_volume_of_app": (
        lambda number: ToolCall("audio_set_volume", {"level": 20.0 + number % 50, "app": APP}),
        lambda pulse, number: pulse.volume_set_all_chans(find_stream(pulse), (20 + number % 50) / 100),
    ),
    "set_default": (lambda number: ToolCall("audio_set_default", {"device": name_sink(number)}), set_raw_default),
    "route_app": (
        lambda number: ToolCall("audio_route_app", {"app": APP, "device": name_sink(number)}),
        move_raw_stream,
    ),
}


@asynccontextmanager
async def give_sound() -> AsyncGenerator[Mapping[str, str]]:
    """Start a private PulseAudio on which an application plays; yield the environment that finds it."""
    with tempfile.TemporaryDirectory(prefix="sh-") as folder:
        machine, keeper = PrivatePulse(Path(folder)), Keeper(Path(folder))
        machine.start()
        try:
            silence = ("--raw", f"--client-name={APP}", "--latency-msec=100", "/dev/zero")
            keeper.start("paplay", ["paplay", *silence], machine.environ)
            with pulsectl.Pulse("bench", server=machine.server) as pulse:
                end_s = time.monotonic() + START_LIMIT_S
                while not pulse.sink_input_list() and time.monotonic() < end_s:
                    select.select([], [], [], 0.01)
            yield machine.environ
        finally:
            keeper.close()
            machine.stop()


async def time_calls(job: Job, first: int) -> list[float]:
    """Return the milliseconds of each of some calls."""
    taken: list[float] = []
    for number in range(first, first + CALLS_PER_ROUND):
        began = time.perf_counter()
        await job(number)
        taken.append((time.perf_counter() - began) * 1000)
    return taken


async def compare(ours: Job, raw: Job, rounds: int) -> tuple[float, float]:
    """Return the median milliseconds of our calls and of the raw ones, made in turn."""
    mine: list[float] = []
    theirs: list[float] = []
    await ours(0)
    await raw(1)
    for number in range(rounds):
        first = number * CALLS_PER_ROUND
        if number % 2:
            mine += await time_calls(ours, first)
            theirs += await time_calls(raw, first)
        else:
            theirs += await time_calls(raw, first)
            mine += await time_calls(ours, first)
    return statistics.median(mine), statistics.median(theirs)


async def measure(rounds: int) -> dict[str, float]:
    """Return the figures: for each verb the median of whole tool calls, its ratio to raw pulsectl, and what it adds.

    Args:
        rounds: How often ten calls of each verb are made by either.
    """
    figures: dict[str, float] = {}
    async with give_sound() as environ:
        back_end = make_back_end(Environment(platform="linux", variables=environ))
        registry = register(back_end)
        with pulsectl.Pulse("raw", server=environ["PULSE_SERVER"]) as pulse:
            for verb, (call, act) in PAIRS.items():

                async def do_raw(number: int, act: Raw = act) -> None:
                    act(pulse, number)

                async def do_ours(number: int, call: Ours = call) -> None:
                    await registry.call(call(number), CONTEXT)

                ours_ms, raw_ms = await compare(do_ours, do_raw, rounds)
                figures[f"{verb}_p50_ms"] = ours_ms
                figures[f"{verb}_ratio"] = ours_ms / raw_ms
                figures[f"{verb}_overhead_ms"] = ours_ms - raw_ms
        await back_end.close()
    figures["worst_overhead_ms"] = max(value for name, value in figures.items() if name.endswith("_overhead_ms"))
    return figures


def register(back_end: AudioBackEnd) -> ToolRegistry:
    """Return the registry that a session would call the tools through."""
    registry = ToolRegistry()

    async def provide(toolset: type[Toolset]) -> Toolset:
        return back_end.toolsets[toolset]

    for toolset in load_toolsets("audio"):
        registry.register(toolset, provide)
    return registry
