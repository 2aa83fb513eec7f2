"""Does a job in one of three ways, by a session as shipped, and asks the far end whether what we told of it is so."""

import asyncio
import io
import subprocess
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from ruamel.yaml import YAML

from agent.requests.flows import parse_flow
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from core.approvals.approvals import ApprovalRequest
from core.language.talk.dialogue import Dialogue
from core.results.tool_results import RunResult
from fixtures.kits.bundles import prepare_kits
from fixtures.kits.kit_site import KitSite
from fixtures.kits.places import (
    ApplicationPlace,
    KitPlace,
    MissingPlaceError,
    Place,
    Visit,
    find_lock,
    list_applications,
    serve_application,
)
from scripts.benchmarks.environment import prepare_environment
from scripts.benchmarks.everyday.jobs import Job

Way = Literal["goal", "flow", "sentence"]
Verdict = Literal["done", "refused", "failed", "wrong"]
WAYS: tuple[Way, ...] = ("goal", "flow", "sentence")
JOB_LIMIT_S = 120.0
LATE_S = 2.0
"""How long the far end may take to hear of what was done last."""
STEADY_S = 0.3
"""How long it has to stay so, since a page may take it back."""
_POLL_S = 0.05


class Agreement:
    """Says yes to every question, as a person does who watches."""

    async def decide(self, request: ApprovalRequest) -> bool:
        """Return that the action may run."""
        del request
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """What came of a job.

    Attributes:
        kit: Where it was done.
        pattern: Its pattern.
        name: Its name.
        way: How it was asked for.
        verdict: `done`; `refused`, where nothing was tried; `failed`, as it was told; `wrong`, where the far end says
            otherwise than we did.
        seconds: From the request to the reply.
        trouble: What was told, and what the far end knows; empty where it is done.
    """

    kit: str
    pattern: str
    name: str
    way: Way
    verdict: Verdict
    seconds: float
    trouble: str = ""


def install_place(kit: str) -> None:
    """Install what a kit or application needs, where need be.

    Args:
        kit: Its name.

    Raises:
        MissingPlaceError: If the application's packages can't be installed.
        MissingToolError: If the kits' can't be.
    """
    if kit not in list_applications():
        prepare_kits(kit)
    elif lock := find_lock(kit):
        try:
            prepare_environment(lock)
        except subprocess.CalledProcessError as error:
            raise MissingPlaceError(f"the packages of `{lock}` can't be installed: {error}") from error


def open_place(kit: str, folder: Path, stack: ExitStack) -> Place:
    """Return where the jobs of a kit are done, served until the stack is closed.

    Args:
        kit: Name of a kit or an application.
        folder: An empty one for what an application keeps.
        stack: Ends it.

    Raises:
        MissingPlaceError: If the application can't be had.
        MissingToolError: If the packages can't be.
    """
    if kit in list_applications():
        return ApplicationPlace(stack.enter_context(serve_application(kit, folder)))
    return KitPlace(stack.enter_context(KitSite(prepare_kits(kit))), kit)


async def do_job(session: AgentSession, place: Place, kit: str, job: Job, way: Way) -> Ended:
    """Do a job on a fresh page and judge what was told of it.

    Args:
        session: Whose page is used.
        place: Where.
        kit: Its name.
        job: What.
        way: How it is asked for.
    """
    visit = await asyncio.to_thread(place.visit, job.page)
    request = await _ask(session, visit, job, way)
    began = time.perf_counter()
    result = await asyncio.wait_for(session.run(request), JOB_LIMIT_S)
    seconds = round(time.perf_counter() - began, 2)
    is_so, known = await _hear(visit, job, result)
    verdict = judge(result, is_so=is_so)
    trouble = "" if verdict == "done" else f"{result.reply} | far end: {known!r}, not {job.want!r}"
    return Ended(
        kit=kit, pattern=job.pattern, name=job.name, way=way, verdict=verdict, seconds=seconds, trouble=trouble
    )


def judge(result: RunResult, *, is_so: bool) -> Verdict:
    """Return whether what was told of a job is so.

    Args:
        result: What was told.
        is_so: Whether the far end knows what is wanted.
    """
    if result.outcome == "success":
        return "done" if is_so else "wrong"
    if is_so:
        return "wrong"
    bad = next((log.result.status for log in result.step_logs if log.result.status != "ok"), "refused")
    return "refused" if result.errors or bad == "refused" else "failed"


def write_flow(job: Job, address: str) -> str:
    """Return a job as a flow file.

    Args:
        job: The job.
        address: Its page.
    """
    goals = [{"browser.navigate": {"url": address}}, *job.steps]
    text = io.StringIO()
    writer = YAML()
    writer.default_flow_style = False
    hosts = [urlsplit(address).hostname]
    writer.dump({"name": job.name, "policy": {"hosts": hosts}, "goals": goals}, text)
    return text.getvalue()


async def _ask(session: AgentSession, visit: Visit, job: Job, way: Way) -> Request:
    """Return the request; for a sentence, which is said of the page that is open, the page is opened first."""
    flow = parse_flow(write_flow(job, visit.address))
    if way == "flow":
        return Request(flow=flow, gate=Agreement())
    if way == "goal":
        return Request(goals=flow.goals, gate=Agreement())
    dialogue = Dialogue(session.interpreter)
    said = dialogue.hear(f"go to {visit.address}")
    opened = await session.run(Request(utterance=said.utterance, understood=said.interpretation))
    if opened.outcome != "success":
        raise SystemExit(f"{job.name}: the page can't be opened: {opened.reply}")
    dialogue.settle(said.interpretation)  # what is said next is said of a page
    return Request(utterance=job.sentence, understood=dialogue.hear(job.sentence).interpretation, gate=Agreement())


async def _hear(visit: Visit, job: Job, result: RunResult) -> tuple[bool, dict[str, Any]]:
    """Return whether the far end knows what is wanted, and stays so, and what it knows."""
    if job.answer and job.answer not in _read_answer(result):
        return False, {"answer": _read_answer(result)}
    until = time.monotonic() + (LATE_S if result.outcome == "success" else STEADY_S)
    while True:
        is_so, known = await _ask_far_end(visit, job)
        if is_so:
            await asyncio.sleep(STEADY_S)
            return await _ask_far_end(visit, job)
        if time.monotonic() > until:
            return False, known
        await asyncio.sleep(_POLL_S)


async def _ask_far_end(visit: Visit, job: Job) -> tuple[bool, dict[str, Any]]:
    known = {name: await asyncio.to_thread(visit.tell, name) for name in job.want}
    return known == job.want, known


def _read_answer(result: RunResult) -> str:
    outputs = [log.result.output for log in result.step_logs if log.result.status == "ok"]
    return str(dict(outputs[-1])) if outputs else ""
