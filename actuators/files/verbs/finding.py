"""Finding files and folders: by name, content and age, without following links."""

import codecs
import errno
import re
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

from actuators.files.jobs.jobs import FileJob
from actuators.files.jobs.matches import compile_glob
from actuators.files.jobs.states import CHUNK_BYTES, DEEPEST, refuse_type, require_state
from actuators.files.ports import FileState, Folder
from actuators.files.stores.failures import explain_failure, explaining
from actuators.files.stores.temporary_names import is_temporary
from core.base.errors import InputError
from core.base.late_dataclasses import dataclass, field
from core.base.phrases import escape_text
from core.results.tool_results import ToolOutcome

_AGE = re.compile(r"(\d{1,9}(?:\.\d{1,6})?)\s*([smhdw])", re.IGNORECASE)
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def read_moment(text: str, now: datetime) -> int:
    """Return in nanoseconds since 1970 a local ISO date or time, or an age such as ``2h``; else ``bad_time``."""
    try:
        if found := _AGE.fullmatch(text.strip()):
            moment = now - timedelta(**{_UNITS[found[2].lower()]: float(found[1])})
        else:
            moment = datetime.fromisoformat(text.strip())
        return int(moment.timestamp() * 1_000_000_000)
    except (ValueError, OverflowError, OSError):
        raise InputError(
            f"“{escape_text(text)}” is neither a date, a time nor an age.",
            code="bad_time",
            hint="Write 2026-05-01, 2026-05-01T12:00, or an age: 30s, 15m, 2h, 3d, 1w.",
        ) from None


def write_moment(nanoseconds: int) -> str:
    """Return a moment in ISO 8601, local time with its offset."""
    try:
        return datetime.fromtimestamp(nanoseconds / 1_000_000_000).astimezone().isoformat(timespec="milliseconds")
    except (ValueError, OverflowError, OSError):  # a time that no calendar has
        return ""


_MOST_UNREADABLE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is looked for: a glob for names or paths, a text in any case, and moments to be changed between; None for all."""

    path: str
    pattern: str | None = None
    content: str | None = None
    recursive: bool = True
    newer: str | None = None
    older: str | None = None
    limit: int = 1000


@dataclass(slots=True)
class _FileSearch:
    job: FileJob
    wish: Wish
    name: re.Pattern[str] | None
    whole: bool
    newer_ns: int | None
    older_ns: int | None
    unreadable: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    unreadable_count: int = 0
    not_text: int = 0

    def note(self, path: str, error: OSError) -> None:
        """Count what could not be looked into."""
        self.unreadable_count += 1
        if len(self.unreadable) < _MOST_UNREADABLE:
            self.unreadable.append({"path": path, "why": explain_failure(error, "look into", path).message})


def find_entries(job: FileJob, wish: Wish) -> ToolOutcome:
    """Look for files and folders."""
    spot = job.find(wish.path)
    state = require_state(job, spot, wish.path)
    if state.kind != "folder":
        raise refuse_type(wish.path, state, "a folder")
    search = _prepare(job, wish)
    entries: list[dict[str, Any]] = []
    truncated = False
    with explaining("look into", wish.path), spot.descend() as folder:
        for below, found in _walk(search, folder, "", 0):
            if not _fits(search, below, found) or (wish.content is not None and not _holds(search, folder, below)):
                continue
            if len(entries) >= wish.limit:
                truncated = True
                break
            entries.append(_describe(job, wish.path, below, found))
    lines = [f"{escape_text(each['path'])}{'/' if each['type'] == 'folder' else ''}" for each in entries]
    return ToolOutcome(
        output={
            **job.describe(wish.path),
            "entries": entries,
            "count": len(entries),
            "truncated": truncated,
            "unreadable": search.unreadable,
            "unreadable_count": search.unreadable_count,
            "not_text": search.not_text,
            "text": "\n".join(lines),
        }
    )


def _prepare(job: FileJob, wish: Wish) -> _FileSearch:
    if not 1 <= wish.limit <= 100_000:
        raise InputError(f"limit must be between 1 and 100000, not {wish.limit}.")
    now = datetime.now(UTC).astimezone()
    any_case = job.hands.store.platform == "win32"
    name, whole = compile_glob(wish.pattern, any_case=any_case) if wish.pattern else (None, False)
    newer = read_moment(wish.newer, now) if wish.newer else None
    older = read_moment(wish.older, now) if wish.older else None
    return _FileSearch(job, wish, name, whole, newer, older)


def _walk(search: _FileSearch, folder: Folder, prefix: str, depth: int) -> Iterator[tuple[str, FileState]]:
    """Yield everything below a folder, sorted by path; what can't be read is counted."""
    try:
        names = folder.names()
    except OSError as error:
        if not prefix:
            raise
        search.note(prefix, error)
        return
    for name in names:
        search.job.check()
        if is_temporary(name):
            continue
        path = f"{prefix}{name}"
        try:
            state = folder.state(name)
        except FileNotFoundError:
            continue  # it went meanwhile
        except OSError as error:
            search.note(path, error)
            continue
        yield path, state
        if search.wish.recursive and state.kind == "folder":
            yield from _enter(search, folder, path, depth)


