"""Windows' sound endpoints and sessions through pycaw: plain calls for a thread that has joined COM. Windows only.

Nothing is kept between calls: an endpoint that was plugged out leaves objects that answer with errors, or not at all.
The default endpoint is asked of the enumerator, not of `AudioUtilities.GetSpeakers`, which returns a bare `IMMDevice`
or an `AudioDevice` depending on pycaw's version, and knows no microphones.

Source: Microsoft, "Core Audio APIs": MMDevice API, EndpointVolume API, WASAPI sessions.
"""

import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any, ParamSpec, TypeVar

from actuators.audio.ports import AudioDevice, AudioPart, AudioStream, AudioTarget
from core.base.errors import DeviceError, SurehandError, UnsupportedError

if sys.platform != "win32":
    raise ImportError("Core Audio is a part of Windows")

from comtypes import COMError
from pycaw.constants import AudioSessionState
from pycaw.pycaw import DEVICE_STATE, AudioUtilities, EDataFlow, ERole, IAudioSessionControl2, ISimpleAudioVolume

from actuators.platforms.win32_programs import find_program

Params = ParamSpec("Params")
Result = TypeVar("Result")

NOT_FOUND = 0x80070490
BAD_ARGUMENT = 0x80070057
NOT_IMPLEMENTED = 0x80004001
DEVICE_GONE = 0x88890004
NO_SERVICE = {0x88890010, 0x80040154, 0x800706BA, 0x80070424}  # not running, not registered, not reachable, missing
MISSING = {NOT_FOUND, DEVICE_GONE}

FLOWS = {"output": EDataFlow.eRender.value, "input": EDataFlow.eCapture.value}
ROLES = [ERole.eConsole, ERole.eMultimedia, ERole.eCommunications]
SYSTEM_SOUNDS = "System sounds"
IS_SYSTEM_SOUNDS = 0  # S_OK
RESOURCE_MARK = "@"  # begins a name that stands for a text in some library: of no use to people


def read_code(error: Exception) -> int:
    """Return the result code of an error as Windows' documents write it."""
    code = error.hresult if isinstance(error, COMError) else getattr(error, "winerror", None)
    return (code or 0) & 0xFFFFFFFF


def explain(error: Exception) -> SurehandError:
    """Return what an error of the sound system means."""
    code = read_code(error)
    evidence = {"hresult": f"0x{code:08X}"}
    if code in MISSING:
        return DeviceError("The sound device is gone.", code="device_missing", evidence=evidence)
    if code in NO_SERVICE:
        return DeviceError(
            f"Windows' sound system does not answer (0x{code:08X}).",
            code="server_missing",
            hint="Start the service “Windows Audio” (Audiosrv).",
            evidence=evidence,
        )
    if code == NOT_IMPLEMENTED:
        return UnsupportedError("The sound device's driver can't do that.", evidence=evidence)
    return DeviceError(f"Windows' sound system refused: {error} (0x{code:08X}).", evidence=evidence)


def explained(function: Callable[Params, Result]) -> Callable[Params, Result]:
    """Let a function that calls COM raise our errors.

    The error is raised outside the handler: one that kept the first as its context would keep COM objects alive, and
    they must die on the thread that made them.
    """

    @functools.wraps(function)
    def call(*args: Params.args, **kwargs: Params.kwargs) -> Result:
        try:
            return function(*args, **kwargs)
        except (COMError, OSError) as error:
            failure = explain(error)
        raise failure

    return call


@explained
def list_devices(target: AudioTarget) -> tuple[AudioDevice, ...]:
    """Return the devices that are plugged in and enabled."""
    default = read_default(target)
    found: list[AudioDevice] = []
    for device in AudioUtilities.GetAllDevices(FLOWS[target], DEVICE_STATE.ACTIVE.value):
        try:
            found.append(read_device(device, target, default))
        except COMError as error:
            if read_code(error) != DEVICE_GONE:  # plugged out while we looked
                raise
    return tuple(found)


def read_device(device: Any, target: AudioTarget, default: str) -> AudioDevice:
    """Return what an endpoint of pycaw's is now."""
    volume = device.EndpointVolume
    return AudioDevice(
        id=device.id,
        name=device.FriendlyName or device.id,
        target=target,
        level_percent=to_percent(volume.GetMasterVolumeLevelScalar()),
        muted=bool(volume.GetMute()),
        is_default=device.id == default,
    )


def to_percent(scalar: float) -> float:
    """Return Windows' scalar, a float of 32 bits, as the percentage that was meant."""
    return round(scalar * 100, 3)


