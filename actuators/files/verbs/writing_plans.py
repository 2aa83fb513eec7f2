"""Writing, appending and editing: found out first, then done as a whole."""

import hashlib
import re
from collections.abc import Mapping
from contextlib import closing
from functools import partial
from typing import Any

from rapidfuzz import fuzz, process

from actuators.files.jobs.jobs import UNDO_FOLDER, FileJob, PlannedChange
from actuators.files.jobs.recovery import BegunAct, get_identity, say_done
from actuators.files.jobs.states import LARGE_BYTES, compute_digest, refuse_type, require_file, tell_state
from actuators.files.jobs.texts import (
    MOST_TEXT_BYTES,
    find_style,
    fit_newlines,
    make_style,
    make_whole_lines,
    read_text,
    render_diff,
    split_lines,
    write_text,
)
from actuators.files.jobs.undo_records import keep_content, make_record
from actuators.files.jobs.whole_files import WriteTerms, Written, make_durable, write_file
from actuators.files.ports import FilePlace, FileState
from actuators.files.stores.failures import explaining, refuse
from actuators.files.stores.temporary_names import find_folder
from core.base.errors import FileError
from core.base.late_dataclasses import dataclass
from core.base.phrases import cut_text, escape_text
from core.results.tool_results import Finding, ToolOutcome
from core.tools.previews import ABSENT

_MOST_SHOWN = 20
_MOST_WINDOWS = 20_000
_NEAR_PERCENT = 60
_SHOWN_CHARS = 200


@dataclass(frozen=True, slots=True)
class Edit:
    """A text after an edit, and the lines where the old one was, from 1."""

    text: str
    lines: tuple[int, ...]


def replace_exactly(text: str, find: str, replace: str, count: int, path: str, *, whole_lines: bool = False) -> Edit:
    """Replace a text, or only whole lines; ``count_differs`` names where else it is, or the nearest text."""
    if whole_lines:
        find, replace = find.rstrip("\r\n"), replace.rstrip("\r\n")
    lines = find_lines(text, find, whole_lines=whole_lines) if find else ()
    if len(lines) != count:
        raise _refuse_count(text, find, (len(lines), count), lines, path)
    if whole_lines:
        return Edit(_compile_whole(find).sub(lambda _: replace, text), lines)
    return Edit(text.replace(find, replace), lines)


def _compile_whole(find: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\r\n]){re.escape(find)}(?![^\r\n])")


def find_lines(text: str, find: str, *, whole_lines: bool = False) -> tuple[int, ...]:
    """Return the lines, from 1, on which a text begins, or that it is as a whole; places that overlap count once."""
    pattern = _compile_whole(find) if whole_lines else re.compile(re.escape(find))
    lines: list[int] = []
    line, last = 1, 0
    for match in pattern.finditer(text):
        line += len(split_lines(text[last : match.start()] + "x")) - 1
        lines.append(line)
        last = match.start()
    return tuple(lines)


def _refuse_count(text: str, find: str, counts: tuple[int, int], lines: tuple[int, ...], path: str) -> FileError:
    found, wanted = counts
    shown = cut_text(escape_text(find), _SHOWN_CHARS)
    evidence: dict[str, object] = {"path": path, "found": found, "expected": wanted, "lines": list(lines[:_MOST_SHOWN])}
    if found:
        where = ", ".join(map(str, lines[:_MOST_SHOWN])) + ("…" if found > _MOST_SHOWN else "")
        hint = f"It is on line {where}. Include more of the text around it, or set count={found}."
    else:
        line, nearest = find_nearest(text, find)
        evidence |= {"nearest": nearest, "nearest_line": line}
        hint = f"Nearest is line {line}: “{escape_text(nearest)}”." if nearest else "Nothing like it was found."
    return FileError(
        f"“{shown}” is {found} times in “{escape_text(path)}”, not {wanted}.",
        code="count_differs",
        hint=hint,
        evidence=evidence,
    )


def find_nearest(text: str, find: str) -> tuple[int, str]:
    """Return the line and the text that is most like another; (0, "") if nothing is."""
    lines = split_lines(text)[:_MOST_WINDOWS]
    height = max(1, len(split_lines(find)))
    windows = {number: "".join(lines[number : number + height]).strip() for number in range(len(lines))}
    scorer = fuzz.ratio if height > 1 else fuzz.partial_ratio
    choices = {key: each for key, each in windows.items() if each}
    for nearest, percent, number in process.extract(find.strip(), choices, scorer=scorer, limit=1):
        if percent >= _NEAR_PERCENT:
            return int(number) + 1, cut_text(str(nearest), _SHOWN_CHARS)
    return 0, ""


