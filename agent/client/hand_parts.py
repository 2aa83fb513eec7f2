"""What hands are made of: where the service is found, and what belongs to one hand alone."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict
from uuid import uuid4

from .endpoints import Endpoint, find_endpoint, read_endpoint
from .private_service import START_S, PrivateService, ServiceWishes
from .reports import BadOrderError, Problem
from .wire import Wire


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


_PRIVATE_ONLY = ("headed", "command", "environment", "start_s")


class HandParts:
    """The service of one hand, and its session."""

    def __init__(self, address: str | os.PathLike[str] | None, options: Mapping[str, Any]) -> None:
        """Choose the service; nothing is started or asked.

        Args:
            address: Where a service answers; None for one of this process alone, or for that of a workspace.
            options: As of ``HandOptions``.

        Raises:
            BadOrderError: If they do not fit together.
        """
        self.session = str(options.get("session") or f"client-{uuid4().hex[:12]}")
        self.owns_session = not options.get("session")
        self.private: PrivateService | None = None
        self._endpoint: Endpoint | None = None
        if address is None:
            self.private = PrivateService(_read_wishes(options))
        else:
            if named := [name for name in _PRIVATE_ONLY if options.get(name)]:
                text = f"{named[0]} is for a private service, but there is an address."
                raise BadOrderError(Problem("bad_input", text, "Leave one of them out."))
            self._endpoint = _find(address, options)
        self.wire = Wire(self.locate)

    def locate(self) -> Endpoint:
        """Return where the service answers.

        Raises:
            ServiceGoneError: If a private one can't be started.
        """
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
        if private:
            private.close()


def _find(address: str | os.PathLike[str], options: Mapping[str, Any]) -> Endpoint:
    if isinstance(address, os.PathLike) and Path(address).is_dir():
        return find_endpoint(Path(address))
    return read_endpoint(address, str(options.get("token", "")), options.get("ca_file", ""))


def _read_wishes(options: Mapping[str, Any]) -> ServiceWishes:
    place = options.get("workspace")
    return ServiceWishes(
        workspace="" if place is None else str(Path(place).absolute()),
        headed=bool(options.get("headed")),
        command=tuple(options.get("command") or ()),
        environment=dict(options.get("environment") or {}),
        start_s=float(options.get("start_s") or START_S),
    )
