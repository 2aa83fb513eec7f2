"""Finding out after a crash whether a change of sound was made: where each part was, and where it should be.

It is asked also of what could simply be done again: what is heard then would be taken for how it was before, and going back
would go nowhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from actuators.audio.mixing.addressing import Sound, find_device, find_sound
from actuators.audio.mixing.faders import TOLERANCE_PERCENT, Faders
from actuators.audio.mixing.reports import report_default, report_level, report_mute
from actuators.audio.ports import AudioDevice, AudioServer
from core.base.errors import DeviceError
from core.results.tool_results import Finding

Value = float | bool | None


def predict_sound(
    sound: Sound, wanted: Mapping[str, float] | Mapping[str, bool], *, held: bool = False
) -> dict[str, Any]:
    """Return the facts that tell whether each part came to a level in percent or a mute, by its id; if held, for a time only."""
    quantity = "muted" if any(isinstance(each, bool) for each in wanted.values()) else "level_percent"
    parts = {part.id: [getattr(part, quantity), wanted[part.id]] for part in sound.parts}
    return {"address": sound.address(), "quantity": quantity, "parts": parts, "held": held}


def predict_default(devices: Sequence[AudioDevice]) -> dict[str, Any]:
    """Return which device is the default before another is."""
    return {"default": next((each.id for each in devices if each.is_default), "")}


def reconcile_default(devices: Sequence[AudioDevice], args: Mapping[str, Any], facts: Mapping[str, Any]) -> Finding:
    """Tell by ``predict_default`` whether a device was made the default; it can be done again where it is another."""
    wanted = find_device(devices, args["device"], args.get("target", "output"))
    if not facts or not wanted.is_default:
        return Finding("not_done", {"wanted": wanted.id, **facts})
    outcome = report_default(next((each for each in devices if each.id == facts["default"]), None), wanted)
    return Finding("done", outcome.evidence, outcome)


async def reconcile_sound(server: AudioServer, faders: Faders, facts: Mapping[str, Any]) -> Finding:
    """Compare what ``predict_sound`` foresaw with what is; parts that don't follow yet follow now, and what was held ends."""
    if not facts:
        return Finding("unknown", {"reason": "nothing was recorded before"})
    parts: Mapping[str, list[Value]] = facts["parts"]
    sound = await _find_again(server, facts)
    if sound is None:
        return Finding("unknown", {"reason": "the changed device or stream is gone", "parts": dict(parts)})
    now = {part.id: getattr(part, facts["quantity"]) for part in sound.parts}
    places = {part_id: _judge(value, *parts[part_id]) for part_id, value in now.items()}
    evidence = {"now": now, "parts": {part_id: parts[part_id] for part_id in now}}
    if facts["held"]:
        return await _end_held(faders, sound, facts, [each for each, place in places.items() if place == "after"])
    if "elsewhere" in places.values():
        return Finding("unknown", {**evidence, "reason": "something else has changed it"})
    if "after" not in places.values():
        return Finding("not_done", evidence)
    return await _say_done(faders, sound, facts)


async def _end_held(faders: Faders, sound: Sound, facts: Mapping[str, Any], left: Sequence[str]) -> Finding:
    """Let what a change for a time left be as it was, so that it can be done anew."""
    if left:
        earlier = {part_id: bool(facts["parts"][part_id][0]) for part_id in left}
        await faders.apply_mutes(
            replace(sound, parts=tuple(each for each in sound.parts if each.id in earlier)), earlier
        )
    return Finding("not_done", {"parts": dict(facts["parts"]), "ended": list(left)})


async def _find_again(server: AudioServer, facts: Mapping[str, Any]) -> Sound | None:
    address = facts["address"]
    try:
        found = await find_sound(server, address["target"], address.get("device"), address.get("app"))
    except DeviceError as error:
        if error.code in {"device_missing", "app_missing"}:
            return None
        raise
    left = tuple(part for part in found.parts if part.id in facts["parts"])
    return replace(found, parts=left) if left else None


def _judge(value: Value, before: Value, wanted: Value) -> str:
    """Tell whether a part is where it was, where it should be, or elsewhere; systems round levels."""
    if isinstance(wanted, bool) or value is None or before is None or wanted is None:
        return "after" if value == wanted else "before" if value == before else "elsewhere"
    tolerance = min(TOLERANCE_PERCENT, abs(wanted - before) / 2) or TOLERANCE_PERCENT
    to_wanted, to_before = abs(value - wanted), abs(value - before)
    if min(to_wanted, to_before) > tolerance:
        return "elsewhere"
    return "after" if to_wanted <= to_before else "before"


async def _say_done(faders: Faders, sound: Sound, facts: Mapping[str, Any]) -> Finding:
    quantity, parts = facts["quantity"], facts["parts"]
    earlier: Any = tuple(replace(part, **{quantity: parts[part.id][0]}) for part in sound.parts)
    before = replace(sound, parts=earlier)
    wanted = {each: parts[each][1] for each in sound.ids}
    if quantity == "muted":
        outcome = report_mute(before, await faders.apply_mutes(sound, wanted))
    else:
        outcome = report_level(before, await faders.apply_levels(sound, wanted))
    return Finding("done", outcome.evidence, outcome)
