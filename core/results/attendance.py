"""What is done around an act: what it holds alone on this machine, and what is watched meanwhile.

A toolset attends to its calls (``core.tools.ports.Toolset.attend``); what it notes then is told in the receipt, however the act ends.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from core.base.phrases import cut_text, fold_text, join_phrases, quote_text

if TYPE_CHECKING:
    from core.results.tool_results import ToolResult

ENDED = "ended"
"""Key of the programs that ended during an act: each with ``program``, ``pid`` and ``windows``, its titles."""

INCOMPLETE = "incomplete"
"""Key of what policy kept a page from loading: ``stopped``, how many requests, and ``hosts``, whose."""

UNSENT = "unsent"
"""Key of the button that sends what was entered, where a plan ends without pressing it: its name."""

FAILED = "failed_requests"
"""Key of what an act asked a server for and was refused: each with ``url`` and ``status``, 0 where no answer came."""

SAID = "page_says"
"""Key of what the page says then where it speaks to people, such as an alert."""

_MOST_DIALOGS = 5
_SENT = frozenset({"submitted", "submitted_with", "navigated_to"})
_LONGEST = 80
_MOST_HOSTS = 3


def add_notes(result: "ToolResult", notes: Mapping[str, Any]) -> "ToolResult":
    """Return a receipt with what was noted around the act, and with sentences about it; a failure's error says them, too."""
    if _SENT & result.evidence.keys():
        notes = {key: value for key, value in notes.items() if key != UNSENT}
    dialogs = list_dialogs(result.error.evidence) if result.error else []
    if not notes and not dialogs:
        return result
    sentences = (
        tell_ended(notes.get(ENDED, ())),
        tell_incomplete(notes.get(INCOMPLETE, {})),
        tell_unsent(str(notes.get(UNSENT, ""))),
        tell_failed(notes.get(FAILED, ()), str(notes.get(SAID, ""))),
    )
    told, error = " ".join(filter(None, sentences)), result.error
    if error and (told or dialogs):
        error = replace(error, message=" ".join(filter(None, (error.message, *dialogs, told))))
    return replace(result, evidence={**result.evidence, **notes}, error=error, note=told)


def list_dialogs(evidence: Mapping[str, Any]) -> list[str]:
    """Return a sentence about each dialog of a page's script that was answered since the step before: what it said, and the answer."""
    # A step that answers one tells of it itself.
    parts = (evidence.get("since_last_action"), {"dialogs": [evidence]}, evidence)
    lists = [part.get("dialogs") for part in parts if isinstance(part, Mapping)]
    found = [each for some in lists if isinstance(some, list | tuple) for each in some if isinstance(each, Mapping)]
    answered = [each for each in found if {"kind", "message"} <= each.keys() and str(each.get("answer")) in _ANSWERS]
    told = [_tell_dialog(each) for each in answered]
    others = len(told) - _MOST_DIALOGS
    more = [f"There {'was one more dialog' if others == 1 else f'were {others} more dialogs'}."] if others > 0 else []
    return told[:_MOST_DIALOGS] + more


_ANSWERS = {"accept": "OK", "dismiss": "Cancel"}


def _tell_dialog(dialog: Mapping[str, Any]) -> str:
    answer, said = dialog["answer"], quote_text(fold_text(str(dialog["message"])), _LONGEST)
    match dialog["kind"]:
        case "beforeunload":
            return f"The page asked whether to leave it, and the answer was to {'leave' if answer == 'accept' else 'stay'}."
        case "alert":
            return f"The page said {said}, and OK was pressed."
        case "prompt":
            return f"The page asked for a text, {said}, and {_ANSWERS[answer]} was pressed."
        case _:
            return f"The page asked {said}, and {_ANSWERS[answer]} was pressed."


def tell_ended(ended: Sequence[Mapping[str, Any]]) -> str:
    """Return a sentence about the programs that ended; empty where none did."""
    told = [_name(each) for each in ended]
    return f"{join_phrases(told)} ended during this step." if told else ""


def tell_incomplete(incomplete: Mapping[str, Any]) -> str:
    """Return a sentence about what a page is lacking; empty where nothing was kept from it."""
    stopped, hosts = incomplete.get("stopped", 0), [str(each) for each in incomplete.get("hosts", ())]
    if not stopped:
        return ""
    named = [cut_text(fold_text(each), _LONGEST) for each in hosts[:_MOST_HOSTS]]
    more = ["others"] if len(hosts) > _MOST_HOSTS else []
    requests = "1 request" if stopped == 1 else f"{stopped} requests"
    return f"The page is incomplete: policy stopped {requests} to {join_phrases(named + more)}."


def tell_unsent(button: str) -> str:
    """Return a sentence about what was entered and not sent; empty where no button sends it."""
    return f"{quote_text(button, _LONGEST)} was not pressed." if button else ""


def tell_failed(failed: Sequence[Mapping[str, Any]], said: str) -> str:
    """Return a sentence about a request that was refused, and what the page says of it; empty where it says nothing."""
    if not failed or not said:
        return ""
    status = failed[0]["status"]
    how = f"was answered with status {status}" if status else "got no answer"
    return f"A request of this step {how}, and the page says {quote_text(fold_text(said), _LONGEST)}."


def _name(ended: Mapping[str, Any]) -> str:
    titles = [quote_text(str(each), _LONGEST) for each in ended.get("windows", ()) if each]
    program = cut_text(fold_text(str(ended.get("program", "A program"))), _LONGEST)
    return f"{program} (window {', '.join(titles)})" if titles else program
