"""A bench: one back end of the file tools with a folder of its own, and eyes that don't go through the tools."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any, Protocol

from actuators.base import Environment
from actuators.files.platforms.back_end import FileBackEnd
from actuators.files.platforms.fake import FakeDisk, make_fake_back_end
from actuators.verb_table import load_toolsets
from core.policy.policy import Policy
from core.results.tool_results import ToolOutcome, UndoRecord
from core.tools.ports import ActionContext
from core.tools.previews import Preview
from core.tools.registry import list_verbs

SHOWN = frozenset(
    ["create", "write", "append", "edit", "copy", "move", "rename", "delete", "restore", "zip", "unzip", "purge"]
)


class Eyes(Protocol):
    """Looks at files and puts them there, as a person would; paths are absolute."""

    def put(self, path: str, content: bytes) -> None:
        """Make or replace a file, with the folders above it."""
        ...

    def make(self, path: str) -> None:
        """Make a folder, with those above it."""
        ...

    def link(self, path: str, target: str) -> None:
        """Make a link."""
        ...

    def look(self, path: str) -> bytes | None:
        """Return the content of a file; None if there is none."""
        ...

    def names(self, path: str) -> list[str] | None:
        """Return the names in a folder, sorted; None if there is none."""
        ...

    def mark_read_only(self, path: str) -> None:
        """Let nobody write a file."""
        ...


class RealEyes:
    """Looks at the files of this machine."""

    def put(self, path: str, content: bytes) -> None:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_bytes(content)

    def make(self, path: str) -> None:
        Path(path).mkdir(parents=True, exist_ok=True)

    def link(self, path: str, target: str) -> None:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).symlink_to(target)

    def look(self, path: str) -> bytes | None:
        return Path(path).read_bytes() if Path(path).is_file() else None

    def names(self, path: str) -> list[str] | None:
        return sorted(each.name for each in Path(path).iterdir()) if Path(path).is_dir() else None

    def mark_read_only(self, path: str) -> None:
        Path(path).chmod(0o444)


class FakeEyes:
    """Looks at the files in memory."""

    def __init__(self, machine: FakeDisk) -> None:
        self._store = machine.store

    def put(self, path: str, content: bytes) -> None:
        self._store.put(path, content)

    def make(self, path: str) -> None:
        self._store.make_folders(path)

    def link(self, path: str, target: str) -> None:
        pure = self._store.flavour(path)
        spot = self._store.find(("/",), str(pure.parent))
        spot.descend().make_link(pure.name, target)

    def look(self, path: str) -> bytes | None:
        node = self._store.look(path)
        return node.content if node and node.kind == "file" else None

    def names(self, path: str) -> list[str] | None:
        node = self._store.look(path)
        return sorted(node.entries) if node and node.kind == "folder" else None

    def mark_read_only(self, path: str) -> None:
        node = self._store.look(path)
        assert node
        node.mode = 0o444


@dataclass(kw_only=True)
class FileBench:
    """What the conformance suite runs on.

    Attributes:
        back_end: The back end.
        eyes: Look past it.
        root: The folder that the tools may use.
        outside: A folder that they may not use.
        flavour: How paths are written.
        has_links: Whether there are symbolic links.
        has_trash: Whether there is a trash.
        has_modes: Whether there are permission bits.
        any_case: Whether ``a`` and ``A`` are one file.
    """

    back_end: FileBackEnd
    eyes: Eyes
    root: str
    outside: str
    flavour: type[PurePath]
    has_links: bool = True
    has_trash: bool = True
    has_modes: bool = True
    any_case: bool = False

    def path(self, below: str = "") -> str:
        """Return the absolute path of something below the folder."""
        return str(self.flavour(self.root).joinpath(*below.split("/"))) if below else self.root

    def context(self, preview: Preview | None = None, roots: Sequence[str] = ()) -> ActionContext:
        """Return what a tool is told."""
        policy = Policy(roots=tuple(roots) or (self.root,))
        return ActionContext("g0_file_1", timeout_s=20.0, policy=policy, preview=preview)

    async def preview(self, verb: str, *, roots: Sequence[str] = (), **args: Any) -> Preview:
        """Return what a verb would change, in the bench's folder or in others."""
        found = await self._tools()[verb].preview(verb, self.context(roots=roots), args)
        assert found is not None
        json.dumps([dict(found.operation), dict(found.before)])
        return found

    async def call(
        self, verb: str, *, shown: Preview | None = None, roots: Sequence[str] = (), **args: Any
    ) -> ToolOutcome:
        """Show and call a verb, as a run does; whatever comes of it must be plain data."""
        if shown is None and verb in SHOWN:
            shown = await self.preview(verb, roots=roots, **args)
        outcome = await getattr(self._tools()[verb], verb)(self.context(shown, roots), **args)
        record = outcome.undo_record
        json.dumps([dict(outcome.output), dict(outcome.evidence), record and [record.params, record.guard]])
        return outcome

    async def take_back(self, outcome: ToolOutcome) -> None:
        """Take a change back, from its record as a file would keep it."""
        record = outcome.undo_record
        assert record is not None, outcome.undo
        params, guard = (json.loads(json.dumps(each)) for each in (record.params, record.guard))
        await self.back_end.take_back(self.context(), UndoRecord(record.domain, record.operation, params, guard))

    def put(self, below: str, content: bytes | str = b"") -> str:
        """Make or replace a file; return its path."""
        path = self.path(below)
        self.eyes.put(path, content.encode() if isinstance(content, str) else content)
        return path

    def look(self, below: str) -> bytes | None:
        """Return the content of a file."""
        return self.eyes.look(self.path(below))

    def names(self, below: str = "") -> list[str] | None:
        """Return the names in a folder."""
        return self.eyes.names(self.path(below))

    def _tools(self) -> Mapping[str, Any]:
        return {
            verb: self.back_end.toolsets[toolset] for toolset in load_toolsets("file") for verb in list_verbs(toolset)
        }


