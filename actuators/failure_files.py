"""What is kept of steps, and where pictures of them go: ``artifacts/<run>/`` of the state folder, for their owner only, and not for ever."""

import json
import os
import shutil
from pathlib import Path
from typing import Any, cast

from core.base.late_dataclasses import dataclass
from core.base.late_parts import compile_late
from core.tools.ports import ActionContext

KEPT_RUNS = 200
PAGES_FILE = "pages.json"
"""What the pages of a run said and missed, by action."""

_LARGEST_LOG = 32 * 1024 * 1024
_RUN = compile_late(r"r[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class PictureKeeping:
    """What is kept of steps on pages: of all pictures and what pages said and missed; of failures only, traces."""

    failures: bool = True
    steps: bool = False
    traces_only: bool = False


PICTURES_KEPT = PictureKeeping()


def write_failure_picture(artifacts_dir: Path, context: ActionContext, content: bytes) -> Path:
    """Write the picture of an action that failed; see ``write_run_picture``."""
    return write_run_picture(artifacts_dir, context.run_id, f"{context.action_id}.png", content)


def write_run_picture(artifacts_dir: Path, run_id: str, name: str, content: bytes) -> Path:
    """Write a picture of a run, over an earlier one of the same name; remove those of the oldest runs."""
    folder = artifacts_dir / run_id
    if not folder.is_dir():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        remove_old_runs(artifacts_dir, KEPT_RUNS)
    path = folder / name
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
    return path


def remove_old_runs(artifacts_dir: Path, kept: int) -> None:
    """Remove the pictures of the oldest runs; what else is in the folder is the person's."""
    runs = [each for each in artifacts_dir.iterdir() if _RUN.fullmatch(each.name) and each.is_dir()]
    runs.sort(key=lambda each: each.stat().st_mtime_ns, reverse=True)
    for stale in runs[kept:]:
        shutil.rmtree(stale, ignore_errors=True)


def read_page_logs(folder: Path) -> dict[str, Any]:
    """Return what is written down of a run's pages, by action; empty where nothing is, or it can't be understood."""
    path = folder / PAGES_FILE
    try:
        if path.is_symlink() or path.stat().st_size > _LARGEST_LOG:
            return {}
        steps = json.loads(path.read_bytes())["steps"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}
    return cast("dict[str, Any]", steps) if isinstance(steps, dict) else {}
