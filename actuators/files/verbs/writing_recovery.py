"""Finding out after a crash whether a file was written, or something was made."""

from collections.abc import Mapping
from typing import Any

from actuators.files.jobs.jobs import UNDO_FOLDER, FileJob
from actuators.files.jobs.parents import remove_made_root
from actuators.files.jobs.recovery import (
    StateReader,
    find_folder_again,
    find_place,
    get_identity,
    remove_own,
    say_done,
    say_not_done,
    say_unknown,
)
from actuators.files.jobs.states import compute_digest, tell_state
from actuators.files.jobs.whole_files import Written, make_durable
from actuators.files.ports import FilePlace
from actuators.files.stores.private_folders import find_folder
from actuators.files.verbs.creating import list_created, tell_created
from actuators.files.verbs.writing_plans import tell_written
from core.results.tool_results import Finding
from core.tools.previews import ABSENT


def _find_written(job: FileJob, args: Mapping[str, Any], facts: Mapping[str, Any]) -> Finding:
    """A file is replaced as a whole, by another one: the old digest, or the new one in another file, decide."""
    del args
    _tidy_kept(job)
    spot = find_place(job, facts["path"])
    if spot is None:
        return say_unknown(job, spot, facts, "its folder is gone")
    remove_own(job, spot.folder)
    state, mark = spot.state(), tell_state(job, spot)
    same_file = get_identity(state) == facts["identity"]
    if mark == facts["before"] and (same_file or facts["before"] != facts["sha256"]):
        return say_not_done(facts, mark)
    if state is None or state.kind != "file" or same_file:
        return say_unknown(job, spot, facts, "it was changed in another way")
    digest = compute_digest(job, spot.folder, spot.name)
    if digest != facts["sha256"]:
        return say_unknown(job, spot, facts, "it has neither the old content nor the new")
    make_durable(spot.folder, facts["path"])
    return say_done(tell_written(job, spot, Written(digest, state), facts))


def _tidy_kept(job: FileJob) -> None:
    path = job.path(str(job.environment.state_dir)) / UNDO_FOLDER
    kept = find_folder(job.hands.store, job.held, str(path))
    if kept is not None:
        remove_own(job, kept)


def _find_created(job: FileJob, args: Mapping[str, Any], facts: Mapping[str, Any]) -> Finding:
    """What is made appears as a whole, with the folders above it."""
    del args
    spot = find_place(job, facts["path"])
    mark = tell_state(job, spot) if spot else ABSENT
    if "kept" in facts:
        return say_not_done(facts, mark) if mark == facts["kept"] else say_unknown(job, spot, facts, "it was changed")
    if spot is None or mark == ABSENT:
        _tidy_ways(job, facts)
        return say_not_done(facts, ABSENT)
    if not _is_made(spot, mark, facts):
        return say_unknown(job, spot, facts, "another file is there")
    make_durable(spot.folder, facts["path"])
    return say_done(tell_created(job, spot, {**facts, "created": list_created(job, facts)}))


def _is_made(spot: FilePlace, mark: str, facts: Mapping[str, Any]) -> bool:
    state = spot.state()
    return state is not None and state.kind == facts["type"] and (state.kind == "folder" or mark == facts["sha256"])


def _tidy_ways(job: FileJob, facts: Mapping[str, Any]) -> None:
    """Remove what was begun in the folders on the way, and roots that were made and are empty."""
    ways = [facts["base"], *list_created(job, facts)[:-1]]
    for way in ways:
        folder = find_folder_again(job, way, own=bool(facts["roots"]))
        if folder is None:
            break
        remove_own(job, folder)
    remove_roots(job, facts)


def remove_roots(job: FileJob, facts: Mapping[str, Any]) -> None:
    """Remove roots that were made, were missing before, and hold nothing."""
    for root in reversed(facts["roots"]):
        if find_folder_again(job, root, own=True) is not None:
            remove_made_root(job, root)


WRITING_FINDINGS: Mapping[str, StateReader] = {
    "create": _find_created,
    "write": _find_written,
    "append": _find_written,
    "edit": _find_written,
}
