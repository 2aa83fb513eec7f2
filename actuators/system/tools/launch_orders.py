"""LaunchOrder: a program that is to be started, as it was found: what runs, with what, where, and out of which files.

It is made when somebody is asked, and made anew right before the act; what differs is another program than the one that
was agreed to.
"""

import asyncio
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from actuators.system.ports.parts import SystemParts
from actuators.system.ports.programs import Application
from actuators.system.tools.matching import application_missing, find_application
from core.base.errors import ActionError, FileError
from core.base.late_dataclasses import dataclass
from core.policy.command_code import check_code, check_command, find_code
from core.policy.policy import Policy
from core.tools.ports import ActionContext
from core.tools.previews import Preview, list_changes

RUNNING = "system.run"
"""What starting a program is that is given code; policy has to allow that one."""
_SEPARATORS = ("/", "\\")


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchOrder:
    """A program that is to be started.

    Attributes:
        argv: The whole command line; its first part is the program's path.
        digests: SHA-256 by path of the files that decide what runs.
    """

    application: Application
    argv: tuple[str, ...]
    args: tuple[str, ...]
    folder: Path
    digests: Mapping[str, str]

    def show(self) -> Preview:
        """Return it as a person is shown it."""
        told = [{"told": f"program: {shlex.join(self.argv)}"}, {"told": f"in the folder: {self.folder}"}]
        told += [{"told": f"file: {path} (SHA-256 {digest})", "path": path} for path, digest in self.digests.items()]
        operation: Mapping[str, Any] = {
            "kind": "start_program",
            "argv": list(self.argv),
            "folder": str(self.folder),
            "sha256": dict(self.digests),
            "items": told,
        }
        return Preview(operation)

    def check(self, context: ActionContext) -> None:
        """Refuse it if it isn't what was shown; ActionError ``changed_since``."""
        if context.preview is None or not context.preview.operation:
            return
        if changes := list_changes(Preview(context.preview.operation), self.show()):
            raise ActionError(
                f"{self.application.name} was not started: it differs from the program you approved: "
                f"{'; '.join(changes)}.",
                code="changed_since",
                hint="Look at it and approve it again.",
                evidence={"changed": changes},
            )


class LaunchOrders:
    """Finds out what would be started."""

    def __init__(self, parts: SystemParts, workspace: Path) -> None:
        self._parts = parts
        self._workspace = workspace

    async def find(self, policy: Policy, app: str, args: Sequence[str], cwd: str | None) -> LaunchOrder:
        """Return what would be started, by a name that the desktop knows or an executable.

        Raises:
            DeviceError: If there is no such application, or two are called so.
            PolicyError: If its arguments are code, or it lies where goals may write, and policy allows no commands.
            FileError: If there is no such folder.
        """
        application = await self._find(app, cwd)
        folder = find_folder(cwd or application.folder or None, self._workspace)
        own = self._parts.launcher.build_argv(application, ())
        argv = self._parts.launcher.build_argv(application, args)
        check_command([app], args, policy, RUNNING)
        check_code(self._find_own_code(app, application, policy), policy, RUNNING)
        links = await asyncio.to_thread(lambda: (str(Path(own[0]).resolve()), application.executable))
        code = find_code(own, args, links)
        check_code(code, policy, RUNNING)
        return await self._examine(application, (own, argv, args), folder, code=bool(code))

    async def find_command(self, argv: Sequence[str], cwd: str | None) -> LaunchOrder:
        """Return what would be run; a DeviceError without such a program, a FileError without such a folder."""
        folder = find_folder(cwd, self._workspace)
        program = self._parts.commands.find(argv[0], folder)
        application = Application("", argv[0], program, (program,))
        return await self._examine(application, ([program], [program, *argv[1:]], argv[1:]), folder, code=True)

    async def _examine(
        self,
        application: Application,
        lines: tuple[Sequence[str], Sequence[str], Sequence[str]],
        folder: Path,
        *,
        code: bool,
    ) -> LaunchOrder:
        own, argv, args = lines

        def look() -> LaunchOrder:
            digests = self._parts.executables.examine(own, args, folder, code=code)
            return LaunchOrder(
                application=application, argv=tuple(argv), args=tuple(args), folder=folder.resolve(), digests=digests
            )

        return await asyncio.to_thread(look)

    def _find_own_code(self, app: str, application: Application, policy: Policy) -> str:
        """Return why a program itself is code that a goal may have written; empty if it isn't."""
        if policy.roots is None or not any(each in app for each in _SEPARATORS):
            return ""
        path = Path(application.executable).resolve()
        inside = any(path.is_relative_to(Path(root).resolve()) for root in policy.roots)
        return f"{path} is in a folder that goals can write to" if inside else ""

    async def _find(self, app: str, cwd: str | None) -> Application:
        """Return what a name means; a path is relative to the folder that it is started in, as with commands."""
        named_by_path = any(each in app for each in _SEPARATORS)
        applications = () if named_by_path else await self._parts.launcher.applications()
        if named_by_path and not app.startswith(_SEPARATORS):
            app = str(find_folder(cwd, self._workspace) / app)
        if found := find_application(applications, app):
            return found
        if path := self._parts.launcher.find_executable(app):
            return Application(id="", name=Path(path).name, executable=path, argv=(path,))
        raise application_missing(applications, app)


def find_folder(cwd: str | None, workspace: Path) -> Path:
    """Return the folder that a program starts in; FileError ``not_found`` or ``wrong_type``."""
    folder = workspace / cwd if cwd else workspace
    if folder.is_dir():
        return folder
    exists = folder.exists()
    raise FileError(
        f"{folder} is not a folder." if exists else f"Folder {folder} does not exist.",
        code="wrong_type" if exists else "not_found",
        hint="Name an existing folder.",
        evidence={"path": str(folder)},
    )
