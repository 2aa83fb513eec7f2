"""Playing a sound file, and seeing that the system really has it."""

import asyncio
import os

from actuators.audio.mixing.addressing import DEFAULT, find_device
from actuators.audio.mixing.wave_files import check_sound_file
from actuators.audio.ports import PLAYER, AudioServer, AudioStream
from core.base.errors import UnsupportedError
from core.policy.policy import Policy
from core.results.tool_results import ToolOutcome

LOOK_AGAIN_S = 0.1
UNDO = "A sound that was played can't be undone."


async def play_watched(server: AudioServer, path: str, policy: Policy) -> ToolOutcome:
    """Play a file to its end; it is confirmed if the system had a stream of it meanwhile.

    Args:
        policy: Says where it may lie.

    Raises:
        FileError: If it is missing, or no sound that can be played here.
        DeviceError: If there is no default output.
    """
    real = await asyncio.to_thread(check_sound_file, path, policy.roots)
    device = find_device(await server.devices("output"), DEFAULT, "output")
    earlier = {stream.id for stream in await _list_streams(server)}
    playing = asyncio.ensure_future(server.play(real))
    try:
        seen = await _look_for(server, playing, earlier)
        seconds = await playing
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
    output = {"path": path, "device": device.name, "device_id": device.id, "seconds": round(seconds, 3)}
    if seen is None:
        return ToolOutcome(output, "unverified", {"seconds": output["seconds"]}, UNDO)
    evidence = {"seconds": output["seconds"], "stream": seen.id, "device": seen.device, "muted": device.muted}
    return ToolOutcome(output, "confirmed", evidence, UNDO)


async def _look_for(server: AudioServer, playing: "asyncio.Future[float]", earlier: set[str]) -> AudioStream | None:
    """Return our stream once the system shows it with its device; None if the sound ends before."""
    while not playing.done():
        for stream in await _list_streams(server):
            if stream.id not in earlier and stream.device and (stream.app == PLAYER or stream.pid == os.getpid()):
                return stream
        change = asyncio.ensure_future(server.await_change(LOOK_AGAIN_S))
        await asyncio.wait({change, playing}, return_when=asyncio.FIRST_COMPLETED)
        change.cancel()
        await asyncio.gather(change, return_exceptions=True)
    return None


async def _list_streams(server: AudioServer) -> tuple[AudioStream, ...]:
    """Return what plays; nothing where the system doesn't tell."""
    try:
        return await server.streams("output")
    except UnsupportedError:
        return ()
