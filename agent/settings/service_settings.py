"""ServiceSettings: who else may use the service of this person, and how much. The person's alone: a folder changes nothing of it."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from core.rules.approval_classes import ApprovalClass

Count = Annotated[int, Field(gt=0, le=1_000_000)]
Minutes = Annotated[float, Field(gt=0, le=1_000_000, allow_inf_nan=False)]
PrincipalName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,39}$")]


class PrincipalSetting(BaseModel):
    """Somebody else than the person at this machine: a voice, a chat back end, a colleague.

    Attributes:
        scopes: What their token carries: ``read``, ``run``, ``approve``.
        requests_per_minute: How many requests of theirs are answered in a minute.
        runs_per_minute: How many runs they may begin in a minute.
        runs_at_once: How many runs of theirs may wait or go on at once.
        sessions: How many sessions they may have open at once.
        secrets: Names of the person's secrets that their runs may use.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    scopes: frozenset[Literal["read", "run", "approve"]] = frozenset({"read", "run"})
    requests_per_minute: Count = 600
    runs_per_minute: Count = 120
    runs_at_once: Count = 8
    sessions: Count = 8
    secrets: tuple[str, ...] = ()


class ServiceSettings(BaseModel):
    """What the service of a workspace is held to.

    Attributes:
        session_idle_minutes: Minutes after which a session that nobody uses is closed.
        runs_at_once: How many of the person's own runs may wait or go on at once.
        sessions: How many sessions of their own may be open at once.
        voice_approves: Classes of approval that a spoken yes may give, where the speaker's principal may approve.
        principals: Others by name; the token of each lies in ``tokens/NAME`` of the person's own folder.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    session_idle_minutes: Minutes = 10.0
    runs_at_once: Count = 512
    sessions: Count = 256
    voice_approves: frozenset[ApprovalClass] = frozenset()
    principals: dict[PrincipalName, PrincipalSetting] = Field(default_factory=dict, max_length=1000)
