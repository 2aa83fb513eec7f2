"""Finding out after a crash whether something was copied or moved."""

from collections.abc import Mapping
from typing import Any

from actuators.files.jobs.jobs import FileJob
from actuators.files.jobs.recovery import (
    find_place,
    find_trashed,
    get_identity,
    remove_own,
    require_place,
    say_done,
    say_not_done,
    say_unknown,
)
from actuators.files.jobs.states import tell_state
from actuators.files.jobs.whole_files import count_copied, describe_content, discard_entry, make_durable
from actuators.files.ports import FilePlace
from actuators.files.stores.failures import explaining
from actuators.files.stores.temporary_names import bears_mark
from actuators.files.verbs.moving_plans import tell_copied, tell_moved
from core.results.tool_results import Finding


def find_copied(job: FileJob, facts: Mapping[str, Any]) -> Finding:
    """A copy appears as a whole; what was in its place went to the trash just before, and comes back."""
    target = _look_at_target(job, facts)
    if _is_as_before(job, target, facts):
        return say_not_done(facts, tell_state(job, target))
    if target.state() is None or describe_content(job, target) != facts["content"]:
        return say_unknown(job, target, facts, "the file there is not that copy")
    make_durable(target.folder, facts["path"])
    states = (tell_state(job, target), get_identity(target.state()))
    replaced = find_trashed(job, facts["path"], facts["there"])
    return say_done(tell_copied(job, facts, count_copied(job, target), states, replaced))


def _look_at_target(job: FileJob, facts: Mapping[str, Any]) -> FilePlace:
    target = require_place(job, facts)
    remove_own(job, target.folder)
    job.hands.trash.sweep(facts["path"], job.mark)
    return target


def _is_as_before(job: FileJob, target: FilePlace, facts: Mapping[str, Any]) -> bool:
    """Tell whether a destination is as it was before; what was put away from there is brought back first."""
    if target.state() is None and (trashed := find_trashed(job, facts["path"], facts["there"])):
        with explaining("restore", facts["path"]):
            job.hands.trash.take_out(trashed, target.bare)
    return get_identity(target.state()) == facts["there"]


def find_moved(job: FileJob, facts: Mapping[str, Any]) -> Finding:
    """The thing itself is under one of two names; between volumes a copy of it comes first."""
    source, target = find_place(job, facts["source"]), _look_at_target(job, facts)
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
