"""The tools that put files and folders somewhere else, or away, over any store."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, Literal

from actuators.files.archives.packing import plan_zip
from actuators.files.archives.unpacking import plan_unzip
from actuators.files.jobs.jobs import FileJob, PlannedChange
from actuators.files.jobs.matches import names_several
from actuators.files.jobs.recovery import StateReader, look, say_done
from actuators.files.verbs.archive_recovery import ARCHIVE_FINDINGS
from actuators.files.verbs.batch import NAMING, describe_batch, go_back, plan_batch
from actuators.files.verbs.moving_plans import plan_copy, plan_move, plan_rename
from actuators.files.verbs.moving_recovery import MOVING_FINDINGS
from actuators.files.verbs.removing import plan_delete, plan_purge, plan_restore
from actuators.files.verbs.toolset import FileToolset
from core.results.tool_results import Finding, ToolOutcome
from core.rules.param_types import FILE_NAME, NEW_GLOB, NEW_GLOBS, FileGlobs, NewFilePath
from core.rules.type_makers import beside
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


class FileMovingTools(FileToolset):
    """Copying, moving, deleting, restoring and packing."""

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
        self, context: ActionContext, source: FileGlobs, destination: NewFilePath, overwrite: bool = False
    ) -> ToolOutcome:
        """Copy a file, or a folder with all that is in it; or several files into a folder, all of them or none.

        Args:
            source: What to copy: a path, a glob of files (``*.pdf``), or a list of both.
            destination: Path of the copy; a folder that is there takes the copy in under its own name. Several need one.
            overwrite: Whether a file that is there is replaced; folders are never merged.

        Returns:
            Output ``path`` (of the copy), ``files``, ``size_bytes`` and, for a file, ``sha256``; of several ``path`` (of
            the folder), ``count``, ``files`` and ``size_bytes``.

        Raises:
            FileError: If the source is missing, a glob matches nothing, the destination is there, or lies inside the
                source.
        """
        args = {"source": source, "destination": destination, "overwrite": overwrite}
        return await self._change(context, "copy", args)

    async def move(
        self,
        context: ActionContext,
        source: Annotated[str | tuple[str, ...], NEW_GLOBS],
        destination: NewFilePath,
        overwrite: bool = False,
    ) -> ToolOutcome:
        """Move a file or folder; or several files into a folder, all of them or none.

        Args:
            source: What to move, as for ``copy``.
            destination: As for ``copy``.
            overwrite: As for ``copy``; what is replaced goes to the trash.

        Returns:
            Output ``path`` (where it is now); of several that of the folder, and ``count``.

        Raises:
            FileError: As for ``copy``.
        """
        args = {"source": source, "destination": destination, "overwrite": overwrite}
        return await self._change(context, "move", args)

    async def rename(
        self, context: ActionContext, source: NewFilePath, target: Annotated[str, FILE_NAME]
    ) -> ToolOutcome:
        """Give a file or folder another name in the same folder.

        Args:
            source: What to rename.
            target: The new name, without a folder.

        Returns:
            Output ``path`` (where it is now).

        Raises:
            FileError: If that name is taken; another spelling of the same name is allowed.
        """
        return await self._change(context, "rename", {"source": source, "target": target})

    async def delete(
        self,
        context: ActionContext,
        object_type: Literal["file", "folder"],
        name: Annotated[str, beside(NEW_GLOB)],
        only_empty: bool = False,
    ) -> ToolOutcome:
        """Put a file or folder into the trash, from where it can be restored; or several, all of them or none.

        Args:
            object_type: Which of the two it must be.
            name: Its path, or a glob of several.
            only_empty: Whether it must be empty: a file without content, a folder with nothing in it.

        Returns:
            Output ``path`` and ``trashed`` (where it lies in the trash); of several ``path`` of their folder and ``count``.

        Raises:
            FileError: If it is missing, a glob matches nothing, it isn't empty and must be (``not_empty``), it is of the other type, in use, or the volume has no trash (``no_trash``).
        """
        args = {"object_type": object_type, "name": name, "only_empty": only_empty}
        return await self._change(context, "delete", args)

    async def purge(self, context: ActionContext, path: NewFilePath) -> ToolOutcome:
        """Remove a file or folder for good.

        Args:
            path: What to remove; a link is removed itself, never what it points to.

        Returns:
            Output ``path``, ``files`` and ``size_bytes`` that are gone.
        """
        return await self._change(context, "purge", {"path": path})

    async def restore(self, context: ActionContext, path: NewFilePath) -> ToolOutcome:
        """Bring what was deleted back from the trash to where it was.

        Args:
            path: Where it was; of several the latest is brought back.

        Returns:
            Output ``path``.

        Raises:
            FileError: If the trash has nothing from there (lists what it has from the same folder), or the place is
                taken.
        """
        return await self._change(context, "restore", {"path": path})

    async def zip(
        self, context: ActionContext, source: FileGlobs, destination: NewFilePath | None = None
    ) -> ToolOutcome:
        """Pack files and folders into a zip archive.

        Args:
            source: One path or several, each a path or a glob of files.
            destination: Path of the archive; must not be there. Without it, a single source is packed beside itself, under
                its own name with ``.zip`` behind it.

        Returns:
            Output ``path``, ``entries``, ``left_out`` (pipes, sockets and devices), ``size_bytes`` and ``sha256``.
        """
        return await self._change(context, "zip", {"source": source, "destination": destination})

    async def unzip(
        self, context: ActionContext, source: FileGlobs, destination: NewFilePath | None = None
    ) -> ToolOutcome:
        """Unpack a zip archive, or several, into a folder; all of it or nothing.

        Args:
            source: The archive: a path, a glob, or a list of both.
            destination: The folder; made where it is missing, but for several archives. Nothing in it is overwritten. Without
                it, each archive is unpacked into the folder that it lies in.

        Returns:
            Output ``path``, ``entries`` (paths that were unpacked), ``created`` (what undo removes), ``size_bytes`` and, of
            several archives, ``count``.

        Raises:
            FileError: If a member's name is refused (with the rule's id), it is too large or too many
                (``archive_limit``), encrypted, damaged, or in the way of something.
        """
        return await self._change(context, "unzip", {"source": source, "destination": destination})

    async def _change(self, context: ActionContext, verb: str, args: Mapping[str, Any]) -> ToolOutcome:
        return await self._runner.change(context, partial(_plan, verb=verb, args=args))
