"""AudioTools and their back end, over any sound system; here, which devices and applications there are, and where sound goes."""

import asyncio
from collections.abc import Mapping
from typing import Any

from actuators.audio.mixing.addressing import Sound, find_app, find_device, find_sound, group_apps
from actuators.audio.mixing.faders import TOLERANCE_PERCENT
from actuators.audio.mixing.playing import play_watched
from actuators.audio.mixing.recovery import predict_default, reconcile_default
from actuators.audio.mixing.reports import (
    report_default,
    report_route,
    round_level,
    say_apps,
    say_devices,
    tell_device,
    tell_stream,
)
from actuators.audio.mixing.volumes import HeardTarget, VolumeTools
from actuators.audio.ports import AudioDevice, AudioServer, AudioTarget
from actuators.base import Availability
from actuators.undoing import UndoAct, check_guard, take_back_by
from core.base.errors import DeviceError
from core.results.tool_results import Finding, ToolOutcome, UndoRecord
from core.rules.param_types import FilePath, NameText
from core.tools.ports import ActionContext, Toolset

RESERVE_S = 0.5
TARGETS: tuple[AudioTarget, AudioTarget] = ("output", "input")


class AudioTools(VolumeTools):
    """Volume, mute, devices and routing."""

    async def list_devices(self, context: ActionContext, target: HeardTarget | None = None) -> ToolOutcome:
        """List the sound devices.

        Args:
            target: Only speakers, or only microphones; both where absent. Monitors of outputs are not microphones.

        Returns:
            Output ``devices`` (id, name, target, default, level, muted, state), ``count`` and ``text``.
        """
        del context
        devices = [each for kind in ((target,) if target else TARGETS) for each in await self.server.devices(kind)]
        listed = [tell_device(each) for each in devices]
        output = {"devices": listed, "count": len(listed), "text": say_devices(devices, target)}
        return ToolOutcome(output, "none", {"count": len(listed)})

    async def list_apps(self, context: ActionContext, target: HeardTarget = "output") -> ToolOutcome:
        """List the applications that play or record sound.

        Args:
            target: Those that play, or those that record.

        Returns:
            Output ``apps`` (id, name, pid, device, level, muted), ``count`` and ``text``.
        """
        del context
        streams = await self.server.streams(target)
        names = [group[0].app or group[0].binary for group in group_apps(streams).values()]
        output = {"apps": [tell_stream(each) for each in streams], "count": len(names), "text": say_apps(names, target)}
        return ToolOutcome(output, "none", {"count": len(names), "streams": len(streams)})

    async def set_default(
        self, context: ActionContext, device: NameText, target: HeardTarget = "output"
    ) -> ToolOutcome:
        """Make a device the default, and wait until it really is.

        Args:
            device: Which device.
            target: Speakers or microphones.

        Returns:
            Output ``device`` as read back and ``before``.

        Raises:
            DeviceError: As for ``get_volume``; ``not_settled`` if the system goes on with another.
        """
        devices = await self.server.devices(target)
        wanted = find_device(devices, device, target)
        before = find_default(devices)
        if not wanted.is_default:
            limit_s = max(context.timeout_s - RESERVE_S, context.timeout_s / 2)
            await self.faders(context).order(Sound(target, (wanted,)), self.server.set_default(wanted, limit_s))
        after = find_default(await self.server.devices(target))
        if after is None or after.id != wanted.id:
            now = after.name if after else "no device"
            raise DeviceError(
                f"The default {target} is {now}, not {wanted.name}: another program changed it.",
                code="not_settled",
                hint="Look for a program that sets the default itself, such as a desktop's sound settings.",
                evidence={"wanted": wanted.id, "default": after.id if after else ""},
            )
        return report_default(before, after)

    async def route_app(self, context: ActionContext, app: NameText, device: NameText) -> ToolOutcome:
        """Send the sound of an application to a device.

        Args:
            app: Which application; all its streams are moved.
            device: To which output.

        Returns:
            Output ``app``, ``device`` as read back, ``before`` and ``streams``.
        """
        devices, streams = await asyncio.gather(self.server.devices("output"), self.server.streams("output"))
        wanted, sound = find_device(devices, device, "output"), find_app(streams, app, "output")
        faders = self.faders(context)
        for stream in sound.streams:
            if stream.device != wanted.id:
                await faders.order(sound, self.server.move_stream(stream, wanted))
        after = await faders.settle(sound, lambda now: now.places == (wanted.id,))
        if after.places != (wanted.id,):
            raise DeviceError(
                f"The sound of {sound.name} was sent to {wanted.name}, but it plays on {', '.join(after.places)}.",
                code="not_settled",
                hint="The application may choose its device itself; check its settings.",
                evidence={"wanted": wanted.id, "devices": list(after.places), **sound.tell()},
            )
        return report_route(sound, wanted, {each.id: each.name for each in devices})

    async def play_sound(self, context: ActionContext, path: FilePath) -> ToolOutcome:
        """Play a sound file on the default output to its end.

        Args:
            path: The file; wav everywhere, and what the system can play besides.

        Returns:
            Output ``path``, ``device`` and ``seconds``.

        Raises:
            FileError: If it is missing or no sound that can be played here.
        """
        return await play_watched(self.server, path, context.policy)

    async def predict(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return which device is the default where that is changed, else where each part is and will be."""
        if verb != "set_default":
            return await super().predict(verb, context, args)
        return predict_default(await self.server.devices(args.get("target", "output")))

    async def reconcile(
        self, verb: str, context: ActionContext, args: Mapping[str, Any], facts: Mapping[str, Any]
    ) -> Finding:
        """Compare the default with what was wanted."""
        if verb != "set_default":
            return await super().reconcile(verb, context, args, facts)
        return reconcile_default(await self.server.devices(args.get("target", "output")), args, facts)


def find_default(devices: tuple[AudioDevice, ...]) -> AudioDevice | None:
    """Return the default device, if there is one."""
    return next((each for each in devices if each.is_default), None)


class AudioBackEnd:
    """What carries out the audio tools."""

    def __init__(self, server: AudioServer) -> None:
        self._server = server
        self._mixer = AudioTools(server)
        self.toolsets: Mapping[type[Toolset], Toolset] = {AudioTools: self._mixer}
        self._ways: Mapping[str, UndoAct] = {
            **dict.fromkeys(("set_volume", "mute", "unmute"), self._set_sound),
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

    async def _set_sound(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        params, guard = record.params, record.guard
        sound = await find_sound(self._server, params["target"], params.get("device"), params.get("app"))
        level, shown = sound.level_percent, guard.get("level")
        near = level is not None and shown is not None and abs(level - shown) <= TOLERANCE_PERCENT / 2
        now = {"level": shown if near else round_level(level), "muted": sound.muted}
        check_guard(f"The sound of {sound.name}", guard, now)
        acts = {"set_volume": self._mixer.set_volume, "mute": self._mixer.mute, "unmute": self._mixer.unmute}
        return await acts[record.operation](context, **params)

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
