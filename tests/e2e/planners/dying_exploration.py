"""An exploration that is killed: ``python -m tests.e2e.planners.dying_exploration FOLDER URL RUN``, once its second round has acted."""

import asyncio
import os
import signal
import sys
from pathlib import Path

from agent.assembly import make_session
from agent.requests.planner_wishes import PlannerWish
from agent.requests.requests import Request
from agent.settings.settings import Settings
from agent.testing.scripted_models import ScriptedModel
from core.planning.planners.ports import ModelQuestion
from tests.agent.planners.exploring import Person, call, propose

FIRST = propose(call("browser.click", selector='link "Blue mug"'))
SECOND = propose(call("browser.type", selector='field "Quantity"', text="3"))


def die(question: ModelQuestion) -> dict[str, object]:
    """End this process in the middle of the third round."""
    del question
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


async def explore(folder: Path, url: str, run_id: str) -> None:
    """Explore until it is killed."""
    wish = PlannerWish(capability="explore", parameters={"task": "Put 3 of the blue mug into the basket", "url": url})
    async with make_session(Settings(), folder) as session:
        session.use_model(lambda _: ScriptedModel(FIRST, SECOND, die))
        await session.run(Request(planner=wish, run_id=run_id, gate=Person(".*")))


if __name__ == "__main__":
    asyncio.run(explore(Path(sys.argv[1]), sys.argv[2], sys.argv[3]))
