"""Families whose back end is made when it is first needed, or can't be."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from actuators.base import Availability, BackEnd, Environment
from actuators.catalog import ALL_CAPABILITIES, MachineFamily, list_machine_families
from core.base.errors import ActionError, UnsupportedError
from core.results.tool_results import ToolOutcome, UndoRecord
from core.tools.ports import ActionContext, Toolset
from tests.agent.lamps import Lamps, LampTools


class LampBackEnd:
    """Lamps, and how often they were asked for and closed."""

    def __init__(self) -> None:
        self.toolsets: Mapping[type[Toolset], Toolset] = {LampTools: Lamps()}
        self.closed = 0

    def assess(self, capability: str) -> Availability:
        return Availability(capability, available=True, reason="they hang here")

    async def take_back(self, context: ActionContext, record: UndoRecord) -> ToolOutcome:
        raise ActionError("What was switched stays so.", code="not_undoable")

    async def close(self) -> None:
        self.closed += 1


def make_family(load: Callable[[], BackEnd]) -> MachineFamily:
    return MachineFamily(LampTools.domain, ("lamps",), load)


def fail(error: Exception) -> MachineFamily:
    """Return a family whose back end can't be loaded, and what it says of itself."""

    def load() -> BackEnd:
        raise error

    return make_family(load)


async def test_a_back_end_is_made_once_and_not_before_it_is_needed() -> None:
    made: list[LampBackEnd] = []

    def load() -> BackEnd:
        made.append(LampBackEnd())
        return made[-1]

    family = make_family(load)
    assert (made, family.open_sessions()) == ([], frozenset())
    await family.end_lane("r1:g0")
    await family.close()
    assert made == []
    assert family.assess("lamps").available
    assert await family.provide(LampTools) is made[0].toolsets[LampTools]
    await family.close()
    assert [each.closed for each in made] == [1]


FAULTS = [
    (ModuleNotFoundError("No module named 'Xlib'", name="Xlib"), "Xlib is not installed", "extras"),
    (ImportError("cannot import name 'a' from 'b'", name="b"), "can't be loaded: cannot import name 'a'", "extras"),
    (ImportError(), "can't be loaded", "extras"),
    (OSError("libpulse.so.0: cannot open shared object file"), "libpulse.so.0", "extras"),
    (
        ModuleNotFoundError("No module named …", name="actuators.media.platforms.macos"),
        "No back end exists for this system",
        "documentation",
    ),
]


@pytest.mark.parametrize(("error", "reason", "remedy"), FAULTS)
async def test_a_back_end_that_can_t_be_loaded_is_told_and_not_a_crash(
    error: Exception, reason: str, remedy: str
) -> None:
    family = fail(error)
    found = family.assess("lamps")
    assert (found.capability, found.available) == ("lamps", False)
    assert reason in found.reason
    assert not found.reason.endswith(".")
    assert remedy in found.remedy
    with pytest.raises(UnsupportedError) as caught:
        await family.provide(LampTools)
    assert (caught.value.code, caught.value.hint) == ("not_supported_here", found.remedy)
    await family.close()


async def test_a_fault_of_a_back_end_is_not_taken_for_something_that_is_missing() -> None:
    with pytest.raises(ZeroDivisionError):
        fail(ZeroDivisionError("by zero")).assess("lamps")


def test_what_is_installed_later_is_found_later() -> None:
    answers: list[BackEnd | Exception] = [ModuleNotFoundError(name="Xlib"), LampBackEnd()]

    def load() -> BackEnd:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    family = make_family(load)
    assert [family.assess("lamps").available for _ in range(3)] == [False, True, True]


@pytest.mark.parametrize("platform", ["linux", "freebsd14", "win32", "darwin"])
def test_every_family_says_of_every_platform_what_it_can_do(platform: str, tmp_path: Path) -> None:
    """Back ends of other platforms can't be loaded here; that is told like everything else that is missing."""
    families = list_machine_families(Environment(platform=platform, workspace=tmp_path, state_dir=tmp_path / "state"))
    found = [family.assess(name) for family in families for name in family.capabilities]
    assert [each.capability for each in found] == [
        name for name in ALL_CAPABILITIES if name not in {"browser", "memory", "project"}
    ]
    assert all(each.reason and "None" not in each.reason for each in found)
    asyncio.run(_close(families))


async def _close(families: tuple[MachineFamily, ...]) -> None:
    for family in families:
        await family.close()
