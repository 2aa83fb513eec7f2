"""What routes answer, for the API's description. A record may have more in it than is named here."""

from typing import Any, Literal

from pydantic import BaseModel

from agent.service.orders import RunTicket


class OpenRecord(BaseModel, extra="allow"):
    """A record that may have more in it."""


class RunAnswer(OpenRecord):
    """A run.

    Attributes:
        status: Whether it waits, goes on or has ended; ``interrupted`` where its process did before.
    """

    run_id: str
    session: str
    status: Literal["waiting", "running", "ended", "interrupted"]
    expects_reply: bool


class PlanAnswer(OpenRecord):
    """A plan, as ``surehand plan --json`` prints it."""

    goals: list[dict[str, Any]]
    plan: dict[str, Any]
    plan_digest: str
    diff_preview: list[dict[str, Any]]


class UndoAnswer(OpenRecord):
    """What came of taking a run back."""

    run_id: str
    reply: str


class StoppedAnswer(BaseModel):
    """What was stopped."""

    stopped: int


class ClosedAnswer(BaseModel):
    """What was closed."""

    closed: str


class AnsweredAnswer(BaseModel):
    """What was answered.

    Attributes:
        run: The run that the answer began; null where it began none.
    """

    answered: str
    run: RunTicket | None


class HealthAnswer(OpenRecord):
    """How the service does.

    Attributes:
        status: ``ok``, or ``draining`` when it takes nothing on.
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
    """

    is_well: bool
    alerts: list[dict[str, Any]]
    episodes: list[dict[str, Any]]
    thresholds: dict[str, Any]


class AcknowledgedAnswer(BaseModel):
    """What was acknowledged."""

    acknowledged: int
