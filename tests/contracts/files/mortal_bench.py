"""Worlds of files in which a process dies: each verb with what is there before, and a look at everything after."""

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from actuators.base import Environment
from actuators.files.platforms.back_end import FileBackEnd, describe_anchors
from actuators.files.platforms.fake import FakeFileOpener
from actuators.files.ports import FileHands, FileStore, TrashCan
from actuators.files.stores.watching import PollingWatcher
from actuators.verb_table import load_toolsets
from core.policy.policy import Policy
from core.results.records import to_data
from core.results.tool_results import Finding, ToolOutcome, UndoRecord
from core.tools.ports import ActionContext
from core.tools.previews import Preview
from core.tools.registry import list_verbs
from tests.contracts.files.bench import Eyes
from tests.contracts.files.mortal import Life, MortalStore

TOOLSETS = {verb: toolset for toolset in load_toolsets("file") for verb in list_verbs(toolset)}


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A verb, and what is there before.

    Attributes:
        verb: Which.
        args: What it is called with; a path begins with ``@`` and lies below the folder that may be used.
        files: Contents by path below the folder; None for a folder.
        trashed: What is put into the trash beforehand.
        zipped: What is packed into ``z.zip`` beforehand.
        roots: Folders below the folder that may be used; the folder itself where absent.
        back: Whether taking it back brings everything back.
        needs: ``volumes`` or ``any_case``, where not every machine has it.
    """

    verb: str
    args: Mapping[str, Any]
    files: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    trashed: str = ""
    zipped: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    back: bool = True
    needs: str = ""


TREE: Mapping[str, str | None] = {"d/e/f.txt": "fff", "d/g.txt": "gg", "d/empty": None}
OLD: Mapping[str, str | None] = {"a.txt": "old\n", "b.txt": "theirs"}

SCENES: Mapping[str, Scene] = {
    "write": Scene(verb="write", args={"path": "@a.txt", "content": "new"}, files=OLD),
    "write the same": Scene(verb="write", args={"path": "@a.txt", "content": "old\n"}, files=OLD),
    "write a new file": Scene(verb="write", args={"path": "@n.txt", "content": "new"}, files=OLD),
    "append": Scene(verb="append", args={"path": "@a.txt", "content": "more\n"}, files=OLD),
    "append what is there": Scene(verb="append", args={"path": "@a.txt", "content": "old\n"}, files=OLD),
    "append nothing": Scene(verb="append", args={"path": "@a.txt", "content": ""}, files=OLD),
    "append a line": Scene(
        verb="append",
        args={"path": "@b.txt", "content": "more", "whole_lines": True},
        files=OLD,
    ),
    "append to a new file": Scene(verb="append", args={"path": "@n.txt", "content": "more"}, files=OLD),
    "edit": Scene(verb="edit", args={"path": "@a.txt", "find": "old", "replace": "new"}, files=OLD),
    "create a file": Scene(verb="create", args={"object_type": "file", "name": "@n.txt", "content": "x"}, files=OLD),
    "create a folder": Scene(verb="create", args={"object_type": "folder", "name": "@n"}, files=OLD),
    "create a file in folders": Scene(
        verb="create", args={"object_type": "file", "name": "@n/o/p.txt", "content": "x"}, files=OLD
    ),
    "create folders": Scene(verb="create", args={"object_type": "folder", "name": "@n/o/p"}, files=OLD),
    "create in a missing root": Scene(
        verb="create",
        args={"object_type": "file", "name": "@up/base/n/p.txt", "content": "x"},
        files=OLD,
        roots=("up/base",),
    ),
    "copy a file": Scene(verb="copy", args={"source": "@a.txt", "destination": "@c.txt"}, files=OLD),
    "copy a folder": Scene(verb="copy", args={"source": "@d", "destination": "@k"}, files=TREE),
    "copy over a file": Scene(
        verb="copy", args={"source": "@a.txt", "destination": "@b.txt", "overwrite": True}, files=OLD
    ),
    "move a file": Scene(verb="move", args={"source": "@a.txt", "destination": "@c.txt"}, files=OLD),
    "move a folder": Scene(verb="move", args={"source": "@d", "destination": "@k"}, files={**TREE, "k/l.txt": "l"}),
    "move over a file": Scene(
        verb="move", args={"source": "@a.txt", "destination": "@b.txt", "overwrite": True}, files=OLD
    ),
    "move a file to a volume": Scene(
        verb="move", args={"source": "@a.txt", "destination": "@stick"}, files=OLD, needs="volumes"
    ),
    "move a folder to a volume": Scene(
        verb="move", args={"source": "@d", "destination": "@stick"}, files=TREE, needs="volumes"
    ),
    "move over a file on a volume": Scene(
        verb="move",
        args={"source": "@a.txt", "destination": "@stick/b.txt", "overwrite": True},
        files={**OLD, "stick/b.txt": "its"},
        needs="volumes",
    ),
    "rename a file": Scene(verb="rename", args={"source": "@a.txt", "target": "c.txt"}, files=OLD),
    "rename a folder": Scene(verb="rename", args={"source": "@d", "target": "k"}, files=TREE),
    "spell a name anew": Scene(
        verb="rename", args={"source": "@a.txt", "target": "A.TXT"}, files=OLD, needs="any_case"
    ),
    "delete a file": Scene(verb="delete", args={"object_type": "file", "name": "@a.txt"}, files=OLD),
    "delete a folder": Scene(verb="delete", args={"object_type": "folder", "name": "@d"}, files=TREE),
    "restore a file": Scene(verb="restore", args={"path": "@a.txt"}, files=OLD, trashed="a.txt", back=False),
    "restore a folder": Scene(verb="restore", args={"path": "@d"}, files=TREE, trashed="d", back=False),
    "purge a file": Scene(verb="purge", args={"path": "@a.txt"}, files=OLD, back=False),
    "purge a folder": Scene(verb="purge", args={"path": "@d"}, files=TREE, back=False),
    "zip": Scene(verb="zip", args={"source": ("@d", "@a.txt"), "destination": "@y.zip"}, files={**OLD, **TREE}),
    "unzip into a folder": Scene(
        verb="unzip",
        args={"source": "@z.zip", "destination": "@out"},
        files={**OLD, **TREE, "out": None},
        zipped=("d", "a.txt", "b.txt"),
    ),
    "unzip into a new folder": Scene(
        verb="unzip", args={"source": "@z.zip", "destination": "@n/out"}, files={**OLD, **TREE}, zipped=("d", "a.txt")
    ),
    "copy several": Scene(
        verb="copy", args={"source": "@*.txt", "destination": "@k"}, files={**OLD, "k": None, "c.md": "c"}
    ),
    "copy several over one": Scene(
        verb="copy",
        args={"source": ("@a.txt", "@b.txt"), "destination": "@k", "overwrite": True},
        files={**OLD, "k/b.txt": "its"},
    ),
    "move several": Scene(
        verb="move", args={"source": ("@a.txt", "@d"), "destination": "@k"}, files={**OLD, **TREE, "k": None}
    ),
    "delete several": Scene(verb="delete", args={"object_type": "file", "name": "@*.txt"}, files=OLD),
    "zip several": Scene(verb="zip", args={"source": "@*.txt", "destination": "@y.zip"}, files=OLD),
    "unzip several": Scene(
        verb="unzip",
        args={"source": "@*.zip", "destination": "@out"},
        files={**OLD, "out": None},
        zipped=("a.txt", "b.txt"),
    ),
    "zip beside the source": Scene(verb="zip", args={"source": "@a.txt"}, files=OLD),
    "unzip into a missing root": Scene(
        verb="unzip",
        args={"source": "@z.zip", "destination": "@up/base/out"},
        files=OLD,
        zipped=("a.txt",),
        roots=("up/base", "."),
    ),
}


@dataclass(kw_only=True)
class World:
    """A folder of a machine, for processes that come and go.

    Attributes:
        store: Its files.
        eyes: Look past the tools.
        environment: Where the sessions work.
        root: The folder that may be used.
        make_trash: Returns the trash over a store.
        trash_folders: Folders of the trash, to look into.
        make_volume: Makes a folder where another volume begins; None where that can't be.
        any_case: Whether case makes no difference.
        life: Of the process that runs now.
    """

    store: FileStore
    eyes: Eyes
    environment: Environment
    root: str
    make_trash: Callable[[FileStore], TrashCan]
    trash_folders: tuple[str, ...]
    make_volume: Callable[[str], None] | None = None
    any_case: bool = False
    life: Life = field(default_factory=Life)
    roots: tuple[str, ...] = ()

    def path(self, below: str = "") -> str:
        """Return the absolute path of something below the folder."""
        pure: PurePath = self.store.flavour(self.root)
        return str(pure.joinpath(*below.split("/"))) if below else str(pure)

    def start(self, life: Life | None = None) -> FileBackEnd:
        """Return the back end of a new process."""
        self.life = life or Life()
        store = MortalStore(self.store, self.life)
        hands = FileHands(
            store=store,
            trash=self.make_trash(store),
            opener=FakeFileOpener(),
            watcher=PollingWatcher(),
            anchors=describe_anchors(self.environment),
        )
        return FileBackEnd(hands, self.environment, "a test's")

    def context(self, action_id: str = "g0_file_1", preview: Preview | None = None) -> ActionContext:
        """Return what a tool is told."""
        policy = Policy(roots=self.roots or (self.root,))
        return ActionContext(action_id, timeout_s=20.0, policy=policy, preview=preview, run_id="r0")

    async def prepare(self, scene: Scene) -> dict[str, Any]:
        """Put there what is there before; return the arguments of the verb."""
        for below, content in scene.files.items():
            if below.startswith("stick") and self.make_volume:
                self.make_volume(self.path("stick"))
            if content is None:
                self.eyes.make(self.path(below))
            else:
                self.eyes.put(self.path(below), content.encode())
        if scene.needs == "volumes" and self.make_volume:
            self.make_volume(self.path("stick"))
        back_end = self.start()
        if scene.trashed:
            kind = "file" if scene.files.get(scene.trashed) else "folder"
            await call(back_end, "delete", self.context("g9"), {"object_type": kind, "name": self.path(scene.trashed)})
        if scene.zipped:
            packed = {"source": tuple(map(self.path, scene.zipped)), "destination": self.path("z.zip")}
            await call(back_end, "zip", self.context("g8"), packed)
        await back_end.close()
        self.roots = tuple(self.path("" if each == "." else each) for each in scene.roots)
        return {name: self._place(value) for name, value in scene.args.items()}

    def _place(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(self._place, value))
        return self.path(value[1:]) if isinstance(value, str) and value.startswith("@") else value

    def look(self) -> dict[str, bytes | None]:
        """Return everything that is there and in the trash: contents by path, None for folders."""
        found: dict[str, bytes | None] = {}
        for number, folder in enumerate((self.root, *self.trash_folders)):
            self._look(folder, str(number), found)
        return found

    def _look(self, path: str, told: str, found: dict[str, bytes | None]) -> None:
        for name in self.eyes.names(path) or ():
            below, place = str(self.store.flavour(path) / name), f"{told}/{name}"
            if self.eyes.names(below) is not None:
                found[place] = None
                self._look(below, place, found)
            elif name.endswith((".trashinfo", ".json")):
                found[place] = b"a note"  # with the time, and the folder of this test
            elif name.endswith(".zip"):
                found[place] = _list_members(self.eyes.look(below) or b"")
            else:
                found[place] = self.eyes.look(below)


def _list_members(archive: bytes) -> bytes:
    """Return what an archive holds, without times."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return repr([(each.filename, each.CRC) for each in opened.infolist()]).encode()


