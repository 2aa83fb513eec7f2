"""A process that is killed in the middle of a verb: ``python -m tests.contracts.files.dying FOLDER SCENE STEP FACTS``.

It prepares the scene, writes down what it foresees, and then is killed by the system at the given change of the disk.
"""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

from tests.contracts.files.mortal import Life
from tests.contracts.files.mortal_bench import SCENES, call, predict
from tests.contracts.files.posix_worlds import make_posix_world


class KilledLife(Life):
    """A life that is ended by the system."""

    def die(self) -> None:
        """End at once, without a word."""
        os.kill(os.getpid(), signal.SIGKILL)


async def _act(folder: Path, name: str, step: int, facts_path: Path) -> None:
    world, scene = make_posix_world(folder), SCENES[name]
    args = await world.prepare(scene)
    facts = await predict(world.start(), scene.verb, world.context(), args)
    await asyncio.to_thread(facts_path.write_text, json.dumps({"facts": facts, "args": args}), encoding="utf-8")
    await call(world.start(KilledLife(step)), scene.verb, world.context(), args)


if __name__ == "__main__":
    asyncio.run(_act(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), Path(sys.argv[4])))
