"""The package that programs import, shipped as `surehand`: a typed client of the service, of the standard library alone.

Nothing of `core`, `agent` and `actuators` is imported by it; what it asks for is done in another process. Its names are loaded at their
first use, since the command line lies beside them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .launcher import LauncherError, main, prepare_path

if TYPE_CHECKING:
    from .async_hands import AsyncSurehand
    from .events import (
        PlanAccepted,
        PlannerTold,
        QuestionAsked,
        RequestRefused,
        RunEnded,
        RunEvent,
        StepBegun,
        StepEnded,
        TextSaid,
    )
    from .hands import Surehand
    from .questions import AskedQuestion, leave_open
    from .records import RunFile, SeenOutline, SessionState, UndoReport
    from .reports import (
        ApprovalNeededError,
        BadOrderError,
        HandError,
        NotAllowedError,
        NotThereError,
        Problem,
        QuotaError,
        RunFailedError,
        RunReport,
        RunStoppedError,
        RunTimeoutError,
        ServiceGoneError,
        StepReceipt,
        UnknownEffectError,
    )

_HOMES = ("reports", "questions", "records", "events", "hands", "async_hands")
"""Where the public names are; what is behind is the slower to load."""

__all__ = [
    "ApprovalNeededError",
    "AskedQuestion",
    "AsyncSurehand",
    "BadOrderError",
    "HandError",
    "LauncherError",
    "NotAllowedError",
    "NotThereError",
    "PlanAccepted",
    "PlannerTold",
    "Problem",
    "QuestionAsked",
    "QuotaError",
    "RequestRefused",
    "RunEnded",
    "RunEvent",
    "RunFailedError",
    "RunFile",
    "RunReport",
    "RunStoppedError",
    "RunTimeoutError",
    "SeenOutline",
    "ServiceGoneError",
    "SessionState",
    "StepBegun",
    "StepEnded",
    "StepReceipt",
    "Surehand",
    "TextSaid",
    "UndoReport",
    "UnknownEffectError",
    "leave_open",
    "main",
    "prepare_path",
]


def __getattr__(name: str) -> Any:
    for home in _HOMES if name in __all__ else ():
        if (value := getattr(import_module(f".{home}", __name__), name, None)) is not None:
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