async def call(back_end: FileBackEnd, verb: str, context: ActionContext, args: Mapping[str, Any]) -> ToolOutcome:
    """Call a verb."""
    return await getattr(back_end.toolsets[TOOLSETS[verb]], verb)(context, **args)


async def predict(
    back_end: FileBackEnd, verb: str, context: ActionContext, args: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return what was foreseen, as a journal would keep it."""
    facts = await back_end.toolsets[TOOLSETS[verb]].predict(verb, context, args)
    return json.loads(json.dumps(to_data(facts)))


async def reconcile(
    back_end: FileBackEnd, verb: str, context: ActionContext, args: Mapping[str, Any], facts: Mapping[str, Any]
) -> Finding:
    """Find out what came of it, as a new process does."""
    found = await back_end.toolsets[TOOLSETS[verb]].reconcile(verb, context, args, facts)
    json.dumps(to_data(found.evidence))
    return found


async def take_back(back_end: FileBackEnd, context: ActionContext, outcome: ToolOutcome) -> ToolOutcome:
    """Take a change back, from its record as a journal would keep it."""
    record = outcome.undo_record
    assert record is not None, outcome.undo
    params, guard = (json.loads(json.dumps(to_data(each))) for each in (record.params, record.guard))
    return await back_end.take_back(context, UndoRecord(record.domain, record.operation, params, guard))
