"""The files that a run made, each with its type, size and digest as they were when the run ended."""

import asyncio
import hashlib
import mimetypes
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.results.tool_results import RunResult, StepLog

_UNKNOWN = "application/octet-stream"


async def find_files(result: RunResult) -> Sequence[Mapping[str, Any]]:
    """Return the files of a run, as far as they are there: path, name, type, size, digest and the action that made each."""
    owners = {path: log.action_id for log in result.step_logs for path in _list_paths(log, result.run_id)}
    paths = dict.fromkeys((*result.artifacts, *owners))
    return await asyncio.to_thread(_describe_all, {path: owners.get(path, "") for path in paths}) if paths else []


def _list_paths(log: StepLog, run_id: str) -> Sequence[str]:
    """Return what a step made, the pictures before and after it, and what its page said: files of its run's own folder and no others."""
    pictures = log.result.evidence.get("pictures")
    told = [str(each) for each in pictures.values()] if isinstance(pictures, Mapping) else []
    told.append(str(log.result.evidence.get("page_log", "")))
    return (*log.result.artifacts, *(each for each in told if Path(each).parent.name == run_id))


def _describe_all(owners: Mapping[str, str]) -> list[Mapping[str, Any]]:
    return [found for path, action_id in owners.items() if (found := _describe(path, action_id))]


def _describe(path: str, action_id: str) -> Mapping[str, Any] | None:
    try:
        with Path(path).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
    except OSError:
        return None
    media_type = mimetypes.guess_type(path)[0] or _UNKNOWN
    told = {"path": path, "name": Path(path).name, "media_type": media_type, "size": size}
    return {**told, "sha256": digest, "action_id": action_id}
