"""Whose words a value is: the person's, if it stands in them byte for byte and as a whole; else of whoever proposed it."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.goals.references import Reference, Template

_BEFORE = r"(?:^|(?<=[\s\"'“”„‘’«»(\[{<=]))"
_AFTER = r"(?=$|[\s\"'“”‘’«»)\]}>]|[.,;:!?](?:$|[\s\"'“”‘’»)\]}]))"


def list_written(params: Mapping[str, Any], words: Sequence[str]) -> tuple[str, ...]:
    """Return the params whose values don't stand in a person's words; references to earlier steps don't count."""
    return tuple(name for name, value in params.items() if not stands_in(value, words))


def stands_in(value: object, words: Sequence[str]) -> bool:
    """Tell whether a value stands in a person's words, byte for byte, as words of its own and not as a part of others.

    What no words can hold, such as yes, no and nothing at all, stands in none; of a list or mapping, everything must.
    """
    if isinstance(value, Reference):
        return True
    if isinstance(value, str):
        return _find(value, words)
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, int | float):
        return _find(json.dumps(value), words)
    parts = _list_parts(value)
    return bool(parts) and all(stands_in(part, words) for part in parts)


def _list_parts(value: object) -> list[object]:
    if isinstance(value, Template):
        return [part for part in value.parts if not (isinstance(part, str) and not part.strip())]
    if isinstance(value, Mapping):
        return [*value.keys(), *value.values()]
    return list(value) if isinstance(value, Iterable) else []


def _find(text: str, words: Sequence[str]) -> bool:
    if not text.strip():
        return False
    pattern = re.compile(_BEFORE + re.escape(text) + _AFTER)
    return any(text in each and pattern.search(each) for each in words)
