"""`surehand interpret`: which goals a sentence means."""

import json
import sys
from typing import Any

from agent.cli.exits import BAD_INPUT, SUCCEEDED
from agent.cli.output import write_error, write_json
from core.errors import ErrorInfo
from core.language.interpretation import Interpretation
from core.language.interpreter import GrammarInterpreter
from core.params import shorten
from core.records import to_data


def interpret_text(text: str, *, explain: bool) -> int:
    """Print the goals of one sentence, or the refusal; return the exit code."""
    interpretation = GrammarInterpreter().interpret(text)
    shown = _describe(interpretation)
    if explain:
        shown["clauses"] = to_data(interpretation.clauses)
    write_json(shown)
    return BAD_INPUT if interpretation.refusal else SUCCEEDED


def refuse_both() -> int:
    """Say that --jsonl stands alone; return the exit code."""
    text = "--jsonl reads its sentences from stdin, and takes neither a sentence nor --explain."
    write_error(ErrorInfo("bad_input", text))
    return BAD_INPUT


def interpret_lines() -> int:
    """Answer every line ``{"id", "text"}`` of stdin with ``{"id", "goals", "refusal"}``.

    Returns:
        The exit code: 2 if a line was no such mapping; it is answered with a refusal, and the others are answered.
    """
    interpreter = GrammarInterpreter()
    code = SUCCEEDED
    for number, line in enumerate(sys.stdin.buffer, start=1):
        if not line.strip():
            continue
        identifier, text, fault = _read_line(line)
        if fault:
            code = BAD_INPUT
            message = f'Line {number} is no {{"id", "text"}}: {fault}.'
            write_error(ErrorInfo("bad_input", message))
            answer: dict[str, Any] = {"goals": [], "refusal": {"code": "bad_input", "message": message}}
        else:
            answer = _describe(interpreter.interpret(text))
        write_json({"id": identifier, **answer}, indent=None)
    return code


def _read_line(line: bytes) -> tuple[Any, str, str]:
    """Return the id and the text of a line, and what is wrong with it."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError) as error:
        return None, "", f"it can't be read as JSON ({error})"
    if not isinstance(entry, dict):
        return None, "", "it is no mapping"
    text = entry.get("text")
    fault = "" if isinstance(text, str) else f"its text is {shorten(text)}"
    return entry.get("id"), text if isinstance(text, str) else "", fault


def _describe(interpretation: Interpretation) -> dict[str, Any]:
    goals = interpretation.meta_goal.goals if interpretation.meta_goal else ()
    return {
        "goals": [
            {"domain": goal.domain, "verb": goal.verb, "params": to_data(goal.params), "scope": goal.scope}
            for goal in goals
        ],
        "refusal": to_data(interpretation.refusal) if interpretation.refusal else None,
    }
