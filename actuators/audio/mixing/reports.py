"""What outputs, evidence and undo records say about sound, and sentences that are fit to be spoken."""

from collections.abc import Mapping, Sequence
from typing import Any

from actuators.audio.mixing.addressing import Sound
from actuators.audio.ports import AudioDevice, AudioStream, AudioTarget
from core.results.tool_results import ToolOutcome, UndoRecord

FULL_PERCENT = 100.0
_DEFAULTS = {"output": "The volume", "input": "The microphone's level"}
_NOUNS = {"output": ("output", "outputs"), "input": ("input", "inputs"), None: ("device", "devices")}


def round_level(level_percent: float | None) -> float | None:
    """Return a level without the dust of the system's own numbers."""
    return None if level_percent is None else round(level_percent, 1)


def tell_device(device: AudioDevice) -> dict[str, Any]:
    """Return a device as data."""
    return {
        "id": device.id,
        "name": device.name,
        "target": device.target,
        "default": device.is_default,
        "level": round_level(device.level_percent),
        "muted": device.muted,
        "state": device.state,
    }


def tell_stream(stream: AudioStream) -> dict[str, Any]:
    """Return a stream as data."""
    return {
        "id": stream.id,
        "name": stream.app or stream.binary,
        "pid": stream.pid,
        "device": stream.device,
        "level": round_level(stream.level_percent),
        "muted": stream.muted,
    }


def report_level(before: Sound, after: Sound) -> ToolOutcome:
    """Return what came of a change of the level, and how it is taken back."""
    levels = {round(level, 1) for level in before.know_levels().values()}
    level, was = round_level(after.level_percent), round_level(before.level_percent)
    facts = {"level": level, "before": was, "muted": after.muted, **after.tell()}
    if len(levels) > 1:
        undo = f"Its streams had different levels ({', '.join(map(say_percent, sorted(levels)))}); set them one by one."
        return ToolOutcome(facts, "confirmed", facts, undo)
    (only,) = levels
    if only > FULL_PERCENT:
        return ToolOutcome(facts, "confirmed", facts, f"It was at {say_percent(only)}; set_volume goes to 100 %.")
    guard = {"level": level}
    record = UndoRecord("audio", "set_volume", {"level": only, **before.address()}, guard)
    return ToolOutcome(
        facts, "confirmed", facts, f"Set the volume of {before.name} to {say_percent(only)}.", undo_record=record
    )


def report_mute(before: Sound, after: Sound) -> ToolOutcome:
    """Return what came of muting or unmuting, and how it is taken back."""
    level = round_level(after.level_percent)
    facts = {"muted": after.muted, "before": before.muted, "level": level, **after.tell()}
    if len({part.muted for part in before.parts}) > 1:
        return ToolOutcome(facts, "confirmed", facts, "Only some of its streams were muted; undo them one by one.")
    verb = "mute" if before.muted else "unmute"
    record = UndoRecord("audio", verb, before.address(), {"muted": after.muted})
    return ToolOutcome(facts, "confirmed", facts, f"{verb.capitalize()} {before.name}.", undo_record=record)


def report_held_mute(before: Sound, meanwhile: Sound, after: Sound, held_s: float) -> ToolOutcome:
    """Return what came of muting or unmuting for a time."""
    level = round_level(after.level_percent)
    output = {"muted": after.muted, "before": before.muted, "level": level, **after.tell()}
    evidence = {"muted_meanwhile": meanwhile.muted, "held_s": round(held_s, 3), "muted": after.muted, **after.tell()}
    return ToolOutcome(output, "confirmed", evidence, "Nothing to undo: nothing changed.")


def report_default(before: AudioDevice | None, after: AudioDevice) -> ToolOutcome:
    """Return what came of choosing a default, and how it is taken back."""
    output = {"device": after.name, "device_id": after.id, "before": before.name if before else ""}
    evidence = {"default": after.id, "before": before.id if before else ""}
    if before is None:
        return ToolOutcome(output, "confirmed", evidence, "No default was set before.")
    record = UndoRecord("audio", "set_default", {"device": before.id, "target": after.target}, {"device": after.id})
    return ToolOutcome(
        output, "confirmed", evidence, f"Make {before.name} the default {after.target} again.", undo_record=record
    )


def report_route(before: Sound, wanted: AudioDevice, names: Mapping[str, str]) -> ToolOutcome:
    """Return what came of sending an application's sound to a device, and how it is taken back."""
    came_from = [names.get(place, place) for place in before.places]
    output = {
        "app": before.name,
        "device": wanted.name,
        "device_id": wanted.id,
        "before": ", ".join(came_from),
        "streams": len(before.parts),
    }
    evidence = {"device": wanted.id, "before": list(before.places)}
    if len(before.places) != 1 or before.places[0] not in names:
        return ToolOutcome(
            output, "confirmed", evidence, "Its streams were at different devices; send them one by one."
        )
    params = {"app": before.words or before.app, "device": before.places[0]}
    record = UndoRecord("audio", "route_app", params, {"device": wanted.id})
    return ToolOutcome(output, "confirmed", evidence, f"Send {before.name} back to {came_from[0]}.", undo_record=record)


def say_percent(level_percent: float) -> str:
    """Return a level as it is said: whole, or with one digit where that matters."""
    return f"{round(level_percent, 1):g} %"


def say_volume(sound: Sound) -> str:
    """Return how loud something is, as a sentence."""
    subject = _DEFAULTS[sound.target] if sound.by_default else f"The volume of {sound.name}"
    if sound.level_percent is None:
        return f"{subject} is not known."
    return f"{subject} is {say_percent(sound.level_percent)}{' and muted' if sound.muted else ''}."


def say_devices(devices: Sequence[AudioDevice], target: AudioTarget | None) -> str:
    """Return the devices as a sentence."""
    one, many = _NOUNS[target]
    if not devices:
        return f"No sound {one} found."
    return f"{len(devices)} {one if len(devices) == 1 else many}: {'; '.join(map(_say_device, devices))}."


def say_apps(names: Sequence[str], target: AudioTarget) -> str:
    """Return the applications as a sentence."""
    acts = "plays" if target == "output" else "records"
    if not names:
        return f"No application {acts} sound."
    if len(names) == 1:
        return f"{names[0]} {acts} sound."
    return f"{', '.join(names[:-1])} and {names[-1]} {acts.removesuffix('s')} sound."


def _say_device(device: AudioDevice) -> str:
    facts = ["the default"] if device.is_default else []
    facts += [] if device.level_percent is None else [say_percent(device.level_percent)]
    facts += ["muted"] if device.muted else []
    return f"{device.name} ({', '.join(facts)})" if facts else device.name
