"""Whether a step is needed: decided from what earlier steps gave, and written into its receipt."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from core.base.errors import ErrorInfo, GoalError
from core.base.late_dataclasses import dataclass, replace
from core.base.phrases import cut_text, fold_text, tell_value
from core.goals.references import Reference, bind_value, find_references
from core.goals.step_terms import HOLDS, RowLoop, StepCondition, tell_condition
from core.planning.plans import PlannedAction
from core.results.records import to_data
from core.results.replies import NOT_NEEDED
from core.results.tool_results import StepLog, ToolResult

_MOST_FAULTS = 10
"""Messages of earlier attempts that a receipt keeps."""


async def try_step(
    action: PlannedAction, attempt: Callable[[], Awaitable[StepLog]], may_go_on: Callable[[], bool]
) -> StepLog:
    """Return the receipt of a step, after as many attempts as its terms, and ``may_go_on`` before each, allow."""
    log = answer_question(action, await attempt())
    if action.terms.attempts == 1:
        return log
    faults: list[str] = []
    number, ms = 1, log.result.ms
    while log.result.status == "failed" and number < action.terms.attempts and await _wait(action, may_go_on):
        faults.append(str(log.result.error))
        log, number = answer_question(action, await attempt()), number + 1
        ms += log.result.ms
    told = {"attempts": number, **({"earlier": faults[-_MOST_FAULTS:]} if faults else {})}
    log = add_evidence(log, told)
    return replace(log, result=replace(log.result, ms=round(ms, 3)))


async def _wait(action: PlannedAction, may_go_on: Callable[[], bool]) -> bool:
    if not may_go_on():
        return False
    try:
        await asyncio.sleep(action.terms.wait_s)
    except asyncio.CancelledError:
        return False
    return may_go_on()


CONDITIONS = "conditions"
"""Key of a receipt's evidence for what decided that its step was needed, or wasn't."""

_LONGEST = 80
_UNMET = "expectation_failed"
_Outputs = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a step is needed (else what it lacks), and the JSON-compatible evidence, empty where nothing had to be decided."""

    lack: ErrorInfo | None = None
    evidence: Mapping[str, Any] | None = None


def decide_need(action: PlannedAction, outputs: _Outputs, left_out: Mapping[str, str]) -> Decision:
    """Return whether a step is needed, with what steps, by goal id, were not needed.

    Raises:
        GoalError: If a condition looks at what isn't there, or compares what can't be compared.
    """
    return _decide(action.terms.conditions, _list_wanted(action), outputs, left_out)


def decide_loop(loop: RowLoop, outputs: _Outputs, left_out: Mapping[str, str]) -> Decision:
    """Return whether any round of a loop is needed; the arguments and errors are those of ``decide_need``."""
    return _decide(loop.conditions, (each.goal_id for each in loop.references), outputs, left_out)


def _decide(
    conditions: Sequence[StepCondition], wanted: Iterable[str], outputs: _Outputs, left_out: Mapping[str, str]
) -> Decision:
    if lacking := next((left_out[each] for each in wanted if each in left_out), ""):
        return Decision(ErrorInfo(NOT_NEEDED, f"Not needed: it belongs to “{lacking}”, which was not needed."))
    found = [_judge(each, outputs) for each in conditions]
    if not found:
        return Decision()
    evidence = {CONDITIONS: [told for _, told in found]}
    unmet = next((told for holds, told in found if not holds), None)
    if unmet is None:
        return Decision(None, evidence)
    text = f"Not needed: {unmet['why']}."
    return Decision(ErrorInfo(NOT_NEEDED, text, evidence=evidence), evidence)


def answer_question(action: PlannedAction, log: StepLog) -> StepLog:
    """Return the receipt of a step that only asks: that something isn't as expected is its answer."""
    error = log.result.error
    is_answered = log.result.status == "ok" or (error is not None and error.code == _UNMET)
    if not action.terms.is_question or not is_answered:
        return log
    holds = log.result.status == "ok"
    told = f"asked whether this holds ({log.description[:1].lower()}{log.description[1:]}): {'yes' if holds else 'no'}"
    why = {"found": error.message} if error else {}
    evidence = {**log.result.evidence, **why, HOLDS: holds}
    result = replace(log.result, status="ok", error=None, effect="none", evidence=evidence, output={HOLDS: holds})
    return replace(log, result=result, summary=told)


def add_evidence(log: StepLog, evidence: Mapping[str, Any] | None) -> StepLog:
    """Return a receipt with more evidence, where there is more."""
    return replace(log, result=replace(log.result, evidence={**log.result.evidence, **evidence})) if evidence else log


def log_not_needed(action: PlannedAction, decision: Decision) -> StepLog:
    """Return the receipt of a step that was not needed."""
    result = ToolResult("skipped", error=decision.lack, evidence=decision.evidence or {})
    return StepLog(action.action_id, action.goal_id, action.name, action.description, result)


def _list_wanted(action: PlannedAction) -> Iterator[str]:
    yield from (each for each in (action.terms.only_with,) if each)
    yield from (each.goal_id for each in find_references(action.args))
    yield from (each.goal_id for each in action.terms.references)


def _judge(condition: StepCondition, outputs: _Outputs) -> tuple[bool, dict[str, Any]]:
    told = f"{'unless' if condition.unless else 'if'} {tell_condition(condition)}"
    value = _bind(condition, outputs)
    wanted = bind_value(condition.wanted, outputs)
    holds = _compare(condition, value, wanted) is not condition.unless
    return holds, {"told": told, "value": to_data(value), "holds": holds, "why": _explain(condition, value)}


def _explain(condition: StepCondition, value: Any) -> str:
    if isinstance(condition.value, Reference) and condition.value.key == HOLDS:
        return f"what was asked before {'holds' if value else 'does not hold'}"
    found = cut_text(fold_text(tell_value(value, as_words=True)), _LONGEST)
    return f"{tell_condition(condition)} was asked, and it is {found}"


def _bind(condition: StepCondition, outputs: _Outputs) -> Any:
    try:
        return bind_value(condition.value, outputs)
    except GoalError as error:
        if condition.comparison == "empty" and error.code == "reference_missing":
            return None
        raise


def _compare(condition: StepCondition, value: Any, wanted: Any) -> bool:
    match condition.comparison:
        case "is":
            return _equals(value, wanted)
        case "is_not":
            return not _equals(value, wanted)
        case "contains":
            return _contains(value, wanted)
        case "empty":
            return (value is None or (hasattr(value, "__len__") and not len(value))) is wanted
        case "above" | "below":
            return _rank(condition, value, wanted)


def _equals(value: Any, wanted: Any) -> bool:
    return isinstance(value, bool) is isinstance(wanted, bool) and value == wanted


def _contains(value: Any, wanted: Any) -> bool:
    if isinstance(value, str):
        return str(wanted) in value
    if isinstance(value, list | tuple):
        return any(_equals(each, wanted) for each in value)
    return isinstance(value, Mapping) and wanted in value


def _rank(condition: StepCondition, value: Any, wanted: Any) -> bool:
    numbers = [each for each in (value, wanted) if isinstance(each, int | float) and not isinstance(each, bool)]
    if len(numbers) < 2:
        what = value if not isinstance(value, int | float) or isinstance(value, bool) else wanted
        text = f"{condition.value} can't be compared: {str(what)[:80]!r} is not a number."
        raise GoalError(text, code="not_comparable", hint="Read it as a number, such as with type: number in a field.")
    return value > wanted if condition.comparison == "above" else value < wanted
