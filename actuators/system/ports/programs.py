"""What a back end of the system family does about programs: small protocols, over which the tools are written once."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Protocol

from actuators.base import Availability
from core.base.late_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Application:
    """A program that can be started.

    Attributes:
        id: Its name to the system, such as the name of its desktop entry; empty for a plain executable.
        argv: What is started: the program and its own arguments.
        folder: Where it wants to be started; empty where it doesn't say.
    """

    id: str
    name: str
    executable: str
    argv: tuple[str, ...]
    names: tuple[str, ...] = ()
    folder: str = ""


@dataclass(frozen=True, slots=True)
class Started:
    """A process that was started; its exit code is None while it lives."""

    pid: int
    exit_code: int | None = None
    words: str = ""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What came of a command; its exit code is None if it was ended because its time was up."""

    exit_code: int | None
    stdout: str
    stderr: str
    truncated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """A process as it is now; what may not be asked is empty.

    Attributes:
        started_s: When it was started, in seconds since 1970; with the pid, this names it for good.
    """

    pid: int
    name: str
    executable: str = ""
    argv: tuple[str, ...] = ()
    user: str = ""
    parent: int = 0
    started_s: float = 0.0
    memory_bytes: int = 0
    cpu_percent: float = 0.0


@dataclass(frozen=True, slots=True)
class AppWindow:
    """A window of a process, as far as starting and ending programs needs it."""

    id: str
    title: str
    pid: int


class Launcher(Protocol):
    """Starts programs that outlive this one; never through a shell."""

    def assess(self) -> Availability:
        """Say what can be started (capability ``launcher``)."""
        ...

    async def applications(self) -> tuple[Application, ...]:
        """Return the applications that the desktop knows and can start, sorted by name."""
        ...

    def find_executable(self, name: str) -> str | None:
        """Return the path of an executable by its name or path; None if there is none that may be run."""
        ...

    def build_argv(self, application: Application, args: Sequence[str]) -> list[str]:
        """Return what is executed to start an application with these arguments."""
        ...

    async def start(self, application: Application, args: Sequence[str], folder: Path) -> Started:
        """Start a program; return once it lives, or has ended at once. ``app_failed`` if the system can't start it."""
        ...

    async def wait_for_exit(self, started: Started, timeout_s: float) -> Started:
        """Return the process as it is when it has ended, or when the time is up."""
        ...

    async def wait_for_window(self, started: Started, known: Collection[str], timeout_s: float) -> AppWindow | None:
        """Return the first window of the process or of what it started; None if it has none when the time is up.

        If the process has ended well, as those do that hand over to another, a window that isn't among the known ones
        is taken for its own; if none comes, one of them that belongs to the same program. An UnsupportedError if
        windows can't be seen here.
        """
        ...

    async def windows(self) -> tuple[AppWindow, ...]:
        """Return the windows that are there; an UnsupportedError if windows can't be seen here."""
        ...

    async def close(self) -> None:
        """Let go of what was started, which goes on."""
        ...


class Executables(Protocol):
    """The files behind command lines."""

    def examine(self, own: Sequence[str], given: Sequence[str], folder: Path, *, code: bool) -> dict[str, str]:
        """Return the SHA-256 of each file that decides what runs, by path; given ones count where they are code."""
        ...


class Commands(Protocol):
    """Runs commands to their end."""

    def find(self, name: str, folder: Path) -> str:
        """Return the path of the program of a name; ``app_missing`` if there is none."""
        ...

    async def run(self, argv: Sequence[str], folder: Path, timeout_s: float, limit: int) -> CommandResult:
        """Run a command, which no shell reads; when the time is up it is ended with all that it started.

        Of each of its outputs so many characters are kept. ``app_missing``, or ``app_failed`` if it can't be started.
        """
        ...


class Processes(Protocol):
    """The processes that run."""

    def assess(self) -> Availability:
        """Say whether they can be seen (capability ``processes``)."""
        ...

    async def list(self) -> tuple[Process, ...]:
        """Return the processes, sorted by number."""
        ...

    def protected(self) -> dict[int, str]:
        """Return the processes that may not be ended, with the reason of each."""
        ...

    async def close_windows(self, processes: Sequence[Process]) -> tuple[int, ...]:
        """Close the windows of processes as their close buttons would; return the pids of those that had any."""
        ...

    async def terminate(self, processes: Sequence[Process]) -> None:
        """Ask processes to end by the signal for that; ``no_permission``, or ``not_possible`` where there is none."""
        ...

    async def end_by_force(self, processes: Sequence[Process]) -> None:
        """End processes by force; ``no_permission`` if the system doesn't let us."""
        ...

    async def wait_until_gone(self, processes: Sequence[Process], timeout_s: float) -> tuple[Process, ...]:
        """Return those that still live when all have ended or the time is up."""
        ...

    async def windows_of(self, processes: Sequence[Process]) -> tuple[AppWindow, ...]:
        """Return the windows of processes; none where windows can't be seen."""
        ...


class ProgramWindows(Protocol):
    """The windows of other programs, as far as starting and ending programs needs them."""

    async def list(self) -> tuple[AppWindow, ...]:
        """Return the windows; none where no display answers."""
        ...

    async def wait_for(
        self, accepts: Callable[[Sequence[AppWindow]], AppWindow | None], timeout_s: float
    ) -> AppWindow | None:
        """Look at the windows at each change until one is accepted; None when the time is up."""
        ...

    async def close_windows(self, windows: Sequence[AppWindow]) -> None:
        """Close windows as their close buttons would."""
        ...

    async def close(self) -> None:
        """Let go of the system; calling it again does nothing."""
        ...
