"""`surehand.testing`: what planners of your own are tested with.

A planner runs in Surehand's own process, and so do its tests: importing this makes the process that one. It puts Surehand's tree first on the
path, so that `from core.planning.planners.base import PlannerBase` finds it, and refuses by name where a stranger's `core`, `agent` or
`actuators` is loaded already. ``python -m surehand.testing`` runs pytest in such a process.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..launcher import TREES, prepare_path

if TYPE_CHECKING:
    from agent.testing.clocks import FakeClock
    from agent.testing.hosts import HostParts, InMemoryRetrieval, InMemoryTemplates, PlannerTestHost, make_scripted_host
    from agent.testing.scripted_models import ScriptedAnswer, ScriptedModel
    from agent.testing.snapshots import check_snapshot, describe_plan, describe_result, describe_transcript

_HOMES = {
    "clocks": ("FakeClock",),
    "hosts": ("HostParts", "InMemoryRetrieval", "InMemoryTemplates", "PlannerTestHost", "make_scripted_host"),
    "scripted_models": ("ScriptedAnswer", "ScriptedModel"),
    "snapshots": ("check_snapshot", "describe_plan", "describe_result", "describe_transcript"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "FakeClock",
    "HostParts",
    "InMemoryRetrieval",
    "InMemoryTemplates",
    "PlannerTestHost",
    "ScriptedAnswer",
    "ScriptedModel",
    "check_snapshot",
    "describe_plan",
    "describe_result",
    "describe_transcript",
    "make_scripted_host",
]

prepare_path()
for _tree in TREES:
    import_module(
        _tree
    )  # held from now on: pytest puts folders of tests before all others, and one may hold a `core` of its own


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"agent.testing.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
