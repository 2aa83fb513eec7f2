r"""The named pipe of a service, `\\.\pipe\surehand-…`: its name, who may open it, and whose it is. Windows only.

Names of pipes belong to nobody, so both sides look. Who serves makes the first instance or none, with rights for this person alone. Who asks
looks at the owner of what was opened before a byte is sent, so that somebody else's pipe of that name learns nothing.
"""

import sys

if sys.platform != "win32":
    raise ImportError("named pipes are a part of Windows")

import _winapi
import asyncio
import ctypes
import hashlib
from ctypes import wintypes
from functools import cache
from multiprocessing.connection import Client

PREFIX = "\\\\.\\pipe\\surehand-"

_NAME_BYTES = 16
_BUFFER_BYTES = 65_536
_REJECT_REMOTE = 0x00000008
_TOKEN_QUERY, _TOKEN_USER = 0x0008, 1
_KERNEL_OBJECT, _OWNER = 6, 1
_SDDL_REVISION = 1

_RIGHTS = ctypes.WinDLL("advapi32", use_last_error=True)
_KERNEL = ctypes.WinDLL("kernel32", use_last_error=True)
_KERNEL.GetCurrentProcess.restype = wintypes.HANDLE
_KERNEL.CloseHandle.argtypes = (wintypes.HANDLE,)
_KERNEL.LocalFree.argtypes = (ctypes.c_void_p,)
_RIGHTS.OpenProcessToken.argtypes = (wintypes.HANDLE, wintypes.DWORD, ctypes.c_void_p)
_RIGHTS.GetTokenInformation.argtypes = (wintypes.HANDLE, ctypes.c_int, ctypes.c_void_p, wintypes.DWORD, ctypes.c_void_p)
_RIGHTS.ConvertSidToStringSidW.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
_RIGHTS.ConvertStringSecurityDescriptorToSecurityDescriptorW.argtypes = (
    wintypes.LPCWSTR,
    wintypes.DWORD,
    ctypes.c_void_p,
    ctypes.c_void_p,
)
_RIGHTS.GetSecurityInfo.argtypes = (wintypes.HANDLE, ctypes.c_int, wintypes.DWORD, *(ctypes.c_void_p,) * 5)


class _Attributes(ctypes.Structure):
    """``SECURITY_ATTRIBUTES``."""

    _fields_ = (("size", wintypes.DWORD), ("descriptor", ctypes.c_void_p), ("inherit", wintypes.BOOL))


class PrivatePipe:
    """A named pipe that this person alone may open, from this machine alone. There is always an instance to come to."""

    def __init__(self, name: str) -> None:
        """Make the first instance.

        Raises:
            OSError: If there is a pipe of that name already, or none can be made.
        """
        self.name = name
        self._next: int | None = _make_instance(name, is_first=True)

    def take(self) -> int:
        """Return the handle of an instance that nobody has come to yet, for whoever accepts; another one stands ready.

        Raises:
            OSError: If none can be made, or it is closed.
        """
        if self._next is None:
            raise OSError("the pipe is closed")
        taken, self._next = self._next, _make_instance(self.name, is_first=False)
        return taken

    def close(self) -> None:
        """Give the instance back that nobody took; calling it again does nothing."""
        handle, self._next = self._next, None
        if handle is not None:
            _winapi.CloseHandle(handle)


def name_pipe(seed: bytes) -> str:
    """Return the name of a pipe of this person."""
    digest = hashlib.blake2b(seed, digest_size=_NAME_BYTES, key=read_user().encode()[:64])
    return f"{PREFIX}{digest.hexdigest()}"


async def open_pipe(name: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to a pipe of this person.

    Raises:
        OSError: If nobody listens there, or somebody else does; that one is told nothing.
    """
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    transport, _ = await loop.create_pipe_connection(lambda: protocol, name)
    try:
        check_owner(transport.get_extra_info("pipe").fileno())
    except OSError:
        transport.close()
        raise
    return reader, asyncio.StreamWriter(transport, protocol, reader, loop)


def try_pipe(name: str) -> None:
    """Return if somebody of this person listens at a pipe.

    Raises:
        OSError: If not.
    """
    with Client(name, family="AF_PIPE") as connection:
        check_owner(connection.fileno())


def check_owner(handle: int) -> None:
    """Return if an open pipe is this person's.

    Raises:
        PermissionError: If it is somebody else's.
    """
    owner, descriptor = ctypes.c_void_p(), ctypes.c_void_p()
    code = _RIGHTS.GetSecurityInfo(
        handle, _KERNEL_OBJECT, _OWNER, ctypes.byref(owner), None, None, None, ctypes.byref(descriptor)
    )
    if code:
        raise ctypes.WinError(code)
    try:
        found = _write_user(owner) if owner else ""
    finally:
        _KERNEL.LocalFree(descriptor)
    if found != read_user():
        raise PermissionError("the pipe belongs to another user")


@cache
def read_user() -> str:
    """Return who this process works for, as Windows names them (``S-1-5-21-…``).

    Raises:
        OSError: If Windows doesn't say.
    """
    token = wintypes.HANDLE()
    _check(_RIGHTS.OpenProcessToken(_KERNEL.GetCurrentProcess(), _TOKEN_QUERY, ctypes.byref(token)))
    try:
        size = wintypes.DWORD()
        _RIGHTS.GetTokenInformation(token, _TOKEN_USER, None, 0, ctypes.byref(size))
        told = ctypes.create_string_buffer(size.value)
        _check(_RIGHTS.GetTokenInformation(token, _TOKEN_USER, told, size, ctypes.byref(size)))
        return _write_user(ctypes.c_void_p.from_buffer(told))  # it begins with where the user stands
    finally:
        _KERNEL.CloseHandle(token)


def describe_rights() -> str:
    """Return who may open a pipe of this person, as Windows writes it: they alone, and nobody from another machine."""
    user = read_user()
    return f"O:{user}D:P(D;;GA;;;NU)(A;;GA;;;{user})"


def _make_instance(name: str, *, is_first: bool) -> int:
    descriptor = ctypes.c_void_p()
    convert = _RIGHTS.ConvertStringSecurityDescriptorToSecurityDescriptorW
    _check(convert(describe_rights(), _SDDL_REVISION, ctypes.byref(descriptor), None))
    attributes = _Attributes(size=ctypes.sizeof(_Attributes), descriptor=descriptor)
    flags = _winapi.PIPE_ACCESS_DUPLEX | _winapi.FILE_FLAG_OVERLAPPED
    try:
        return _winapi.CreateNamedPipe(
            name,
            flags | (_winapi.FILE_FLAG_FIRST_PIPE_INSTANCE if is_first else 0),
            # Messages, for Python's own client of pipes reads nothing else; who opens it plainly reads bytes.
            _winapi.PIPE_TYPE_MESSAGE | _winapi.PIPE_READMODE_MESSAGE | _winapi.PIPE_WAIT | _REJECT_REMOTE,
            _winapi.PIPE_UNLIMITED_INSTANCES,
            _BUFFER_BYTES,
            _BUFFER_BYTES,
            _winapi.NMPWAIT_WAIT_FOREVER,
            ctypes.addressof(attributes),
        )
    finally:
        _KERNEL.LocalFree(descriptor)


def _write_user(sid: ctypes.c_void_p) -> str:
    written = wintypes.LPWSTR()
    _check(_RIGHTS.ConvertSidToStringSidW(sid, ctypes.byref(written)))
    try:
        return written.value or ""
    finally:
        _KERNEL.LocalFree(written)


def _check(is_done: int) -> None:
    if not is_done:
        raise ctypes.WinError(ctypes.get_last_error())
