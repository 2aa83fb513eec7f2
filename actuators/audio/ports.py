"""AudioServer: what a back end of the audio family does. The tools are written once, over this."""

from typing import TYPE_CHECKING, Literal, Protocol

from core.base.late_dataclasses import dataclass

if TYPE_CHECKING:
    from actuators.base import Availability

AudioTarget = Literal["output", "input"]

PLAYER = "Surehand"
"""The application that ``AudioServer.play`` shows itself as, where the system knows applications by name."""


@dataclass(frozen=True, slots=True)
class AudioDevice:
    """A device as it is now.

    Attributes:
        id: Its name to the system; stable while it is there.
        level_percent: 0 to 100, above where the system amplifies; None where the system doesn't tell.
        muted: Whether it is silent; False where the system doesn't tell.
        state: ``running``, ``idle``, ``suspended``, ``unplugged`` or ``unknown``.
    """

    id: str
    name: str
    target: AudioTarget
    level_percent: float | None
    muted: bool
    is_default: bool = False
    state: str = "unknown"


@dataclass(frozen=True, slots=True)
class AudioStream:
    """Sound that an application plays or records; what isn't known is empty, or 0 for the process.

    Attributes:
        level_percent: 0 to 100, above where the system amplifies.
    """

    id: str
    app: str
    binary: str
    pid: int
    target: AudioTarget
    device: str
    level_percent: float
    muted: bool


AudioPart = AudioDevice | AudioStream


class AudioServer(Protocol):
    """One sound system. Ids are those of its own devices and streams.

    Every method raises ``DeviceError``: ``server_missing`` where nothing answers in time, ``device_missing`` where the
    id is gone. Setting returns once the system has taken it; what it is then is read by ``devices`` and ``streams``.

    Attributes:
        scale: What the level means, in words: ``cubic`` or ``linear`` or the system's own.
    """

    scale: str

    def assess(self) -> "Availability":
        """Say whether it can be used; connects at most for a moment, and starts nothing."""
        ...

    async def devices(self, target: AudioTarget) -> tuple[AudioDevice, ...]:
        """Return the devices of a target; monitors of outputs are not inputs."""
        ...

    async def streams(self, target: AudioTarget) -> tuple[AudioStream, ...]:
        """Return what applications play or record."""
        ...

    async def await_change(self, timeout_s: float) -> None:
        """Return when something may have changed since ``devices`` or ``streams`` were last read, or the time is up.

        It may return too early, never too late; a system that tells nothing returns after a moment.
        """
        ...

    async def set_level(self, part: AudioPart, level_percent: float) -> None:
        """Set the level of a stream, or of all channels of a device, keeping the balance."""
        ...

    async def set_mute(self, part: AudioPart, *, muted: bool) -> None:
        """Silence a device or stream, or not."""
        ...

    async def set_default(self, device: AudioDevice, timeout_s: float) -> None:
        """Make a device the default of its target; return once the system says that it is, or ``not_settled``."""
        ...

    async def move_stream(self, stream: AudioStream, device: AudioDevice) -> None:
        """Order a stream to another device, or an UnsupportedError; where it is then is read by ``streams``."""
        ...

    async def play(self, path: str) -> float:
        """Play a sound file to its end on the default output; return the seconds that it took.

        A cancelled call ends the sound at once.

        Raises:
            FileError: ``wrong_type`` if the system can't play what is in it.
        """
        ...

    async def close(self) -> None:
        """Let go of the system and leave nothing; calling it again does nothing."""
        ...
