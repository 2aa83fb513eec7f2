"""Every error that Surehand raises on purpose.

    SurehandError
    ├── InputError            what was asked for is wrong; nothing was executed (exit code 2)
    │   ├── GoalError             a goal, scope, reference or plan that makes no sense
    │   └── FlowError             a flow or goals file; knows file, line and column
    ├── TableError            the rules table and the tools disagree; the program does not start
    ├── RefusedError          it makes sense, but may not or can not be done here
    │   ├── PolicyError           policy forbids the host, path or verb
    │   ├── ApprovalError         an approval is missing or was denied (exit code 3)
    │   ├── UnsupportedError      this machine lacks what the verb needs
    │   │   └── NotSimulatedError     a simulated machine does not know how to do it
    │   ├── JournalError          what would be done can't be written down first, so that it isn't done
    │   ├── ModelError            a model can't be asked, or what it answered can't be used
    │   ├── SchemaError           a file that we keep was made by another version
    │   └── AuthorityError        something tried to change a planned argument
    └── ActionError           the act was tried and did not succeed (exit code 1)
        ├── TargetError           the element can't be acted on; the code says why
        ├── NavigationError       a page could not be reached
        ├── FileError             a file or folder is missing, in the way, in use, or not what was expected
        ├── DeviceError           a device, application, window or player is missing or does not answer
        ├── ExpectationError      an assertion does not hold
        ├── DeadlineError         the time for the act ran out
        ├── UnknownOutcomeError   the act may or may not have happened (exit code 4)
        └── BudgetError           the run's seconds or actions are used up

Each carries a stable ``code`` for programs, a ``message`` that says what happened and why, a ``hint`` that says what to
do about it, and ``evidence``: the facts behind the message.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class ErrorInfo:
    """An error as data, for results, events and files; the evidence is JSON-compatible."""

    code: str
    message: str
    hint: str = ""
    evidence: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __str__(self) -> str:
        """Return the message followed by the hint."""
        return f"{self.message} {self.hint}".strip()


class SurehandError(Exception):
    """Base of every deliberate error; ``acted`` if something was done before, which may have had an effect."""

    code = "error"

    def __init__(
        self, message: str, *, code: str = "", hint: str = "", evidence: Mapping[str, Any] | None = None
    ) -> None:
        """Keep the parts of the error; its code may be more precise than the class's own, the evidence is JSON-compatible."""
        super().__init__(message)
        self.message = message
        self.code = code or type(self).code
        self.hint = hint
        self.acted = False
        self.evidence: dict[str, Any] = dict(evidence or {})

    def after_act(self) -> Self:
        """Say that something was done before; return the same error."""
        self.acted = True
        return self

    def info(self) -> ErrorInfo:
        """Return the error as data."""
        return ErrorInfo(self.code, self.message, self.hint, self.evidence)

    def __str__(self) -> str:
        """Return the message followed by the hint."""
        return str(self.info())


class InputError(SurehandError):
    """What was asked for is wrong; nothing was executed."""

    code = "bad_input"


class GoalError(InputError):
    """A goal, scope, reference or plan that makes no sense."""

    code = "bad_goal"


class FlowError(InputError):
    """A flow or goals file that can't be read; the message starts with ``file:line:column``."""

    code = "bad_flow"


class TableError(SurehandError):
    """The rules table and the tools disagree; the program does not start."""

    code = "table_drift"


class RefusedError(SurehandError):
    """It makes sense, but may not or can not be done here."""

    code = "refused"


class PolicyError(RefusedError):
    """Policy forbids the host, path or verb."""

    code = "refused_by_policy"


class ApprovalError(RefusedError):
    """An approval is missing or was denied."""

    code = "approval_missing"


class UnsupportedError(RefusedError):
    """This machine lacks what the verb needs; the hint says how to get it."""

    code = "not_supported_here"


class NotSimulatedError(UnsupportedError):
    """A simulated machine does not know how to do it, and does not pretend to; nothing was done."""

    code = "not_simulated"


class JournalError(RefusedError):
    """What would be done can't be written down first, so that it isn't done.

    ``code`` is one of ``journal_unavailable`` (the disk is full, or can't be written), ``journal_busy`` (another process
    writes), ``journal_lost`` (another process took over), ``journal_damaged`` (rows are bad or missing), ``journal_foreign``
    (nothing says that this person wrote it on this machine), ``key_unusable`` (what would say so can't be read).
    """

    code = "journal_unavailable"


class SchemaError(RefusedError):
    """A file that we keep was made by another version; the hint says how to migrate."""

    code = "schema_drift"


class AuthorityError(RefusedError):
    """Something tried to change a planned argument or to choose a tool outside the action's own set."""

    code = "authority_violation"


class ModelError(RefusedError):
    """A model can't be asked, does not answer in time, or answers what can't be used; nothing was executed."""

    code = "model_failed"


class ActionError(SurehandError):
    """The act was tried and did not succeed."""

    code = "action_failed"


class TargetError(ActionError):
    """The element can't be acted on.

    ``code`` is one of ``target_missing``, ``target_ambiguous``, ``target_covered``, ``target_moving``,
    ``target_disabled``, ``target_readonly``, ``target_hidden``, ``target_zero_size``, ``target_off_screen``,
    ``target_detached``, ``target_unsuitable`` (the wrong kind of element), ``bad_selector``.
    """

    code = "target_missing"


class NavigationError(ActionError):
    """A page could not be reached."""

    code = "navigation_failed"


class FileError(ActionError):
    """A file or folder is missing, in the way, in use, or not what was expected.

    ``code`` is one of ``not_found``, ``already_exists``, ``wrong_type``, ``changed_since``, ``count_differs``,
    ``bad_encoding``, ``too_large``, ``in_use``, ``no_permission``, ``read_only``, ``no_space``, ``no_trash``,
    ``archive_limit``, ``bad_archive``, ``outside_roots``, ``too_many``, ``not_empty``, ``missing_destination``.
    """

    code = "file_failed"


class DeviceError(ActionError):
    """A device, application, window, player or process is missing or does not answer.

    ``code`` is one of ``device_missing``, ``device_ambiguous``, ``app_missing``, ``app_ambiguous``, ``window_missing``,
    ``window_ambiguous``, ``player_missing``, ``player_ambiguous``, ``process_missing``, ``server_missing`` (no sound
    server, bus or display answers), ``not_settled`` (the world did not follow in time), ``not_possible`` (it says that
    it can't do that now), ``seat_taken`` (another run has keyboard and pointer).
    """

    code = "device_failed"


class ExpectationError(ActionError):
    """An assertion does not hold; the message shows expected and actual."""

    code = "expectation_failed"


class DeadlineError(ActionError):
    """The time for the act ran out."""

    code = "timed_out"


class UnknownOutcomeError(ActionError):
    """The act may or may not have happened; the evidence says what is known."""

    code = "outcome_unknown"


class BudgetError(ActionError):
    """The run's seconds or actions are used up."""

    code = "budget_exhausted"


def tell_fault(error: BaseException) -> str:
    """Return the kind and text of an error that nobody raised on purpose, even if its text can't be had."""
    return "".join(import_module("traceback").format_exception_only(error)).strip()
