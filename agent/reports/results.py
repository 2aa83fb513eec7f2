"""What came of flows that were run as tests: by suite, flow and step. The standard library alone, so that every door may use it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

FlowOutcome = Literal["passed", "failed", "skipped", "flaky", "error"]
StepStatus = Literal["ok", "failed", "refused", "skipped", "cancelled", "planned"]

NOT_NEEDED = "not_needed"
"""Code of a step that its flow left out by its own words: no failure."""

_LEFT_OUT = frozenset([NOT_NEEDED, "not_selected"])
_MISSING: Mapping[str, Any] = {}
_LONGEST_TEXT = 2000


@dataclass(frozen=True, slots=True)
class StepLine:
    """One step of a flow, as a line of a report.

    Attributes:
        number: Its number in the plan, from 1.
        status: What became of it; ``planned`` where the run ended before it.
        groups: Titles of the groups and rounds that it belongs to, the outermost first.
        text: What was read, or what went wrong and what to do; empty where nothing is to be said.
        line: Its line in the flow file; 0 where that isn't known.
        code: The code of its error; empty where it has none.
    """

    number: int
    title: str
    status: StepStatus
    groups: tuple[str, ...] = ()
    effect: str = "none"
    ms: float = 0.0
    text: str = ""
    action_id: str = ""
    line: int = 0
    code: str = ""

    @property
    def is_trouble(self) -> bool:
        """Whether the step didn't do what it should: what its flow left out on purpose is none."""
        return self.status in {"failed", "refused", "cancelled"} or (
            self.status == "skipped" and self.code not in _LEFT_OUT
        )


@dataclass(frozen=True, slots=True)
class FlowResult:
    """What came of one flow.

    Attributes:
        outcome: ``passed``, ``failed``, ``skipped``, ``flaky`` (passed, but not at once) or ``error`` (never run).
        error: What went wrong, why, and what to do; empty where nothing did.
    """

    name: str
    path: str
    outcome: FlowOutcome
    attempts: int = 1
    ms: float = 0.0
    run_id: str = ""
    steps: tuple[StepLine, ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """What came of many flows.

    Attributes:
        began_at: When it began, in UTC (ISO 8601).
    """

    name: str
    began_at: str
    ms: float
    flows: tuple[FlowResult, ...] = ()

    def count(self) -> dict[str, int]:
        """Return how many flows ended in which way, the worst first; ways that none ended in are left out."""
        order: tuple[FlowOutcome, ...] = ("error", "failed", "flaky", "passed", "skipped")
        counts = {outcome: sum(flow.outcome == outcome for flow in self.flows) for outcome in order}
        return {outcome: count for outcome, count in counts.items() if count}


def list_steps(document: Mapping[str, Any], lines: Mapping[str, int] | None = None) -> tuple[StepLine, ...]:
    """Return the steps of a run from what is kept of it, or from its result as data.

    Args:
        document: What is kept of a run, whole or only begun; a damaged part is read as far as it goes.
    """
    nodes = {str(node.get("action_id")): node for node in list_maps(take_map(document, "plan").get("nodes"))}
    logs = {str(log.get("action_id")): log for log in list_maps(document.get("step_logs"))}
    known = lines or {}
    return tuple(
        _read_step(number, nodes.get(action_id, _MISSING), logs.get(action_id, _MISSING), known)
        for number, action_id in enumerate(dict.fromkeys([*nodes, *logs]), start=1)
    )


def tell_error(error: Mapping[str, Any]) -> str:
    """Return an error as text: what happened and why, and what to do."""
    parts = (str(error.get("message", "")), str(error.get("hint", "")))
    return " ".join(part for part in parts if part) or str(error.get("begins", ""))


def _read_step(number: int, node: Mapping[str, Any], log: Mapping[str, Any], lines: Mapping[str, int]) -> StepLine:
    source = log or node
    result = take_map(log, "result")
    error, output = take_map(result, "error"), take_map(result, "output").get("text")
    groups = node.get("groups") or log.get("groups")
    return StepLine(
        number=number,
        title=str(source.get("description") or source.get("name") or source.get("action_id", "")),
        status=cast("StepStatus", str(result.get("status") or "planned")),
        groups=tuple(map(str, groups)) if isinstance(groups, list | tuple) else (),
        effect=str(result.get("effect") or "none"),
        ms=read_number(result.get("ms")),
        text=(tell_error(error) if error else output.strip() if isinstance(output, str) else "")[:_LONGEST_TEXT],
        action_id=str(source.get("action_id", "")),
        line=lines.get(str(source.get("goal_id", "")), 0),
        code=str(error.get("code", "")),
    )


def read_number(value: object) -> float:
    """Return a number; 0 where it is something else."""
    return float(value) if isinstance(value, int | float) else 0.0


def take_map(source: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return a part that is a mapping; an empty one where it is missing, or too large to have been kept whole."""
    value = source.get(name)
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else _MISSING


def list_maps(values: object) -> Iterator[Mapping[str, Any]]:
    """Yield what is a mapping in a list; what was too large to keep whole is none."""
    if isinstance(values, list | tuple):
        for value in cast("Sequence[object]", values):
            if isinstance(value, Mapping):
                yield cast("Mapping[str, Any]", value)
