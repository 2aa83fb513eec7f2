"""The tools that look at files and folders, and wait for them, over any store."""

import hashlib
import time
from contextlib import closing
from functools import partial
from typing import Annotated, Any, Literal

from actuators.deadlines import pause
from actuators.files.jobs.jobs import FileJob, JobRunner
from actuators.files.jobs.parents import is_above_root
from actuators.files.jobs.states import compute_digest, require_file, tell_state
from actuators.files.jobs.texts import MOST_TEXT_BYTES, read_text, split_lines
from actuators.files.ports import FilePlace, FileState, Folder
from actuators.files.stores.failures import allowing_missing, explaining, refuse
from actuators.files.verbs.finding import Wish, find_entries, write_moment
from actuators.files.verbs.toolset import FileToolset
from core.base.errors import DeadlineError, FileError, InputError
from core.base.late_dataclasses import dataclass
from core.base.phrases import escape_text
from core.results.tool_results import ToolOutcome
from core.rules.param_types import COUNT, FilePath, Limit, TimeLimit
from core.tools.ports import ActionContext
from core.tools.previews import ABSENT

_REST_S = 0.25
"""A file that hasn't changed for this long is no longer being written."""

_STEP_S = 1.0
"""Nothing is trusted to tell of every change: at least this often somebody looks."""

_RESERVE_S = 0.2


@dataclass(frozen=True, slots=True)
class _WaitState:
    """What was seen: the state, and where content matters its short text."""

    state: FileState | None
    mark: str = ABSENT


async def wait_for_state(
    runner: JobRunner, context: ActionContext, path: str, state: str, timeout_s: float
) -> ToolOutcome:
    """Wait for a state of a path, ``exists``, ``changed`` or ``removed``, so many seconds at most; else raise a DeadlineError."""
    began = time.monotonic()
    limit_s = max(0.0, min(timeout_s, context.timeout_s - min(_RESERVE_S, context.timeout_s / 10)))
    looking = partial(_look, path=path, marking=state == "changed")
    first = await runner.run(context, looking)
    with (
        closing(await runner.run(context, partial(_find_watched, path=path))) as folder,
        runner.hands.watcher.watch(FilePlace(folder, "").bare.folder) as watch,
    ):
        look = await runner.run(context, looking)
        while not _is_met(state, first, look) or not await _rests(runner, context, path, look):
            left_s = limit_s - (time.monotonic() - began)
            if left_s <= 0:
                raise DeadlineError(
                    f"“{escape_text(path)}” did not become “{state}” within {limit_s:g} s: {_tell(look.state)}.",
                    hint="Wait longer, or check what should cause it.",
                    evidence={"path": path, "state": _tell(look.state)},
                )
            await watch.pause(min(left_s, _STEP_S))
            look = await runner.run(context, looking)
    output = {"state": state, "waited_s": round(time.monotonic() - began, 3)}
    place = runner.open_job(context).describe(path)
    return ToolOutcome(output={**place, **output}, evidence={"state": _tell(look.state)})


def _look(job: FileJob, path: str, *, marking: bool) -> _WaitState:
    try:
        spot = job.find(path)
        state = spot.state()
        if state is None or not marking:
            return _WaitState(state)
        return _WaitState(state, tell_state(job, spot))
    except FileError as error:
        if error.code not in {"not_found", "wrong_type"}:
            raise
        return _WaitState(None)


def _find_watched(job: FileJob, path: str) -> Folder:
    """Return the deepest folder above a path that is there; in it something will happen first."""
    for above in job.path(path).parents:
        with allowing_missing():
            spot = job.find_own(str(above)) if is_above_root(job, str(above)) else job.find(str(above))
            if spot.state() is not None:
                return spot.descend()
    raise FileError(f"No folder exists above “{escape_text(path)}”.", code="not_found")


def _is_met(state: str, first: _WaitState, now: _WaitState) -> bool:
    if state == "removed":
        return now.state is None
    if state == "exists":
        return now.state is not None
    return now.state is not None and now.mark != first.mark


async def _rests(runner: JobRunner, context: ActionContext, path: str, look: _WaitState) -> bool:
    """Tell whether a file is as it was seen, and stays so for a while; what is gone, and a folder, rests."""
    before = look.state
    if before is None or before.kind == "folder":
        return True
    if time.time_ns() - before.modified_ns > 2 * _REST_S * 1_000_000_000:
        return True
    await pause(_REST_S)
    return before.looks_like((await runner.run(context, partial(_look, path=path, marking=False))).state)


def _tell(state: FileState | None) -> str:
    return "nothing is there" if state is None else f"a {state.kind} of {state.size_bytes} bytes is there"


