"""The desktop of a person who shows how something is done with programs. No tool and no plan acts on it."""

from typing import Self

from actuators.base import Environment
from actuators.desktop.platforms.linux import make_parts
from actuators.desktop.ports.parts import DesktopParts
from actuators.desktop.ports.recordings import InputWatch, TellDesktopEvent, check_platform
from actuators.desktop.recording.recorder import DesktopRecorder
from actuators.desktop.x11.input_watch import X11InputWatch
from core.base.errors import UnsupportedError


class RecordingDesktop:
    """A desktop that is in a person's hands."""

    def __init__(self, parts: DesktopParts, watch: InputWatch, tell: TellDesktopEvent) -> None:
        self.parts = parts
        self.recorder = DesktopRecorder(parts, watch, tell)

    async def __aenter__(self) -> Self:
        """Return the desktop."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Let go of it."""
        await self.close()

    async def close(self) -> None:
        """Notice nothing any more; programs stay as they are."""
        await self.recorder.stop()
        for each in (self.parts.accessibility, self.parts.windows, self.parts.hands, self.parts.screen):
            await each.close()


def open_desktop(environment: Environment, tell: TellDesktopEvent) -> RecordingDesktop:
    """Return the desktop of the environment's session; an UnsupportedError but on X11 with an accessibility bus."""
    check_platform(environment.platform)
    watch, parts = X11InputWatch(environment), make_parts(environment)
    for found in (watch.assess(), parts.accessibility.assess()):
        if not found.available:
            raise UnsupportedError(
                f"Programs can't be recorded here: {found.reason}", code="recording_not_supported", hint=found.remedy
            )
    return RecordingDesktop(parts, watch, tell)
