"""Mixer: the audio tools, written once over what every sound system can do."""

import asyncio
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from actuators.audio.mixing.addressing import Sound, check_address, find_app, find_device, find_sound, group_apps
from actuators.audio.mixing.faders import Faders, finish, know_levels
from actuators.audio.mixing.phrasing import say_apps, say_devices, say_volume
from actuators.audio.mixing.playing import play_watched
from actuators.audio.mixing.recovery import predict_default, predict_sound, reconcile_default, reconcile_sound
from actuators.audio.mixing.reports import (
    FULL_PERCENT,
    report_default,
    report_held_mute,
    report_level,
    report_mute,
    report_route,
    round_level,
    tell_device,
    tell_stream,
)
from actuators.audio.ports import AudioDevice, AudioServer, AudioTarget
from actuators.audio.tools import AudioTools
from actuators.deadlines import pause
from core.base.errors import DeviceError, InputError
from core.results.tool_results import Finding, ToolOutcome
from core.tools.ports import ActionContext

SETTLE_LIMIT_S = 1.0
RESERVE_S = 0.5
STEP_PERCENT = 10.0
TARGETS: tuple[AudioTarget, AudioTarget] = ("output", "input")


class Mixer(AudioTools):
    """Finds what is meant, acts, and reads back what came of it."""

    def __init__(self, server: AudioServer, *, settle_limit_s: float = SETTLE_LIMIT_S) -> None:
        """Use this sound system; what doesn't show after so many seconds counts as not done."""
        self._server = server
        self._settle_limit_s = settle_limit_s

    async def get_volume(
        self,
        context: ActionContext,
        target: AudioTarget = "output",
        device: str | None = None,
        app: str | None = None,
    ) -> ToolOutcome:
        """Tell how loud it is."""
        del context
        sound = await self._find(target, device, app)
        know_levels(sound)
        facts = {"level": round_level(sound.level_percent), "muted": sound.muted, **sound.tell()}
        return ToolOutcome({**facts, "scale": self._server.scale, "text": say_volume(sound)}, "none", facts)

    async def set_volume(
        self,
        context: ActionContext,
        level: float,
        target: AudioTarget = "output",
        device: str | None = None,
        app: str | None = None,
    ) -> ToolOutcome:
        """Set how loud it is."""
        check_percent("level", level)
        return await self._change_level(context, await self._find(target, device, app), lambda _: level)

    async def volume_up(
        self,
        context: ActionContext,
        amount: float = STEP_PERCENT,
        target: AudioTarget = "output",
        device: str | None = None,
        app: str | None = None,
    ) -> ToolOutcome:
        """Make it louder; what is amplified above 100 already stays as it is."""
        check_percent("amount", amount)
        sound = await self._find(target, device, app)
        return await self._change_level(context, sound, partial(raise_level, amount))

    async def volume_down(
        self,
        context: ActionContext,
        amount: float = STEP_PERCENT,
        target: AudioTarget = "output",
        device: str | None = None,
        app: str | None = None,
    ) -> ToolOutcome:
        """Make it quieter; what is amplified above 100 comes down to 100 at least."""
        check_percent("amount", amount)
        sound = await self._find(target, device, app)
        return await self._change_level(context, sound, partial(lower_level, amount))

    async def mute(
        self,
        context: ActionContext,
        target: AudioTarget = "output",
        device: str | None = None,
        app: str | None = None,
        duration: float | None = None,
    ) -> ToolOutcome:
        """Silence it."""
        check_duration(duration)
        sound = await self._find(target, device, app)
        return await self._change_mute(context, sound, duration, muted=True)

    async def unmute(
        self,
        context: ActionContext,
        target: AudioTarget = "output",
        device: str | None = None,
        app: str | None = None,
        duration: float | None = None,
    ) -> ToolOutcome:
        """Let it be heard."""
        check_duration(duration)
        sound = await self._find(target, device, app)
        return await self._change_mute(context, sound, duration, muted=False)

    async def toggle_mute(
        self,
        context: ActionContext,
        target: AudioTarget = "output",
        device: str | None = None,
        app: str | None = None,
        duration: float | None = None,
    ) -> ToolOutcome:
        """Silence what is heard, or the other way round."""
        check_duration(duration)
        sound = await self._find(target, device, app)
        return await self._change_mute(context, sound, duration, muted=not sound.muted)

    async def list_devices(self, context: ActionContext, target: AudioTarget | None = None) -> ToolOutcome:
        """List the sound devices."""
        del context
        devices = [each for kind in ((target,) if target else TARGETS) for each in await self._server.devices(kind)]
        listed = [tell_device(each) for each in devices]
        output = {"devices": listed, "count": len(listed), "text": say_devices(devices, target)}
        return ToolOutcome(output, "none", {"count": len(listed)})

    async def list_apps(self, context: ActionContext, target: AudioTarget = "output") -> ToolOutcome:
        """List the applications with sound."""
        del context
        streams = await self._server.streams(target)
        names = [group[0].app or group[0].binary for group in group_apps(streams).values()]
        output = {"apps": [tell_stream(each) for each in streams], "count": len(names), "text": say_apps(names, target)}
        return ToolOutcome(output, "none", {"count": len(names), "streams": len(streams)})

    async def set_default(self, context: ActionContext, device: str, target: AudioTarget = "output") -> ToolOutcome:
        """Make a device the default."""
        devices = await self._server.devices(target)
        wanted = find_device(devices, device, target)
        before = find_default(devices)
        if not wanted.is_default:
            limit_s = max(context.timeout_s - RESERVE_S, context.timeout_s / 2)
            await self._faders(context).order(Sound(target, (wanted,)), self._server.set_default(wanted, limit_s))
        after = find_default(await self._server.devices(target))
        if after is None or after.id != wanted.id:
            now = after.name if after else "no device"
            raise DeviceError(
                f"The default {target} is {now}, not {wanted.name}: another program changed it.",
                code="not_settled",
                hint="Look for a program that sets the default itself, such as a desktop's sound settings.",
                evidence={"wanted": wanted.id, "default": after.id if after else ""},
            )
        return report_default(before, after)

    async def route_app(self, context: ActionContext, app: str, device: str) -> ToolOutcome:
        """Send the sound of an application to a device."""
        devices, streams = await asyncio.gather(self._server.devices("output"), self._server.streams("output"))
        wanted, sound = find_device(devices, device, "output"), find_app(streams, app, "output")
        faders = self._faders(context)
        for stream in sound.streams:
            if stream.device != wanted.id:
                await faders.order(sound, self._server.move_stream(stream, wanted))
        after = await faders.settle(sound, lambda now: now.places == (wanted.id,))
        if after.places != (wanted.id,):
            raise DeviceError(
                f"The sound of {sound.name} was sent to {wanted.name}, but it plays on {', '.join(after.places)}.",
                code="not_settled",
                hint="The application may choose its device itself; check its settings.",
                evidence={"wanted": wanted.id, "devices": list(after.places), **sound.tell()},
            )
        return report_route(sound, wanted, {each.id: each.name for each in devices})

    async def play_sound(self, context: ActionContext, path: str) -> ToolOutcome:
        """Play a sound file."""
        return await play_watched(self._server, path, context.policy)

    async def predict(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return where each part is and where it will be; nothing of what is toggled for a time."""
        target, held = args.get("target", "output"), args.get("duration") is not None
        if verb == "set_default":
            return predict_default(await self._server.devices(target))
        if verb not in _WANTED or (held and verb == "toggle_mute"):
            return await super().predict(verb, context, args)
        sound = await self._find(target, args.get("device"), args.get("app"))
        return predict_sound(sound, _WANTED[verb](sound, args), held=held)

    async def reconcile(
        self, verb: str, context: ActionContext, args: Mapping[str, Any], facts: Mapping[str, Any]
    ) -> Finding:
        """Compare what was foreseen with what is heard; what can be done twice is done again where that doesn't tell."""
        if verb == "set_default":
            return reconcile_default(await self._server.devices(args.get("target", "output")), args, facts)
        found = await reconcile_sound(self._server, self._faders(context), facts)
        is_harmless = verb in {"set_volume", "mute", "unmute"} and found.state == "unknown"
        return replace(found, state="not_done") if is_harmless else found

    async def _find(self, target: AudioTarget, device: str | None, app: str | None) -> Sound:
        check_address(device, app)
        return await find_sound(self._server, target, device, app)

    def _faders(self, context: ActionContext) -> Faders:
        return Faders(self._server, min(self._settle_limit_s, context.timeout_s / 2))

    async def _change_level(
        self, context: ActionContext, sound: Sound, choose: Callable[[float], float]
    ) -> ToolOutcome:
        wanted = {part_id: choose(level) for part_id, level in know_levels(sound).items()}
        return report_level(sound, await self._faders(context).apply_levels(sound, wanted))

    async def _change_mute(
        self, context: ActionContext, sound: Sound, duration_s: float | None, *, muted: bool
    ) -> ToolOutcome:
        """Silence each part or not; for a time, if one is given, after which each is as it was, however it ends."""
        faders = self._faders(context)
        before = {part.id: part.muted for part in sound.parts}
        wanted = dict.fromkeys(before, muted)
        if duration_s is None:
            return report_mute(sound, await faders.apply_mutes(sound, wanted))
        start_s = time.monotonic()
        try:
            meanwhile = await faders.apply_mutes(sound, wanted)
            await pause(duration_s)
        finally:
            after = await finish(restore_mutes(faders, sound, before))
        return report_held_mute(sound, meanwhile, after, time.monotonic() - start_s)


async def restore_mutes(faders: Faders, sound: Sound, before: Mapping[str, bool]) -> Sound:
    """Silence what was silent and nothing else, whatever it is now; return what is read back."""
    return await faders.apply_mutes(await faders.read(sound), before)


def find_default(devices: tuple[AudioDevice, ...]) -> AudioDevice | None:
    """Return the default device, if there is one."""
    return next((each for each in devices if each.is_default), None)


def raise_level(amount: float, now: float) -> float:
    """Return a level that is louder; what is amplified above 100 stays as it is."""
    return max(now, min(FULL_PERCENT, now + amount))


def lower_level(amount: float, now: float) -> float:
    """Return a level that is quieter; what is amplified above 100 comes down to 100 at least."""
    return min(FULL_PERCENT, max(0.0, now - amount))


def check_percent(name: str, percent: float) -> None:
    """Refuse by an InputError a level or amount outside 0 to 100, before anything is touched."""
    if not 0 <= percent <= FULL_PERCENT:
        raise InputError(
            f"A {name} must be between 0 and 100, not {percent:g}.",
            hint="100 is full volume.",
            evidence={name: str(percent)},
        )


def check_duration(duration_s: float | None) -> None:
    """Refuse by an InputError a time that is negative or endless, before anything is touched."""
    if duration_s is not None and not (math.isfinite(duration_s) and duration_s >= 0):
        raise InputError(
            f"A duration of {duration_s:g} s is not possible.",
            hint="Leave it out for no limit.",
            evidence={"duration": str(duration_s)},
        )


def _aim_levels(sound: Sound, choose: Callable[[float], float]) -> dict[str, float]:
    return {part_id: choose(level) for part_id, level in know_levels(sound).items()}


def _aim_mutes(sound: Sound, choose: Callable[[bool | None], bool]) -> dict[str, bool]:
    return {part.id: choose(part.muted) for part in sound.parts}


_WANTED: Mapping[str, Callable[[Sound, Mapping[str, Any]], Mapping[str, float] | Mapping[str, bool]]] = {
    "set_volume": lambda sound, args: _aim_levels(sound, lambda _: args["level"]),
    "volume_up": lambda sound, args: _aim_levels(sound, partial(raise_level, args.get("amount", STEP_PERCENT))),
    "volume_down": lambda sound, args: _aim_levels(sound, partial(lower_level, args.get("amount", STEP_PERCENT))),
    "mute": lambda sound, _: _aim_mutes(sound, lambda _: True),
    "unmute": lambda sound, _: _aim_mutes(sound, lambda _: False),
    "toggle_mute": lambda sound, _: _aim_mutes(sound, lambda _: not sound.muted),
}
"""Where a verb brings each part."""
