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

_HOMES = {
    "async_hands": ("AsyncSurehand",),
    "events": (
        "PlanAccepted",
        "PlannerTold",
        "QuestionAsked",
        "RequestRefused",
        "RunEnded",
        "RunEvent",
        "StepBegun",
        "StepEnded",
        "TextSaid",
    ),
    "hands": ("Surehand",),
    "questions": ("AskedQuestion", "leave_open"),
    "records": ("RunFile", "SeenOutline", "SessionState", "UndoReport"),
    "reports": (
        "ApprovalNeededError",
        "BadOrderError",
        "HandError",
        "NotAllowedError",
        "NotThereError",
        "Problem",
        "QuotaError",
        "RunFailedError",
        "RunStoppedError",
        "RunTimeoutError",
        "ServiceGoneError",
        "UnknownEffectError",
        "RunReport",
        "StepReceipt",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

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
    """Return a public name, loaded at its first use."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOME_OF[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names, loaded or not."""
    return sorted({*globals(), *__all__})
