"""Finding out after a crash whether something was copied or moved."""

from actuators.files.jobs.recovery import BegunAct, get_identity, say_done
from actuators.files.jobs.states import tell_state
from actuators.files.jobs.whole_files import count_copied, describe_content, discard_entry, make_durable
from actuators.files.ports import FilePlace
from actuators.files.stores.failures import explaining
from actuators.files.stores.temporary_names import bears_mark
from actuators.files.verbs.moving_plans import tell_copied, tell_moved
from core.results.tool_results import Finding


def find_copied(act: BegunAct) -> Finding:
    """A copy appears as a whole; what was in its place went to the trash just before, and comes back."""
    target = _look_at_target(act)
    if _is_as_before(act, target):
        return act.say_not_done(tell_state(act.job, target))
    if target.state() is None or describe_content(act.job, target) != act.facts["content"]:
        return act.say_unknown(target, "the file there is not that copy")
    make_durable(target.folder, act.facts["path"])
    states = (tell_state(act.job, target), get_identity(target.state()))
    replaced = act.find_trashed(act.facts["path"], act.facts["there"])
    return say_done(tell_copied(act.job, act.facts, count_copied(act.job, target), states, replaced))


def _look_at_target(act: BegunAct) -> FilePlace:
    target = act.require_place()
    act.remove_own(target.folder)
    act.job.hands.trash.sweep(act.facts["path"], act.job.mark)
    return target


def _is_as_before(act: BegunAct, target: FilePlace) -> bool:
    """Tell whether a destination is as it was before; what was put away from there is brought back first."""
    if target.state() is None and (trashed := act.find_trashed(act.facts["path"], act.facts["there"])):
        with explaining("restore", act.facts["path"]):
            act.job.hands.trash.take_out(trashed, target.bare)
    return get_identity(target.state()) == act.facts["there"]


def find_moved(act: BegunAct) -> Finding:
    """The thing itself is under one of two names; between volumes a copy of it comes first."""
    source, target = act.find_place("source"), _look_at_target(act)
    _end_respelling(act, target)
    stays = source is not None and _is_listed(source, act.facts["identity"])
    if _is_listed(target, act.facts["identity"]) and not stays:
        return _say_moved(act, source, target)
    if source is not None and _is_copied(act, source, target):
        return _say_moved(act, source, target)
    if stays and (act.facts["respelled"] or _is_as_before(act, target)):
        return act.say_not_done(tell_state(act.job, target))
    return act.say_unknown(target, "it is in neither the old nor the new place")


def _is_listed(spot: FilePlace, identity: str) -> bool:
    return get_identity(spot.state()) == identity and spot.name in spot.folder.names()


def _end_respelling(act: BegunAct, target: FilePlace) -> None:
    """Give something its new name if it died under the name between."""
    for name in target.folder.names():
        if bears_mark(name, act.job.mark, "whole") and target.folder.state(name).identity == act.facts["identity"]:
            target.folder.rename(name, target.folder, target.name, replace=False)


def _is_copied(act: BegunAct, source: FilePlace, target: FilePlace) -> bool:
    """Tell whether a whole copy is on the other volume; an original that still is as it was is removed then."""
    there = target.state()
    if not act.facts["content"] or there is None or there.identity == act.facts["there"]:
        return False
    if describe_content(act.job, target) != act.facts["content"]:
        return False
    if source.state() is not None:
        if not act.facts["crossing"] or tell_state(act.job, source) != act.facts["mark"]:
            return False
        with explaining("remove", act.facts["source"]):
            discard_entry(act.job, source.folder, source.name)
    act.remove_own(source.folder)
    return True


def _say_moved(act: BegunAct, source: FilePlace | None, target: FilePlace) -> Finding:
    make_durable(*([source.folder] if source else []), target.folder, act.facts["path"])
    mark = tell_state(act.job, target) if act.facts["content"] else act.facts["mark"]
    replaced = act.find_trashed(act.facts["path"], act.facts["there"])
    return say_done(tell_moved(act.job, act.facts, (mark, get_identity(target.state())), replaced))
