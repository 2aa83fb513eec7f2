"""MiniWoB++ through the whole agent: a page's own words are interpreted, planned and carried out in one browser, without a model.

The pages have two parts, by the first digit of the SHA-256 of their names. Those of the development part (0 to b) may be looked at, one
by one. The sealed quarter (c to f) exists to find out whether what was made for the others is good for anything else: it is only ever run
as a whole, and only its totals are told.

An episode is "done, but not so" where our reply tells something as done, with no step left unverified and without saying that something is
still to be pressed, and the page did not give the full reward: because it says otherwise, because it found the half of it good, or because
it says nothing. The notes tell these apart. Apart from them are "left to press", where the reply names the button that the page's words
don't speak of, and "answered", where a question was answered and nothing was done.
"""

import asyncio
import hashlib
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from agent.assembly import make_session
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.settings.settings import Settings
from core.approvals.approvals import ApprovalRequest
from core.language.talk.dialogue import Dialogue
from core.results.attendance import UNSENT
from core.results.tool_results import RunResult
from scripts.benchmarks.environment import find_package
from scripts.benchmarks.theirs.miniwob_pages import MiniwobPages

SEEDS = range(10, 15)
OPENING_LIMIT_S = 20.0
EPISODE_LIMIT_S = 60.0
LATE_S = 0.5
"""How long a page may take to reward what was done last, and a run to end once its page has ended."""

Half = Literal["development", "sealed"]
_OPEN = "0123456789ab"


class Consent:
    """Says yes to every question, as somebody would who watches."""

    async def decide(self, request: ApprovalRequest) -> bool:
        """Return that the action may run."""
        del request
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """What came of one task with one seed.

    Attributes:
        task: Name of its page.
        seed: What the page's random numbers began with.
        utterance: The task, as the page says it.
        reward: From -1 to 1, without what the page takes off for time; 0 if it gave none.
        seconds: From the utterance to the reward, or to the end of the run.
        ending: `passed`, or the error that came first, or else the page's reason.
        told: What our reply was.
        is_sure: Whether the reply tells it as done, with no step left unverified.
        is_answer: Whether nothing was done but looked, to answer a question.
        unsent: The button that the reply says was not pressed; empty where it names none.
    """

    task: str
    seed: int
    utterance: str
    reward: float
    seconds: float
    ending: str
    told: str
    is_sure: bool
    is_answer: bool
    unsent: str

    @property
    def is_refused(self) -> bool:
        """Whether nothing was done because the words were not understood."""
        return self.ending.startswith("refused")

    @property
    def is_not_so(self) -> bool:
        """Whether it was told as done, without the full reward."""
        is_told = self.is_sure and not self.is_answer and not self.unsent
        return self.reward != 1 and is_told and self.ending.startswith("done")


def find_half(task: str) -> Half:
    """Return which half a task belongs to."""
    return "development" if hashlib.sha256(task.encode()).hexdigest()[0] in _OPEN else "sealed"


def choose_tasks(pages: Path, halves: Iterable[str], only: Sequence[str]) -> dict[Half, list[str]]:
    """Return the tasks to run, by half.

    Args:
        pages: Folder of the pages.
        halves: Which halves are wanted.
        only: Tasks of the development half; empty for whole halves.

    Raises:
        SystemExit: If a task is named that isn't there, or is sealed.
    """
    there = sorted(page.stem for page in pages.glob("*.html"))
    if only:
        if wrong := [task for task in only if task not in there or find_half(task) == "sealed"]:
            sys.exit(f"no task of the development half: {', '.join(wrong)}")
        return {"development": list(only)}
    chosen: dict[Half, list[str]] = {"development": [], "sealed": []}
    for task in there:
        chosen[find_half(task)].append(task)
    return {half: tasks for half, tasks in chosen.items() if half in halves}


async def measure_miniwob(halves: Sequence[str] = ("development",), only: Sequence[str] = ()) -> dict[str, Any]:
    """Return the report: rates of each half, seconds an episode, and the episodes of the development half.

    Args:
        halves: `development`, `sealed` or both.
        only: Tasks of the development half; empty for whole halves.
    """
    folder = find_package("miniwob") / "html"
    chosen = choose_tasks(folder / "miniwob", halves, only)
    figures: dict[str, float] = {}
    notes: dict[str, str] = {}
    samples: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="surehand-miniwob-") as place, MiniwobPages(folder) as pages:
        settings = Settings(inner_hosts=[pages.host], failure_pictures=False, log_file="off")
        async with make_session(settings, Path(place)) as session:
            for half, tasks in chosen.items():
                episodes: list[Episode] = []
                for task in tasks:
                    mine = [await run_episode(session, pages, task, seed) for seed in SEEDS]
                    if half == "development":
                        print_task(task, mine)
                    episodes += mine
                figures |= add_up(half, episodes)
                notes[half] = f"share of {len(episodes)} episodes with the full reward; {tell_endings(episodes)}"
                if half == "development":
                    print_refused(episodes)
                    samples["episodes"] = [asdict(each) for each in episodes]
    return {"name": "miniwob", "figures": figures, "samples": samples, "notes": notes}


