"""`surehand interpret`: which goals a sentence means."""

import json
import sys
from typing import Any

from agent.cli.exits import BAD_INPUT, SUCCEEDED
from core.language.interpretation import Interpretation
from core.language.interpreter import GrammarInterpreter
from core.records import to_data


def interpret_text(text: str, *, explain: bool) -> int:
    """Print the goals of one sentence, or the refusal; return the exit code."""
    interpretation = GrammarInterpreter().interpret(text)
    shown = _describe(interpretation)
    if explain:
        shown["clauses"] = to_data(interpretation.clauses)
    sys.stdout.write(json.dumps(shown, ensure_ascii=False, indent=2) + "\n")
    return BAD_INPUT if interpretation.refusal else SUCCEEDED


def interpret_lines() -> int:
    """Answer every line ``{"id", "text"}`` of stdin with ``{"id", "goals", "refusal"}``; return the exit code."""
    interpreter = GrammarInterpreter()
    for number, line in enumerate(sys.stdin, start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            text, identifier = entry["text"], entry.get("id")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            sys.stderr.write(f'error (bad_input): line {number} is no {{"id", "text"}}: {error}\n')
            return BAD_INPUT
        answer = {"id": identifier, **_describe(interpreter.interpret(str(text)))}
        sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
        sys.stdout.flush()
    return SUCCEEDED


def _describe(interpretation: Interpretation) -> dict[str, Any]:
    goals = interpretation.meta_goal.goals if interpretation.meta_goal else ()
    return {
        "goals": [
            {"domain": goal.domain, "verb": goal.verb, "params": to_data(goal.params), "scope": goal.scope}
            for goal in goals
        ],
        "refusal": to_data(interpretation.refusal) if interpretation.refusal else None,
    }