def make_environment(folder: PurePath, workspace: PurePath, platform: str = sys.platform) -> Environment:
    """Return what a back end may know of a session in a folder."""
    home = folder / "home"
    variables = {"HOME": str(home), "USERPROFILE": str(home), "PATH": "/usr/bin:/bin"}
    return Environment(
        platform=platform,
        variables=variables,
        workspace=Path(workspace),
        state_dir=Path(folder / "state"),
        anchors={"workspace": str(workspace), "home": str(home)},
    )


def make_real_bench(back_end: FileBackEnd, folder: Path, **traits: bool) -> FileBench:
    """Return a bench on a back end for this machine; the folders are those of ``make_environment``."""
    for name in ("work", "home", "outside"):
        (folder / name).mkdir(exist_ok=True)
    return FileBench(
        back_end=back_end,
        eyes=RealEyes(),
        root=str(folder / "work"),
        outside=str(folder / "outside"),
        flavour=type(folder),
        **traits,
    )


def make_fake_bench(machine: FakeDisk, **traits: bool) -> FileBench:
    """Return a bench on files in memory."""
    flavour = machine.store.flavour
    environment = make_environment(flavour("/home/ada"), flavour(machine.workspace), "linux")
    state_dir: Any = flavour("/home/ada/state")
    back_end = make_fake_back_end(machine, replace(environment, state_dir=state_dir))
    machine.store.make_folders("/outside")
    return FileBench(
        back_end=back_end,
        eyes=FakeEyes(machine),
        root=machine.workspace,
        outside="/outside",
        flavour=flavour,
        **traits,
    )


def list_entries(outcome: ToolOutcome, bench: FileBench) -> Sequence[str]:
    """Return the paths that were found, below the folder and with slashes."""
    root = bench.flavour(bench.root)
    return [bench.flavour(each["path"]).relative_to(root).as_posix() for each in outcome.output["entries"]]
