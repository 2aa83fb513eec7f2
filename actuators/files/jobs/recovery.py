"""Finding out after a crash whether a change of files was made: what all verbs have in common.

Nothing is decided by what is likely: a thing is known by its identity, or by its whole content, and whatever fits neither
what was before nor what should be after is unknown. What a broken act left half made bears its mark and is removed, or
brought to its end where all of it was ready.
"""

import contextlib
from collections.abc import Callable, Mapping
from typing import Any

from actuators.files.jobs.jobs import FileJob
from actuators.files.jobs.parents import remove_made_root
from actuators.files.jobs.states import tell_state
from actuators.files.jobs.whole_files import remove_tree
from actuators.files.ports import FilePlace, FileState, Folder, Trashed
from actuators.files.stores.failures import allowing_missing
from actuators.files.stores.temporary_names import bears_mark
from core.base.errors import FileError, UnknownOutcomeError
from core.base.late_dataclasses import dataclass, replace
from core.results.tool_results import Finding, ToolOutcome
from core.tools.previews import ABSENT


@dataclass(frozen=True, slots=True)
class BegunAct:
    """An act that was begun, with what was written down before: its params, and the facts that tell whether it was carried out."""

    job: FileJob
    facts: Mapping[str, Any]

    def find_place(self, name: str = "path") -> FilePlace | None:
        """Return the place of one of the facts, without links; None if the folder that it was in is gone."""
        with allowing_missing():
            return self.job.find(self.facts[name], follow=False)
        return None

    def require_place(self) -> FilePlace:
        """Return the place that was to be changed; an UnknownOutcomeError if the folder that it was in is gone."""
        spot = self.find_place()
        if spot is None:
            evidence = {"path": self.facts["path"], "state": ABSENT, "identity": ""}
            raise UnknownOutcomeError("its folder is gone", evidence=evidence)
        return spot

    def find_folder(self, path: str, *, own: bool) -> Folder | None:
        """Open a folder by its path without links, ``own`` where it may lie above a missing root; None if there is none."""
        with allowing_missing():
            spot = self.job.find_own(path) if own else self.job.find(path, follow=False)
            state = spot.state()
            return self.job.hold(spot.descend()) if state and state.kind == "folder" else None
        return None

    def find_trashed(self, original: str, identity: str) -> Trashed | None:
        """Return where in the trash a certain thing lies, known by its identity, which is empty for nothing."""
        for each in self.job.hands.trash.find(original) if identity else ():
            with contextlib.suppress(FileError):  # it may have been taken out meanwhile
                state = self.job.find_own(each.place).state()
                if each.original == original and state is not None and state.identity == identity:
                    return replace(each, mark=identity)
        return None

    def remove_own(self, folder: Folder) -> None:
        """Remove what the act left unfinished in a folder."""
        for name in folder.names():
            if bears_mark(name, self.job.mark):
                with contextlib.suppress(FileNotFoundError):  # another start may be at it as well
                    remove_tree(self.job, folder, name)

    def remove_roots(self) -> None:
        """Remove roots that were made, were missing before, and hold nothing."""
        for root in reversed(self.facts["roots"]):
            if self.find_folder(root, own=True) is not None:
                remove_made_root(self.job, root)

    def say_unknown(self, spot: FilePlace | None, reason: str) -> Finding:
        """Return that it can't be known and why, with what is at the place that decides; None if its folder is gone."""
        now = tell_state(self.job, spot) if spot else ABSENT
        identity = get_identity(spot.state()) if spot else ""
        evidence = {"path": self.facts["path"], "state": now, "identity": identity, "reason": reason}
        return Finding("unknown", evidence)

    def say_not_done(self, state: str) -> Finding:
        """Return that nothing of it was done."""
        return Finding("not_done", {"path": self.facts["path"], "state": state})


StateReader = Callable[[BegunAct], Finding]
"""Compares the world with the facts of an act."""


def look(job: FileJob, reader: StateReader, args: Mapping[str, Any], facts: Mapping[str, Any]) -> Finding:
    """Find out, and say so where it can't be known."""
    if not facts:
        return Finding("unknown", {"reason": "nothing was recorded before"})
    try:
        return reader(BegunAct(job, {**args, **facts}))
    except UnknownOutcomeError as error:
        return Finding("unknown", {**error.evidence, "reason": error.message})


def get_identity(state: FileState | None) -> str:
    """Return what tells a thing from all others; empty for nothing."""
    return state.identity if state else ""


def say_done(outcome: ToolOutcome) -> Finding:
    """Return that all of it was done, with what the act would have said."""
    return Finding("done", outcome.evidence, outcome)
