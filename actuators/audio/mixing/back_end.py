"""AudioBackEnd: the audio tools on one sound system, and taking their changes back, if nobody changed them since."""

from collections.abc import Mapping

from actuators.audio.mixing.addressing import find_app, find_sound
from actuators.audio.mixing.faders import TOLERANCE_PERCENT
from actuators.audio.mixing.mixer import AudioTools, find_default
from actuators.audio.mixing.reports import round_level
from actuators.audio.ports import AudioServer, AudioTarget
from actuators.base import Availability
from actuators.undoing import UndoAct, check_guard, take_back_by
from core.results.tool_results import ToolOutcome, UndoRecord
from core.tools.ports import ActionContext, Toolset


class AudioBackEnd:
    """What carries out the audio tools."""

    def __init__(self, server: AudioServer) -> None:
        self._server = server
        self._mixer = AudioTools(server)
        self.toolsets: Mapping[type[Toolset], Toolset] = {AudioTools: self._mixer}
        self._ways: Mapping[str, UndoAct] = {
            "set_volume": self._set_volume,
            "mute": self._set_mute,
            "unmute": self._set_mute,
            "set_default": self._set_default,
            "route_app": self._route_app,
        }

    def assess(self, capability: str) -> Availability:
        """Say whether there is a sound system that answers."""
        if capability != "audio":
            return Availability(capability, available=False, reason="The audio tools know nothing of it.")
        return self._server.assess()

    async def take_back(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        """Take a change back; ``changed_since`` if it was changed again, ``not_undoable`` for other records."""
        return await take_back_by(self._ways, "audio", context, record)

    async def close(self) -> None:
        """Let go of the sound system; calling it again does nothing."""
        await self._server.close()

    async def _set_volume(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        await self._check_sound(record)
        return await self._mixer.set_volume(context, **record.params)

    async def _set_mute(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        await self._check_sound(record)
        act = self._mixer.mute if record.operation == "mute" else self._mixer.unmute
        return await act(context, **record.params)

    async def _check_sound(self, record: UndoRecord) -> None:
        params, guard = record.params, record.guard
        sound = await find_sound(self._server, params["target"], params.get("device"), params.get("app"))
        level, shown = sound.level_percent, guard.get("level")
        near = level is not None and shown is not None and abs(level - shown) <= TOLERANCE_PERCENT / 2
        now = {"level": shown if near else round_level(level), "muted": sound.muted}
        check_guard(f"The sound of {sound.name}", guard, now)

    async def _set_default(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        target: AudioTarget = record.params["target"]
        default = find_default(await self._server.devices(target))
        check_guard(f"The default {target}", record.guard, {"device": default.id if default else None})
        return await self._mixer.set_default(context, **record.params)

    async def _route_app(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        app = record.params["app"]
        places = find_app(await self._server.streams("output"), app, "output").places
        check_guard(f"Where {app} plays", record.guard, {"device": places[0] if len(places) == 1 else list(places)})
        return await self._mixer.route_app(context, **record.params)
