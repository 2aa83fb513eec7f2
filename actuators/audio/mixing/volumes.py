"""AudioTools: the audio tools, written once over what every sound system can do."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

from actuators.audio.mixing.addressing import Sound, check_address, find_sound
from actuators.audio.mixing.faders import Faders, finish
from actuators.audio.mixing.recovery import predict_sound, reconcile_sound
from actuators.audio.mixing.reports import (
    FULL_PERCENT,
    report_held_mute,
    report_level,
    report_mute,
    round_level,
    say_volume,
)
from actuators.audio.ports import AudioServer, AudioTarget
from actuators.deadlines import pause
from core.base.errors import InputError
from core.results.tool_results import Finding, ToolOutcome
from core.rules.param_types import NAME, Duration, LevelPercent, NameText
from core.tools.ports import ActionContext, Toolset

SETTLE_LIMIT_S = 1.0
STEP_PERCENT = 10.0
HeardTarget = Annotated[AudioTarget, NAME]


class VolumeTools(Toolset):
    """Volume, mute, devices and routing.

    ``target`` is ``output`` (speakers, the default) or ``input`` (microphones); ``device`` a device by its id, its
    name, or a part of its name that only one has, the default device where absent; ``app`` an application that plays or
    records sound, by name. At most one of ``device`` and ``app`` is given.
    """

    domain = "audio"
    intent = "audio_control"
    capability = "audio"

    def __init__(self, server: AudioServer, *, settle_limit_s: float = SETTLE_LIMIT_S) -> None:
        """Use this sound system; what doesn't show after so many seconds counts as not done."""
        self.server = server
        self._settle_limit_s = settle_limit_s

    async def get_volume(
        self,
        context: ActionContext,
        target: HeardTarget = "output",
        device: NameText | None = None,
        app: NameText | None = None,
    ) -> ToolOutcome:
        """Tell how loud a device or application is.

        Args:
            target: Speakers or microphones.
            device: Which device.
            app: Which application instead.

        Returns:
            Output ``level`` (0–100, may be above where the system amplifies), ``muted``, ``device`` or ``app``,
            ``scale`` and ``text``.

        Raises:
            DeviceError: If there is no such device or application; lists those that are there.
        """
        del context
        sound = await self._find(target, device, app)
        sound.know_levels()
        facts = {"level": round_level(sound.level_percent), "muted": sound.muted, **sound.tell()}
        return ToolOutcome({**facts, "scale": self.server.scale, "text": say_volume(sound)}, "none", facts)

    async def set_volume(
        self,
        context: ActionContext,
        level: LevelPercent,
        target: HeardTarget = "output",
        device: NameText | None = None,
        app: NameText | None = None,
    ) -> ToolOutcome:
        """Set how loud a device or application is; mute stays as it is.

        Args:
            level: 0 to 100.
            target: Speakers or microphones.
            device: Which device.
            app: Which application instead.

        Returns:
            Output ``level`` as read back, ``before``, ``muted``, ``device`` or ``app``.

        Raises:
            DeviceError: As for ``get_volume``; ``not_settled`` if the level read back is another one.
        """
        check_percent("level", level)
        return await self._change_level(context, await self._find(target, device, app), lambda _: level)

    async def volume_up(
        self,
        context: ActionContext,
        amount: LevelPercent = 10.0,
        target: HeardTarget = "output",
        device: NameText | None = None,
        app: NameText | None = None,
    ) -> ToolOutcome:
        """Make a device or application louder, to 100 at most.

        Args:
            amount: By how much, 0 to 100.
            target: Speakers or microphones.
            device: Which device.
            app: Which application instead.

        Returns:
            As for ``set_volume``.
        """
        check_percent("amount", amount)
        return await self._change_level(context, await self._find(target, device, app), partial(raise_level, amount))

    async def volume_down(
        self,
        context: ActionContext,
        amount: LevelPercent = 10.0,
        target: HeardTarget = "output",
        device: NameText | None = None,
        app: NameText | None = None,
    ) -> ToolOutcome:
        """Make a device or application quieter, to 0 at least.

        Args:
            amount: By how much, 0 to 100.
            target: Speakers or microphones.
            device: Which device.
            app: Which application instead.

        Returns:
            As for ``set_volume``.
        """
        check_percent("amount", amount)
        return await self._change_level(context, await self._find(target, device, app), partial(lower_level, amount))

    async def mute(
        self,
        context: ActionContext,
        target: HeardTarget = "output",
        device: NameText | None = None,
        app: NameText | None = None,
        duration: Duration | None = None,
    ) -> ToolOutcome:
        """Silence a device or application; one that is silent already stays so.

        Args:
            target: Speakers or microphones.
            device: Which device.
            app: Which application instead.
            duration: Seconds after which it is as it was before; the act lasts that long, and ends early, and undone,
                when it is stopped.

        Returns:
            Output ``muted`` as read back, ``before``, ``level``, ``device`` or ``app``.
        """
        return await self._change_mute(context, await self._find(target, device, app, duration), duration, muted=True)

    async def unmute(
        self,
        context: ActionContext,
        target: HeardTarget = "output",
        device: NameText | None = None,
        app: NameText | None = None,
        duration: Duration | None = None,
    ) -> ToolOutcome:
        """Make a silenced device or application heard again.

        Args:
            target: Speakers or microphones.
            device: Which device.
            app: Which application instead.
            duration: As for ``mute``.

        Returns:
            As for ``mute``.
        """
        return await self._change_mute(context, await self._find(target, device, app, duration), duration, muted=False)

    async def toggle_mute(
        self,
        context: ActionContext,
        target: HeardTarget = "output",
        device: NameText | None = None,
        app: NameText | None = None,
        duration: Duration | None = None,
    ) -> ToolOutcome:
        """Silence what is heard, or the other way round.

        Args:
            target: Speakers or microphones.
            device: Which device.
            app: Which application instead.
            duration: As for ``mute``.

        Returns:
            As for ``mute``.
        """
        sound = await self._find(target, device, app, duration)
        return await self._change_mute(context, sound, duration, muted=not sound.muted)

    async def predict(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return where each part is and where it will be; nothing of what is toggled for a time."""
        target, held = args.get("target", "output"), args.get("duration") is not None
        if verb not in _WANTED or (held and verb == "toggle_mute"):
            return await super().predict(verb, context, args)
        sound = await self._find(target, args.get("device"), args.get("app"))
        return predict_sound(sound, _WANTED[verb](sound, args), held=held)

    async def reconcile(
        self, verb: str, context: ActionContext, args: Mapping[str, Any], facts: Mapping[str, Any]
    ) -> Finding:
        """Compare what was foreseen with what is heard; what can be done twice is done again where that doesn't tell."""
        del args
        found = await reconcile_sound(self.server, self.faders(context), facts)
        is_harmless = verb in {"set_volume", "mute", "unmute"} and found.state == "unknown"
        return replace(found, state="not_done") if is_harmless else found

    async def _find(
        self, target: AudioTarget, device: str | None, app: str | None, duration_s: float | None = None
    ) -> Sound:
        """Return what is meant, once what was asked for can be done at all."""
        check_duration(duration_s)
        check_address(device, app)
        return await find_sound(self.server, target, device, app)

    def faders(self, context: ActionContext) -> Faders:
        """Return what sets and reads back, within the time of the act."""
        return Faders(self.server, min(self._settle_limit_s, context.timeout_s / 2))

    async def _change_level(
        self, context: ActionContext, sound: Sound, choose: Callable[[float], float]
    ) -> ToolOutcome:
        return report_level(sound, await self.faders(context).apply_levels(sound, _aim_levels(sound, choose)))

    async def _change_mute(
        self, context: ActionContext, sound: Sound, duration_s: float | None, *, muted: bool
    ) -> ToolOutcome:
        """Silence each part or not; for a time, if one is given, after which each is as it was, however it ends."""
        faders = self.faders(context)
        before = {part.id: part.muted for part in sound.parts}
        wanted = dict.fromkeys(before, muted)
        if duration_s is None:
            return report_mute(sound, await faders.apply_mutes(sound, wanted))
        start_s = time.monotonic()
        try:
            meanwhile = await faders.apply_mutes(sound, wanted)
            await pause(duration_s)
        finally:
            after = await finish(_restore_mutes(faders, sound, before))
        return report_held_mute(sound, meanwhile, after, time.monotonic() - start_s)


async def _restore_mutes(faders: Faders, sound: Sound, before: Mapping[str, bool]) -> Sound:
    """Silence what was silent and nothing else, whatever it is now; return what is read back."""
    return await faders.apply_mutes(await faders.read(sound), before)


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
    return {part_id: choose(level) for part_id, level in sound.know_levels().items()}


_WANTED: Mapping[str, Callable[[Sound, Mapping[str, Any]], Mapping[str, float] | Mapping[str, bool]]] = {
    "set_volume": lambda sound, args: _aim_levels(sound, lambda _: args["level"]),
    "volume_up": lambda sound, args: _aim_levels(sound, partial(raise_level, args.get("amount", STEP_PERCENT))),
    "volume_down": lambda sound, args: _aim_levels(sound, partial(lower_level, args.get("amount", STEP_PERCENT))),
    "mute": lambda sound, _: dict.fromkeys(sound.ids, True),
    "unmute": lambda sound, _: dict.fromkeys(sound.ids, False),
    "toggle_mute": lambda sound, _: dict.fromkeys(sound.ids, not sound.muted),
}
"""Where a verb brings each part."""
