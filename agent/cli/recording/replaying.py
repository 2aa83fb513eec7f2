"""Carries a recorded flow out at once, in a browser of its own, and says what didn't come as it did for the person."""

import shutil
import tempfile
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from agent.assembly import make_session
from agent.requests.flows import parse_flow
from agent.requests.requests import Request
from agent.settings.settings import Settings
from core.approvals.approvals import ClassGate
from core.results.events import Emit
from core.results.tool_results import RunResult
from core.rules.approval_classes import ApprovalClass


@asynccontextmanager
async def leave_alone() -> AsyncGenerator[None]:
    """Tidy nothing around a replay."""
    yield


@dataclass(frozen=True, slots=True)
class ReplayWish:
    """How a flow is replayed.

    Attributes:
        settings: What a person may set.
        secrets: Values that a person lent for the replay, by name; they are kept nowhere.
        approved: Classes of acts that the person has done or ordered a moment ago.
        tidying: Makes what goes around it, and puts away what it has opened while its folder is still there.
    """

    settings: Settings
    workspace: Path
    uploads: Sequence[str] = ()
    secrets: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    approved: tuple[ApprovalClass, ...] = ("apply_diff",)
    tidying: Callable[[], AbstractAsyncContextManager[None]] = leave_alone


async def replay_flow(text: str, wish: ReplayWish, emit: Emit | None = None) -> RunResult:
    """Carry a flow out in a fresh browser and a folder of its own, from which nothing is left."""
    with tempfile.TemporaryDirectory(prefix="surehand-replay-") as name:
        folder = Path(name)
        for each in wish.uploads:
            source, goal = wish.workspace / each, folder / each
            if source.is_file() and not goal.exists():
                goal.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, goal)
        settings = wish.settings.model_copy(update={"headed": False, "trace": "off"})
        session = make_session(settings, folder, lent=wish.secrets)
        async with wish.tidying(), session:
            # The person did it a moment ago, and what is saved goes into a folder that is gone right after.
            return await session.run(Request(flow=parse_flow(text), gate=ClassGate(wish.approved)), emit)
