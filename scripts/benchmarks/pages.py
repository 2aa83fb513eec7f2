"""The pages benchmark: everyday jobs on kits and applications of others, each as goals, as a flow and as a sentence, by a session as shipped.

The far end judges: the kits' own change handlers tell what they were given, and applications are asked in their databases and files. `wrong` is
what was told as done while the far end says no, or as failed while it says yes.
"""

import argparse
import asyncio
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agent.assembly import make_session
from agent.settings.settings import Settings
from fixtures.kits.places import MissingPlaceError
from scripts.benchmarks.everyday.jobs import PATTERNS, Job, Wish, choose_jobs
from scripts.benchmarks.everyday.running import WAYS, Ended, Way, do_job, install_place, open_place
from scripts.benchmarks.looks.tools import MissingToolError

VERDICTS = ("done", "refused", "failed", "wrong")


@dataclass(frozen=True, slots=True)
class PagesWish:
    """What is to be measured.

    Attributes:
        jobs: Which jobs.
        ways: In which ways; empty for all.
    """

    jobs: Wish
    ways: Sequence[Way] = ()


def read_wish(asked: argparse.Namespace) -> PagesWish:
    """Return what is to be measured.

    Args:
        asked: The arguments `kit`, `pattern`, `way` and `task`.
    """
    return PagesWish(Wish(asked.kit, asked.pattern, " ".join(asked.task)), tuple(asked.way))


async def measure_pages(wish: PagesWish) -> dict[str, Any]:
    """Return the report: shares of each way, of each kit and of each pattern, and what came of every job.

    Args:
        wish: What is to be measured.
    """
    ended: list[Ended] = []
    for kit, jobs in choose_jobs(wish.jobs).items():
        try:
            ended += await run_kit(kit, jobs, wish.ways or WAYS)
        except (MissingPlaceError, MissingToolError) as error:
            print(f"– {kit} is left out: {error}", flush=True)
    print_table(ended)
    return {"name": "pages", **add_up(ended), "samples": {"jobs": [asdict(each) for each in ended]}}


async def run_kit(kit: str, jobs: Sequence[Job], ways: Sequence[Way]) -> list[Ended]:
    """Do the jobs of a kit or application in one session.

    Args:
        kit: Its name.
        jobs: What is done.
        ways: In which ways, all jobs in one after those in another.

    Raises:
        MissingPlaceError: If the application can't be had.
        MissingToolError: If the packages can't be.
    """
    ended: list[Ended] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="surehand-bench-")))
        for part in ("place", "workspace"):
            (folder / part).mkdir()
        await asyncio.to_thread(install_place, kit)
        place = await asyncio.to_thread(open_place, kit, folder / "place", stack)
        workspace = folder / "workspace"
        for name, text in {name: text for job in jobs for name, text in job.files.items()}.items():
            (workspace / name).write_text(text, encoding="utf-8")
        settings = Settings(inner_hosts=["127.0.0.1"], failure_pictures=False, log_file="off")
        async with make_session(settings, workspace) as session:
            for way in ways:
                for job in jobs:
                    if way == "sentence" and not job.sentence:
                        continue
                    ended.append(await do_job(session, place, kit, job, way))
                    print_ended(ended[-1])
    return ended


def print_ended(ended: Ended) -> None:
    """Print what came of a job, with what went wrong below it."""
    print(
        f"{ended.verdict:<8} {ended.seconds:6.2f} s  {ended.kit} {ended.pattern}, {ended.way}: {ended.name}", flush=True
    )
    if ended.trouble:
        print(f"    {ended.trouble}", flush=True)


def print_table(ended: Sequence[Ended]) -> None:
    """Print how many jobs ended in which way, by way, kit and pattern."""
    for way in WAYS:
        mine = [each for each in ended if each.way == way]
        if not mine:
            continue
        print(f"\n{way:<28} {' '.join(f'{verdict:>8}' for verdict in VERDICTS)}  seconds")
        for kit in dict.fromkeys(each.kit for each in mine):
            for pattern in PATTERNS:
                _print_row(f"{kit} {pattern}", [each for each in mine if (each.kit, each.pattern) == (kit, pattern)])
        _print_row("all", mine)


def _print_row(name: str, ended: Sequence[Ended]) -> None:
    if ended:
        counts = Counter(each.verdict for each in ended)
        numbers = " ".join(f"{counts[verdict]:>8}" for verdict in VERDICTS)
        print(f"{name:<28} {numbers}  {sum(each.seconds for each in ended) / len(ended):7.2f}")


def add_up(ended: Sequence[Ended]) -> dict[str, Any]:
    """Return figures and notes: shares of each way, and what is done of each kit and pattern."""
    figures: dict[str, float] = {}
    notes: dict[str, str] = {}
    for way in WAYS:
        mine = [each for each in ended if each.way == way]
        if not mine:
            continue
        counts = Counter(each.verdict for each in mine)
        figures |= {f"{way}_{verdict}": counts[verdict] / len(mine) for verdict in VERDICTS}
        figures[f"{way}_seconds"] = sum(each.seconds for each in mine) / len(mine)
        notes[f"{way}_done"] = f"of {len(mine)} jobs; {counts['wrong']} wrong"
        for part in ("kit", "pattern"):
            figures |= _add_up_part(mine, way, part)
    return {"figures": figures, "notes": notes}


def _add_up_part(ended: Sequence[Ended], way: str, part: str) -> dict[str, float]:
    figures: dict[str, float] = {}
    for name in dict.fromkeys(getattr(each, part) for each in ended):
        these = [each for each in ended if getattr(each, part) == name]
        figures[f"{way}_{name}_done"] = sum(each.verdict == "done" for each in these) / len(these)
    return figures
