"""RunRecorder: the events of one run in order, and the RunResult that they add up to."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agent.models.guarding import ModelExchange
from agent.requests.plan_views import describe_graph, digest_plan
from agent.sessions.asked_approvals import RequiredApprovals, describe_approval
from agent.telemetry.observing import UNOBSERVED, RunObserver
from core.approvals.approvals import ApprovalRequest
from core.base.errors import ErrorInfo
from core.base.phrases import join_phrases
from core.base.scope_paths import ScopePath, begin_scope
from core.base.shortages import explain_system_error
from core.execution.run_context import RunHooks
from core.goals.secret_values import NO_VAULT, Vault
from core.planning.graph import PlanGraph
from core.planning.plans import PlannedAction
from core.results.events import Accepted, Emit, Event, Final, Intervened, Question, Rejected, Say, Step
from core.results.provenance import MODEL, Origin
from core.results.records import to_data
from core.results.replies import compose_refusal, compose_reply, judge_outcome
from core.results.tool_results import RunOutcome, RunResult, StepLog, ToolCall

_OURS = "surehand"
_NO_SESSION = "none"
_TARGET_PARAMS = ("url", "selector", "path", "name", "source", "destination", "tab", "query", "app", "window", "device")


class RunRecorder:
    """Writes down what happens in a run and tells it to whoever listens."""

    def __init__(
        self,
        scope: ScopePath,
        emit: Emit | None,
        vault: Vault = NO_VAULT,
        observer: RunObserver = UNOBSERVED,
    ) -> None:
        self.scope = scope
        self.run_id = scope.read_level("run")
        self._emit = emit
        self._vault = vault
        self._observer = observer
        self._began = time.perf_counter()
        self._seq = 0
        self._transcript: list[Mapping[str, Any]] = []
        self._approvals = RequiredApprovals()
        self._changes: tuple[Mapping[str, Any], ...] = ()
        self.listener_fault: Exception | None = None
        self._has_ended = False
        self._plan_digest = ""
        self.planner: Mapping[str, Any] = {}

    @property
    def hooks(self) -> RunHooks:
        """What is told to the recorder while the run goes on."""
        return RunHooks(on_start=self.start, on_end=self.end, on_question=self.ask, on_extend=self.extend)

    def accept(self, graph: PlanGraph) -> None:
        """Tell that the request was planned."""
        plan_digest = self._plan_digest = digest_plan(graph)
        self.extend(graph)
        self._observer.accept(graph, plan_digest)
        self._note("plan", "; ".join(action.description for action in graph.nodes.values()))

    def extend(self, graph: PlanGraph) -> None:
        """Tell the plan again, once it has more steps: the rounds of a loop whose rows were read, or what a planner wants done."""
        plan = describe_graph(graph) if self._emit else {}
        self._tell(Accepted, plan=plan, plan_digest=self._plan_digest)

    def relay(self, event: Event) -> None:
        """Tell an event of the planner that the run carries out, as one of the run's own."""
        if self._emit:
            self._emit(replace(event, seq=self._seq, at_ms=self._elapsed_ms()))
        self._seq += 1

    def expect(self, changes: Sequence[Mapping[str, Any]]) -> None:
        """Write down what the plan would change, behind what a step before would."""
        self._changes = (*self._changes, *changes)

    def require(self, requests: Iterable[ApprovalRequest]) -> None:
        """Write down what will have to be asked."""
        self._approvals.expect(requests)

    def hear(self, text: str) -> None:
        """Write down what the person said."""
        self._note("person", text, "the person")

    def note_exchange(self, exchange: ModelExchange) -> None:
        """Write down what left to a model, and what came back."""
        self._note("model", exchange.summarise(), str(Origin(MODEL, exchange.model)))

    def start(self, action: PlannedAction) -> None:
        """Tell that an action started."""
        scope = str(self.scope.child(action.goal_id))
        self._tell(Step, action_id=action.action_id, status="started", description=action.description, scope=scope)
        self._observer.start(action)

    def end(self, log: StepLog) -> None:
        """Tell that an action ended."""
        self._observer.end(log)
        result = log.result
        self._tell(
            Step,
            action_id=log.action_id,
            status=result.status,
            scope=log.scope,
            description=log.description,
            effect=result.effect,
            output=result.output,
            evidence=result.evidence,
            error=result.error,
            ms=result.ms,
        )
        text = f"{log.description}: {result.status}{f' ({result.error})' if result.error else ''}"
        self._note("step", text, join_phrases([str(origin) for origin in log.origins]) or _OURS, log.scope)

    def ask(self, request: ApprovalRequest, answer: bool | None) -> None:  # noqa: FBT001 -- told as a callback
        """Tell that an approval was asked for (answer None), or write down the answer."""
        self._observer.ask(request, answer=answer)
        if answer is None:
            self._tell(Question, **describe_approval(request))
            return
        self._approvals.note(request, answer=answer)
        self._note("approval", f"{request.text}: {'yes' if answer else 'no'}")

    def intervene(self, *, held: bool, deeds: Sequence[str] = ()) -> None:
        """Tell that a person has the pages from now on, or what they did before they gave them back; not of a run that ended."""
        if self._has_ended:
            return
        self._tell(Intervened, held=held, deeds=tuple(deeds))
        told = f"gave the pages back: {join_phrases(list(deeds)) or 'did nothing'}"
        self._note("person", "took the pages over" if held else told, "the person")

    def finish(
        self,
        graph: PlanGraph,
        logs: Sequence[StepLog],
        diagnostics: Sequence[str],
        planning_ms: float = 0.0,
        *,
        is_planners: bool = False,
    ) -> RunResult:
        """Tell the reply and the end, those of a planner where it had everything done, and return the result."""
        outcome: RunOutcome = self.planner["outcome"] if is_planners else judge_outcome(logs)
        reply = _tell_planner(self.planner) if is_planners else compose_reply(logs, outcome)
        diagnostics = [
            *diagnostics,
            *(f"{log.action_id}: dropped {', '.join(log.dropped)}" for log in logs if log.dropped),
            *(f"{log.action_id}: {log.result.note}" for log in logs if log.result.note),
        ]
        result = RunResult(
            run_id=self.run_id,
            outcome=outcome,
            reply=self._say(reply),
            step_logs=tuple(logs),
            intermediate_results={log.action_id: log.result.output for log in logs if log.result.output},
            tool_calls=tuple(_list_calls(logs)),
            diff_preview=self._changes,
            required_approvals=self._approvals.list(),
            artifacts=tuple(path for log in logs for path in log.result.artifacts),
            transcript=tuple(self._transcript),
            metrics=_count(logs, planning_ms, self._elapsed_ms()),
            diagnostics=tuple(diagnostics),
            errors=() if logs else tuple(self.planner.get("errors", ())),
            trace_id=self._observer.trace_id,
            scope=str(self.scope),
            planner=self.planner,
        )
        result = self._vault.redact(result)
        self._tell_final(result, graph)
        self._observer.finish(result)
        return result

    def refuse(self, errors: Sequence[ErrorInfo], question: str, outcome: RunOutcome = "failed") -> RunResult:
        """Tell that nothing was executed, and why; return the result."""
        self._tell(Rejected, errors=tuple(errors), question=question)
        if question:
            missing = any(error.code == "missing_slot" for error in errors)
            self._tell(Question, kind="slot" if missing else "disambiguate", prompt=question)
        reply = self._say(question or compose_refusal(errors))
        metrics = {"actions": 0.0, "run_ms": self._elapsed_ms()}
        result = RunResult(
            run_id=self.run_id,
            outcome=outcome,
            reply=reply,
            diff_preview=self._changes,
            required_approvals=self._approvals.list(),
            transcript=tuple(self._transcript),
            metrics=metrics,
            errors=tuple(errors),
            question=question,
            trace_id=self._observer.trace_id,
            scope=str(self.scope),
            planner=self.planner,
        )
        self._tell(
            Final,
            outcome=outcome,
            reply=reply,
            diff_preview=result.diff_preview,
            required_approvals=result.required_approvals,
            expects_reply=bool(question),
        )
        result = self._vault.redact(result)
        self._observer.finish(result)
        return result

    def show(self, graph: PlanGraph, diagnostics: Sequence[str], planning_ms: float) -> RunResult:
        """Return the result of a request that was only to be planned."""
        count = len(graph.nodes)
        reply = self._say(f"{count} {'step' if count == 1 else 'steps'} planned; nothing was done.")
        result = RunResult(
            run_id=self.run_id,
            outcome="success",
            reply=reply,
            diff_preview=self._changes,
            required_approvals=self._approvals.list(),
            transcript=tuple(self._transcript),
            metrics={"actions": float(count), "planning_ms": planning_ms},
            diagnostics=tuple(diagnostics),
            scope=str(self.scope),
        )
        result = self._vault.redact(result)
        self._tell_final(result, graph)
        return result

    def _tell_final(self, result: RunResult, graph: PlanGraph) -> None:
        self._tell(
            Final,
            outcome=result.outcome,
            reply=result.reply,
            steps=tuple(to_data(log) for log in result.step_logs if self._emit),
            diff_preview=result.diff_preview,
            required_approvals=result.required_approvals,
            targets=_list_targets(graph),
        )

    def _say(self, text: str) -> str:
        self._tell(Say, text=text)
        self._note("reply", text)
        return text

    def _tell(self, make: Callable[..., Event], **parts: Any) -> None:
        if self._emit:
            told = self._vault.redact(parts)
            ids = {"run_id": self.run_id, "scope": str(self.scope)}
            event = make(**{**ids, "seq": self._seq, "at_ms": self._elapsed_ms(), **told})
            try:
                self._emit(event)
            except Exception as error:
                self.listener_fault = error
                raise
        self._seq += 1
        self._has_ended |= make is Final

    def _note(self, kind: str, text: str, origin: str = _OURS, scope: str = "") -> None:
        where = scope or str(self.scope)
        line = {"at_ms": self._elapsed_ms(), "kind": kind, "text": text, "origin": origin, "scope": where}
        self._transcript.append(line)

    def _elapsed_ms(self) -> float:
        return round((time.perf_counter() - self._began) * 1000, 3)


