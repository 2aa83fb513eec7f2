"""Finding out after a crash whether something was copied, moved, put into the trash, brought back, or removed."""

from collections.abc import Mapping
from typing import Any

from actuators.files.jobs.jobs import FileJob
from actuators.files.jobs.moving_facts import count_copied, describe_content, tell_copied, tell_moved
from actuators.files.jobs.recovery import (
    StateReader,
    find_place,
    find_trashed,
    get_identity,
    remove_own,
    say_done,
    say_not_done,
    say_unknown,
)
from actuators.files.jobs.states import tell_state
from actuators.files.jobs.whole_files import discard_entry, make_durable
from actuators.files.ports import FilePlace, Trashed
from actuators.files.stores.failures import explaining
from actuators.files.stores.temporary_names import bears_mark
from actuators.files.verbs.removing import tell_deleted, tell_purged, tell_restored
from core.results.tool_results import Finding
from core.tools.previews import ABSENT


def _find_copied(job: FileJob, args: Mapping[str, Any], facts: Mapping[str, Any]) -> Finding:
    """A copy appears as a whole; what was in its place went to the trash just before, and comes back."""
    del args
    target = _look_at_target(job, facts)
    if target is None:
        return say_unknown(job, target, facts, "its folder is gone")
    if _is_as_before(job, target, facts):
        return say_not_done(facts, tell_state(job, target))
    if target.state() is None or describe_content(job, target) != facts["content"]:
        return say_unknown(job, target, facts, "the file there is not that copy")
    make_durable(target.folder, facts["path"])
    states = (tell_state(job, target), get_identity(target.state()))
    replaced = find_trashed(job, facts["path"], facts["there"])
    return say_done(tell_copied(job, facts, count_copied(job, target), states, replaced))


def _look_at_target(job: FileJob, facts: Mapping[str, Any]) -> FilePlace | None:
    target = find_place(job, facts["path"])
    if target is not None:
        remove_own(job, target.folder)
        job.hands.trash.sweep(facts["path"], job.mark)
    return target


def _is_as_before(job: FileJob, target: FilePlace, facts: Mapping[str, Any]) -> bool:
    """Tell whether a destination is as it was before; what was put away from there is brought back first."""
    if target.state() is None and (trashed := find_trashed(job, facts["path"], facts["there"])):
        with explaining("restore", facts["path"]):
            job.hands.trash.take_out(trashed, target.bare)
    return get_identity(target.state()) == facts["there"]


def _find_moved(job: FileJob, args: Mapping[str, Any], facts: Mapping[str, Any]) -> Finding:
    """The thing itself is under one of two names; between volumes a copy of it comes first."""
    del args
    source, target = find_place(job, facts["source"]), _look_at_target(job, facts)
    if target is None:
        return say_unknown(job, target, facts, "its folder is gone")
    _end_respelling(job, target, facts)
    stays = source is not None and _is_listed(source, facts["identity"])
    if _is_listed(target, facts["identity"]) and not stays:
        return _say_moved(job, source, target, facts)
    if source is not None and _is_copied(job, source, target, facts):
        return _say_moved(job, source, target, facts)
    if stays and (facts["respelled"] or _is_as_before(job, target, facts)):
        return say_not_done(facts, tell_state(job, target))
    return say_unknown(job, target, facts, "it is in neither the old nor the new place")


def _is_listed(spot: FilePlace, identity: str) -> bool:
    return get_identity(spot.state()) == identity and spot.name in spot.folder.names()


def _end_respelling(job: FileJob, target: FilePlace, facts: Mapping[str, Any]) -> None:
    """Give something its new name if it died under the name between."""
    for name in target.folder.names():
        if bears_mark(name, job.mark, "whole") and target.folder.state(name).identity == facts["identity"]:
            target.folder.rename(name, target.folder, target.name, replace=False)


def _is_copied(job: FileJob, source: FilePlace, target: FilePlace, facts: Mapping[str, Any]) -> bool:
    """Tell whether a whole copy is on the other volume; an original that still is as it was is removed then."""
    there = target.state()
    if not facts["content"] or there is None or there.identity == facts["there"]:
        return False
    if describe_content(job, target) != facts["content"]:
        return False
    if source.state() is not None:
        if not facts["crossing"] or tell_state(job, source) != facts["mark"]:
            return False
        with explaining("remove", facts["source"]):
            discard_entry(job, source.folder, source.name)
    remove_own(job, source.folder)
    return True


def _say_moved(job: FileJob, source: FilePlace | None, target: FilePlace, facts: Mapping[str, Any]) -> Finding:
    make_durable(*([source.folder] if source else []), target.folder, facts["path"])
    mark = tell_state(job, target) if facts["content"] else facts["mark"]
    replaced = find_trashed(job, facts["path"], facts["there"])
    return say_done(tell_moved(job, facts, (mark, get_identity(target.state())), replaced))


def _find_deleted(job: FileJob, args: Mapping[str, Any], facts: Mapping[str, Any]) -> Finding:
    """The thing itself is where it was, or in the trash with a note."""
    del args
    spot = find_place(job, facts["path"])
    if spot is None:
        return say_unknown(job, spot, facts, "its folder is gone")
    job.hands.trash.sweep(facts["path"], job.mark)
    if get_identity(spot.state()) == facts["identity"]:
        return say_not_done(facts, facts["identity"])
    trashed = find_trashed(job, facts["path"], facts["identity"])
    if trashed is None or spot.state() is not None:
        return say_unknown(job, spot, facts, "it is not in the trash" if trashed is None else "a file is there again")
    make_durable(spot.folder, facts["path"])
    return say_done(tell_deleted(job, spot, trashed, facts["asked"]))


def _find_restored(job: FileJob, args: Mapping[str, Any], facts: Mapping[str, Any]) -> Finding:
    """The thing itself is in the trash, or where it was; the note goes last."""
    del args
    spot, trashed = find_place(job, facts["path"]), Trashed(**facts["trashed"])
    if spot is None:
        return say_unknown(job, spot, facts, "its folder is gone")
    if get_identity(spot.state()) == facts["identity"]:
        job.hands.trash.sweep(trashed.original, trashed.deleted)
        make_durable(spot.folder, facts["path"])
        return say_done(tell_restored(job, spot, facts["asked"], trashed.deleted))
    lies = find_trashed(job, trashed.original, facts["identity"])
    if spot.state() is None and lies is not None and lies.place == trashed.place:
        return say_not_done(facts, ABSENT)
    return say_unknown(job, spot, facts, "it is neither in the trash nor where it was")


def _find_purged(job: FileJob, args: Mapping[str, Any], facts: Mapping[str, Any]) -> Finding:
    """The thing itself is there, or it is out of sight at once; what is left of it goes now."""
    del args
    spot = find_place(job, facts["path"])
    if spot is None:
        return say_unknown(job, spot, facts, "its folder is gone")
    if get_identity(spot.state()) == facts["identity"]:
        return say_not_done(facts, facts["identity"])
    if spot.state() is not None:
        return say_unknown(job, spot, facts, "another file is there")
    remove_own(job, spot.folder)
    make_durable(spot.folder, facts["path"])
    return say_done(tell_purged(job, spot, facts["asked"], (facts["files"], facts["size_bytes"])))


MOVING_FINDINGS: Mapping[str, StateReader] = {
    "copy": _find_copied,
    "move": _find_moved,
    "rename": _find_moved,
    "delete": _find_deleted,
    "restore": _find_restored,
    "purge": _find_purged,
}