async def run_episode(session: AgentSession, pages: MiniwobPages, task: str, seed: int) -> Episode:
    """Open a page, do what it says, and return what came of it."""
    address = pages.address(task, seed)
    dialogue = Dialogue(session.interpreter)
    said = dialogue.hear(f"go to {address}")
    opened = await session.run(Request(utterance=said.utterance, understood=said.interpretation))
    if opened.outcome != "success":
        raise SystemExit(f"{task} can't be opened: {opened.reply}")
    dialogue.settle(said.interpretation)
    utterance = (await asyncio.wait_for(pages.take_report(address, "task"), OPENING_LIMIT_S))["task"]
    began = time.perf_counter()
    understood = dialogue.hear(utterance).interpretation
    run = asyncio.ensure_future(session.run(Request(utterance=utterance, understood=understood, gate=Consent())))
    end = asyncio.ensure_future(pages.take_report(address, "reward"))
    await asyncio.wait({run, end}, timeout=EPISODE_LIMIT_S, return_when=asyncio.FIRST_COMPLETED)
    seconds = time.perf_counter() - began
    result = await finish(session, run, end)
    told: Mapping[str, Any] = end.result() if not end.cancelled() else {"reward": 0, "reason": "no reward was given"}
    return Episode(
        task=task,
        seed=seed,
        utterance=utterance,
        reward=float(told["reward"]),
        seconds=round(seconds, 3),
        ending="passed" if told["reward"] == 1 else describe_ending(result, told["reason"]),
        told=result.reply,
        is_sure=result.outcome == "success" and all(log.result.effect != "unverified" for log in result.step_logs),
        is_answer=all(log.result.effect == "none" for log in result.step_logs),
        unsent="".join(str(log.result.evidence.get(UNSENT, "")) for log in result.step_logs[-1:]),
    )


async def finish(session: AgentSession, run: asyncio.Future[RunResult], end: asyncio.Future[Any]) -> RunResult:
    """Return what came of a run, which ends soon after its page did; a run that did nothing has no reward to wait for."""
    if not run.done():
        await asyncio.wait({run}, timeout=LATE_S)
        session.stop()
    result = await run
    if result.step_logs:
        await asyncio.wait({end}, timeout=LATE_S)
    end.cancel()
    await asyncio.wait({end})
    return result


def describe_ending(result: RunResult, reason: str) -> str:
    """Return why there was no full reward: our first error, or else what the page says."""
    if result.errors:
        return f"refused: {result.errors[0].code}"
    for log in result.step_logs:
        if log.result.error:
            return f"{log.name}: {log.result.error.code}"
    return f"done, but: {reason or 'no full reward'}"


def add_up(half: str, episodes: Sequence[Episode]) -> dict[str, float]:
    """Return the figures of a half."""
    count = max(1, len(episodes))
    return {
        half: sum(each.reward == 1 for each in episodes) / count,
        f"{half}_above_zero": sum(each.reward > 0 for each in episodes) / count,
        f"{half}_refused": sum(each.is_refused for each in episodes) / count,
        f"{half}_not_so": sum(each.is_not_so for each in episodes) / count,
        f"{half}_seconds": sum(each.seconds for each in episodes) / count,
    }


def tell_endings(episodes: Sequence[Episode]) -> str:
    """Return how many episodes ended in which way, without saying of which tasks."""
    kinds = Counter(each.ending.partition(":")[0] for each in episodes)
    told = ", ".join(f"{number} {kind}" for kind, number in kinds.most_common(6))
    return f"{told}; done, but not so: {tell_not_so(episodes)}"


def tell_not_so(episodes: Sequence[Episode]) -> str:
    """Return how many episodes were told as done without the full reward, by what the page said to it."""
    wrong = [each for each in episodes if each.is_not_so]
    denied = sum(each.reward < 0 for each in wrong)
    partly = sum(each.reward > 0 for each in wrong)
    rest = [each for each in episodes if each.reward != 1 and each.is_sure and each.ending.startswith("done")]
    unsent, answers = sum(bool(each.unsent) for each in rest), sum(each.is_answer for each in rest)
    counted = (
        f"{denied} the page denies, {partly} it finds partly good, {len(wrong) - denied - partly} it says nothing to"
    )
    return f"{counted}; besides, left to press: {unsent}, answered: {answers}"


def print_task(task: str, episodes: Sequence[Episode]) -> None:
    """Print a line for a task: its full rewards, seconds, and how the others ended."""
    full = sum(each.reward == 1 for each in episodes)
    endings = Counter(each.ending for each in episodes if each.reward != 1)
    seconds = sum(each.seconds for each in episodes) / len(episodes)
    told = "; ".join(f"{number} x {ending}" for ending, number in endings.most_common())
    print(f"{task:<28} {full}/{len(episodes)} {seconds:6.2f} s  {told}", flush=True)


def print_refused(episodes: Iterable[Episode]) -> None:
    """Print what was refused, a line each."""
    print("--- refused")
    for each in episodes:
        if each.is_refused:
            print(f"{each.task} {each.seed}: {each.utterance}")