def read_default(target: AudioTarget) -> str:
    """Return the id of the default endpoint for multimedia; empty when there is none."""
    try:
        endpoint = AudioUtilities.GetDeviceEnumerator().GetDefaultAudioEndpoint(FLOWS[target], ERole.eMultimedia.value)
    except COMError as error:
        if read_code(error) == NOT_FOUND:
            return ""
        raise
    return endpoint.GetId()


@explained
def find_default(target: AudioTarget) -> str:
    """Return the id of the default device; empty when there is none."""
    return read_default(target)


def find_volume(device_id: str) -> Any:
    """Return the volume control of an endpoint; ``device_missing`` lists those that are there."""
    try:
        return AudioUtilities.CreateDevice(AudioUtilities.GetDeviceEnumerator().GetDevice(device_id)).EndpointVolume
    except COMError as error:
        if read_code(error) not in {*MISSING, BAD_ARGUMENT}:
            raise
    raise make_missing(device_id)


def make_missing(device_id: str) -> DeviceError:
    """Return the error for a device that is not there, with those that are."""
    there = [device.FriendlyName for device in AudioUtilities.GetAllDevices(device_state=DEVICE_STATE.ACTIVE.value)]
    return DeviceError(
        f"There is no sound device {device_id}.",
        code="device_missing",
        hint=f"There are: {', '.join(map(str, there)) or 'none'}.",
        evidence={"device": device_id, "devices": there},
    )


@explained
def set_level(part: AudioPart, level_percent: float) -> None:
    """Set the master level of a device, or that of a session in its device's, 0 to 100."""
    if isinstance(part, AudioDevice):
        find_volume(part.id).SetMasterVolumeLevelScalar(level_percent / 100, None)
    else:
        find_stream_volume(part).SetMasterVolume(level_percent / 100, None)


@explained
def set_mute(part: AudioPart, *, muted: bool) -> None:
    """Silence a device or session, or not; what is so already stays so."""
    volume = find_volume(part.id) if isinstance(part, AudioDevice) else find_stream_volume(part)
    volume.SetMute(int(muted), None)


@explained
def set_default(device_id: str) -> None:
    """Order that a device be the default in all three of Windows' roles."""
    find_volume(device_id)  # an id that is none would be taken without a word
    AudioUtilities.SetDefaultDevice(device_id, ROLES)


@explained
def list_streams(target: AudioTarget) -> tuple[AudioStream, ...]:
    """Return the sessions of all devices; those that have expired are none."""
    return tuple(read_stream(control, device, target) for device, control in iterate_sessions(target))


def iterate_sessions(target: AudioTarget) -> Iterator[tuple[str, Any]]:
    """Yield each session's control with the id of its device."""
    for device in AudioUtilities.GetAllDevices(FLOWS[target], DEVICE_STATE.ACTIVE.value):
        sessions = device.AudioSessionManager.GetSessionEnumerator()
        for index in range(sessions.GetCount()):
            control = sessions.GetSession(index).QueryInterface(IAudioSessionControl2)
            if control.GetState() != AudioSessionState.Expired:
                yield device.id, control


def read_stream(control: Any, device: str, target: AudioTarget) -> AudioStream:
    """Return what a session is now."""
    volume = control.QueryInterface(ISimpleAudioVolume)
    pid = control.GetProcessId()
    binary = find_program(pid)
    return AudioStream(
        id=control.GetSessionInstanceIdentifier(),
        app=name_session(control, binary),
        binary=binary,
        pid=pid,
        target=target,
        device=device,
        level_percent=to_percent(volume.GetMasterVolume()),
        muted=bool(volume.GetMute()),
    )


def name_session(control: Any, binary: str) -> str:
    """Return what people call a session: its own name, else its program's."""
    if control.IsSystemSoundsSession() == IS_SYSTEM_SOUNDS:
        return SYSTEM_SOUNDS
    name = control.GetDisplayName() or ""
    return name if name and not name.startswith(RESOURCE_MARK) else binary.removesuffix(".exe")


def find_stream_volume(stream: AudioStream) -> Any:
    """Return the volume control of a session; ``device_missing`` when it has ended."""
    for _, control in iterate_sessions(stream.target):
        if control.GetSessionInstanceIdentifier() == stream.id:
            return control.QueryInterface(ISimpleAudioVolume)
    raise DeviceError(
        f"{stream.app} no longer plays anything.",
        code="device_missing",
        evidence={"app": stream.app, "pid": stream.pid},
    )
