"""ServiceSettings: who else may use the service of this person, and how much. The person's alone: a folder changes nothing of it."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, field_validator

from core.addresses.path_names import is_device
from core.addresses.path_terms import PathTerms
from core.base.scope_paths import LOCAL_PRINCIPAL
from core.rules.approval_classes import ApprovalClass

Count = Annotated[int, Field(gt=0, le=1_000_000)]
Minutes = Annotated[float, Field(gt=0, le=1_000_000, allow_inf_nan=False)]
PrincipalName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,39}$")]


class PrincipalSetting(BaseModel, extra="forbid", frozen=True):
    """Somebody else than the person at this machine: a voice, a chat back end, a colleague.

    Attributes:
        scopes: What their token carries: ``read``, ``run``, ``approve``, and ``approve-all`` to answer for everybody.
        requests_per_minute: How many requests of theirs are answered in a minute.
        runs_per_minute: How many runs they may begin in a minute.
        runs_at_once: How many runs of theirs may wait or go on at once.
        planners_at_once: How many planners of theirs may go on at once; others wait for their turn.
        sessions: How many sessions they may have open at once.
        secrets: Names of the person's secrets that their runs may use.
        models: Names of the person's models that their runs may ask.
    """

    scopes: frozenset[Literal["read", "run", "approve", "approve-all"]] = frozenset({"read", "run"})
    requests_per_minute: Count = 600
    runs_per_minute: Count = 120
    runs_at_once: Count = 8
    planners_at_once: Count = 2
    sessions: Count = 8
    secrets: tuple[str, ...] = ()
    models: tuple[str, ...] = ()


class BacklogSettings(BaseModel, extra="forbid", frozen=True):
    """How a service works off what planners have to do.

    Attributes:
        minutes: Minutes that one item may take.
        tries: How often an item is tried whose planner changed nothing before it failed.
        failures_in_a_row: After so many a capability is left alone for a while.
        rest_minutes: Minutes for which it is.
    """

    is_on: bool = True
    minutes: Minutes = 10.0
    tries: Count = 5
    look_every_s: Annotated[float, Field(ge=0.05, le=3600)] = 5.0
    failures_in_a_row: Count = 5
    rest_minutes: Minutes = 10.0


class ServiceSettings(BaseModel, extra="forbid", frozen=True):
    """What the service of a workspace is held to.

    Attributes:
        session_idle_minutes: Minutes after which a session that nobody uses is closed.
        runs_at_once: How many of the person's own runs may wait or go on at once.
        planners_at_once: How many of the person's planners may go on at once; others wait for their turn.
        sessions: How many sessions of their own may be open at once.
        voice_approves: Classes of approval that a spoken yes may give, where the speaker's principal may approve.
        principals: Others by name; the token of each lies in ``tokens/NAME`` of the person's own folder.
    """

    session_idle_minutes: Minutes = 10.0
    runs_at_once: Count = 512
    planners_at_once: Count = 8
    backlog: BacklogSettings = BacklogSettings()
    sessions: Count = 256
    voice_approves: frozenset[ApprovalClass] = frozenset()
    principals: dict[PrincipalName, PrincipalSetting] = Field(default_factory=dict, max_length=1000)

    @field_validator("principals")
    @classmethod
    def _check_names(cls, principals: dict[str, PrincipalSetting]) -> dict[str, PrincipalSetting]:
        """Refuse names that could stand for somebody else: in the names of files, or in the scopes of what is done."""
        taken: dict[str, str] = {LOCAL_PRINCIPAL: "you"}
        for name in principals:
            if is_device(name, PathTerms()):
                raise ValueError(f"{name!r} names a device on Windows; choose another")
            if known := taken.get(name.lower()):
                raise ValueError(f"{name!r} can't be told from {known!r} everywhere; choose another")
            taken[name.lower()] = name
        return principals
