"""Redactor: replaces secrets by ``•••`` in whatever is told or kept, however they are written there.

A text is searched as it is, and once more in every way of reading it that changes it: percent escapes, forms' ``+``,
backslash escapes (JSON, Python), HTML entities, folded white space, and two of these in a row. What is found is traced back
to the characters of the text itself. Every reading is one pass, so that the time grows with the length of the text.
"""

import base64
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import PurePath
from typing import Any, TypeVar

from core.base.escapes import list_readings
from core.base.late_dataclasses import dataclass
from core.goals.secret_values import Vault
from core.results.tool_results import Finding, StepLog, ToolOutcome, ToolResult, UndoRecord

MASK = "•••"
SHORT_CHARS = 4
"""Secrets with fewer characters are replaced only where they stand alone; anywhere else they would ruin every text."""

_LONG_TEXT_CHARS = 500
_DEEPEST = 150
_MOST_CLEAN = 50
_ELLIPSIS = "…"
_BASE64_CHARS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")

TextRange = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Needle:
    """What is looked for on behalf of one secret, also as Base64 without the characters that what stands beside it decides."""

    value: str
    plain: tuple[str, ...]
    packed: tuple[str, ...]


class Redactor:
    """Knows what may not be told."""

    def __init__(self) -> None:
        self._needles: dict[str, _Needle] = {}
        self._short: dict[str, re.Pattern[str]] = {}
        self._clean: set[str] = set()

    def __len__(self) -> int:
        """Return how many secrets it knows."""
        return len(self._needles) + len(self._short)

    def add(self, value: str) -> None:
        """Replace a value from now on; an empty one or white space alone is nothing to hide."""
        if len(value) >= SHORT_CHARS and value.strip():
            self._needles.setdefault(value, _Needle(value, tuple(_list_plain(value)), tuple(_list_packed(value))))
        elif value.strip():
            self._short.setdefault(value, _compile_short(value))
        self._clean = set()

    def list_values(self) -> tuple[str, ...]:
        """Return everything that is replaced."""
        return (*self._needles, *self._short)

    def redact(self, value: Any) -> Any:
        """Return a value of any shape without the secrets; the same object where it holds none.

        Texts, numbers, paths, bytes, mappings with their keys, lists, tuples, sets and dataclasses are looked through.
        """
        return _RedactionWalk(self).visit(value, 0) if self._needles or self._short else value

    def redact_text(self, text: str) -> str:
        """Return a text without the secrets."""
        clean = self._clean  # what a step gave is looked through again wherever it is told or kept
        if text in clean:
            return text
        if self._needles:
            text = _mask(text, self._find(text))
        for value, pattern in self._short.items():
            text = MASK if text.strip() == value.strip() else pattern.sub(MASK, text)
        if len(text) >= _LONG_TEXT_CHARS:
            if len(clean) >= _MOST_CLEAN:
                clean.clear()
            clean.add(text)
        return text

    def _find(self, text: str) -> list[TextRange]:
        found: list[TextRange] = []
        for reading in list_readings(text):
            hits = [span for needle in self._needles.values() for span in _search(reading.text, needle)]
            found += reading.trace(hits)
        return found


@dataclass(frozen=True, slots=True)
class _RedactionWalk:
    redactor: Redactor

    def visit(self, value: Any, depth: int) -> Any:
        if isinstance(value, str):
            return self._visit_text(value)
        if value is None or isinstance(value, bool):
            return value
        if depth > _DEEPEST:
            return MASK
        if isinstance(value, int | float | bytes | PurePath):
            return self._visit_scalar(value)
        if isinstance(value, Mapping):
            return self._visit_mapping(value, depth + 1)
        if isinstance(value, list | tuple | set | frozenset):
            return self._visit_items(value, depth + 1)
        if is_dataclass(value) and not isinstance(value, type):
            return self._visit_parts(value, depth + 1)
        return value

    def _visit_text(self, text: str) -> str:
        redacted = self.redactor.redact_text(text)
        return text if redacted == text else redacted

    def _visit_scalar(self, value: Any) -> Any:
        """Look at what isn't text as text; a number in which a secret stands becomes a text."""
        if isinstance(value, bytes):
            text = value.decode("utf-8", "surrogateescape")
            redacted = self.redactor.redact_text(text)
            return value if redacted == text else redacted.encode("utf-8", "surrogateescape")
        text = str(value)
        redacted = self.redactor.redact_text(text)
        if redacted == text:
            return value
        return type(value)(redacted) if isinstance(value, PurePath) else redacted

    def _visit_mapping(self, value: Mapping[Any, Any], depth: int) -> Any:
        visited = [(self.visit(key, depth), self.visit(each, depth)) for key, each in value.items()]
        pairs = zip(visited, value.items(), strict=True)
        return value if all(new[0] is old[0] and new[1] is old[1] for new, old in pairs) else dict(visited)

    def _visit_items(self, value: Any, depth: int) -> Any:
        visited = [self.visit(each, depth) for each in value]
        if all(new is old for new, old in zip(visited, value, strict=True)):
            return value
        return value._make(visited) if hasattr(value, "_make") else type(value)(visited)

    def _visit_parts(self, value: Any, depth: int) -> Any:
        parts = {each.name: getattr(value, each.name) for each in fields(value) if each.init}
        visited = {name: self.visit(part, depth) for name, part in parts.items()}
        changed = {name: part for name, part in visited.items() if part is not parts[name]}
        return replace(value, **changed) if changed else value


