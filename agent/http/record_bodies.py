"""What routes answer, for the API's description. A record may have more in it than is named here."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from agent.service.orders import RunTicket


class OpenRecord(BaseModel):
    """A record that may have more in it."""

    model_config = ConfigDict(extra="allow")


class RunAnswer(OpenRecord):
    """A run.

    Attributes:
        run_id: Its id.
        session: The session that it is in.
        status: Whether it waits, goes on or has ended; ``interrupted`` where its process did before.
        expects_reply: Whether a question is open.
    """

    run_id: str
    session: str
    status: Literal["waiting", "running", "ended", "interrupted"]
    expects_reply: bool


class PlanAnswer(OpenRecord):
    """A plan, as ``surehand plan --json`` prints it.

    Attributes:
        goals: The goals.
        plan: The graph.
        plan_digest: Of all actions together.
        diff_preview: What it would change.
    """

    goals: list[dict[str, Any]]
    plan: dict[str, Any]
    plan_digest: str
    diff_preview: list[dict[str, Any]]


class UndoAnswer(OpenRecord):
    """What came of taking a run back.

    Attributes:
        run_id: The run.
        reply: What was taken back, in words.
    """

    run_id: str
    reply: str


class StoppedAnswer(BaseModel):
    """What was stopped.

    Attributes:
        stopped: How many runs.
    """

    stopped: int


class ClosedAnswer(BaseModel):
    """What was closed.

    Attributes:
        closed: Name of the session.
    """

    closed: str


class AnsweredAnswer(BaseModel):
    """What was answered.

    Attributes:
        answered: Id of the question.
        run: The run that the answer began; null where it began none.
    """

    answered: str
    run: RunTicket | None


class HealthAnswer(OpenRecord):
    """How the service does.

    Attributes:
        status: ``ok``, or ``draining`` when it takes nothing on.
        version: Of Surehand.
    """

    status: Literal["ok", "draining"]
    version: str


class LiveAnswer(BaseModel):
    """That the service answers.

    Attributes:
        status: ``ok``.
    """

    status: Literal["ok"]


class RuleAnswer(OpenRecord):
    """A verb, as ``surehand rules --json`` prints it.

    Attributes:
        domain: The first part of its name.
        verb: The second.
    """

    domain: str
    verb: str


class DoctorAnswer(OpenRecord):
    """What a machine can do, as ``surehand doctor --json`` prints it.

    Attributes:
        machine: What it is.
        capabilities: What it can do, by name.
        verbs: Per verb, whether it can be done.
    """

    machine: dict[str, str]
    capabilities: dict[str, Any]
    verbs: list[dict[str, Any]]


class PlannersAnswer(OpenRecord):
    """How planners do, as ``surehand health --json`` prints it.

    Attributes:
        is_well: Whether nothing is critical.
        alerts: What is wrong now.
        episodes: Alerts that go on, who was told, and what was acknowledged.
        thresholds: From when on something is wrong.
    """

    is_well: bool
    alerts: list[dict[str, Any]]
    episodes: list[dict[str, Any]]
    thresholds: dict[str, Any]


class AcknowledgedAnswer(BaseModel):
    """What was acknowledged.

    Attributes:
        acknowledged: How many alerts.
    """

    acknowledged: int
