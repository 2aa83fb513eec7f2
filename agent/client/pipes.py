"""PipeSocket: a named pipe of a service, as `http.client` uses sockets. Windows only."""

import sys

if sys.platform != "win32":
    raise ImportError("named pipes are a part of Windows")

import ctypes
import io
from ctypes import wintypes
from multiprocessing import Pipe
from multiprocessing.connection import Client, wait
from typing import Any

PREFIX = "\\\\.\\pipe\\"

_KERNEL_OBJECT, _OWNER = 6, 1
_TOKEN_QUERY, _TOKEN_USER = 0x0008, 1
_RIGHTS = ctypes.WinDLL("advapi32", use_last_error=True)
_KERNEL = ctypes.WinDLL("kernel32", use_last_error=True)
_KERNEL.GetCurrentProcess.restype = wintypes.HANDLE
_KERNEL.CloseHandle.argtypes = (wintypes.HANDLE,)
_KERNEL.LocalFree.argtypes = (ctypes.c_void_p,)
_RIGHTS.OpenProcessToken.argtypes = (wintypes.HANDLE, wintypes.DWORD, ctypes.c_void_p)
_RIGHTS.GetTokenInformation.argtypes = (wintypes.HANDLE, ctypes.c_int, ctypes.c_void_p, wintypes.DWORD, ctypes.c_void_p)
_RIGHTS.EqualSid.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
_RIGHTS.GetSecurityInfo.argtypes = (wintypes.HANDLE, ctypes.c_int, wintypes.DWORD, *(ctypes.c_void_p,) * 5)


class PipeSocket:
    """A connection to a pipe of this person. What another thread shuts down stops waiting."""

    def __init__(self, name: str, timeout_s: float | None) -> None:
        """Connect.

        Args:
            timeout_s: Seconds to wait for a sign of life; None for as long as it takes.

        Raises:
            OSError: If nobody listens there, or somebody else does; that one is told nothing.
        """
        self._connection = Client(name, family="AF_PIPE")
        self._timeout_s = timeout_s
        self._woken, self._waker = Pipe(duplex=False)
        self._open_files = 1  # http.client closes a socket before it reads an answer to its end
        try:
            _check_owner(self._connection.fileno())
        except OSError:
            self.close()
            raise

    def sendall(self, data: Any) -> None:
        """Send all of it."""
        if data:  # an empty message would be taken for the end
            self._connection.send_bytes(bytes(data))

    def receive(self) -> bytes:
        """Return what comes next; empty at the end.

        Raises:
            TimeoutError: If nothing comes for too long.
            ConnectionAbortedError: If it was shut down.
        """
        ready = wait([self._connection, self._woken], self._timeout_s)
        if self._woken in ready:
            raise ConnectionAbortedError("nobody waits for the answer")
        if not ready:
            raise TimeoutError("timed out")
        try:
            return self._connection.recv_bytes()
        except EOFError:
            return b""

    def makefile(self, mode: str) -> io.BufferedReader:
        """Return what is received as a file."""
        assert mode == "rb", "http.client reads bytes"
        self._open_files += 1
        return io.BufferedReader(_PipeFile(self))

    def shutdown(self, how: int) -> None:
        """Let whoever waits stop waiting; whatever is given for ``how``."""
        del how
        self._waker.send_bytes(b"x")

    def close(self) -> None:
        """Close it as soon as no file of it is open."""
        self._open_files -= 1
        if self._open_files == 0:
            for each in (self._connection, self._woken, self._waker):
                each.close()


class _PipeFile(io.RawIOBase):
    """What a pipe receives, as a file."""

    def __init__(self, pipe: PipeSocket) -> None:
        super().__init__()
        self._pipe = pipe
        self._left = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._left:
            self._left = self._pipe.receive()
        size = min(len(buffer), len(self._left))
        buffer[:size], self._left = self._left[:size], self._left[size:]
        return size

    def close(self) -> None:
        if not self.closed:
            self._pipe.close()
        super().close()


def _check_owner(handle: int) -> None:
    """Return if an open pipe belongs to this process's person: names of pipes are anybody's."""
    owner, descriptor = ctypes.c_void_p(), ctypes.c_void_p()
    code = _RIGHTS.GetSecurityInfo(
        handle, _KERNEL_OBJECT, _OWNER, ctypes.byref(owner), None, None, None, ctypes.byref(descriptor)
    )
    if code:
        raise ctypes.WinError(code)
    try:
        if not owner or not _RIGHTS.EqualSid(owner, ctypes.c_void_p.from_buffer(_read_user())):
            raise PermissionError("the pipe belongs to another user")
    finally:
        _KERNEL.LocalFree(descriptor)


def _read_user() -> "ctypes.Array[ctypes.c_char]":
    """Return what Windows tells of this process's person; it begins with where their number stands."""
    token, size = wintypes.HANDLE(), wintypes.DWORD()
    if not _RIGHTS.OpenProcessToken(_KERNEL.GetCurrentProcess(), _TOKEN_QUERY, ctypes.byref(token)):
        raise ctypes.WinError(ctypes.get_last_error())
    try:
        _RIGHTS.GetTokenInformation(token, _TOKEN_USER, None, 0, ctypes.byref(size))
        told = ctypes.create_string_buffer(size.value)
        if not _RIGHTS.GetTokenInformation(token, _TOKEN_USER, told, size, ctypes.byref(size)):
            raise ctypes.WinError(ctypes.get_last_error())
        return told
    finally:
        _KERNEL.CloseHandle(token)
