"""What is never moved or removed: the folders that everything hangs on."""

from collections.abc import Iterator

from actuators.files.jobs.jobs import FileJob
from actuators.files.ports import FilePlace
from core.addresses.path_parts import lies_inside
from core.base.errors import FileError, PolicyError
from core.base.phrases import escape_text


def refuse_precious(job: FileJob, path: str, spot: FilePlace) -> None:
    """Refuse by a PolicyError to move or remove a root, an anchor's folder, the home folder, or what any of them lies in."""
    real, platform = job.spell(spot), job.hands.store.platform
    for name, folder in _list_precious(job):
        if not spot.name or lies_inside(folder, real, platform) or lies_inside(folder, path, platform):
            raise PolicyError(
                f"“{escape_text(path)}” is or contains the folder of {name}, which is never moved or removed.",
                hint="Name something inside it.",
                evidence={"path": path, "folder": folder},
            )


def _list_precious(job: FileJob) -> Iterator[tuple[str, str]]:
    """Yield who needs a folder, and the folder: as it is written, and where it really lies."""
    named = dict(job.environment.anchors) | {each.name: each.path for each in job.hands.anchors}
    named["Surehand's own files"] = str(job.environment.state_dir) if job.environment.state_dir.name else ""
    precious = [(name, folder) for name, folder in named.items() if folder]
    precious += [("this run", root) for root in job.roots if job.path(root).parent != job.path(root)]
    for name, folder in precious:
        yield name, folder
        if real := find_real_path(job, folder):
            yield name, real


def find_real_path(job: FileJob, folder: str) -> str:
    """Return where a folder that was chosen by a person lies, absolute and without links; empty if it isn't there."""
    try:
        with job.hands.store.find((job.path(folder).anchor,), folder) as spot:
            return job.spell(spot)
    except (OSError, FileError):
        return ""
