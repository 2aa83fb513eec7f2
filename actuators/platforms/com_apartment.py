"""The COM apartment of a thread, which every thread that calls COM must have joined. Windows only."""

import sys

if sys.platform != "win32":
    raise ImportError("COM is a part of Windows")

import comtypes

MULTITHREADED = 0
RPC_E_CHANGED_MODE = -2147417850  # 0x80010106: the thread has joined an apartment of another kind before


def join_apartment() -> None:
    """Join the multi-threaded apartment, or stay in the thread's; an OSError when COM can't be used at all."""
    try:
        comtypes.CoInitializeEx(MULTITHREADED)
    except OSError as error:
        if error.winerror != RPC_E_CHANGED_MODE:
            raise
        comtypes.CoInitializeEx(comtypes.COINIT_APARTMENTTHREADED)  # so that leaving finds its pair


def leave_apartment() -> None:
    """Leave the apartment that was joined."""
    comtypes.CoUninitialize()
