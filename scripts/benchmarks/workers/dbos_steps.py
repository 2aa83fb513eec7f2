"""Steps of a DBOS workflow on SQLite, timed: `python dbos_steps.py DATABASE`, in an environment that has dbos.

Reads how many steps to do, one number a line; does them in one workflow, and writes their milliseconds as one line of JSON: those of
each step, then those of the whole workflow. Started by `bench_journal.py`.
"""

import json
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any


def main() -> int:
    """Do steps until there is no more input."""
    dbos: Any = import_module("dbos")
    url = f"sqlite:///{Path(sys.argv[1]).as_posix()}"
    dbos.DBOS(config={"name": "steps", "system_database_url": url, "log_level": "ERROR", "run_admin_server": False})

    @dbos.DBOS.step()
    def act(number: int) -> int:
        return number

    @dbos.DBOS.workflow()
    def act_often(count: int) -> list[float]:
        return [time_step(act, number) for number in range(count)]

    dbos.DBOS.launch()
    say("ready")
    for line in sys.stdin:
        began = time.perf_counter()
        steps = act_often(int(line))
        say([steps, (time.perf_counter() - began) * 1000])
    dbos.DBOS.destroy()
    return 0


def time_step(act: Any, number: int) -> float:
    """Return the milliseconds of one step."""
    began = time.perf_counter()
    act(number)
    return (time.perf_counter() - began) * 1000


def say(answer: object) -> None:
    """Write one line."""
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
