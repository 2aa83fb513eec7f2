"""AudioBackEnd: the audio tools on one sound system."""

from collections.abc import Mapping

from actuators.audio.mixing.mixer import Mixer
from actuators.audio.mixing.undo import SoundUndo
from actuators.audio.ports import AudioServer
from actuators.audio.tools import AudioTools
from actuators.base import Availability
from core.results.tool_results import ToolOutcome, UndoRecord
from core.tools.ports import ActionContext, Toolset

CAPABILITY = "audio"


class AudioBackEnd:
    """What carries out the audio tools."""

    def __init__(self, server: AudioServer) -> None:
        """Use this sound system, which belongs to the back end from now on."""
        mixer = Mixer(server)
        self.toolsets: Mapping[type[Toolset], Toolset] = {AudioTools: mixer}
        self._undo = SoundUndo(server, mixer)
        self._server = server

    def assess(self, capability: str) -> Availability:
        """Say whether there is a sound system that answers."""
        if capability != CAPABILITY:
            return Availability(capability, available=False, reason="The audio tools know nothing of it.")
        return self._server.assess()

    async def take_back(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        """Make a sound what it was before, if nobody changed it since."""
        return await self._undo.take_back(context, record)

    async def close(self) -> None:
        """Let go of the sound system; calling it again does nothing."""
        await self._server.close()
