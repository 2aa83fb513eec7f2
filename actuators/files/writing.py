"""The tools that make files and folders and change what is in them, over any store."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from actuators.files.creating import plan_create
from actuators.files.diffs import render_diff
from actuators.files.edits import replace_exactly
from actuators.files.failures import explaining
from actuators.files.jobs import Change, Job, JobRunner
from actuators.files.outcomes import confirm
from actuators.files.ports import FileState, Spot
from actuators.files.states import LARGE_BYTES, compute_digest, refuse_type, require_file, tell_state
from actuators.files.texts import MOST_TEXT_BYTES, find_style, fit_newlines, make_style, read_text, write_text
from actuators.files.undo_records import make_record, record_old_content
from actuators.files.whole_files import WriteTerms, write_file
from actuators.files.writing_tools import FileWritingTools
from core.errors import FileError
from core.phrases import escape_text
from core.ports import ActionContext
from core.previews import Preview
from core.results import ToolOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Present:
    """A file that is about to be changed, as it was read.

    Attributes:
        path: As it was asked for.
        real: Without links.
        spot: Its place.
        state: What is known of it; None if nothing is there.
        content: Its bytes; None if nothing is there, or it is too large.
        mark: Its state as a short text.
    """

    path: str
    real: str
    spot: Spot
    state: FileState | None
    content: bytes | None
    mark: str

    @property
    def text(self) -> str | None:
        """Its text for a diff; None if there is no file, empty if it is no text."""
        if self.state is None:
            return None
        try:
            return read_text(self.content or b"", self.path).text
        except FileError:
            return ""


def read_present(job: Job, path: str, expected_sha256: str | None) -> Present:
    """Read what is about to be changed.

    Args:
        job: The job.
        path: As it was asked for.
        expected_sha256: What its digest must be; None for anything.

    Raises:
        FileError: If it is no file, may only be read, or isn't what was expected.
    """
    spot = job.find_changing(path)
    content = None
    with explaining("read", path):
        state = spot.state()
        if state is not None and state.kind == "file" and state.size_bytes <= LARGE_BYTES:
            file = spot.folder.open(spot.name)
            try:
                state, content = file.state(), file.stream.read()
            finally:
                file.close()
    if state is not None and state.kind != "file":
        raise refuse_type(path, state, "a file")
    if state is not None and state.read_only:
        raise FileError(
            f'"{escape_text(path)}" is marked as read-only.',
            code="read_only",
            hint="Take the mark away if it may be changed.",
            evidence={"path": path, "mode": f"{state.mode:04o}"},
        )
    mark = tell_state(job, spot)
    if expected_sha256 is not None and _tell_digest(job, spot, state, mark) != expected_sha256.lower():
        raise FileError(
            f'"{escape_text(path)}" has another content than was expected.',
            code="changed_since",
            hint="Read it again, then decide.",
            evidence={"path": path, "expected": expected_sha256, "found": mark},
        )
    return Present(path=path, real=job.spell(spot), spot=spot, state=state, content=content, mark=mark)


def _tell_digest(job: Job, spot: Spot, state: FileState | None, mark: str) -> str:
    if state is None or state.size_bytes <= LARGE_BYTES:
        return mark
    with explaining("read", job.spell(spot)):
        return compute_digest(job, spot.folder, spot.name)


def plan_write(
    job: Job, path: str, content: str, encoding: str | None = None, expected_sha256: str | None = None
) -> Change:
    """Plan to replace the content of a file, or to make it."""
    present = read_present(job, path, expected_sha256)
    style = make_style(encoding, path) if present.state is None else find_style(present.content or b"", path, encoding)
    after = fit_newlines(content, style.newline)
    data = write_text(after, style, path)
    return _change(job, present, data, {"kind": "write", "diff": render_diff(present.text, after, path)}, {})


def plan_append(
    job: Job, path: str, content: str, encoding: str | None = None, expected_sha256: str | None = None
) -> Change:
    """Plan to add text at the end of a file, or to make it."""
    present = read_present(job, path, expected_sha256)
    if present.state is None:
        return plan_write(job, path, content, encoding, expected_sha256)
    old = require_content(present, LARGE_BYTES)
    text = read_text(old, path, encoding)
    style = text.style if old else make_style(encoding, path)
    added = fit_newlines(content, style.newline)
    data = old + write_text(added, style, path, marked=not old)
    diff = render_diff(text.text, text.text + added, path)
    return _change(job, present, data, {"kind": "append", "diff": diff}, {})


def plan_edit(
    job: Job, path: str, find: str, replace: str, count: int = 1, expected_sha256: str | None = None
) -> Change:
    """Plan to replace exact text in a file."""
    require_file(job, job.find_changing(path), path)
    present = read_present(job, path, expected_sha256)
    text = read_text(require_content(present, MOST_TEXT_BYTES), path)
    newline = text.style.newline
    edit = replace_exactly(text.text, fit_newlines(find, newline), fit_newlines(replace, newline), count, path)
    data = write_text(edit.text, text.style, path)
    facts = {"kind": "edit", "diff": render_diff(text.text, edit.text, path)}
    return _change(job, present, data, facts, {"replaced": count, "lines": list(edit.lines)})


def require_content(present: Present, limit_bytes: int) -> bytes:
    """Return the content of a file that may be changed in memory.

    Raises:
        FileError: ``too_large``.
    """
    if present.content is not None and len(present.content) <= limit_bytes:
        return present.content
    size = present.state.size_bytes if present.state else 0
    raise FileError(
        f'"{escape_text(present.path)}" has {size} bytes; up to {limit_bytes} can be changed in place.',
        code="too_large",
        hint="Write another file, or use a program for large ones.",
        evidence={"path": present.path, "size_bytes": size, "limit_bytes": limit_bytes},
    )


def _change(job: Job, present: Present, data: bytes, facts: dict[str, str], more: Mapping[str, Any]) -> Change:
    operation = {
        "kind": facts["kind"],
        "path": present.real,
        "creates": present.state is None,
        "size_bytes": len(data),
        "before_bytes": present.state.size_bytes if present.state else 0,
    }
    return Change(
        operation=operation,
        before={present.real: present.mark},
        carry_out=partial(_replace, job, present, data, facts["kind"], more),
        diff=facts["diff"],
    )


def _replace(job: Job, present: Present, data: bytes, kind: str, more: Mapping[str, Any]) -> ToolOutcome:
    operation, params, words = "remove", {"paths": [present.real]}, f"remove {present.real}"
    if present.state is not None and kind == "append":
        operation, words = "cut", f"cut {present.real} back to {present.state.size_bytes} bytes"
        params = {"path": present.real, "size_bytes": present.state.size_bytes}
    elif present.state is not None:
        operation = "put_back"
        words, params = record_old_content(job, present.spot, present.content, present.state)
    written = write_file(job, present.spot, [data], WriteTerms(replacing=present.state))
    output = {
        "sha256": written.sha256,
        "size_bytes": written.state.size_bytes,
        "created": present.state is None,
        **more,
    }
    evidence = {**written.as_evidence(), "resolved": present.real, "before": present.mark}
    record = make_record(operation, params, {present.real: tell_state(job, present.spot)})
    return confirm(job, present.path, output, evidence, (words, record))


_PLANS: Mapping[str, Callable[..., Change]] = {
    "create": plan_create,
    "write": plan_write,
    "append": plan_append,
    "edit": plan_edit,
}


class FileWriter(FileWritingTools):
    """Makes files and folders and changes them."""

    def __init__(self, runner: JobRunner) -> None:
        """Work by these jobs."""
        self._runner = runner

    async def preview(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Preview | None:
        """Say what a verb would change."""
        return await self._runner.preview(context, partial(_PLANS[verb], **args))

    async def create(
        self,
        context: ActionContext,
        object_type: Literal["file", "folder"],
        name: str,
        content: str | None = None,
        exist_ok: bool = False,
    ) -> ToolOutcome:
        """Make a file or folder, with the folders above it."""
        plan = partial(plan_create, object_type=object_type, name=name, content=content, exist_ok=exist_ok)
        return await self._runner.change(context, plan)

    async def write(
        self,
        context: ActionContext,
        path: str,
        content: str,
        encoding: str | None = None,
        expected_sha256: str | None = None,
    ) -> ToolOutcome:
        """Replace the content of a file, or make it."""
        plan = partial(plan_write, path=path, content=content, encoding=encoding, expected_sha256=expected_sha256)
        return await self._runner.change(context, plan)

    async def append(
        self,
        context: ActionContext,
        path: str,
        content: str,
        encoding: str | None = None,
        expected_sha256: str | None = None,
    ) -> ToolOutcome:
        """Add text at the end of a file, or make it."""
        plan = partial(plan_append, path=path, content=content, encoding=encoding, expected_sha256=expected_sha256)
        return await self._runner.change(context, plan)

    async def edit(
        self,
        context: ActionContext,
        path: str,
        find: str,
        replace: str,
        count: int = 1,
        expected_sha256: str | None = None,
    ) -> ToolOutcome:
        """Replace exact text in a file."""
        plan = partial(plan_edit, path=path, find=find, replace=replace, count=count, expected_sha256=expected_sha256)
        return await self._runner.change(context, plan)
