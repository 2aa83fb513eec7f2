"""The bench on Linux: a private PulseAudio or PipeWire, real programs that play, and ears on the monitors."""

import asyncio
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from actuators.audio.ports import AudioStream
from actuators.audio.pulse.server import PulseServer
from fixtures.machine.processes import Keeper
from fixtures.machine.sound import SINKS, SOURCES
from tests.contracts.audio.bench import SoundBench
from tests.contracts.audio.waves import RATE_HZ, make_tone, measure_db, write_tone

FORMAT = ("--raw", "--latency-msec=50", "--format=s16le", f"--rate={RATE_HZ}", "--channels=2")
FRAME_BYTES = 4
WAIT_S = 20.0


class SoundMachine(Protocol):
    """A private sound server."""

    @property
    def environ(self) -> Mapping[str, str]:
        """The environment in which programs find it."""
        ...


class LinuxBench(SoundBench):
    """A server with two null sinks and two null sources."""

    def __init__(self, machine: SoundMachine, folder: Path, *, answer_limit_s: float = 5.0) -> None:
        super().__init__(
            PulseServer(machine.environ, answer_limit_s=answer_limit_s),
            (SINKS[0], SINKS[1]),
            SOURCES,
            write_tone(folder / "tone.wav", 0.3),
        )
        self.environ = machine.environ
        self._keeper = Keeper(folder)
        self._endless = folder / "tone.raw"
        self._endless.write_bytes(make_tone(1) * 60)

    async def play_app(self, name: str, binary: str = "player") -> AudioStream:
        before = {stream.id for stream in await self.server.streams("output")}
        properties = (f"--client-name={name}", f"--property=application.process.binary={binary}")
        self._keeper.start("paplay", ["paplay", *properties, *FORMAT, str(self._endless)], self.environ)
        async with asyncio.timeout(WAIT_S):
            while True:
                for stream in await self.server.streams("output"):
                    if stream.id not in before and stream.app == name and stream.device:
                        return await self._reset(stream)
                await self.server.await_change(0.1)

    async def end_apps(self) -> None:
        self._keeper.close()
        async with asyncio.timeout(WAIT_S):
            while await self.server.streams("output"):
                await self.server.await_change(0.1)

    async def listen(self, sink: str, seconds: float = 0.2) -> float:
        """Return how loud a sink is now, in decibels below full scale."""
        recorder = await asyncio.create_subprocess_exec(
            *("parec", f"--device={sink}.monitor", *FORMAT),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(self.environ),
        )
        assert recorder.stdout
        count = int(seconds * RATE_HZ) * FRAME_BYTES
        try:
            async with asyncio.timeout(WAIT_S):
                await recorder.stdout.readexactly(count)  # what comes first may be older than the last change
                return measure_db(await recorder.stdout.readexactly(count))
        finally:
            recorder.kill()
            await recorder.wait()

    async def _reset(self, stream: AudioStream) -> AudioStream:
        """PipeWire remembers what an application of this name had."""
        await self.server.set_level(stream, 100)
        await self.server.set_mute(stream, muted=False)
        if stream.device != self.outputs[0]:
            await self.server.move_stream(stream, await self.device(self.outputs[0]))
        async with asyncio.timeout(WAIT_S):
            while (now := await self.stream(stream.id)).device != self.outputs[0] or now.muted:
                await self.server.await_change(0.1)
        return now
