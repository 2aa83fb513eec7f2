"""What came of a call, as MCP tells it: short data, and the same in words for models that read only those."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from mcp_types import CallToolResult, ContentBlock, TextContent

from agent.service.hearing import tell_question
from agent.service.orders import OpenQuestion, RunRecord
from core.base.errors import SurehandError
from core.results.provenance import Origin
from core.results.records import to_data

_LONGEST_TEXT: Final = 4_000
_MOST_ENTRIES: Final = 40
_MOST_STEPS: Final = 60


def give(told: Mapping[str, Any], words: str, more: Sequence[ContentBlock] = ()) -> CallToolResult:
    """Return data and words as a result.

    Args:
        told: The data; its ``status`` says whether it is an error.
    """
    content: list[ContentBlock] = [TextContent(type="text", text=words), *more]
    return CallToolResult(content=content, structured_content=dict(told), is_error=told["status"] == "failed")


def tell_run(record: RunRecord) -> dict[str, Any]:
    """Return what is told of a run."""
    steps = [_tell_step(log) for log in record.get("step_logs", ())]
    told: dict[str, Any] = {
        "status": record["outcome"] if record["status"] == "ended" else "running",
        "run_id": record["run_id"],
        "session": record["session"],
        "reply": record["reply"] or "It is still running.",
    }
    if steps:
        told["steps"] = steps[:_MOST_STEPS]
    if made := record.get("planner", {}).get("artifacts"):
        told["made"] = made
    if errors := [_tell_error(each) for each in record.get("errors", ())]:
        told["errors"] = errors
    return told


def tell_plan(planned: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is told of a plan: its steps in order, which of them ask a person, and what would change."""
    nodes = planned["plan"]["nodes"]
    steps = [
        {"does": node["description"], "status": "asks a person" if node["approval"] != "none" else "planned"}
        for node in nodes
    ]
    asking = sum(node["approval"] != "none" for node in nodes)
    count = f"{len(nodes)} {'step' if len(nodes) == 1 else 'steps'}"
    reply = f"{count}, of which {asking} {'asks' if asking == 1 else 'ask'} a person." if asking else f"{count}."
    told: dict[str, Any] = {"status": "success", "reply": reply, "steps": steps}
    if planned["diff_preview"]:
        told["changes"] = _cut(planned["diff_preview"])
    return told


def ask(told: Mapping[str, Any], question: OpenQuestion) -> dict[str, Any]:
    """Return what is told where something is asked."""
    asked: dict[str, Any] = {"question_id": question.question_id, "kind": question.kind, "prompt": question.prompt}
    if question.choices:
        asked["choices"] = list(question.choices)
    needs_person = question.kind == "confirm"
    return {
        **told,
        "status": "needs_answer",
        "reply": tell_question(question),
        "question": {**asked, "by": "a person" if needs_person else "answer"},
    }


def tell_words(told: Mapping[str, Any]) -> str:
    """Return in words what is told of a run: the reply, a line for each step, and how to go on."""
    lines = [told["reply"], *(_write_step(number, step) for number, step in enumerate(told.get("steps", ()), start=1))]
    if question := told.get("question"):
        way = "" if question["kind"] == "confirm" else " Answer it with the tool answer."
        lines.append(f"Question {question['question_id']} is open.{way}")
    if told["status"] == "running":
        lines.append("Ask for it with the tool status.")
    if run_id := told.get("run_id"):
        lines.append(f"run_id: {run_id}")
    return "\n".join(lines)


def tell_error(error: SurehandError) -> CallToolResult:
    """Return an error of ours as a result that a model can read and mend."""
    info = error.info()
    told = {"status": "failed", "reply": str(info), "errors": [_tell_error(to_data(info))]}
    return give(told, f"{info.message}\n{info.hint}".strip())


def is_cut(told: Mapping[str, Any]) -> bool:
    """Tell whether something of a run was left out, so that it is worth reading whole."""
    return any(step.get("cut") for step in told.get("steps", ()))


def _tell_error(error: Mapping[str, Any]) -> dict[str, Any]:
    return {name: error[name] for name in ("code", "message", "hint") if error.get(name)}


def _tell_step(log: Mapping[str, Any]) -> dict[str, Any]:
    result = log["result"]
    step: dict[str, Any] = {"does": log["description"], "status": result["status"]}
    if result["effect"] != "none":
        step["effect"] = result["effect"]
    if result["status"] == "ok" and result["output"]:
        step["gave"] = _cut(result["output"])
        if step["gave"] != result["output"]:
            step["cut"] = True
        if log.get("origins"):
            step["from"] = [str(Origin(each["kind"], each.get("place", ""))) for each in log["origins"]]
    if result.get("error"):
        step["error"] = _tell_error(result["error"])
    return step


def _write_step(number: int, step: Mapping[str, Any]) -> str:
    line = f"{number} {step['status']}: {step['does']}"
    if effect := step.get("effect"):
        line += f" ({effect})"
    if error := step.get("error"):
        line += f". {error['message']} {error.get('hint', '')}".rstrip()
    if "gave" in step:
        source = f" read from {', '.join(step['from'])}" if step.get("from") else ""
        line += f"\n  gave{source}: {json.dumps(step['gave'], ensure_ascii=False)}"
    return line


def _cut(value: Any) -> Any:
    """Return a value of which no text and no list is longer than a model should be given unasked."""
    if isinstance(value, str) and len(value) > _LONGEST_TEXT:
        return f"{value[:_LONGEST_TEXT]}… ({len(value) - _LONGEST_TEXT:,} more characters)"
    if isinstance(value, Mapping):
        return {str(key): _cut(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        shown = [_cut(each) for each in value[:_MOST_ENTRIES]]
        left = len(value) - len(shown)
        return [*shown, f"… ({left:,} more)"] if left else shown
    return value