def read_file(job: FileJob, path: str, encoding: str | None, offset: int, limit: int | None) -> ToolOutcome:
    """Read a file as text."""
    if offset < 0 or (limit is not None and limit < 0):
        raise InputError("offset and limit count lines and can't be negative.")
    spot = job.find(path)
    state = require_file(job, spot, path)
    if state.size_bytes > MOST_TEXT_BYTES:
        what = f"has {state.size_bytes} bytes; the limit for text is {MOST_TEXT_BYTES}"
        hint = "Search it with file.find and content, or open it with its program."
        raise refuse(path, what, hint, code="too_large", size_bytes=state.size_bytes)
    with explaining("read", path), closing(spot.folder.open(spot.name)) as file:
        data = file.stream.read(MOST_TEXT_BYTES + 1)
    text = read_text(data, path, encoding)
    lines = split_lines(text.text)
    chosen = lines[offset : None if limit is None else offset + limit]
    return ToolOutcome(
        output={
            **job.describe(path),
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
    state = None
    with allowing_missing():
        spot = job.find(path, follow=False)
        with explaining("look at", path):
            state = spot.state()
    if state is None:
        return ToolOutcome(output={**job.describe(path), "exists": False, "text": f"{path}: not there"})
    resolved = _resolve(job, path)
    output: dict[str, Any] = {
        **job.describe(path),
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
    return ToolOutcome(output={**job.describe(path), **output})


class FileReadingTools(FileToolset):
    """Looking at files and folders; nothing is changed."""

    async def read(
        self,
        context: ActionContext,
        path: FilePath,
        encoding: str | None = None,
        offset: Annotated[int, COUNT] = 0,
        limit: Annotated[int, COUNT] | None = None,
    ) -> ToolOutcome:
        """Read a file as text.

        Args:
            path: The file.
            encoding: Name of its encoding; where absent, the one that its byte order mark names, else UTF-8.
            offset: Lines to leave out at the beginning.
            limit: Lines to read at most; all where absent.

        Returns:
            Output ``text``, ``encoding``, ``lines`` (read), ``total_lines``, ``size_bytes``, ``sha256`` (of the whole
            file) and ``truncated``.

        Raises:
            FileError: If there is no such file, or it is a folder, too large, or no text in that encoding.
        """
        work = partial(read_file, path=path, encoding=encoding, offset=offset, limit=limit)
        return await self._runner.run(context, work)

    async def find(
        self,
        context: ActionContext,
        path: FilePath = ".",
        pattern: str | None = None,
        content: str | None = None,
        recursive: bool = True,
        newer: str | None = None,
        older: str | None = None,
        limit: Limit = 1000,
    ) -> ToolOutcome:
        """Find files and folders by name, content and age.

        Args:
            path: The folder to look in.
            pattern: Glob that the name matches, such as ``*.txt``; with a ``/`` it is matched against the path.
            content: Text that the file contains, in any case; files that are not text are passed over and counted.
            recursive: Whether to look into folders as well.
            newer: Changed after this: an ISO date or time, or an age such as ``2h``, ``3d``, ``1w``.
            older: Changed before this, likewise.
            limit: Entries at most, 1 to 100000.

        Returns:
            Output ``entries`` (path, name, type, size_bytes, modified), sorted by path; ``count``, ``truncated``,
            ``unreadable`` (what could not be looked into, and why) and ``text``: a line each.
        """
        wish = Wish(
            path=path, pattern=pattern, content=content, recursive=recursive, newer=newer, older=older, limit=limit
        )
        return await self._runner.run(context, partial(find_entries, wish=wish))

    async def info(self, context: ActionContext, path: FilePath) -> ToolOutcome:
        """Tell what is known of a file or folder.

        Args:
            path: What to look at.

        Returns:
            Output ``exists``, ``type`` (file, folder, link, other), ``size_bytes``, ``modified``, ``mode``,
            ``read_only``, ``entries`` (of a folder), ``resolved``, ``anchor`` and ``text``.
        """
        return await self._runner.run(context, partial(look_at, path=path))

    async def hash(
        self,
        context: ActionContext,
        path: FilePath,
        algorithm: Literal["sha256", "sha512", "sha1", "md5", "blake2b"] = "sha256",
    ) -> ToolOutcome:
        """Compute the digest of a file's content.

        Args:
            path: The file.
            algorithm: Which digest.

        Returns:
            Output ``digest`` (hexadecimal), ``algorithm``, ``size_bytes`` and ``text``, the digest.
        """
        return await self._runner.run(context, partial(hash_file, path=path, algorithm=algorithm))

    async def wait(
        self,
        context: ActionContext,
        path: FilePath,
        state: Literal["exists", "changed", "removed"] = "exists",
        timeout: TimeLimit = 30.0,
    ) -> ToolOutcome:
        """Wait until a file or folder is there, has changed, or is gone.

        Args:
            path: What to watch.
            state: What to wait for; a file that is still being written counts as there once it rests.
            timeout: Seconds to wait at most.

        Returns:
            Output ``state`` and ``waited_s``.

        Raises:
            DeadlineError: If it doesn't come about; says what was there instead.
        """
        return await wait_for_state(self._runner, context, path, state, timeout)

    async def list(
        self,
        context: ActionContext,
        path: FilePath = ".",
        pattern: str | None = None,
        recursive: bool = False,
        limit: Limit = 1000,
    ) -> ToolOutcome:
        """List a folder.

        Args:
            path: The folder.
            pattern: Glob that names match.
            recursive: Whether to list folders in it as well.
            limit: Entries at most, 1 to 100000.

        Returns:
            As for ``find``.
        """
        wish = Wish(path=path, pattern=pattern, recursive=recursive, limit=limit)
        return await self._runner.run(context, partial(find_entries, wish=wish))
