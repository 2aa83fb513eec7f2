"""What hands are made of: where the service is found, and what belongs to one hand alone."""

import json
import os
import signal
import subprocess
import sys
import threading
import weakref
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypedDict
from uuid import uuid4

from .endpoints import Endpoint, find_endpoint, read_endpoint, read_told_endpoint
from .reports import BadOrderError, Problem, ServiceGoneError
from .wire import Wire

START_S = 60.0
_DRAIN_S = 15.0
_KILL_S = 5.0
_KEPT_LINES = 40
_TOLD_LINES = 2
_ENTRY = Path(__file__).with_name("launcher.py")


class HandOptions(TypedDict, total=False):
    """What may be said of a hand beside the address.

    Attributes:
        ca_file: Certificates that are trusted for ``https://``; absent for the system's.
        session: Name of its session; absent for one of its own, which ends with it.
        workspace: The folder that a private service works in; absent for the present one.
        command: The command that starts a private service, in place of ``surehand``.
    """

    token: str
    ca_file: str | os.PathLike[str]
    session: str
    workspace: str | os.PathLike[str]
    headed: bool
    command: Sequence[str]
    environment: Mapping[str, str]
    start_s: float


class PrivateService:
    """A child process that serves this one.

    It lives as long as the pipe to it: when this process ends, even by SIGKILL, the pipe closes, and the child ends with all that it
    started.
    """

    def __init__(self, options: HandOptions) -> None:
        self._options = options
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._endpoint: Endpoint | None = None
        self._said: deque[str] = deque(maxlen=_KEPT_LINES)
        self._listener: threading.Thread | None = None
        _LIVING.add(self)

    @property
    def pid(self) -> int:
        """Its process; 0 where it was not started."""
        return self._child.pid if self._child else 0

    def locate(self) -> Endpoint:
        """Return where it answers; it is started by the first who asks."""
        with self._lock:
            if self._endpoint is None:
                self._endpoint = self._start()
            elif self._child and self._child.poll() is not None:
                raise self._tell_end("The private service has ended")
            return self._endpoint

    def close(self) -> None:
        """End it, and wait until it is gone; calling it again does nothing."""
        with self._lock:
            child, self._child = self._child, None
        if child is None:
            return
        _close_pipe(child)
        try:
            child.wait(_DRAIN_S)
        except subprocess.TimeoutExpired:
            _kill_all(child)
        for pipe in (child.stdout, child.stderr):
            if pipe:
                pipe.close()

    def abandon(self) -> None:
        """Let go of the child of another process: called in a process that was forked from its owner."""
        child, self._child = self._child, None
        self._endpoint, self._lock = None, threading.Lock()
        if child:
            _close_pipe(child)
            child.returncode = 0  # it is not ours to wait for

    def _start(self) -> Endpoint:
        child = self._spawn()
        self._child = child
        told = _read_line(child, self._options.get("start_s") or START_S)
        try:
            return read_told_endpoint(json.loads(told))
        except ValueError:
            _kill_all(child)
            child.wait(_KILL_S)
            raise self._tell_end("The private service did not start") from None

    def _spawn(self) -> subprocess.Popen[bytes]:
        try:
            child = subprocess.Popen(
                _write_command(self._options),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, **self._options.get("environment", {})},
                start_new_session=True,  # ctrl-C is for this process, which then stops the run
            )
        except OSError as error:
            text = f"The private service did not start: {error}."
            raise ServiceGoneError(Problem("service_not_started", text)) from error
        self._listener = threading.Thread(target=self._keep_said, args=(child,), name="surehand log", daemon=True)
        self._listener.start()
        return child

    def _keep_said(self, child: subprocess.Popen[bytes]) -> None:
        """Keep the last lines of the log: they say why, should it end."""
        with suppress(OSError, ValueError):
            for line in child.stderr or ():
                self._said.append(line.decode("utf-8", "replace").rstrip())

    def _tell_end(self, what: str) -> ServiceGoneError:
        if self._listener:
            self._listener.join(1.0)
        code = self._child.poll() if self._child else None
        last = [line.strip() for line in self._said if line.strip()][-_TOLD_LINES:]
        why = " ".join(last) or "it said nothing."
        evidence = {"exit_code": code, "log": list(self._said)}
        hint = "Begin a new Surehand(); with the same request_id nothing is done twice."
        return ServiceGoneError(Problem("service_gone", f"{what}: {why}", hint, evidence))


