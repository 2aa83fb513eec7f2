"""The tools that make files and folders and change what is in them, over any store."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal

from actuators.files.api.writing_tools import FileWritingTools
from actuators.files.jobs.jobs import JobRunner, PlannedChange
from actuators.files.jobs.recovery import look
from actuators.files.verbs.creating import plan_create
from actuators.files.verbs.undo import FileUndo
from actuators.files.verbs.writing_plans import plan_append, plan_edit, plan_write
from actuators.files.verbs.writing_recovery import WRITING_FINDINGS
from core.results.tool_results import Finding, ToolOutcome, UndoRecord
from core.tools.ports import ActionContext
from core.tools.previews import Preview

_PLANS: Mapping[str, Callable[..., PlannedChange]] = {
    "create": plan_create,
    "write": plan_write,
    "append": plan_append,
    "edit": plan_edit,
}


class FileWriter(FileWritingTools):
    """Makes files and folders and changes them."""

    def __init__(self, runner: JobRunner) -> None:
        self._runner = runner

    async def preview(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Preview | None:
        """Say what a verb would change."""
        return await self._runner.preview(context, partial(_PLANS[verb], **args))

    async def preview_back(self, context: ActionContext, record: UndoRecord) -> Preview | None:
        """Say what taking a change of files back would change, whichever tool made it."""
        return await FileUndo(self._runner).preview(context, record)

    async def predict(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the facts that tell, after a crash, whether a verb was carried out."""
        return await self._runner.predict(context, partial(_PLANS[verb], **args))

    async def reconcile(
        self, verb: str, context: ActionContext, args: Mapping[str, Any], facts: Mapping[str, Any]
    ) -> Finding:
        """Compare what was foreseen with the files."""
        return await self._runner.run(context, partial(look, reconcile=WRITING_FINDINGS[verb], args=args, facts=facts))

    async def create(
        self,
        context: ActionContext,
        object_type: Literal["file", "folder"],
        name: str,
        content: str | None = None,
        exist_ok: bool = False,
        whole_lines: bool | None = None,
    ) -> ToolOutcome:
        """Make a file or folder, with the folders above it."""
        plan = partial(
            plan_create,
            object_type=object_type,
            name=name,
            content=content,
            exist_ok=exist_ok,
            whole_lines=bool(whole_lines),
        )
        return await self._runner.change(context, plan)

    async def write(
        self,
        context: ActionContext,
        path: str,
        content: str,
        encoding: str | None = None,
        expected_sha256: str | None = None,
        whole_lines: bool | None = None,
    ) -> ToolOutcome:
        """Replace the content of a file, or make it."""
        plan = partial(
            plan_write,
            path=path,
            content=content,
            encoding=encoding,
            expected_sha256=expected_sha256,
            whole_lines=bool(whole_lines),
        )
        return await self._runner.change(context, plan)

    async def append(
        self,
        context: ActionContext,
        path: str,
        content: str,
        encoding: str | None = None,
        expected_sha256: str | None = None,
        whole_lines: bool | None = None,
    ) -> ToolOutcome:
        """Add text at the end of a file, or make it."""
        plan = partial(
            plan_append,
            path=path,
            content=content,
            encoding=encoding,
            expected_sha256=expected_sha256,
            whole_lines=bool(whole_lines),
        )
        return await self._runner.change(context, plan)

    async def edit(
        self,
        context: ActionContext,
        path: str,
        find: str,
        replace: str,
        count: int = 1,
        expected_sha256: str | None = None,
        whole_lines: bool | None = None,
    ) -> ToolOutcome:
        """Replace exact text in a file."""
        plan = partial(
            plan_edit,
            path=path,
            find=find,
            replace=replace,
            count=count,
            expected_sha256=expected_sha256,
            whole_lines=bool(whole_lines),
        )
        return await self._runner.change(context, plan)
