"""Records of a service, from the JSON that it sent."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, TypeVar

from agent.service.orders import Artifact, OpenQuestion, RunTicket, SessionRecord
from core.base.errors import SurehandError

Record = TypeVar("Record", Artifact, OpenQuestion, RunTicket, SessionRecord)


def read_ticket(told: Any) -> RunTicket:
    """Return a ticket."""
    return _read(RunTicket, told)


def read_question(told: Any) -> OpenQuestion:
    """Return a question."""
    return _read(OpenQuestion, told)


def read_session_record(told: Any) -> SessionRecord:
    """Return a session."""
    return _read(SessionRecord, told)


def read_artifact_record(told: Any) -> Artifact:
    """Return what is known of a file."""
    return _read(Artifact, told)


def list_told(told: Any, name: str) -> Sequence[Mapping[str, Any]]:
    """Return the entries of a list that is sent as it is, or under its name.

    Raises:
        SurehandError: If there is none.
    """
    found = told.get(name) if isinstance(told, Mapping) else told
    if not isinstance(found, list):
        raise _refuse()
    return found


def _read(kind: type[Record], told: Any) -> Record:
    """Return a record; what a later version sends besides is left out."""
    known = {each.name for each in fields(kind)}
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in (told.items() if isinstance(told, Mapping) else ())
        if name in known
    }
    try:
        return kind(**values)
    except TypeError:
        raise _refuse() from None


def _refuse() -> SurehandError:
    text = "The service gave an answer that this Surehand does not understand."
    return SurehandError(
        text, code="internal_error", hint="surehand service stop, then try again: it may be an older one."
    )
