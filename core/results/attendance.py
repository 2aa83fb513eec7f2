"""What is done around an act: what it holds alone on this machine, and what is watched meanwhile.

A toolset attends to its calls (``core.tools.ports.Toolset.attend``); what it notes then is told in the receipt, however the act ends.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.base.phrases import cut_text, fold_text, join_phrases, quote_text
from core.results.tool_results import ToolResult

ENDED = "ended"
"""Key of the programs that ended during an act: each with ``program``, ``pid`` and ``windows``, its titles."""

_LONGEST = 80


def add_notes(result: ToolResult, notes: Mapping[str, Any]) -> ToolResult:
    """Return a receipt with what was noted around the act; it says which programs ended, and a failure's error says so, too.

    Args:
        result: The receipt.
        notes: What was noted.
    """
    if not notes:
        return result
    told, error = tell_ended(notes.get(ENDED, ())), result.error
    if error and told:
        error = replace(error, message=f"{error.message} {told}")
    return replace(result, evidence={**result.evidence, **notes}, error=error, note=told)


def tell_ended(ended: Sequence[Mapping[str, Any]]) -> str:
    """Return a sentence about the programs that ended; empty where none did."""
    told = [_name(each) for each in ended]
    return f"{join_phrases(told)} ended during this step." if told else ""


def _name(ended: Mapping[str, Any]) -> str:
    titles = [quote_text(str(each), _LONGEST) for each in ended.get("windows", ()) if each]
    program = cut_text(fold_text(str(ended.get("program", "A program"))), _LONGEST)
    return f"{program} (window {', '.join(titles)})" if titles else program
