"""Whether a lane notices a defect when the file that holds it is the change: `scripts/mutate.py --lane near|ci`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from scripts.lanes.crew import Crew, Task, Terms
from scripts.lanes.house import House
from scripts.lanes.lanes import SECONDS
from scripts.lanes.selection import choose_ci, sort_nearest
from scripts.lanes.verdicts import Verdicts
from scripts.mutants.planting import Defect, Planted
from scripts.mutants.trials import Verdict, bind_environment, write_file
from tests.thoroughness import read_day


class LaneJudge:
    """Runs what a lane would of what the defect reaches, the nearest first, until something fails.

    What fails without the defect as well (a copy of the tree has no history, for one) is left out from then on.
    """

    def __init__(self, lane: str, house: House) -> None:
        """Judge by a lane.

        Args:
            lane: `near` or `ci`.
            house: The tree that the copies are of.
        """
        self._lane = lane
        self._house = house
        self._unfit: set[str] = set()

    def __call__(self, copy: Path, defect: Defect, planted: Planted) -> tuple[Verdict, str]:
        """Return what the lane says of a copy with a defect in it."""
        del defect
        limit_s = SECONDS if self._lane == "near" else 0.0
        file = copy / planted.file
        while True:
            tasks = [task for task in self.list_tasks(planted.file) if task.file not in self._unfit]
            write_file(file, planted.text)
            verdicts = self._run(copy, tasks, limit_s)
            failed = next(iter([*verdicts.unreadable, *verdicts.failures]), "")
            if not failed:
                return "survived", f"{len(verdicts.outcomes)} tests of {len(verdicts.spent)} files pass"
            write_file(file, (self._house.root / planted.file).read_text(encoding="utf-8"))
            name = failed.partition("::")[0]
            if not self._run(copy, [Task(name, (failed,) if "::" in failed else ())], 0.0).code:
                return "caught", failed
            self._unfit.add(name)

    def list_tasks(self, changed: str) -> list[Task]:
        """Return what the lane runs of what a change reaches, the nearest first; the rest of it can't notice."""
        distances = self._house.reach.measure([changed])
        order = sort_nearest(distances, self._house.known)
        if self._lane == "near":
            return [Task(name) for name in order]
        chosen = choose_ci(self._house.known, distances, self._house.journeys, read_day())
        tasks = {task.file: task for task in chosen.list_tasks()}
        return [tasks[name] for name in order if name in tasks]

    def _run(self, copy: Path, tasks: list[Task], limit_s: float) -> Verdicts:
        with tempfile.TemporaryDirectory(prefix="surehand-lane-") as folder:
            terms = Terms(self._house.workers, 2, stops_early=True, limit_s=limit_s, environment=bind_environment(copy))
            return Crew(tasks, Path(folder), terms, copy).run()