_LIVING: "weakref.WeakSet[PrivateService]" = weakref.WeakSet()


def _abandon_all() -> None:
    for each in list(_LIVING):
        each.abandon()


if hasattr(os, "register_at_fork"):
    # A forked process would hold the pipe open, and with it the service of an owner that is long gone.
    os.register_at_fork(after_in_child=_abandon_all)


def _write_command(options: HandOptions) -> list[str]:
    # -P: a folder `core` or `surehand` beside the caller's script must not come before ours.
    begin = [*options.get("command", ())] or [sys.executable, "-P", str(_ENTRY)]
    folder = options.get("workspace")
    place = [] if folder is None else ["--workspace", str(Path(folder).absolute())]
    return [*begin, "serve", "--private", *place, *(["--headed"] if options.get("headed") else [])]


def _read_line(child: subprocess.Popen[bytes], within_s: float) -> bytes:
    """Return the first line that a child writes, and nothing if it takes too long or ends."""
    found: list[bytes] = []

    def read() -> None:
        with suppress(OSError, ValueError):
            found.append(child.stdout.readline() if child.stdout else b"")

    reader = threading.Thread(target=read, name="surehand start", daemon=True)
    reader.start()
    reader.join(within_s)
    return found[0] if found else b""


def _close_pipe(child: subprocess.Popen[bytes]) -> None:
    with suppress(OSError):
        if child.stdin:
            child.stdin.close()


def _kill_all(child: subprocess.Popen[bytes]) -> None:
    """Kill a child that does not end, with all that it started."""
    if sys.platform == "win32":
        child.kill()
    else:
        with suppress(OSError):
            os.killpg(child.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        child.wait(_KILL_S)


_PRIVATE_ONLY = ("headed", "command", "environment", "start_s")


class HandParts:
    """The service of one hand, and its session."""

    def __init__(self, address: str | os.PathLike[str] | None, options: HandOptions) -> None:
        """Choose the service; nothing is started or asked.

        Raises:
            BadOrderError: If they do not fit together.
        """
        self.session = str(options.get("session") or f"client-{uuid4().hex[:12]}")
        self.owns_session = not options.get("session")
        self.private: PrivateService | None = None
        self._endpoint: Endpoint | None = None
        if address is None:
            self.private = PrivateService(options)
        else:
            if named := [name for name in _PRIVATE_ONLY if options.get(name)]:
                text = f"{named[0]} is for a private service, but there is an address."
                raise BadOrderError(Problem("bad_input", text, "Leave one of them out."))
            self._endpoint = _find(address, options)
        self.wire = Wire(self.locate)

    def locate(self) -> Endpoint:
        """Return where the service answers."""
        if self._endpoint:
            return self._endpoint
        if self.private is None:
            raise BadOrderError(Problem("closed", "This hand is closed.", "Make a new Surehand()."))
        return self.private.locate()

    @property
    def was_used(self) -> bool:
        """Whether a service may know of this hand."""
        return self._endpoint is not None or bool(self.private and self.private.pid)

    def close(self) -> None:
        """Let go of the service; a private one ends."""
        private, self.private, self._endpoint = self.private, None, None
        self.wire.close()
        if private:
            private.close()


def _find(address: str | os.PathLike[str], options: HandOptions) -> Endpoint:
    if isinstance(address, os.PathLike) and Path(address).is_dir():
        return find_endpoint(Path(address))
    return read_endpoint(address, str(options.get("token", "")), options.get("ca_file", ""))
