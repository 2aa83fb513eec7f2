"""What is said about sound, in sentences that are fit to be spoken."""

from collections.abc import Sequence

from actuators.audio.mixing.addressing import Sound
from actuators.audio.ports import AudioDevice, AudioTarget

_DEFAULTS = {"output": "The volume", "input": "The microphone's level"}
_NOUNS = {"output": ("output", "outputs"), "input": ("input", "inputs"), None: ("device", "devices")}


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
