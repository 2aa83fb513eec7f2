"""One run of a flow as a test: in a session of its own, kept like any other run."""

import asyncio
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from actuators.catalog import BrowserShare
from agent.assembly import make_session
from agent.cli.suites.endings import APPROVAL_CODES, NOTHING_DONE, STOPPED, FlowTrial
from agent.reports.results import StepLine, list_maps, list_steps, take_map, tell_error, tell_trouble
from agent.requests.flows import Flow
from agent.requests.requests import Request
from agent.sessions.session import AgentSession
from agent.settings.folder_checks import locate_state
from agent.settings.settings import Settings
from agent.store.session_files import SessionFiles
from core.approvals.approvals import ClassGate
from core.base.budgets import Budget
from core.base.errors import SurehandError
from core.policy.policy import Policy
from core.results.events import Emit
from core.results.records import to_data
from core.results.tool_results import RunResult
from core.rules.approval_classes import ApprovalClass

_NOBODY = "Tests ask nobody, and no option of theirs grants this: surehand run asks."
_NO_RUN: Mapping[str, Any] = {}

Prepare = Callable[[AgentSession, Path], None]
"""Gives a session in a workspace what its front end has for it, such as telemetry."""


def prepare_nothing(_session: AgentSession, _workspace: Path) -> None:
    """Leave a session as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialTerms:
    """What holds for all flows of a suite.

    Attributes:
        settings: What a person may set.
        policy: What may be touched; that of a flow narrows it.
        budget: How long and how much a flow may take.
        approved: Classes of approval that are given beforehand; all else is answered no.
    """

    settings: Settings
    policy: Policy = field(default_factory=Policy)
    budget: Budget = field(default_factory=Budget)
    approved: Sequence[ApprovalClass] = ()
    prepare: Prepare = prepare_nothing


class TrialSessions:
    """The sessions of a suite that are open; all have their pages from one browser."""

    def __init__(self, terms: TrialTerms) -> None:
        """Open nothing yet."""
        self._terms = terms
        self._share = BrowserShare()
        self._open: set[AgentSession] = set()

    async def run(self, flow: Flow, workspace: Path, lines: Mapping[str, int], emit: Emit | None = None) -> FlowTrial:
        """Run a flow once.

        Args:
            lines: Lines in the flow file, by goal id.
        """
        try:
            session = await asyncio.to_thread(make_session, self._terms.settings, workspace, self._share)
            self._terms.prepare(session, workspace)
        except SurehandError as error:
            return FlowTrial(NOTHING_DONE, tell_error(to_data(error.info())), workspace)
        with self._watch(session):
            async with session:
                result = await session.run(self._make_request(flow), emit)
        document = await asyncio.to_thread(_read_kept, workspace, result)
        return judge(result, document, workspace, lines)

    def stop(self) -> None:
        """Stop all that runs; each run ends in order, and what it did is told."""
        for session in self._open:
            session.stop()

    async def close(self) -> None:
        """Stop the browser; calling it again does nothing."""
        await self._share.close()

    @contextmanager
    def _watch(self, session: AgentSession) -> Generator[None]:
        self._open.add(session)
        try:
            yield
        finally:
            self._open.discard(session)

    def _make_request(self, flow: Flow) -> Request:
        terms = self._terms
        return Request(flow=flow, policy=terms.policy, budget=terms.budget, gate=ClassGate(terms.approved))


def judge(result: RunResult, document: Mapping[str, Any], workspace: Path, lines: Mapping[str, int]) -> FlowTrial:
    """Return what a run means for a test.

    Args:
        document: What is kept of it; empty where nothing is.
        lines: Lines in the flow file, by goal id.
    """
    told = document or to_data(result)
    steps = list_steps(told, lines)
    trial = FlowTrial("passed", "", workspace, result, steps, document, float(result.metrics.get("run_ms", 0.0)))
    if result.outcome == "cancelled":
        done = sum(step.status == "ok" for step in steps)
        return replace(trial, outcome=STOPPED, error=f"Stopped: {done} of {len(steps)} steps were done.")
    if result.errors:
        return replace(trial, outcome=NOTHING_DONE, error=" ".join(tell_error(to_data(each)) for each in result.errors))
    if result.outcome == "success":
        return trial
    return replace(trial, outcome="failed", error="\n".join(_list_trouble(steps, told)))


def _list_trouble(steps: Sequence[StepLine], told: Mapping[str, Any]) -> Iterator[str]:
    """Yield which step went wrong first, what happened and why, and what to do."""
    step = next((each for each in steps if each.is_trouble), None)
    if step is None:
        yield tell_trouble(steps, told) or "The run failed, and no step says why."
        return
    yield f"Step {step.number}{f' (line {step.line})' if step.line else ''}: {step.title}"
    log = next((each for each in list_maps(told.get("step_logs")) if each.get("action_id") == step.action_id), _NO_RUN)
    error = take_map(take_map(log, "result"), "error")
    yield from filter(None, (str(error.get("message", "")) or step.text, str(error.get("hint", ""))))
    if step.code.startswith(APPROVAL_CODES) and "--yes" not in str(error.get("hint", "")):
        yield _NOBODY


def _read_kept(workspace: Path, result: RunResult) -> Mapping[str, Any]:
    """Return what is kept of a run; nothing where it was refused before it began."""
    try:
        return SessionFiles(locate_state(workspace)).find(result.run_id).document
    except (SurehandError, OSError):
        return _NO_RUN
