"""The tools that put files and folders somewhere else, or away, over any store."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal

from actuators.files.archive_findings import ARCHIVE_FINDINGS
from actuators.files.findings import Look, look
from actuators.files.jobs import Change, JobRunner
from actuators.files.moving_findings import MOVING_FINDINGS
from actuators.files.moving_plans import plan_copy, plan_move, plan_rename
from actuators.files.moving_tools import FileMovingTools
from actuators.files.packing import plan_zip
from actuators.files.removing import plan_delete, plan_purge, plan_restore
from actuators.files.unpacking import plan_unzip
from core.ports import ActionContext
from core.previews import Preview
from core.recovery import Finding
from core.results import ToolOutcome

_PLANS: Mapping[str, Callable[..., Change]] = {
    "copy": plan_copy,
    "move": plan_move,
    "rename": plan_rename,
    "delete": plan_delete,
    "purge": plan_purge,
    "restore": plan_restore,
    "zip": plan_zip,
    "unzip": plan_unzip,
}

_FINDINGS: Mapping[str, Look] = {**MOVING_FINDINGS, **ARCHIVE_FINDINGS}


class FileMover(FileMovingTools):
    """Copies, moves, deletes, restores and packs."""

    def __init__(self, runner: JobRunner) -> None:
        """Work by these jobs."""
        self._runner = runner

    async def preview(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Preview | None:
        """Say what a verb would change."""
        return await self._runner.preview(context, partial(_PLANS[verb], **args))

    async def foresee(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the facts that tell, after a crash, whether a verb was carried out."""
        return await self._runner.foresee(context, partial(_PLANS[verb], **args))

    async def find_out(
        self, verb: str, context: ActionContext, args: Mapping[str, Any], facts: Mapping[str, Any]
    ) -> Finding:
        """Compare what was foreseen with the files."""
        return await self._runner.run(context, partial(look, find_out=_FINDINGS[verb], args=args, facts=facts))

    async def copy(self, context: ActionContext, source: str, destination: str, overwrite: bool = False) -> ToolOutcome:
        """Copy a file, or a folder with all that is in it."""
        plan = partial(plan_copy, source=source, destination=destination, overwrite=overwrite)
        return await self._runner.change(context, plan)

    async def move(self, context: ActionContext, source: str, destination: str, overwrite: bool = False) -> ToolOutcome:
        """Move a file or folder."""
        plan = partial(plan_move, source=source, destination=destination, overwrite=overwrite)
        return await self._runner.change(context, plan)

    async def rename(self, context: ActionContext, source: str, target: str) -> ToolOutcome:
        """Give a file or folder another name in the same folder."""
        return await self._runner.change(context, partial(plan_rename, source=source, target=target))

    async def delete(self, context: ActionContext, object_type: Literal["file", "folder"], name: str) -> ToolOutcome:
        """Put a file or folder into the trash, from where it can be restored."""
        return await self._runner.change(context, partial(plan_delete, object_type=object_type, name=name))

    async def purge(self, context: ActionContext, path: str) -> ToolOutcome:
        """Remove a file or folder for good."""
        return await self._runner.change(context, partial(plan_purge, path=path))

    async def restore(self, context: ActionContext, path: str) -> ToolOutcome:
        """Bring what was deleted back from the trash to where it was."""
        return await self._runner.change(context, partial(plan_restore, path=path))

    async def zip(self, context: ActionContext, source: str | tuple[str, ...], destination: str) -> ToolOutcome:
        """Pack files and folders into a zip archive."""
        return await self._runner.change(context, partial(plan_zip, source=source, destination=destination))

    async def unzip(self, context: ActionContext, source: str, destination: str) -> ToolOutcome:
        """Unpack a zip archive into a folder; all of it or nothing."""
        return await self._runner.change(context, partial(plan_unzip, source=source, destination=destination))
