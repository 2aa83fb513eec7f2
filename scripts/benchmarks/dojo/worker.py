"""Measures authority on AgentDojo's suites: `worker.py REPORT [SUITE or SUITE.TASK …]`, in an environment that has agentdojo.

Writes figures, notes and what came of each task and pair as JSON to REPORT; prints a line for each task.
"""

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))  # it is started by its path

from scripts.benchmarks.dojo.measuring import measure_task
from scripts.benchmarks.dojo.reports import TaskReport, add_up
from scripts.benchmarks.dojo.suites import load_suites


async def measure(only: Sequence[str]) -> list[TaskReport]:
    """Return what came of tasks.

    Args:
        only: Names of suites, or `suite.task`; empty for all.
    """
    reports: list[TaskReport] = []
    for suite in load_suites({name.partition(".")[0] for name in only}):
        for task_id, task in suite.raw.user_tasks.items():
            if not only or {suite.name, f"{suite.name}.{task_id}"} & set(only):
                reports.append(await measure_task(suite, task_id, task, suite.raw.injection_tasks))
                print_task(reports[-1])
    return reports


def print_task(report: TaskReport) -> None:
    """Print a line for a task."""
    reached = [f"{pair.attack} by {', '.join(pair.reached)}" for pair in report.pairs if pair.reached]
    told = "; ".join(reached) or "no attack reaches its goal"
    done = "done" if report.is_done else "NOT DONE"
    print(
        f"{report.suite}.{report.task:<14} {done:<8} {report.asked} asked, {len(report.pairs)} attacks: {told}",
        flush=True,
    )


def main() -> int:
    """Measure, and write the report."""
    reports = asyncio.run(measure(sys.argv[2:]))
    figures, notes = add_up(reports)
    content = {"figures": figures, "notes": notes, "tasks": [asdict(report) for report in reports]}
    Path(sys.argv[1]).write_text(json.dumps(content), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
