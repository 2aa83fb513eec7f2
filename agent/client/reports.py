"""RunReport: what came of a run, typed; made from what the service wrote, and tolerant of what a newer one adds.

Every error that the client raises on purpose:

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

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Self

from .told import Record, Told, read_told, told, told_each

SUCCEEDED: Final = 0
STEP_FAILED: Final = 1
BAD_INPUT: Final = 2
APPROVAL_MISSING: Final = 3
OUTCOME_UNKNOWN: Final = 4
STOPPED: Final = 130


@dataclass(frozen=True, slots=True)
class Problem:
    """An error as data, as a report or an event carries it."""

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
        return f"{self.message} {self.hint}".strip()


class HandError(Exception):
    """Base of every deliberate error.

    Attributes:
        hint: What to do about it; may be empty.
        problem: The same as data.
    """

    report: "RunReport | None" = None

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem
        self.code = problem.code
        self.message = problem.message
        self.hint = problem.hint
        self.evidence = problem.evidence


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


_ERRORS: Mapping[int, type[HandError]] = {
    STEP_FAILED: RunFailedError,
    BAD_INPUT: BadOrderError,
    APPROVAL_MISSING: ApprovalNeededError,
    OUTCOME_UNKNOWN: UnknownEffectError,
    STOPPED: RunStoppedError,
}


_OF_RESULT = ("status", "effect", "output", "evidence", "error", "undo", "ms")


@dataclass(frozen=True, slots=True, kw_only=True)
class StepReceipt(Told):
    """What came of one step.

    Attributes:
        name: The verb, such as ``browser.click``.
        status: ``ok``, ``failed``, ``refused``, ``skipped`` or ``cancelled``.
        effect: ``confirmed`` if it was read back, ``unverified`` if it could not be, ``none`` where nothing was changed.
        output: What it gave: ``text``, ``url``, ``rows`` and so on.
        undo: How to undo it, or why that can't be done; for people.
        ms: Milliseconds that it took.
    """

    action_id: str
    goal_id: str = ""
    name: str = ""
    description: str = ""
    status: str = ""
    effect: str = "none"
    output: Record = field(default_factory=dict[str, Any])
    evidence: Record = field(default_factory=dict[str, Any])
    problem: Problem | None = field(default=None, metadata={"names": ("error",), "make": Problem.read})
    undo: str = ""
    args: Record = field(default_factory=dict[str, Any])
    ms: float = 0.0

    @classmethod
    def read(cls, record: Record) -> Self:
        """Return a receipt that a service wrote."""
        result: Record = record.get("result") or {}
        return read_told(cls, {**record, **{name: result.get(name) for name in _OF_RESULT}})

    @property
    def text(self) -> str:
        """The text that it read; empty where it read none."""
        return str(self.output.get("text", ""))

    @property
    def rows(self) -> Sequence[Any]:
        """The rows of the table that it read; empty where it read none."""
        return tuple(self.output.get("rows") or ())

    def __getitem__(self, name: str) -> Any:
        """Return one value of the output.

        Raises:
            KeyError: If there is none of that name; it says which there are.
        """
        if name not in self.output:
            raise KeyError(f"{self.name} gave no “{name}”; it gave: {', '.join(self.output) or 'nothing'}.")
        return self.output[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport(Told):
    """What came of a run.

    Attributes:
        status: ``waiting``, ``running``, ``ended`` or ``interrupted`` (its process ended; it can be resumed).
        outcome: ``success``, ``partial``, ``failed`` or ``cancelled``; empty as long as it goes on.
        problems: Why nothing was executed, where that is so.
        approvals: What needs, or needed, an approval.
        planner: What came of the planner that it carried out; its ``artifacts`` are what it made.
    """

    run_id: str
    session: str = ""
    status: Literal["waiting", "running", "ended", "interrupted"] = "ended"
    outcome: str = ""
    reply: str = ""
    question: str = ""
    expects_reply: bool = False
    steps: tuple[StepReceipt, ...] = told_each("step_logs", StepReceipt.read)
    problems: tuple[Problem, ...] = told_each("errors", Problem.read)
    changes: tuple[Record, ...] = told("diff_preview", usual=())
    approvals: tuple[Record, ...] = told("required_approvals", usual=())
    artifacts: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    planner: Record = field(default_factory=dict[str, Any], repr=False)
    record: Record = field(default_factory=dict[str, Any], repr=False)

    def __iter__(self) -> Iterator[StepReceipt]:
        return iter(self.steps)

    def __getitem__(self, name: str) -> StepReceipt:
        """Return a receipt by the name of its goal, the id of its goal or action, or by what it read.

        ``done["total"]`` is the goal that a flow calls ``total``; where nothing is called that, it is the one step that gave something
        and whose selector or description has these words.

        Raises:
            KeyError: If none or several fit; it says which there are.
        """
        goal_id = self.names.get(name, name)
        named = [each for each in self.steps if each.goal_id == goal_id or each.action_id == name]
        found = [each for each in named if each.output] or named or [each for each in self.steps if _tells(each, name)]
        if len(found) == 1:
            return found[0]
        known = ", ".join(f"{each.goal_id} ({each.description})" for each in found or self.steps) or "nothing"
        problem = f"{len(found)} steps fit “{name}”" if found else f"No step fits “{name}”"
        raise KeyError(f"{problem}; there are: {known}.")

    @property
    def is_success(self) -> bool:
        """Whether all of it succeeded."""
        return self.outcome == "success"

    @property
    def exit_code(self) -> int:
        """What the command line would end with: 0 to 4, or 130."""
        if self.problems:
            return STOPPED if self.outcome == "cancelled" else BAD_INPUT
        if any(map(_is_unknown, self.steps)):  # tells more than that somebody stopped it
            return OUTCOME_UNKNOWN
        if self.outcome == "cancelled":
            return STOPPED
        if any(each.problem and each.problem.code.startswith("approval_") for each in self.steps):
            return APPROVAL_MISSING
        return SUCCEEDED if self.is_success else STEP_FAILED

    def check(self) -> Self:
        """Return the report if the run succeeded.

        Raises:
            BadOrderError: If nothing was executed because what was asked for is wrong.
            RunFailedError: If it did not succeed; a subclass of it says more.
        """
        if self.exit_code == SUCCEEDED:
            return self
        error = _ERRORS[self.exit_code](self._find_problem())
        error.report = self
        raise error

    def _find_problem(self) -> Problem:
        """Return what stands for all that went wrong: the first thing, told with the whole reply."""
        told = [*self.problems, *(each.problem for each in self.steps if each.problem and each.status != "skipped")]
        unknown = [each.problem for each in self.steps if each.problem and _is_unknown(each)]
        if not told:
            return Problem("cancelled" if self.outcome == "cancelled" else "failed", self.reply or "The run failed.")
        return (unknown or told)[0]


def _is_unknown(step: StepReceipt) -> bool:
    """Tell whether nobody knows if a step was done: it says so itself, or was stopped in the middle of its act."""
    stopped_acting = step.status == "cancelled" and step.effect == "unverified"
    return stopped_acting or (step.problem is not None and step.problem.code == "outcome_unknown")


def _tells(step: StepReceipt, name: str) -> bool:
    """Tell whether a step gave something, and its selector or description has these words."""
    words = rf"(?<!\w){re.escape(name.strip())}(?!\w)"
    told = f"{step.args.get('selector', '')}\n{step.description}"
    return bool(step.output and name.strip()) and re.search(words, told, re.IGNORECASE) is not None
