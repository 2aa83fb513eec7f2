"""RunOrder and the records that a service gives back: plain data, the same in process and over HTTP."""

from collections.abc import Mapping
from typing import Any, Literal

from agent.requests.planner_wishes import PlannerWish
from core.base.late_dataclasses import dataclass, field

EventRecord = Mapping[str, Any]
"""An event as ``core.results.events.to_record`` and ``to_data`` write it: ``event``, ``run_id``, ``seq``, ``at_ms``, ``scope``, …"""
RunRecord = Mapping[str, Any]
"""A ``RunResult`` as ``to_data`` writes it, and beside it ``session``, ``status`` (``waiting``, ``running``, ``ended``) and ``expects_reply``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOrder:
    """What is asked for: exactly one of ``text``, ``goals``, ``flow`` and ``planner``.

    Attributes:
        model: Name of the model of the settings that may be asked; empty for what the settings of planners say.
        session: Name of the session that it is for; empty for one that is made for this run and ends with it.
        said: Whether ``text`` is said in the session's conversation: it may be an answer, a word to a run ("stop", "undo") or refer to
            what was said before. Otherwise it stands alone.
        request_id: The same id of the same principal never executes twice, also beyond a restart; empty for no such check.
        mode: ``plan`` stops before anything is done.
        approvals: Classes of approval given beforehand, as ``--yes`` takes them.
        policy: As in a flow file; narrows what is allowed anyway.
        seconds: Most seconds that it may take; None for the usual.
        actions: Most actions that it may take; None for the usual.
        files: Texts of the other files that a flow names, by name relative to the flow; the service reads none of its own.
        environment: Values that a flow takes from the environment; the service's own is never looked at.
        changes: Ids of changes that are to be made, as ``Request.selected_diff_ops`` has them; None for all.
        secrets: Names of the secrets that it may use; None for all.
        attended: Whether somebody can answer; otherwise what is asked and was not approved beforehand is refused at once.
        name: What a flow or goals are called in messages; empty for the usual.
    """

    text: str | None = None
    goals: tuple[Mapping[str, Any], ...] | None = None
    flow: str | None = None
    planner: PlannerWish | None = None
    model: str = ""
    session: str = ""
    said: bool = False
    request_id: str = ""
    mode: Literal["plan", "execute"] = "execute"
    approvals: tuple[str, ...] = ()
    policy: Mapping[str, Any] | None = None
    seconds: float | None = None
    actions: int | None = None
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    changes: tuple[str, ...] | None = None
    secrets: tuple[str, ...] | None = None
    attended: bool = True
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTicket:
    """A run that was taken on, or was taken on before by the same ``request_id``.

    Attributes:
        run_id: Its id: random, and its principal's alone.
    """

    run_id: str
    session: str
    is_new: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenQuestion:
    """What waits for an answer.

    Attributes:
        kind: ``confirm`` (may an act run?), ``slot`` or ``disambiguate``.
        run_id: The run that waits; empty where a conversation asks and nothing runs.
        approval: Class of the approval; empty for slots and choices.
        expires_in_s: Seconds for which it can still be answered; 0 where it does not expire.
        needs_person: Whether a yes of whoever listed it would be refused, so that a person has to say it at another door.
        asker: The principal whose run asks; empty where that is whoever listed it.
    """

    question_id: str
    digest: str
    kind: Literal["confirm", "slot", "disambiguate"]
    session: str
    prompt: str
    run_id: str = ""
    approval: str = ""
    choices: tuple[str, ...] = ()
    operation: Mapping[str, Any] = field(default_factory=dict[str, Any])
    diff: str = ""
    expires_in_s: float = 0.0
    needs_person: bool = False
    asker: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecord:
    """A session."""

    name: str
    running: tuple[str, ...] = ()
    questions: int = 0
    pages: tuple[str, ...] = ()
    idle_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """A file that a run made.

    Attributes:
        media_type: Such as ``image/png``.
        size: Bytes.
        sha256: Of its bytes.
        action_id: The action; empty where it is of the run as a whole.
    """

    artifact_id: str
    name: str
    media_type: str
    size: int
    sha256: str
    run_id: str
    action_id: str = ""
