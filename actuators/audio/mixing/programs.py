"""Programs of the system's: those that play a file, and those that answer."""

import asyncio
import shutil
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence

from actuators.audio.mixing.faders import finish
from actuators.audio.ports import PLAYER
from core.base.errors import DeviceError, FileError, UnsupportedError

LATENCY_MS = 200  # without it the server may hold two seconds, which are waited for at the end
PLAYERS: tuple[tuple[str, ...], ...] = (
    ("paplay", f"--client-name={PLAYER}", f"--latency-msec={LATENCY_MS}", "--"),
    ("pw-play", "--properties", f'{{ application.name = "{PLAYER}" }}', "--"),
    ("aplay", "--quiet", "--"),
)
WORDS_KEPT = 300


async def play_file(path: str, variables: Mapping[str, str], check_server: Callable[[], Awaitable[object]]) -> float:
    """Play a file to its end by the first player in ``PATH``; return the seconds. An UnsupportedError without one."""
    search = variables.get("PATH")
    for name, *options in PLAYERS:
        if program := shutil.which(name, path=search):
            return await run_player([program, *options, path], path, variables, check_server)
    names = ", ".join(name for name, *_ in PLAYERS)
    raise UnsupportedError(
        f"No program for sound files is installed ({names}).",
        hint="Debian: sudo apt install pulseaudio-utils, which brings paplay.",
    )


async def run_player(
    command: Sequence[str], path: str, variables: Mapping[str, str], check_server: Callable[[], Awaitable[object]]
) -> float:
    """Run a player to its end; return its seconds. ``wrong_type`` if it fails though the sound system answers."""
    start_s = time.monotonic()
    try:
        player = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env=dict(variables),
        )
    except OSError as error:
        raise DeviceError(f"{command[0]} could not be started: {error.strerror}.") from error
    _, words = await _hear_out(player)
    if player.returncode:
        await check_server()
        raise FileError(
            f"{path} can't be played here.",
            code="wrong_type",
            hint="Convert it to .wav, or open it with another program.",
            evidence={"path": path, "player": command[0], "said": words.decode(errors="replace").strip()[:WORDS_KEPT]},
        )
    return time.monotonic() - start_s


async def ask_program(command: Sequence[str], variables: Mapping[str, str], limit_s: float) -> str:
    """Return what a short program writes in so many seconds; ``server_missing`` if it is missing, fails or is slow."""
    name, *arguments = command
    program = shutil.which(name, path=variables.get("PATH"))
    if program is None:
        raise DeviceError(f"{name} is not on this system.", code="server_missing")
    asked = await asyncio.create_subprocess_exec(
        program,
        *arguments,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=dict(variables),
    )
    try:
        async with asyncio.timeout(limit_s):
            answer, words = await _hear_out(asked)
    except TimeoutError:
        raise DeviceError(f"{name} did not answer within {limit_s:g} s.", code="server_missing") from None
    if asked.returncode:
        said = words.decode(errors="replace").strip()[:WORDS_KEPT]
        raise DeviceError(f"{name} failed: {said}", code="server_missing", evidence={"command": list(command)})
    return answer.decode(errors="replace")


async def _hear_out(program: asyncio.subprocess.Process) -> tuple[bytes, bytes]:
    """Return what a program writes until it ends; it is ended with whoever waits for it."""
    try:
        return await program.communicate()
    finally:
        if program.returncode is None:
            program.kill()
            await finish(program.wait())
