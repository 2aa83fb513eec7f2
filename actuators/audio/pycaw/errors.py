"""What the errors of Windows' sound system mean. Windows only."""

import functools
import sys
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from core.base.errors import DeviceError, SurehandError, UnsupportedError

if sys.platform != "win32":
    raise ImportError("COM is a part of Windows")

from comtypes import COMError

Params = ParamSpec("Params")
Result = TypeVar("Result")

NOT_FOUND = 0x80070490
BAD_ARGUMENT = 0x80070057
NOT_IMPLEMENTED = 0x80004001
DEVICE_GONE = 0x88890004
NO_SERVICE = {0x88890010, 0x80040154, 0x800706BA, 0x80070424}  # not running, not registered, not reachable, missing
MISSING = {NOT_FOUND, DEVICE_GONE}


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
