"""The system and media tools on Windows, as far as a Windows that wine provides can show them."""

import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from actuators.base import BackEnd, Environment
from actuators.verb_table import load_toolsets
from core.base.errors import ActionError, DeadlineError, DeviceError, PolicyError
from core.policy.policy import Policy
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext
from core.tools.registry import list_verbs

if sys.platform != "win32":
    raise pytest.skip.Exception("needs Windows: python3 scripts/test.py --windows", allow_module_level=True)

from actuators.media.platforms.windows import make_back_end as make_media_back_end
from actuators.media.player_tools import MediaTools
from actuators.system.platforms.windows import make_back_end

SLEEPER = ("-c", "import threading; threading.Event().wait(60)")


@pytest.fixture
async def back_end(tmp_path: Path) -> AsyncIterator[BackEnd]:
    made = make_back_end(Environment(platform="win32", variables=dict(os.environ), workspace=tmp_path))
    yield made
    await made.close()


async def call(back_end: BackEnd, verb: str, timeout_s: float = 30.0, **params: Any) -> ToolOutcome:
    declared = next(each for each in load_toolsets("system") if verb in list_verbs(each))
    context = ActionContext("a1", timeout_s=timeout_s, policy=Policy(extra_verbs=("system.run",)))
    return await getattr(back_end.toolsets[declared], verb)(context, **params)


async def test_every_capability_is_assessed_with_a_reason(back_end: BackEnd) -> None:
    for capability in ("launcher", "processes", "opener", "notifications", "session_lock", "power", "clipboard"):
        assert back_end.assess(capability).reason


async def test_a_command_is_run_to_its_end(back_end: BackEnd) -> None:
    outcome = await call(back_end, "run", argv=(sys.executable, "-c", "print('zażółć'.encode())"))
    assert "za" in outcome.output["text"]
    with pytest.raises(ActionError) as caught:
        await call(back_end, "run", argv=(sys.executable, "-c", "import sys; sys.exit('broken')"))
    assert (caught.value.code, caught.value.evidence["exit_code"]) == ("command_failed", 1)


async def test_a_command_that_takes_too_long_is_ended(back_end: BackEnd) -> None:
    with pytest.raises(DeadlineError):
        await call(back_end, "run", argv=(sys.executable, *SLEEPER), timeout=2.0)


async def test_a_program_is_started_and_ended_by_force(back_end: BackEnd) -> None:
    pid = (await call(back_end, "launch", app=sys.executable, args=SLEEPER)).output["pid"]
    listed = (await call(back_end, "list_processes", limit=100_000)).output["processes"]
    assert pid in {each["pid"] for each in listed}
    assert (await call(back_end, "kill", pid=pid)).effect == "confirmed"
    with pytest.raises(DeviceError):
        await call(back_end, "kill", pid=pid)


async def test_we_may_not_be_ended(back_end: BackEnd) -> None:
    with pytest.raises(PolicyError):
        await call(back_end, "kill", pid=os.getpid())


@pytest.mark.parametrize("target", ["time", "memory", "disk", "os", "uptime", "displays"])
async def test_a_fact_is_told_as_a_sentence(back_end: BackEnd, target: str) -> None:
    assert (await call(back_end, "get", target=target)).output["text"].endswith(".")


async def test_applications_are_listed(back_end: BackEnd) -> None:
    assert (await call(back_end, "list_apps")).output["count"] >= 0


async def test_a_media_key_is_pressed_and_nothing_is_claimed(tmp_path: Path) -> None:
    made = make_media_back_end(Environment(platform="win32", variables=dict(os.environ), workspace=tmp_path))
    assert made.assess("media").available
    tools = made.toolsets[MediaTools]
    assert isinstance(tools, MediaTools)
    assert (await tools.next(ActionContext("a1"))).effect == "unverified"
    await made.close()
