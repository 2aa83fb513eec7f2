"""Preview: what an act would change and what it aims at, seen before it and looked at again when it is carried out."""

import hashlib
import json
import time
from collections.abc import Iterator, Mapping
from typing import Any

from core.base.errors import ErrorInfo
from core.base.late_dataclasses import dataclass, field
from core.base.phrases import escape_text
from core.results.records import to_data

_FRESH_S = 5.0
"""Seconds for which a look before a run spares the one before a question, if nothing acts in between."""

ABSENT = "absent"
"""Stands for the digest of something that isn't there."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What an act would change.

    Attributes:
        operation: The change as data: its ``kind`` and what it concerns; JSON-compatible.
        diff: Unified diff of a change of text; empty where the operation says it all.
        before: By absolute path, the state that the act starts from: a SHA-256, ``absent``, or ``folder:`` and a
            fingerprint. The act is refused when it finds another.
        target: What the act aims at, as it is now: of an element its role, name, tag and where its form goes, of a page
            its ``address``; JSON-compatible.
    """

    operation: Mapping[str, Any]
    diff: str = ""
    before: Mapping[str, str] = field(default_factory=dict[str, str])
    target: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class ShownChanges:
    """What the actions of a plan would change, as it was found before anything was done.

    Attributes:
        found: By action id, what would change, or why that isn't known.
        at: When that was found, by ``time.perf_counter``.
    """

    found: "Mapping[str, Preview | ErrorInfo]" = field(default_factory=dict[str, "Preview | ErrorInfo"])
    at: float = field(default_factory=time.perf_counter)

    def find_fresh(self, action_id: str) -> Preview | None:
        """Return what an action would change, where that was found a moment ago."""
        found = self.found.get(action_id)
        return found if isinstance(found, Preview) and time.perf_counter() - self.at < _FRESH_S else None


NOTHING_SHOWN = ShownChanges()


def compute_fingerprint(preview: Preview | None) -> str:
    """Return the SHA-256 of all that a preview says; empty where there is none."""
    if preview is None:
        return ""
    text = json.dumps(to_data(preview), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def list_items(operation: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a line for each thing that an operation concerns, escaped; none where its text says it all.

    Args:
        operation: As a preview has it; its ``items`` are files, with a ``path``, or a ``source`` and a ``destination``, or
            other things, each as it is ``told``.
    """
    return tuple(_tell_item(each) for each in operation.get("items", ()))


def _tell_item(item: Mapping[str, Any]) -> str:
    if "told" in item:
        return escape_text(str(item["told"]))
    told = escape_text(str(item.get("path") or item.get("source", "")))
    goal = f" → {escape_text(str(item['destination']))}" if "destination" in item else ""
    return f"{told}{goal}{', replacing what is there' if item.get('replaces') else ''}"


def list_changes(shown: Preview | None, now: Preview | None) -> list[str]:
    """Return in words what is no longer as it was shown; empty if everything is."""
    if compute_fingerprint(shown) == compute_fingerprint(now):
        return []
    if shown is None or now is None:
        return ["its preview is available now and was not before" if now else "its preview is no longer available"]
    return [*_compare_paths(shown, now), *_compare_items(shown, now), *_compare_targets(shown, now)] or [
        "its preview is different now"
    ]


def _compare_paths(shown: Preview, now: Preview) -> Iterator[str]:
    for path in dict.fromkeys((*shown.before, *now.before)):
        earlier, later = shown.before.get(path), now.before.get(path)
        if earlier != later:
            yield f"{path} {_tell_state(earlier, later)}"


def _compare_items(shown: Preview, now: Preview) -> Iterator[str]:
    """Yield what of several things was shown and isn't so any more, and what has come to them, if they are told in words."""
    earlier, later = _list_told(shown), _list_told(now)
    for name in dict.fromkeys((*earlier, *later)):
        if name in earlier and name in later:
            if earlier[name] != later[name]:
                yield f"{escape_text(name)} has changed"
        else:
            yield f"it {'was' if name in earlier else 'is now'} {escape_text(name)}"


def _list_told(preview: Preview) -> dict[str, str]:
    """Return what is told of the things of an operation, by their path or else by just that."""
    told = [each for each in preview.operation.get("items", ()) if "told" in each]
    return {str(each.get("path") or each["told"]): str(each["told"]) for each in told}


def _tell_state(earlier: str | None, later: str | None) -> str:
    if earlier is None or later is None:
        return "is affected now and was not before" if earlier is None else "is no longer affected"
    if ABSENT in {earlier, later}:
        return "is there now" if earlier == ABSENT else "is gone"
    return "has changed"


def _compare_targets(shown: Preview, now: Preview) -> Iterator[str]:
    for name in dict.fromkeys((*shown.target, *now.target)):
        earlier, later = shown.target.get(name), now.target.get(name)
        if earlier != later:
            yield f"{name.replace('_', ' ')} was {_tell(earlier)} and is {_tell(later)}"


def _tell(value: object) -> str:
    return "nothing" if value in (None, "") else json.dumps(to_data(value), ensure_ascii=False)
