"""LocalFiles: the files that runs of a service in this process made."""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agent.hosting.run_directory import RunDirectory
from agent.service.callers import Caller
from agent.service.orders import Artifact
from core.base.errors import RefusedError

_FACTS = ("name", "media_type", "size", "sha256", "action_id")


class LocalFiles:
    """Tells of files and gives them out, as ``FilesPort`` says; a file's id is its run's with its number."""

    def __init__(self, directory: RunDirectory) -> None:
        """Begin without files."""
        self._directory = directory

    async def list_artifacts(self, caller: Caller, run_id: str) -> Sequence[Artifact]:
        """Return the files that a run made."""
        caller.require("read")
        record = (await self._directory.find(caller, run_id)).describe()
        return [_describe(run_id, number, each) for number, each in enumerate(record.get("files", ()))]

    async def read_artifact(self, caller: Caller, artifact_id: str) -> tuple[Artifact, bytes]:
        """Return a file whole; its digest was checked."""
        caller.require("read")
        run_id, _, number = artifact_id.partition(".")
        found = [each for each in await self._try_list(caller, run_id) if each.artifact_id == artifact_id]
        if not found:
            raise RefusedError("No such file.", code="unknown_artifact", hint="List the files of the run.")
        record = (await self._directory.find(caller, run_id)).describe()
        try:
            content = await asyncio.to_thread(Path(record["files"][int(number)]["path"]).read_bytes)
        except OSError:
            raise RefusedError("The file is gone.", code="unknown_artifact") from None
        if hashlib.sha256(content).hexdigest() != found[0].sha256:
            raise RefusedError("The file has changed since the run.", code="artifact_changed", hint="Open it yourself.")
        return found[0], content

    async def _try_list(self, caller: Caller, run_id: str) -> Sequence[Artifact]:
        try:
            return await self.list_artifacts(caller, run_id)
        except RefusedError as error:
            if error.code != "unknown_run":
                raise
            return ()


def _describe(run_id: str, number: int, facts: Mapping[str, Any]) -> Artifact:
    return Artifact(artifact_id=f"{run_id}.{number}", run_id=run_id, **{name: facts[name] for name in _FACTS})