def _enter(search: _FileSearch, folder: Folder, path: str, depth: int) -> Iterator[tuple[str, FileState]]:
    if depth >= DEEPEST:
        search.note(path, OSError(errno.ENAMETOOLONG, f"nested deeper than {DEEPEST}"))
        return
    try:
        below = folder.descend(path.rpartition("/")[2])
    except OSError as error:
        search.note(path, error)
        return
    with below:
        yield from _walk(search, below, f"{path}/", depth + 1)


def _fits(search: _FileSearch, path: str, state: FileState) -> bool:
    if search.name and not search.name.fullmatch(path if search.whole else path.rpartition("/")[2]):
        return False
    if search.newer_ns is not None and state.modified_ns <= search.newer_ns:
        return False
    if search.older_ns is not None and state.modified_ns >= search.older_ns:
        return False
    return search.wish.content is None or state.kind == "file"


def _holds(search: _FileSearch, folder: Folder, path: str) -> bool:
    *above, name = path.split("/")
    held: list[Folder] = [folder]
    try:
        for each in above:
            held.append(held[-1].descend(each))
        with closing(held[-1].open(name)) as file:
            return _search_text(iter(lambda: file.stream.read(CHUNK_BYTES), b""), search)
    except UnicodeDecodeError:
        search.not_text += 1
    except OSError as error:
        search.note(path, error)
    finally:
        for each in held[1:]:
            each.close()
    return False


def _search_text(chunks: Iterator[bytes], search: _FileSearch) -> bool:
    wanted = (search.wish.content or "").casefold()
    decoder = None
    kept = ""
    for chunk in chunks:
        search.job.check()
        decoder = decoder or codecs.getincrementaldecoder(_guess(chunk))()
        text = kept + decoder.decode(chunk).casefold()
        if wanted in text:
            return True
        if "\0" in text:
            raise UnicodeDecodeError("utf-8", b"\0", 0, 1, "no text")
        kept = text[-len(wanted) :]
    if decoder is not None:
        decoder.decode(b"", final=True)
    return not wanted


def _guess(start: bytes) -> str:
    for mark, name in (
        (codecs.BOM_UTF32_LE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if start.startswith(mark):
            return name
    return "utf-8-sig"


def _show(text: str) -> str:
    """Return a name as text; bytes that are none are escaped, and such a name can't be used."""
    return text.encode("utf-8", "backslashreplace").decode()


def _describe(job: FileJob, folder: str, below: str, state: FileState) -> dict[str, Any]:
    path = job.path(folder).joinpath(*below.split("/"))
    return {
        "path": _show(str(path)),
        "name": _show(path.name),
        "type": state.kind,
        "size_bytes": state.size_bytes if state.kind == "file" else 0,
        "modified": write_moment(state.modified_ns),
    }
