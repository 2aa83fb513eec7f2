"""What came of flows that were run as tests: of one run, of a flow with all its runs, and of a suite."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent.reports.results import FlowOutcome, FlowResult, StepLine, SuiteResult
from agent.store.session_files import KeptRun
from core.results.tool_results import RunResult

APPROVAL_CODES = "approval_"
"""How codes begin that say that nobody agreed."""

STOPPED: FlowOutcome = "skipped"
NOTHING_DONE: FlowOutcome = "error"


@dataclass(frozen=True, slots=True)
class FlowTrial:
    """What came of one run of a flow.

    Attributes:
        outcome: ``passed``, ``failed``, ``error`` (nothing was done) or ``skipped`` (it was stopped).
        error: What went wrong, why, and what to do; empty where nothing did.
        result: What the session said; None where there was no session.
        document: What is kept of the run; empty where nothing is.
    """

    outcome: FlowOutcome
    error: str
    workspace: Path
    result: RunResult | None = None
    steps: tuple[StepLine, ...] = ()
    document: Mapping[str, Any] = field(default_factory=dict[str, Any])
    ms: float = 0.0

    @property
    def run_id(self) -> str:
        """Its id; empty where nothing is kept of it."""
        return str(self.document.get("run_id", ""))

    @property
    def kept(self) -> KeptRun:
        """What is kept of it, as reports take it."""
        return KeptRun(self.run_id, self.document)

    @property
    def may_be_repeated(self) -> bool:
        """Whether it might end otherwise in a fresh session: a question that nobody may answer would be there again."""
        return self.outcome == "failed" and not any(step.code.startswith(APPROVAL_CODES) for step in self.steps)


@dataclass(frozen=True, slots=True)
class FlowUpdate:
    """What became of the expectations of a flow.

    Attributes:
        diff: What was written, as lines of a diff; empty where nothing was.
        kept_because: Why the file stays as it is although a step failed; empty where it doesn't.
    """

    diff: tuple[str, ...] = ()
    kept_because: str = ""


@dataclass(frozen=True, slots=True)
class EndedFlow:
    """What came of a flow, with what only this machine knows of it.

    Attributes:
        workspace: Where its last run is kept; None where nothing is.
        update: What was written anew in its file, or why nothing was; None where that wasn't asked.
    """

    result: FlowResult
    workspace: Path | None = None
    update: FlowUpdate | None = None


@dataclass(frozen=True, slots=True)
class EndedSuite:
    """What came of a suite.

    Attributes:
        flows: The same of each flow, in the order in which they were gathered.
        was_stopped: Whether it was stopped before all flows had run.
    """

    result: SuiteResult
    flows: tuple[EndedFlow, ...]
    was_stopped: bool = False
