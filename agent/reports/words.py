"""How a report tells states, times, sizes and texts."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from agent.reports.results import StepLine, take_map
from core.base.phrases import cut_text, escape_text
from core.results.attendance import list_dialogs

Look = Literal["planned", "confirmed", "done", "read", "failed", "refused", "skipped", "left", "cancelled", "unknown"]
Shown = Literal["done", "unsure", "trouble", "skipped"]

LOOK_NAMES: Mapping[Look, str] = {
    "planned": "Not reached",
    "confirmed": "Confirmed",
    "done": "Done, not read back",
    "read": "Read",
    "failed": "Failed",
    "refused": "Refused",
    "skipped": "Skipped",
    "left": "Not needed",
    "cancelled": "Stopped",
    "unknown": "Outcome unknown",
}
SHOWN: Mapping[Look, Shown] = {
    "confirmed": "done",
    "read": "done",
    "done": "unsure",
    "failed": "trouble",
    "refused": "trouble",
    "cancelled": "trouble",
    "unknown": "trouble",
    "planned": "skipped",
    "skipped": "skipped",
    "left": "skipped",
}
"""Under which of the choices of a report steps of a look are shown."""

RUN_LOOKS: Mapping[str, tuple[str, str]] = {
    "success": ("confirmed", "Done"),
    "partial": ("partial", "Partly done"),
    "failed": ("failed", "Failed"),
    "cancelled": ("cancelled", "Stopped"),
    "interrupted": ("unknown", "Cut short"),
    "running": ("planned", "Running"),
}
FLOW_LOOKS: Mapping[str, tuple[str, str]] = {
    "passed": ("confirmed", "Passed"),
    "flaky": ("unknown", "Flaky"),
    "failed": ("failed", "Failed"),
    "error": ("refused", "Not run"),
    "skipped": ("skipped", "Skipped"),
}

_UNKNOWN = frozenset(["outcome_unknown", "unknown_outcome"])
_NOT_WANTED = frozenset(["not_needed", "not_selected"])
_BY_EFFECT: Mapping[str, Look] = {"confirmed": "confirmed", "unverified": "done"}
_KB = 1024
_SECOND_MS = 999.5
"""From here on milliseconds round to a second."""
_ONE_LINE = 100


def find_look(line: StepLine) -> Look:
    """Return how a step looks: by its status, by whether it was read back, and by why it failed."""
    if line.code in _UNKNOWN:
        return "unknown"
    if line.status == "ok":
        return _BY_EFFECT.get(line.effect, "read")
    if line.status == "skipped" and line.code in _NOT_WANTED:
        return "left"
    known: Mapping[str, Look] = {each: each for each in ("planned", "refused", "skipped", "cancelled")}
    return known.get(line.status, "failed")


def tell_ms(ms: float) -> str:
    """Return the duration of a step, such as ``148 ms``, ``1.8 s`` and ``3 min 5 s``."""
    return "< 1 ms" if ms < 1 else tell_duration(ms)


def tell_duration(ms: float) -> str:
    """Return a duration in milliseconds: ``0 ms``, ``1.8 s``, ``2 min 5 s``."""
    if ms < _SECOND_MS:
        return f"{ms:.0f} ms"
    seconds = round(ms / 1000, 1)
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"


def tell_size(size_bytes: int) -> str:
    """Return a size, such as ``12 KB``."""
    if size_bytes < _KB:
        return f"{size_bytes} B"
    if size_bytes < _KB * _KB:
        return f"{size_bytes / _KB:.0f} KB"
    return f"{size_bytes / _KB / _KB:.1f} MB"


def tell_moment(moment: object) -> str:
    """Return a moment in UTC, such as ``24 November 2026, 10:20:26 UTC``; as it is where it is none."""
    text = str(moment or "")
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return text
    return f"{at.day} {at:%B %Y, %H:%M:%S} UTC"


def count_of(number: int, what: str) -> str:
    """Return a count: ``1 step``, ``2 steps``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def clean_text(text: str) -> str:
    """Return a text in which whatever can't be seen stands as an escape; its lines stay lines."""
    return "\n".join(map(escape_text, text.replace("\r\n", "\n").split("\n")))


def tell_data(value: Any, limit: int) -> str:
    """Return a value of a receipt for people: texts as they are, everything else as JSON; only the beginning of a long one."""
    if isinstance(value, str):
        told = value
    elif isinstance(value, bool):
        told = "yes" if value else "no"
    else:
        told = _tell_parts(value)
    return cut_text(told, limit)


def _tell_parts(value: Any) -> str:
    """Return a list of plain values as words in a row, and everything else as JSON: in one line where that isn't long."""
    if isinstance(value, list) and all(isinstance(each, str | int | float) for each in value):
        return ", ".join(str(each) for each in value)
    told = json.dumps(value, ensure_ascii=False)
    return told if len(told) <= _ONE_LINE else json.dumps(value, ensure_ascii=False, indent=1)


def list_notes(result: Mapping[str, Any]) -> list[str]:
    """Return what else has to be known of a step: what a page's dialogs said and got for an answer, where its error doesn't tell that."""
    dialogs = [] if result.get("error") else list_dialogs(take_map(result, "evidence"))
    return [*dialogs, *filter(None, [str(result.get("note") or "")])]
