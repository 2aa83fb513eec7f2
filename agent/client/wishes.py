"""What a program may ask for, and the order that it becomes on its way to the service."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, TypedDict
from uuid import uuid4

from .questions import AnswerMaker, AsyncAnswerMaker
from .reports import BadOrderError, Problem

Approval = Literal["apply_diff", "run_job"]


class PlanWishes(TypedDict, total=False):
    """What may be said beside a sentence, goals or a flow.

    Attributes:
        goals: Goals, as a goals file has them; paths among their params may be `Path` objects.
        flow: A flow: a `Path` to its file, or its text.
        planner: What a planner can do, such as ``extract``; its parameters are ``parameters``.
        item: Id of an item of the backlog for that planner, whose data are what it is given where no parameters are.
        model: Name of the model of the settings that may be asked.
        session: Name of the session; absent for the hand's own.
        variables: Values of a flow's ``vars``.
        files: Other files that a flow names, by name relative to the flow: a `Path` to each, or its text.
        approvals: Classes of approval given beforehand, as ``--yes`` takes them.
        policy: As in a flow file; narrows what is allowed.
        secrets: Names of the secrets that it may use; absent for all.
        actions: Most actions that it may take.
        seconds: Most seconds that the service may work on it.
        changes: Ids of the changes that are to be made; absent for all.
    """

    goals: Iterable[Mapping[str, Any]]
    flow: str | os.PathLike[str]
    planner: str
    parameters: Mapping[str, Any]
    item: str
    model: str
    session: str
    variables: Mapping[str, str | os.PathLike[str]]
    files: Mapping[str, str | os.PathLike[str]]
    environment: Mapping[str, str]
    approvals: Iterable[Approval]
    policy: Mapping[str, Any]
    secrets: Iterable[str]
    actions: int
    seconds: float
    changes: Iterable[str]


class WorkWishes(PlanWishes, total=False):
    """The same, for what is carried out.

    Attributes:
        timeout_s: Seconds after which the run is stopped and `RunTimeoutError` raised.
        request_id: The same id never executes twice, even after a crash; absent for one of its own.
    """

    timeout_s: float
    request_id: str


class OpeningWishes(TypedDict, total=False):
    """What a session is to be like that is opened on purpose.

    Attributes:
        base_url: Address that relative ones in goals and flows hang below.
        trace: Whether a Playwright trace is recorded, into ``.surehand/recordings/NAME`` of the workspace.
        attach: Address of the debugging port of a browser on this machine, whose page is acted on.
    """

    base_url: str
    trace: bool
    video: bool
    attach: str
    page: str


class StreamWishes(WorkWishes, total=False):
    """The same, with who answers.

    Attributes:
        answer: Answers what is asked on the way; absent to refuse it. A None of it leaves a question to somebody at another door.
    """

    answer: AnswerMaker


class RunWishes(StreamWishes, total=False):
    """The same, for what is waited for.

    Attributes:
        check: Whether a run that does not succeed raises; absent for yes.
    """

    check: bool


class AsyncStreamWishes(WorkWishes, total=False):
    """As `StreamWishes`, for asyncio.

    Attributes:
        answer: The same; may be a coroutine function.
    """

    answer: AsyncAnswerMaker


class AsyncRunWishes(AsyncStreamWishes, total=False):
    """As `RunWishes`, for asyncio."""

    check: bool


_LISTS = ("approvals", "secrets", "changes")
_PLAIN = ("actions", "seconds", "policy", "model")
_CLIENTS_OWN = {"answer", "timeout_s"}


def make_request_id() -> str:
    """Return an id that nothing else has."""
    return f"client-{uuid4().hex}"


def write_order(text: str | None, wishes: Mapping[str, Any], session: str) -> dict[str, Any]:
    """Return what is asked for as the service takes it.

    Raises:
        BadOrderError: If it is not exactly one of sentence, goals, flow and planner.
    """
    asked = {"text": text, "goals": wishes.get("goals"), "flow": wishes.get("flow"), "planner": _write_planner(wishes)}
    given = {name: value for name, value in asked.items() if value is not None}
    if len(given) != 1:
        told = " and ".join(given) or "nothing"
        hint = "Give one of a sentence, goals=, flow= and planner=."
        raise BadOrderError(Problem("bad_input", f"One thing can be asked for at a time; here it is {told}.", hint))
    order: dict[str, Any] = {"session": wishes.get("session") or session}
    order |= {name: _write_asked(name, value) for name, value in given.items()}
    order |= {name: list(wishes[name]) for name in _LISTS if wishes.get(name) is not None}
    order |= {name: wishes[name] for name in _PLAIN if wishes.get(name) is not None}
    if wishes.get("variables"):
        order["variables"] = {name: str(_write_plain(value)) for name, value in wishes["variables"].items()}
    if wishes.get("files"):
        order["files"] = {name: _write_asked("flow", value) for name, value in wishes["files"].items()}
    if wishes.get("environment"):
        order["environment"] = dict(wishes["environment"])
    return order


def list_own(wishes: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is for the client itself: who answers, and how long it waits."""
    return {name: value for name, value in wishes.items() if name in _CLIENTS_OWN}


def _write_planner(wishes: Mapping[str, Any]) -> dict[str, Any] | None:
    if not (wishes.get("planner") or wishes.get("item")):
        return None
    wish = {"capability": wishes.get("planner", ""), "item": wishes.get("item", "")}
    return {**wish, "parameters": _write_plain(wishes.get("parameters") or {})}


def _write_asked(name: str, value: Any) -> Any:
    if name == "planner":
        return value
    if name == "goals":
        return [_write_plain(each) for each in value]
    return read_flow(Path(value)) if isinstance(value, os.PathLike) else str(value)


def read_flow(path: Path) -> str:
    """Return the text of a flow.

    Raises:
        BadOrderError: If it can't be read.
    """
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise BadOrderError(Problem("not_found", f"Flow {path} can't be read: {error}.")) from error


def _write_plain(value: Any) -> Any:
    """Return data with paths as texts: absolute, since the service may work in another folder."""
    if isinstance(value, os.PathLike):
        return str(Path(value).absolute())
    if isinstance(value, Mapping):
        return {str(key): _write_plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_write_plain(each) for each in value]
    return value
