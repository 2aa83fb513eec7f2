"""Which device or application is meant, by the words that people use for it."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from actuators.audio.ports import AudioDevice, AudioServer, AudioStream, AudioTarget
from core.base.errors import DeviceError, InputError, UnsupportedError
from core.base.late_dataclasses import dataclass

DEFAULT = "default"
_BROWSERS = (
    *("chromium", "chrome", "firefox", "edge", "msedge", "brave", "opera", "vivaldi"),
    *("safari", "webkit", "epiphany"),
)
KINDS: Mapping[str, tuple[str, ...]] = {"browser": _BROWSERS, "web browser": _BROWSERS}
"""Words for a kind of application, and what is in the names of those of that kind."""

_ACTS: Mapping[AudioTarget, str] = {"output": "plays", "input": "records"}


@dataclass(frozen=True, slots=True)
class Sound:
    """What a verb is about: one device, or all streams of one application; never empty."""

    target: AudioTarget
    parts: tuple[AudioDevice, ...] | tuple[AudioStream, ...]
    app: str = ""
    by_default: bool = False
    words: str = ""

    @property
    def name(self) -> str:
        """Its name to people."""
        return self.app or next(part.name for part in self.parts if isinstance(part, AudioDevice))

    @property
    def ids(self) -> frozenset[str]:
        """The ids of its parts."""
        return frozenset(part.id for part in self.parts)

    @property
    def level_percent(self) -> float | None:
        """How loud it is; of several streams the loudest counts. None where the system doesn't tell."""
        return max((part.level_percent for part in self.parts if part.level_percent is not None), default=None)

    @property
    def muted(self) -> bool:
        """Whether nothing of it is heard."""
        return all(part.muted for part in self.parts)

    @property
    def streams(self) -> tuple[AudioStream, ...]:
        """Its streams; none for a device."""
        return tuple(part for part in self.parts if isinstance(part, AudioStream))

    @property
    def places(self) -> tuple[str, ...]:
        """The ids of the devices that its streams are at, each once."""
        return tuple(sorted({stream.device for stream in self.streams}))

    def know_levels(self) -> dict[str, float]:
        """Return the level of each part in percent, by id; an UnsupportedError if the system tells none."""
        levels = {part.id: part.level_percent for part in self.parts if part.level_percent is not None}
        if len(levels) < len(self.parts):
            raise UnsupportedError(
                f"The system does not report how loud {self.name} is.",
                hint=f"It reports only the default {self.target}; make this one the default.",
                evidence=self.tell(),
            )
        return levels

    def tell(self) -> dict[str, Any]:
        """Return what outputs and evidence call it by."""
        if self.app:
            return {"app": self.app, "streams": sorted(self.ids)}
        return {"device": self.name, "device_id": self.parts[0].id}

    def address(self) -> dict[str, Any]:
        """Return the params that mean just this, whatever the default is by then."""
        named = {"app": self.words or self.app} if self.app else {"device": self.parts[0].id}
        return {"target": self.target, **named}


def check_address(device: str | None, app: str | None) -> None:
    """Refuse by an InputError a device together with an application."""
    if device is not None and app is not None:
        raise InputError(
            f"Either a device (“{device}”) or an application (“{app}”) has a volume, not both.",
            hint="Remove one of them; route_app sends an application's sound to a device.",
            evidence={"device": device, "app": app},
        )


async def find_sound(server: AudioServer, target: AudioTarget, device: str | None, app: str | None) -> Sound:
    """Return what is meant as it is now, the default device where neither is given; else list what is there."""
    if app is not None:
        return find_app(await server.streams(target), app, target)
    found = find_device(await server.devices(target), device or DEFAULT, target)
    return Sound(target, (found,), by_default=device is None)


def find_device(devices: Sequence[AudioDevice], wanted: str, target: AudioTarget) -> AudioDevice:
    """Return a device by its id, its name, ``default``, or a part of its name, in this order; else list them."""
    words = fold(wanted)
    ways = (
        [each for each in devices if each.id == wanted],
        [each for each in devices if fold(each.name) == words],
        [each for each in devices if each.is_default and words == DEFAULT],
        [each for each in devices if words and words in fold(each.name)],
    )
    found = next(filter(None, ways), [])
    if len(found) == 1:
        return found[0]
    if not found:
        raise make_missing_error(devices, wanted, target)
    names = _name_devices(found)
    raise DeviceError(
        f"“{wanted}” may be any of {len(found)} {target} devices: {names}.",
        code="device_ambiguous",
        hint="Give more of the name, or the id.",
        evidence={"wanted": wanted, "target": target, "devices": [{"id": e.id, "name": e.name} for e in found]},
    )


def make_missing_error(devices: Sequence[AudioDevice], wanted: str, target: AudioTarget) -> DeviceError:
    """Return the error that says that a device isn't there, and lists those that are."""
    if fold(wanted) == DEFAULT:
        missing = f"There is no default {target} device"
    else:
        missing = f"No {target} device is called “{wanted}”"
    return DeviceError(
        f"{missing}. Available: {_name_devices(devices)}.",
        code="device_missing",
        hint="Use one of these names or ids." if devices else "Plug in a device, or switch it on.",
        evidence={"wanted": wanted, "target": target, "devices": [{"id": e.id, "name": e.name} for e in devices]},
    )


def _name_devices(devices: Iterable[AudioDevice]) -> str:
    return "; ".join(f"{each.name} ({each.id})" for each in devices) or "none"


def find_app(streams: Sequence[AudioStream], wanted: str, target: AudioTarget) -> Sound:
    """Return all streams of an application by its name, program, a part of its name, or its kind; else list them."""
    words = fold(wanted)
    apps = group_apps(streams)
    ways = (
        [key for key in apps if key[0] == words],
        [key for key in apps if words and words in (key[1], key[1].removesuffix(".exe"))],
        [key for key in apps if words and words in key[0]],
        [key for key in apps if any(part in name for part in KINDS.get(words, ()) for name in key)],
    )
    found = next(filter(None, ways), [])
    if len(found) == 1:
        chosen = tuple(apps[found[0]])
        name = chosen[0].app or chosen[0].binary
        alone = sum(key[0] == found[0][0] for key in apps) == 1
        return Sound(target, chosen, app=name, words=name if alone else wanted)
    listed = [apps[key][0] for key in found or apps]
    names = "; ".join(
        f"{each.app or each.binary} ({each.binary or 'unknown program'}, process {each.pid})" for each in listed
    )
    evidence = {
        "wanted": wanted,
        "target": target,
        "apps": [{"name": each.app, "binary": each.binary, "pid": each.pid} for each in listed],
    }
    if found:
        raise DeviceError(
            f"“{wanted}” may be any of {len(found)} applications: {names}.",
            code="app_ambiguous",
            hint="Give more of the name, or the program.",
            evidence=evidence,
        )
    raise DeviceError(
        f"No application called “{wanted}” {_ACTS[target]} sound now; with sound: {names or 'none'}.",
        code="app_missing",
        hint="Only applications with sound are listed; start it first.",
        evidence=evidence,
    )


def group_apps(streams: Iterable[AudioStream]) -> dict[tuple[str, str], list[AudioStream]]:
    """Return the streams by application: one name of one program, in however many processes."""
    apps: dict[tuple[str, str], list[AudioStream]] = {}
    for stream in streams:
        apps.setdefault((fold(stream.app or stream.binary), fold(stream.binary)), []).append(stream)
    return apps


def fold(words: str) -> str:
    """Return words as they are compared: without regard to case, width and how accents are composed."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", words).casefold()).strip()
