"""The tools that put files and folders somewhere else, or away, over any store."""

from collections.abc import Callable, Mapping
from typing import Annotated, ClassVar, Literal

from actuators.files.archives.packing import find_zipped, plan_zip
from actuators.files.archives.unpacking import find_unzipped, plan_unzip
from actuators.files.jobs.jobs import PlannedChange
from actuators.files.jobs.recovery import BegunAct, StateReader, get_identity, say_done
from actuators.files.jobs.states import tell_state
from actuators.files.jobs.whole_files import count_copied, describe_content, discard_entry, make_durable
from actuators.files.ports import FilePlace
from actuators.files.stores.failures import explaining
from actuators.files.stores.temporary_names import bears_mark
from actuators.files.verbs.moving_plans import plan_copy, plan_move, plan_rename, tell_copied, tell_moved
from actuators.files.verbs.removing import (
    find_deleted,
    find_purged,
    find_restored,
    plan_delete,
    plan_purge,
    plan_restore,
)
from actuators.files.verbs.toolset import FileChangingTools
from core.results.tool_results import Finding, ToolOutcome
from core.rules.param_types import FILE_NAME, NEW_GLOB, NEW_GLOBS, FileGlobs, NewFilePath
from core.rules.type_makers import beside
from core.tools.ports import ActionContext


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


class FileMovingTools(FileChangingTools):
    """Copying, moving, deleting, restoring and packing."""

    plans: ClassVar[Mapping[str, Callable[..., PlannedChange]]] = {
        "copy": plan_copy,
        "move": plan_move,
        "rename": plan_rename,
        "delete": plan_delete,
        "purge": plan_purge,
        "restore": plan_restore,
        "zip": plan_zip,
        "unzip": plan_unzip,
    }
    findings: ClassVar[Mapping[str, StateReader]] = {
        "copy": find_copied,
        "move": find_moved,
        "rename": find_moved,
        "delete": find_deleted,
        "purge": find_purged,
        "restore": find_restored,
        "zip": find_zipped,
        "unzip": find_unzipped,
    }

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
        return await self._change(context, "copy", source=source, destination=destination, overwrite=overwrite)

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
        return await self._change(context, "move", source=source, destination=destination, overwrite=overwrite)

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
        return await self._change(context, "rename", source=source, target=target)

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
        return await self._change(context, "delete", object_type=object_type, name=name, only_empty=only_empty)

    async def purge(self, context: ActionContext, path: NewFilePath) -> ToolOutcome:
        """Remove a file or folder for good.

        Args:
            path: What to remove; a link is removed itself, never what it points to.

        Returns:
            Output ``path``, ``files`` and ``size_bytes`` that are gone.
        """
        return await self._change(context, "purge", path=path)

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
        return await self._change(context, "restore", path=path)

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
        return await self._change(context, "zip", source=source, destination=destination)

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
        return await self._change(context, "unzip", source=source, destination=destination)
