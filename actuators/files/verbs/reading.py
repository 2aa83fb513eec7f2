"""The tools that look at files and folders, over any store."""

import hashlib
from contextlib import closing
from functools import partial
from typing import Any, Literal

from actuators.files.api.reading_tools import FileReadingTools
from actuators.files.jobs.ages import write_moment
from actuators.files.jobs.jobs import FileJob, JobRunner
from actuators.files.jobs.outcomes import describe_place
from actuators.files.jobs.states import compute_digest, require_file
from actuators.files.jobs.texts import MOST_TEXT_BYTES, read_text, split_lines
from actuators.files.stores.failures import explaining
from actuators.files.verbs.finding import Wish, find_entries
from actuators.files.verbs.waiting import wait_for_state
from core.base.errors import FileError, InputError
from core.base.phrases import escape_text
from core.results.tool_results import ToolOutcome
from core.tools.ports import ActionContext


def read_file(job: FileJob, path: str, encoding: str | None, offset: int, limit: int | None) -> ToolOutcome:
    """Read a file as text."""
    if offset < 0 or (limit is not None and limit < 0):
        raise InputError("offset and limit count lines and can't be negative.")
    spot = job.find(path)
    state = require_file(job, spot, path)
    if state.size_bytes > MOST_TEXT_BYTES:
        raise FileError(
            f"“{escape_text(path)}” has {state.size_bytes} bytes; the limit for text is {MOST_TEXT_BYTES}.",
            code="too_large",
            hint="Search it with file.find and content, or open it with its program.",
            evidence={"path": path, "size_bytes": state.size_bytes},
        )
    with explaining("read", path), closing(spot.folder.open(spot.name)) as file:
        data = file.stream.read(MOST_TEXT_BYTES + 1)
    text = read_text(data, path, encoding)
    lines = split_lines(text.text)
    chosen = lines[offset : None if limit is None else offset + limit]
    return ToolOutcome(
        output={
            **describe_place(job, path),
            "text": "".join(chosen),
            "encoding": text.style.encoding,
            "lines": len(chosen),
            "total_lines": len(lines),
            "size_bytes": len(data),
            "sha256": hashlib.sha256(data).hexdigest(),
            "truncated": len(chosen) < len(lines),
        }
    )


def look_at(job: FileJob, path: str) -> ToolOutcome:
    """Tell what is known of a file or folder; a link is told as the link itself."""
    try:
        spot = job.find(path, follow=False)
        with explaining("look at", path):
            state = spot.state()
    except FileError as error:
        if error.code != "not_found":
            raise
        spot, state = None, None
    if spot is None or state is None:
        return ToolOutcome(output={**describe_place(job, path), "exists": False, "text": f"{path}: not there"})
    resolved = _resolve(job, path)
    output: dict[str, Any] = {
        **describe_place(job, path),
        "exists": True,
        "type": state.kind,
        "size_bytes": state.size_bytes,
        "modified": write_moment(state.modified_ns),
        "mode": f"{state.mode:04o}",
        "read_only": state.read_only,
        "resolved": resolved,
    }
    if state.kind == "folder":
        with explaining("look into", path), spot.descend() as folder:
            output["entries"] = len(folder.names())
    if state.kind == "link":
        output["target"] = spot.folder.read_link(spot.name)
    size = f"{output['entries']} entries" if "entries" in output else f"{state.size_bytes} bytes"
    return ToolOutcome(output={**output, "text": f"{path}: {state.kind}, {size}, changed {output['modified']}"})


def _resolve(job: FileJob, path: str) -> str | None:
    """Return where a path ends when links are followed; None if that is nowhere in the roots."""
    try:
        return job.spell(job.find(path))
    except FileError:
        return None


def hash_file(job: FileJob, path: str, algorithm: str) -> ToolOutcome:
    """Compute the digest of a file's content by an algorithm of ``hashlib``."""
    spot = job.find(path)
    state = require_file(job, spot, path)
    with explaining("read", path):
        digest = compute_digest(job, spot.folder, spot.name, algorithm)
    output = {"digest": digest, "algorithm": algorithm, "size_bytes": state.size_bytes, "text": digest}
    return ToolOutcome(output={**describe_place(job, path), **output})


class FileReadingVerbs(FileReadingTools):
    """Looks at files and folders."""

    def __init__(self, runner: JobRunner) -> None:
        self._runner = runner

    async def read(
        self, context: ActionContext, path: str, encoding: str | None = None, offset: int = 0, limit: int | None = None
    ) -> ToolOutcome:
        """Read a file as text."""
        work = partial(read_file, path=path, encoding=encoding, offset=offset, limit=limit)
        return await self._runner.run(context, work)

    async def find(
        self,
        context: ActionContext,
        path: str = ".",
        pattern: str | None = None,
        content: str | None = None,
        recursive: bool = True,
        newer: str | None = None,
        older: str | None = None,
        limit: int = 1000,
    ) -> ToolOutcome:
        """Find files and folders by name, content and age."""
        wish = Wish(
            path=path, pattern=pattern, content=content, recursive=recursive, newer=newer, older=older, limit=limit
        )
        return await self._runner.run(context, partial(find_entries, wish=wish))

    async def info(self, context: ActionContext, path: str) -> ToolOutcome:
        """Tell what is known of a file or folder."""
        return await self._runner.run(context, partial(look_at, path=path))

    async def hash(
        self,
        context: ActionContext,
        path: str,
        algorithm: Literal["sha256", "sha512", "sha1", "md5", "blake2b"] = "sha256",
    ) -> ToolOutcome:
        """Compute the digest of a file's content."""
        return await self._runner.run(context, partial(hash_file, path=path, algorithm=algorithm))

    async def wait(
        self,
        context: ActionContext,
        path: str,
        state: Literal["exists", "changed", "removed"] = "exists",
        timeout: float = 30.0,
    ) -> ToolOutcome:
        """Wait until a file or folder is there, has changed, or is gone."""
        return await wait_for_state(self._runner, context, path, state, timeout)

    async def list(
        self,
        context: ActionContext,
        path: str = ".",
        pattern: str | None = None,
        recursive: bool = False,
        limit: int = 1000,
    ) -> ToolOutcome:
        """List a folder."""
        wish = Wish(path=path, pattern=pattern, recursive=recursive, limit=limit)
        return await self._runner.run(context, partial(find_entries, wish=wish))
