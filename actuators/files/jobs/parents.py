"""Folders above what is made: found, made where they are missing, and taken away again.

A root that isn't there yet, such as ``~/Documents`` in a fresh home folder, is made as well: a person or the system has
chosen it. Nothing else outside the roots is ever made, and such a folder is only removed again while it is empty.
"""

import contextlib
import errno
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager

from actuators.files.jobs.jobs import FileJob
from actuators.files.ports import FilePlace, Folder
from actuators.files.stores.failures import explaining
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


def find_deepest(job: FileJob, path: str, *, follow: bool = False) -> tuple[FilePlace, list[str]]:
    """Return the deepest place whose folder is there on an absolute way, above its root if that is missing, and the missing names."""
    pure = job.path(path)
    missing: list[str] = []
    while True:
        try:
            above_root = bool(missing) and is_above_root(job, str(pure))
            spot = job.find_own(str(pure)) if above_root else job.find(str(pure), follow=follow or bool(missing))
            if above_root:
                job.own_ground.check(str(job.path(job.spell(spot)).joinpath(*missing)))
        except FileError as error:
            if error.code != "not_found" or not (
                _is_inside(job, str(pure.parent)) or holds_root(job, str(pure.parent))
            ):
                raise
        else:
            if not missing or spot.state() is not None:
                return spot, missing
        missing.insert(0, pure.name)
        pure = pure.parent


def split_missing(job: FileJob, path: str, missing: list[str]) -> tuple[list[str], list[str]]:
    """Return the missing folders of an absolute path, as ``find_deepest`` says them, down to the last root, and those below."""
    if not missing:
        return [], []
    pure = job.path(path)
    ways = [*reversed(pure.parents[: len(missing) - 1]), pure]
    count = sum(holds_root(job, str(way)) for way in ways)
    return missing[:count], missing[count:]


def holds_root(job: FileJob, path: str) -> bool:
    """Tell whether a path is a root, or a root lies in it; nothing but that root is made or removed there."""
    return any(lies_inside(root, path, job.hands.store.platform) for root in job.roots)


def is_above_root(job: FileJob, path: str) -> bool:
    """Tell whether a path lies in no root, and a root lies in it."""
    return holds_root(job, path) and not _is_inside(job, path)


def _is_inside(job: FileJob, path: str) -> bool:
    return any(lies_inside(path, root, job.hands.store.platform) for root in job.roots)


@contextmanager
def making_folders(
    job: FileJob, folder: Folder, names: Sequence[str]
) -> Generator[tuple[Folder, list[tuple[Folder, str]]]]:
    """Make folders, one in the other; give the innermost, and those that were made, which go if what follows fails.

    What something else has made meanwhile is used and isn't counted.
    """
    made: list[tuple[Folder, str]] = []
    try:
        for name in names:
            with contextlib.suppress(FileExistsError):
                folder.make(name)
                made.append((folder, name))
            folder = job.hold(folder.descend(name))
        yield folder, made
    except BaseException:
        folder.close()  # Windows removes nothing that is held
        for above, name in reversed(made):
            with contextlib.suppress(OSError):  # something came into it meanwhile
                above.remove_folder(name)
            above.close()
        raise


def remove_made_root(job: FileJob, path: str) -> None:
    """Remove a root that was made because it was missing, or a folder above one, if it is there and nothing is in it."""
    spot = job.find_own(str(job.path(path).parent))
    with explaining("remove", path), contextlib.suppress(FileNotFoundError), spot.descend() as above:
        remove_if_empty(above, job.path(path).name)


def find_real_roots(job: FileJob) -> list[str]:
    """Return where the roots lie, without links; those that aren't there are left out."""
    return [real for root in job.roots if (real := find_real_path(job, root))]


def remove_if_empty(folder: Folder, name: str) -> None:
    """Remove a folder; one that something came into stays."""
    try:
        folder.remove_folder(name)
    except OSError as error:
        if error.errno not in {errno.ENOTEMPTY, errno.EEXIST} and getattr(error, "winerror", 0) != 145:
            raise
