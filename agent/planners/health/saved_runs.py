"""Saved runs by the session that they were of, so that a planner's run leads to what was really done in it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from agent.store.session_files import SessionFiles
from core.base.errors import SurehandError
from core.base.scope_paths import LEVELS

MOST_LOOKED_AT = 50
"""Saved runs that are looked at: the latest."""

_SESSION = LEVELS.index("session") + 1


def name_session(scope: str) -> str:
    """Return the part of a scope path that ends with its session; empty where it ends before one."""
    parts = scope.split("/")
    return "/".join(parts[:_SESSION]) if len(parts) >= _SESSION else ""


def index_saved_runs(state: Path) -> dict[str, tuple[str, ...]]:
    """Return the ids of the latest saved runs by their session, the latest first. Blocks."""
    files = SessionFiles(state)
    found: dict[str, list[str]] = defaultdict(list)
    for run_id in files.list_ids()[:MOST_LOOKED_AT]:
        with suppress(SurehandError, OSError):  # one that can't be used is no help
            for session in _list_sessions(files.read(run_id)):
                found[session].append(run_id)
    return {session: tuple(ids) for session, ids in found.items()}


def _list_sessions(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield the sessions that a run's steps were of; one, where it has any."""
    scopes = (str(log.get("scope", "")) for log in document.get("step_logs", ()))
    yield from dict.fromkeys(session for scope in scopes if (session := name_session(scope)))
