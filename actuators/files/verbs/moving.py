"""The tools that put files and folders somewhere else, or away, over any store."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal

from actuators.files.api.moving_tools import FileMovingTools
from actuators.files.archives.packing import plan_zip
from actuators.files.archives.unpacking import plan_unzip
from actuators.files.jobs.jobs import FileJob, JobRunner, PlannedChange
from actuators.files.jobs.matches import names_several
from actuators.files.jobs.recovery import StateReader, look, say_done
from actuators.files.verbs.archive_recovery import ARCHIVE_FINDINGS
from actuators.files.verbs.batch import NAMING, describe_batch, go_back, plan_batch
from actuators.files.verbs.moving_plans import plan_copy, plan_move, plan_rename
from actuators.files.verbs.moving_recovery import MOVING_FINDINGS
from actuators.files.verbs.removing import plan_delete, plan_purge, plan_restore
from core.results.tool_results import Finding, ToolOutcome
from core.tools.ports import ActionContext
from core.tools.previews import Preview


def find_several(
    job: FileJob, verb: str, reconcile: StateReader, args: Mapping[str, Any], facts: Mapping[str, Any]
) -> Finding:
    """Compare what was foreseen of each file with what is there."""
    found: list[Finding] = []
    for path, each in zip(facts["paths"], facts["items"], strict=True):
        with job.part() as part:
            found.append(reconcile(part, {**args, NAMING[verb]: path}, each))
    evidence = {"path": facts["path"], "items": [dict(each.evidence) for each in found]}
    if unknown := next((each for each in found if each.state == "unknown"), None):
        return Finding("unknown", {**evidence, "reason": unknown.evidence.get("reason", "")})
    done = [each.outcome for each in found if each.outcome is not None]
    if len(done) == len(found):
        return say_done(describe_batch(job, facts["path"], done))
    go_back(job, done, "the program ended")
    return Finding("not_done", evidence)


_PLANS: Mapping[str, Callable[..., PlannedChange]] = {
    "copy": plan_copy,
    "move": plan_move,
    "rename": plan_rename,
    "delete": plan_delete,
    "purge": plan_purge,
    "restore": plan_restore,
    "zip": plan_zip,
    "unzip": plan_unzip,
}

_FINDINGS: Mapping[str, StateReader] = {**MOVING_FINDINGS, **ARCHIVE_FINDINGS}


def _plan(job: FileJob, verb: str, args: Mapping[str, Any]) -> PlannedChange:
    if verb in NAMING and names_several(args[NAMING[verb]]):
        return plan_batch(job, verb, _PLANS[verb], args)
    return _PLANS[verb](job, **args)


def _look(verb: str, job: FileJob, args: Mapping[str, Any], facts: Mapping[str, Any]) -> Finding:
    if "items" in facts:
        return find_several(job, verb, _FINDINGS[verb], args, facts)
    return _FINDINGS[verb](job, args, facts)


class FileMover(FileMovingTools):
    """Copies, moves, deletes, restores and packs."""

    def __init__(self, runner: JobRunner) -> None:
        self._runner = runner

    async def preview(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Preview | None:
        """Say what a verb would change."""
        return await self._runner.preview(context, partial(_plan, verb=verb, args=args))

    async def predict(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the facts that tell, after a crash, whether a verb was carried out."""
        return await self._runner.predict(context, partial(_plan, verb=verb, args=args))

    async def reconcile(
        self, verb: str, context: ActionContext, args: Mapping[str, Any], facts: Mapping[str, Any]
    ) -> Finding:
        """Compare what was foreseen with the files."""
        reconcile = partial(_look, verb)
        return await self._runner.run(context, partial(look, reconcile=reconcile, args=args, facts=facts))

    async def copy(
        self, context: ActionContext, source: str | tuple[str, ...], destination: str, overwrite: bool = False
    ) -> ToolOutcome:
        """Copy a file, or a folder with all that is in it, or several files into a folder."""
        args = {"source": source, "destination": destination, "overwrite": overwrite}
        return await self._change(context, "copy", args)

    async def move(
        self, context: ActionContext, source: str | tuple[str, ...], destination: str, overwrite: bool = False
    ) -> ToolOutcome:
        """Move a file or folder, or several files into a folder."""
        args = {"source": source, "destination": destination, "overwrite": overwrite}
        return await self._change(context, "move", args)

    async def rename(self, context: ActionContext, source: str, target: str) -> ToolOutcome:
        """Give a file or folder another name in the same folder."""
        return await self._change(context, "rename", {"source": source, "target": target})

    async def delete(
        self, context: ActionContext, object_type: Literal["file", "folder"], name: str, only_empty: bool = False
    ) -> ToolOutcome:
        """Put a file or folder, or several, into the trash, from where they can be restored."""
        args = {"object_type": object_type, "name": name, "only_empty": only_empty}
        return await self._change(context, "delete", args)

    async def purge(self, context: ActionContext, path: str) -> ToolOutcome:
        """Remove a file or folder for good."""
        return await self._change(context, "purge", {"path": path})

    async def restore(self, context: ActionContext, path: str) -> ToolOutcome:
        """Bring what was deleted back from the trash to where it was."""
        return await self._change(context, "restore", {"path": path})

    async def zip(
        self, context: ActionContext, source: str | tuple[str, ...], destination: str | None = None
    ) -> ToolOutcome:
        """Pack files and folders into a zip archive."""
        return await self._change(context, "zip", {"source": source, "destination": destination})

    async def unzip(
        self, context: ActionContext, source: str | tuple[str, ...], destination: str | None = None
    ) -> ToolOutcome:
        """Unpack a zip archive, or several, into a folder; all of it or nothing."""
        return await self._change(context, "unzip", {"source": source, "destination": destination})

    async def _change(self, context: ActionContext, verb: str, args: Mapping[str, Any]) -> ToolOutcome:
        return await self._runner.change(context, partial(_plan, verb=verb, args=args))