def refuse_by_system(recorder: RunRecorder, error: OSError) -> RunResult:
    """Tell that the system refused what a run needs.

    Raises:
        OSError: The same, if it is the listener's own: that is for whoever gave the listener.
    """
    if error is recorder.listener_fault:
        raise error
    return recorder.refuse((explain_system_error(error),), "")


def scope_unplanned(run_id: str) -> ScopePath:
    """Return the scope of a run that no session ever began, such as one that is refused at the door.

    Args:
        run_id: The run; empty where there is not even that.
    """
    session = begin_scope().child(_NO_SESSION)
    return session.child(run_id) if run_id else session


def _tell_planner(told: Mapping[str, Any]) -> str:
    errors: Sequence[ErrorInfo] = told["errors"]
    name, why = told["name"], f": {errors[0].message}" if errors else "."
    return {
        "success": f"The planner “{name}” is done.",
        "partial": f"The planner “{name}” did only a part of it{why}",
        "cancelled": f"The planner “{name}” was stopped.",
    }.get(told["outcome"], f"The planner “{name}” failed{why}")


def _list_calls(logs: Sequence[StepLog]) -> list[ToolCall]:
    called = sorted((log for log in logs if log.tool), key=lambda log: log.result.started_ms)
    return [ToolCall(log.tool, log.args, log.scope) for log in called]


def _list_targets(graph: PlanGraph) -> tuple[str, ...]:
    values = (action.args.get(name) for action in graph.nodes.values() for name in _TARGET_PARAMS)
    single = (each for value in values for each in (value if isinstance(value, tuple) else (value,)))
    return tuple(dict.fromkeys(each for each in single if isinstance(each, str)))


def _count(logs: Sequence[StepLog], planning_ms: float, run_ms: float) -> dict[str, float]:
    counts = {"actions": float(len(logs)), "planning_ms": planning_ms, "run_ms": run_ms}
    for status in ("ok", "failed", "refused", "skipped", "cancelled"):
        counts[status] = float(sum(log.result.status == status for log in logs))
    return counts
