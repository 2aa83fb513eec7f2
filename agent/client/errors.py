"""Every error that the client raises on purpose.

    HandError
    ├── BadOrderError         what was asked for is wrong; nothing was executed
    │   └── NotThereError         no such run, session, question or file of yours
    ├── NotAllowedError       the token, its scope or a policy forbids it
    │   └── QuotaError            too much at once; says when to try again
    ├── RunFailedError        a run was begun and did not succeed; the report says what was done
    │   ├── ApprovalNeededError   a step needs a yes that was not given
    │   ├── UnknownEffectError    an act may or may not have happened; look before you repeat it
    │   ├── RunStoppedError       somebody stopped it
    │   └── RunTimeoutError       it took longer than you allowed, and was stopped
    └── ServiceGoneError      the service can't be started or reached, or went away

Each carries a stable ``code``, a ``message`` that says what happened and why, a ``hint`` that says what to do about it, and
``evidence``. Those of a run carry its ``report``, too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .reports import RunReport


@dataclass(frozen=True, slots=True)
class Problem:
    """An error as data, as a report or an event carries it.

    Attributes:
        hint: What to do about it; may be empty.
    """

    code: str
    message: str
    hint: str = ""
    evidence: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @classmethod
    def read(cls, record: Mapping[str, Any]) -> "Problem":
        """Return an error that a service wrote."""
        return cls(
            str(record.get("code", "error")),
            str(record.get("message", "")),
            str(record.get("hint", "")),
            dict(record.get("evidence") or {}),
        )

    def __str__(self) -> str:
        """Return the message followed by the hint."""
        return f"{self.message} {self.hint}".strip()


class HandError(Exception):
    """Base of every deliberate error.

    Attributes:
        hint: What to do about it; may be empty.
    """

    report: "RunReport | None" = None

    def __init__(self, problem: Problem) -> None:
        """Keep what went wrong."""
        super().__init__(str(problem))
        self.code = problem.code
        self.message = problem.message
        self.hint = problem.hint
        self.evidence = problem.evidence

    @property
    def problem(self) -> Problem:
        """The same as data."""
        return Problem(self.code, self.message, self.hint, self.evidence)


class BadOrderError(HandError):
    """What was asked for is wrong; nothing was executed."""


class NotThereError(BadOrderError, LookupError):
    """No such run, session, question or file of yours."""


class NotAllowedError(HandError):
    """The token, its scope or a policy forbids it; nothing was executed."""


class QuotaError(NotAllowedError):
    """Too much was asked for at once.

    Attributes:
        retry_after_s: Seconds after which it may be tried again.
    """

    retry_after_s: float = 0.0


class RunFailedError(HandError):
    """A run was begun and did not succeed; ``report`` says what was done and what was not."""


class ApprovalNeededError(RunFailedError):
    """A step needs a yes that was not given: by ``answer``, or beforehand by ``approvals``."""


class UnknownEffectError(RunFailedError):
    """An act may or may not have happened; look before you repeat it."""


class RunStoppedError(RunFailedError):
    """Somebody stopped the run."""


class RunTimeoutError(RunFailedError, TimeoutError):
    """The run took longer than ``timeout_s``, and was stopped."""


class ServiceGoneError(HandError, ConnectionError):
    """The service can't be started or reached, or went away."""


_BY_STATUS: Mapping[int, type[HandError]] = {
    401: NotAllowedError,
    403: NotAllowedError,
    404: NotThereError,
    410: NotThereError,
    421: NotAllowedError,
    429: QuotaError,
    502: ServiceGoneError,
    503: ServiceGoneError,
    504: ServiceGoneError,
}


def make_error(status: int, problem: Problem, retry_after: str = "") -> HandError:
    """Return the error that an answer of the service stands for."""
    usual = BadOrderError if 400 <= status < 500 else HandError
    error = _BY_STATUS.get(status, usual)(problem)
    if isinstance(error, QuotaError):
        error.retry_after_s = float(retry_after) if retry_after.isdecimal() else 0.0
    return error