def redact_receipt(log: StepLog, vault: Vault) -> StepLog:
    """Return a receipt without secrets; what would bring one back when it is taken back is not kept."""
    redacted: StepLog = vault.redact(log)
    return replace(redacted, result=_drop_spoilt_record(redacted.result, log.result.undo_record))


def redact_finding(finding: Finding, vault: Vault) -> Finding:
    """Return what was found out about an act without secrets, as ``redact_receipt`` does."""
    redacted: Finding = vault.redact(finding)
    if finding.outcome is None or redacted.outcome is None:
        return redacted
    return replace(redacted, outcome=_drop_spoilt_record(redacted.outcome, finding.outcome.undo_record))


Undoable = TypeVar("Undoable", ToolResult, ToolOutcome)


def _drop_spoilt_record(redacted: Undoable, record: UndoRecord | None) -> Undoable:
    if redacted.undo_record is record:
        return redacted
    return replace(redacted, undo="The earlier value contains a secret, so it was not kept.", undo_record=None)


def _list_plain(value: str) -> list[str]:
    """Return a secret as it is, and as pages and programs change it without meaning to hide it."""
    folded = " ".join(value.split())
    forms = [value, value.strip(), folded, re.sub(r"[\r\n]", "", value), value.replace("\r\n", "\n")]
    forms += [unicodedata.normalize(form, value) for form in ("NFC", "NFD")]
    forms += [value.upper(), value.lower()]
    encoded = value.encode("utf-8", "surrogatepass")
    forms += [encoded.decode("latin-1"), encoded.hex(), encoded.hex().upper()]
    return [form for form in dict.fromkeys(forms) if len(form) >= min(SHORT_CHARS, len(value.strip()))]


def _list_packed(value: str) -> list[str]:
    """Return what every base64 of a text with the secret in it holds, whatever stands around it."""
    found: list[str] = []
    for raw in (value.encode("utf-8", "surrogatepass"), value.encode("utf-16-le", "surrogatepass")):
        for offset in range(3):
            first, last = -(-offset * 8 // 6), (offset + len(raw)) * 8 // 6
            core = base64.b64encode(bytes(offset) + raw).decode()[first:last]
            found += [core, core.translate(str.maketrans("+/", "-_"))]
    return [core for core in dict.fromkeys(found) if len(core) >= SHORT_CHARS]


def _compile_short(value: str) -> re.Pattern[str]:
    """Return what finds a short secret where it stands alone; a single character only as a whole text."""
    if len(value) == 1:
        return re.compile(r"(?!)")
    return re.compile(rf"(?<!\w){re.escape(value)}(?!\w)")


def _search(text: str, needle: _Needle) -> Iterator[TextRange]:
    for form in needle.plain:
        yield from _find_all(text, form)
    for core in needle.packed:
        for start, end in _find_all(text, core):
            yield _widen(text, start, end)
    yield from _find_cut(text, needle.value)


def _find_all(text: str, form: str) -> Iterator[TextRange]:
    start = text.find(form)
    while start >= 0:
        yield start, start + len(form)
        start = text.find(form, start + len(form))


def _widen(text: str, start: int, end: int) -> TextRange:
    """Return a span with the characters beside it that hold some bits of it."""
    if start > 0 and text[start - 1] in _BASE64_CHARS:
        start -= 1
    return start, end + 1 if end < len(text) and text[end] in _BASE64_CHARS else end


def _find_cut(text: str, value: str) -> Iterator[TextRange]:
    """Yield beginnings of a secret whose rest was cut off: before an ellipsis, and at the end of a long text."""
    if value[:SHORT_CHARS] not in text:
        return
    for place in _list_cuts(text):
        tail = text[max(0, place - len(value) + 1) : place]
        start = tail.find(value[:SHORT_CHARS])
        while start >= 0:
            if value.startswith(tail[start:]):
                yield place - len(tail) + start, place
                break
            start = tail.find(value[:SHORT_CHARS], start + 1)


def _list_cuts(text: str) -> Iterator[int]:
    yield from (start for start, _ in _find_all(text, _ELLIPSIS))
    if len(text) >= _LONG_TEXT_CHARS:
        yield len(text)


def _mask(text: str, spans: Iterable[TextRange]) -> str:
    parts: list[str] = []
    done = 0
    for start, end in _join(spans):
        parts += [text[done:start], MASK]
        done = end
    return "".join([*parts, text[done:]]) if parts else text


def _join(spans: Iterable[TextRange]) -> list[TextRange]:
    joined: list[TextRange] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
