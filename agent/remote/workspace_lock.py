"""One service a workspace: the lock that it holds as long as it lives. The system lets go of it when the process dies, however it dies."""

from pathlib import Path

from filelock import FileLock, Timeout

from agent.remote.service_file import read_service_file
from agent.store.private_files import make_private_folder
from core.base.errors import RefusedError

LOCK_FILE = "service.lock"


class WorkspaceLock:
    """The right to serve a workspace."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self._lock = FileLock(state / LOCK_FILE, mode=0o600, thread_local=False)

    def take(self, wait_s: float) -> None:
        """Take it; blocks.

        Raises:
            RefusedError: ``service_running`` if another process serves, ``no_socket`` if no file can be made there.
        """
        try:
            make_private_folder(self._state)
            self._lock.acquire(timeout=wait_s)
        except Timeout:
            raise self._refuse() from None
        except OSError as error:
            text = f"No service can be started here: {error.strerror or error}."
            raise RefusedError(text, code="no_socket", hint="Work in a folder that you may write in.") from error

    def release(self) -> None:
        """Let go of it; calling it again does nothing."""
        self._lock.release()

    def _refuse(self) -> RefusedError:
        service = read_service_file(self._state)
        where = f" at {service.address}" if service and service.address else ""
        who = f" (process {service.pid}{where})" if service else ""
        return RefusedError(
            f"A service for this folder is already running{who}.",
            code="service_running",
            hint="surehand service status shows it, surehand service stop ends it.",
        )
