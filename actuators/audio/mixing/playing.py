"""Playing a sound file: what can be known of it before, and seeing that the system really has it."""

import asyncio
import os
import struct
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from actuators.audio.mixing.addressing import DEFAULT, find_device
from actuators.audio.ports import PLAYER, AudioServer, AudioStream
from core.addresses.path_parts import lies_inside
from core.base.errors import FileError, UnsupportedError
from core.policy.policy import Policy
from core.results.tool_results import ToolOutcome

WAVE_SUFFIXES = (".wav", ".wave")
_CHUNK_HEAD = struct.Struct("<4sI")
_FORMAT = struct.Struct("<HHIIHH")
_MOST_CHUNKS = 100
_HINT = "Convert it to .wav, or open it with another program."


def check_sound_file(path: str, roots: Sequence[str] | None) -> str:
    """Return where a sound file really is, once it is known that it lies in a root, may be read and is not a damaged wave."""
    real = os.path.realpath(path)
    if roots is not None and not any(lies_inside(real, os.path.realpath(root), sys.platform) for root in roots):
        raise FileError(
            f"{path} is outside the folders that may be used.",
            code="outside_roots",
            hint="Copy it into one of them, or allow its folder.",
            evidence={"path": path, "roots": list(roots)},
        )
    try:
        if not Path(real).is_file():
            code, what = ("wrong_type", "is not a file") if Path(real).exists() else ("not_found", "does not exist")
            raise FileError(
                f"{path} {what}.", code=code, hint="Name a sound file that exists.", evidence={"path": path}
            )
        with Path(real).open("rb") as file:
            if Path(real).suffix.casefold() in WAVE_SUFFIXES:
                measure_wave(file, path)
    except PermissionError as error:
        raise FileError(
            f"{path} can't be read: permission denied.", code="no_permission", evidence={"path": path}
        ) from error
    return real


def measure_wave(file: BinaryIO, path: str) -> float:
    """Return the seconds that a wave file says it lasts; ``wrong_type`` if it is none, or one without sound."""
    kind, _, form = struct.unpack("<4sI4s", file.read(12).ljust(12, b"\0"))
    if kind != b"RIFF" or form != b"WAVE":
        raise _refuse(path, "does not start like a wave file")
    bytes_per_s = 0
    for _ in range(_MOST_CHUNKS):
        head = file.read(_CHUNK_HEAD.size)
        if len(head) < _CHUNK_HEAD.size:
            break
        name, size = _CHUNK_HEAD.unpack(head)
        if name == b"data":
            return _measure_data(file, size, bytes_per_s, path)
        if name == b"fmt ":
            bytes_per_s = _read_format(file.read(_FORMAT.size), path)
            size -= _FORMAT.size
        file.seek(max(size, 0) + size % 2, os.SEEK_CUR)
    raise _refuse(path, "contains no sound")


def _read_format(content: bytes, path: str) -> int:
    if len(content) < _FORMAT.size:
        raise _refuse(path, "ends within its format")
    _, channels, rate_hz, bytes_per_s, frame_bytes, _ = _FORMAT.unpack(content)
    if not (channels and rate_hz and bytes_per_s and frame_bytes):
        raise _refuse(path, f"claims {channels} channels at {rate_hz} Hz")
    return bytes_per_s


def _measure_data(file: BinaryIO, size: int, bytes_per_s: int, path: str) -> float:
    if not bytes_per_s:
        raise _refuse(path, "has sound before its format is known")
    there = os.fstat(file.fileno()).st_size - file.tell()
    if min(size, there) <= 0:
        raise _refuse(path, "contains no sound")
    return min(size, there) / bytes_per_s


def _refuse(path: str, why: str) -> FileError:
    return FileError(f"{path} {why}.", code="wrong_type", hint=_HINT, evidence={"path": path})


LOOK_AGAIN_S = 0.1
UNDO = "A sound that was played can't be undone."


async def play_watched(server: AudioServer, path: str, policy: Policy) -> ToolOutcome:
    """Play a file, where policy lets it lie, to its end; it is confirmed if the system had a stream of it meanwhile."""
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
