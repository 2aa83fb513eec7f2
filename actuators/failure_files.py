"""Where pictures of steps go: ``artifacts/<run>/<action>.png`` of the state folder, for their owner only, and not for ever."""

import os
import re
import shutil
from pathlib import Path

from core.tools.ports import ActionContext

KEPT_RUNS = 200
_RUN = re.compile(r"r[0-9a-f]{16}")


def write_failure_picture(artifacts_dir: Path, context: ActionContext, content: bytes) -> Path:
    """Write the picture of an action that failed, over an earlier one of the same; remove those of the oldest runs.

    Args:
        artifacts_dir: The folder of all artifacts.
        context: Says which run and action.
        content: The picture as a PNG file's content.

    Raises:
        OSError: If it can't be written.
    """
    return write_run_picture(artifacts_dir, context.run_id, f"{context.action_id}.png", content)


def write_run_picture(artifacts_dir: Path, run_id: str, name: str, content: bytes) -> Path:
    """Write a picture of a run, over an earlier one of the same name; remove those of the oldest runs.

    Args:
        artifacts_dir: The folder of all artifacts.
        run_id: The run.
        name: Name of the file.
        content: What is in it.

    Raises:
        OSError: If it can't be written.
    """
    folder = artifacts_dir / run_id
    if not folder.is_dir():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        remove_old_runs(artifacts_dir, KEPT_RUNS)
    path = folder / name
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
    return path


def remove_old_runs(artifacts_dir: Path, kept: int) -> None:
    """Remove the pictures of the oldest runs; what else is in the folder is the person's.

    Args:
        artifacts_dir: The folder of all artifacts.
        kept: How many runs keep theirs.
    """
    runs = [each for each in artifacts_dir.iterdir() if _RUN.fullmatch(each.name) and each.is_dir()]
    runs.sort(key=lambda each: each.stat().st_mtime_ns, reverse=True)
    for stale in runs[kept:]:
        shutil.rmtree(stale, ignore_errors=True)