UndoDraft = tuple[str, Mapping[str, Any], str]
"""How to take a change back: the operation, what it needs (nothing if that can't be), and words for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Present:
    """A file that is about to be changed, as it was read, without links; content is None if nothing is there, or it is too large."""

    path: str
    real: str
    spot: FilePlace
    state: FileState | None
    content: bytes | None
    mark: str

    @property
    def text(self) -> str | None:
        """Its text for a diff; None if there is no file, empty if it is not text."""
        if self.state is None:
            return None
        try:
            return read_text(self.content or b"", self.path).text
        except FileError:
            return ""


def _read_present(job: FileJob, path: str, expected_sha256: str | None) -> Present:
    """Read what is about to be changed, if it is a file, may be written, and has the expected digest; None for any."""
    spot = job.find(path)
    content = None
    with explaining("read", path):
        state = spot.state()
        if state is not None and state.kind == "file" and state.size_bytes <= LARGE_BYTES:
            with closing(spot.folder.open(spot.name)) as file:
                state, content = file.state(), file.stream.read()
    if state is not None and state.kind != "file":
        raise refuse_type(path, state, "a file")
    if state is not None and state.read_only:
        hint = "Remove the mark if it may be changed."
        raise refuse(path, "is marked read-only", hint, code="read_only", mode=f"{state.mode:04o}")
    mark = tell_state(job, spot)
    if expected_sha256 is not None and _tell_digest(job, spot, state, mark) != expected_sha256.lower():
        what = "has other content than expected"
        hint = "Read it again, then decide."
        raise refuse(path, what, hint, code="changed_since", expected=expected_sha256, found=mark)
    return Present(path=path, real=job.spell(spot), spot=spot, state=state, content=content, mark=mark)


def _tell_digest(job: FileJob, spot: FilePlace, state: FileState | None, mark: str) -> str:
    if state is None or state.size_bytes <= LARGE_BYTES:
        return mark
    with explaining("read", job.spell(spot)):
        return compute_digest(job, spot.folder, spot.name)


def plan_write(
    job: FileJob,
    path: str,
    content: str,
    encoding: str | None = None,
    expected_sha256: str | None = None,
    whole_lines: bool = False,
) -> PlannedChange:
    """Plan to replace the content of a file, or to make it."""
    present = _read_present(job, path, expected_sha256)
    style = make_style(encoding, path) if present.state is None else find_style(present.content or b"", path, encoding)
    after = fit_newlines(content, style.newline)
    after = make_whole_lines(after, style.newline) if whole_lines else after
    data = write_text(after, style, path)
    return _change(job, present, data, {"kind": "write", "diff": render_diff(present.text, after, path)}, {})


def plan_append(
    job: FileJob,
    path: str,
    content: str,
    encoding: str | None = None,
    expected_sha256: str | None = None,
    whole_lines: bool = False,
) -> PlannedChange:
    """Plan to add text at the end of a file, or to make it."""
    present = _read_present(job, path, expected_sha256)
    if present.state is None:
        return plan_write(job, path, content, encoding, expected_sha256, whole_lines)
    old = _require_content(present, LARGE_BYTES)
    text = read_text(old, path, encoding)
    style = text.style if old else make_style(encoding, path)
    added = fit_newlines(content, style.newline)
    added = make_whole_lines(added, style.newline, text.text) if whole_lines else added
    data = old + write_text(added, style, path, marked=not old)
    diff = render_diff(text.text, text.text + added, path)
    return _change(job, present, data, {"kind": "append", "diff": diff}, {})


@dataclass(frozen=True, slots=True)
class Replacement:
    """What is replaced in a file, as ``file.edit`` takes it."""

    find: str
    replace: str
    count: int = 1
    whole_lines: bool = False


def plan_edit(job: FileJob, path: str, expected_sha256: str | None = None, **wanted: Any) -> PlannedChange:
    """Plan to replace exact text in a file; what is wanted are the fields of a ``Replacement``."""
    asked = Replacement(**wanted)
    require_file(job, job.find(path), path)
    present = _read_present(job, path, expected_sha256)
    text = read_text(_require_content(present, MOST_TEXT_BYTES), path)
    newline = text.style.newline
    find, replace = fit_newlines(asked.find, newline), fit_newlines(asked.replace, newline)
    edit = replace_exactly(text.text, find, replace, asked.count, path, whole_lines=asked.whole_lines)
    data = write_text(edit.text, text.style, path)
    facts = {"kind": "edit", "diff": render_diff(text.text, edit.text, path)}
    return _change(job, present, data, facts, {"replaced": asked.count, "lines": list(edit.lines)})


def _require_content(present: Present, limit_bytes: int) -> bytes:
    if present.content is not None and len(present.content) <= limit_bytes:
        return present.content
    size = present.state.size_bytes if present.state else 0
    what = f"has {size} bytes; the limit for changes in place is {limit_bytes}"
    hint = "Write another file, or use a program for large files."
    raise refuse(present.path, what, hint, code="too_large", size_bytes=size, limit_bytes=limit_bytes)


def _change(
    job: FileJob, present: Present, data: bytes, facts: dict[str, str], more: Mapping[str, Any]
) -> PlannedChange:
    operation = {
        "kind": facts["kind"],
        "path": present.real,
        "creates": present.state is None,
        "size_bytes": len(data),
        "before_bytes": present.state.size_bytes if present.state else 0,
    }
    known = {
        "path": present.real,
        "asked": present.path,
        "before": present.mark,
        "identity": present.state.identity if present.state else "",
        "way_back": list(_find_way_back(present, facts["kind"])),
        "more": dict(more),
    }
    return PlannedChange(
        operation=operation,
        before={present.real: present.mark},
        carry_out=partial(_replace, job, present, data, known),
        diff=facts["diff"],
        predict=lambda: {**known, "sha256": hashlib.sha256(data).hexdigest()},
    )


def _find_way_back(present: Present, kind: str) -> UndoDraft:
    if present.state is None:
        return "remove", {"paths": [present.real]}, f"remove {present.real}"
    if kind == "append":
        params = {"path": present.real, "size_bytes": present.state.size_bytes, "before": present.mark}
        return "cut", params, f"cut {present.real} back to {present.state.size_bytes} bytes"
    if present.content is None:
        return (
            "put_back",
            {},
            f"can't be undone: the old content of {present.state.size_bytes} bytes was too large to store",
        )
    params = {"path": present.real, "content": hashlib.sha256(present.content).hexdigest()}
    return "put_back", params, f"put the old content of {present.real} back"


def _replace(job: FileJob, present: Present, data: bytes, facts: Mapping[str, Any]) -> ToolOutcome:
    operation, params, _ = facts["way_back"]
    if operation == "put_back" and params:
        keep_content(job, present.content or b"")
    written = write_file(job, present.spot, [data], WriteTerms(replacing=present.state))
    return _tell_written(job, present.spot, written, facts)


def _tell_written(job: FileJob, spot: FilePlace, written: Written, facts: Mapping[str, Any]) -> ToolOutcome:
    operation, params, words = facts["way_back"]
    output = {
        "sha256": written.sha256,
        "size_bytes": written.state.size_bytes,
        "created": facts["before"] == ABSENT,
        **facts["more"],
    }
    evidence = {**written.as_evidence(), "resolved": facts["path"], "before": facts["before"]}
    record = make_record(operation, params, {facts["path"]: tell_state(job, spot)})
    return job.confirm(facts["asked"], output, evidence, (words, record))


def find_written(act: BegunAct) -> Finding:
    """A file is replaced as a whole, by another one: the old digest, or the new one in another file, decide."""
    _tidy_kept(act)
    spot = act.require_place()
    act.remove_own(spot.folder)
    state, mark = spot.state(), tell_state(act.job, spot)
    same_file = get_identity(state) == act.facts["identity"]
    if mark == act.facts["before"] and (same_file or act.facts["before"] != act.facts["sha256"]):
        return act.say_not_done(mark)
    if state is None or state.kind != "file" or same_file:
        return act.say_unknown(spot, "it was changed in another way")
    digest = compute_digest(act.job, spot.folder, spot.name)
    if digest != act.facts["sha256"]:
        return act.say_unknown(spot, "it has neither the old content nor the new")
    make_durable(spot.folder, act.facts["path"])
    return say_done(_tell_written(act.job, spot, Written(digest, state), act.facts))


def _tidy_kept(act: BegunAct) -> None:
    path = act.job.path(str(act.job.environment.state_dir)) / UNDO_FOLDER
    kept = find_folder(act.job.hands.store, act.job.held, str(path))
    if kept is not None:
        act.remove_own(kept)
