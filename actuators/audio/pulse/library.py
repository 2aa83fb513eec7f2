"""pulsectl, loaded when it is first needed: it takes a tenth of a second, and libpulse."""

import ctypes
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from core.base.errors import UnsupportedError

LIBPULSE = "libpulse.so.0"
_MODULES = ("pulsectl", "pulsectl_asyncio")
_REMEDIES = {"library": "Install it: surehand[audio].", "libpulse": "Debian: sudo apt install libpulse0."}


def find_missing() -> tuple[str, str]:
    """Return what is missing and what to do about it, without loading the library; both empty if nothing is."""
    for name in _MODULES:
        if find_spec(name) is None:
            return f"{name} is not installed.", _REMEDIES["library"]
    try:
        ctypes.CDLL(LIBPULSE)
    except OSError:
        return f"{LIBPULSE} is not installed.", _REMEDIES["libpulse"]
    return "", ""


@cache
def load_pulsectl() -> Any:
    """Return the module with the library's errors, and load what it needs."""
    return _load("pulsectl")


@cache
def load_pulsectl_asyncio() -> Any:
    """Return the module with the connection."""
    return _load("pulsectl_asyncio")


def _load(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise UnsupportedError(f"{name} is not installed.", hint=_REMEDIES["library"]) from error
    except OSError as error:  # the library is there, and the system's own part isn't
        raise UnsupportedError(f"{LIBPULSE} is not installed.", hint=_REMEDIES["libpulse"]) from error
