"""FileKeeper: keeps a file for each run, and what the run leaves in the context memory."""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import psutil

from actuators.platforms.device_thread import DeviceThread
from actuators.verb_table import PLANNER_RULES
from agent.requests.run_archive import BegunRun
from agent.rule_tables import digest_rules
from agent.store.context_file import ContextFile
from agent.store.flow_files import RememberedFlows
from agent.store.manifest import describe_files, describe_program, list_made
from agent.store.processes import describe_process
from agent.store.session_files import SessionFiles
from core.base.errors import SchemaError, SurehandError
from core.goals.secret_values import NO_VAULT, Vault
from core.memory.facts import EndedRun, remember_run
from core.outlines.sightings import LastRun, Sighting, SightingBook
from core.results.records import to_data
from core.results.tool_results import RunResult

if TYPE_CHECKING:
    from agent.requests.flows import Flow

Result = TypeVar("Result")

LARGEST_PART = 1024 * 1024
"""Bytes of one output, or of another part of a run, that are kept; of a larger one only the beginning."""

_BEGINNING = 64 * 1024
_HEAD_PARTS = ("outcome", "reply", "question", "metrics", "trace_id", "scope")
"""What can be told of a run without reading all of its file; it comes first there."""

_RESULT_LISTS = ("artifacts", "transcript", "required_approvals", "diff_preview", "tool_calls", "diagnostics", "errors")

_LONGEST_S = 60.0


class FileKeeper:
    """Keeps runs in the folder of a workspace.

    Files of another version are refused before a run begins. Whatever else goes wrong here is told, and stops nothing.
    """

    def __init__(self, folder: Path, vault: Vault = NO_VAULT) -> None:
        """Remember where; touch nothing."""
        self._sessions = SessionFiles(folder)
        self._flows = RememberedFlows(folder)
        self._context = ContextFile(folder)
        self._vault = vault
        self._thread = DeviceThread("kept runs")
        self._begun: dict[str, Mapping[str, Any]] = {}
        self._books: dict[str, SightingBook] = {}
        self._begun_flows: dict[str, list[Sighting]] = {}
        self._checked = False
        self._describing: asyncio.Future[tuple[str, ...]] | None = None

    async def begin(self, run: BegunRun) -> tuple[str, ...]:
        """Check what is kept, and keep that a run begins.

        Raises:
            SchemaError: If what is kept was made by another version.
        """
        notes = () if self._checked else await self._check()
        try:
            beginning: dict[str, Any] = self._vault.redact(describe_beginning(run))
        except (OSError, psutil.Error) as error:
            return (*notes, f"This run could not be saved: {error}")
        self._begun[run.run_id] = beginning
        if run.sightings:
            self._books[run.run_id] = run.sightings
        notes = (*notes, *await self._try(lambda: self._sessions.write(run.run_id, beginning, durable=False)))
        # Digests of what this was made with are wanted at the end, and take a while once: there is time now, while the first step waits.
        self._describing = self._describing or asyncio.ensure_future(
            self._try(lambda: describe_program(digest_rules()))
        )
        return notes

    async def open_book(self, flow: "Flow | None") -> SightingBook | None:
        """Return where a run of a flow file notes what its steps see, with what was seen when it last went well; None for no such run."""
        path = flow.document.path if flow else ""
        if flow is None or not path:
            return None
        try:
            last = await self._run(lambda: self._flows.read(path))
        except (SurehandError, OSError, TimeoutError):
            last = LastRun()
        return SightingBook(path, last, flow.places_of_goals, is_part=flow.is_part)

    async def end(self, result: RunResult) -> RunResult:
        """Keep what came of a run, and what it leaves in mind."""
        beginning = self._begun.pop(result.run_id, None)
        writing = self._try(
            lambda: self._write_end(beginning, result)
        )  # two files of two threads: each waits for the disk
        notes = [note for told in await asyncio.gather(writing, self._remember(result)) for note in told]
        return replace(result, diagnostics=(*result.diagnostics, *notes)) if notes else result

    async def close(self) -> None:
        """End the threads; calling it again does nothing."""
        if self._describing:
            self._describing.cancel()
        await self._thread.close()
        await self._context.close()

    async def _check(self) -> tuple[str, ...]:
        try:
            notes = (*await self._context.check(), *await self._run(self._sessions.check))
        except SchemaError:
            raise
        except (SurehandError, OSError, TimeoutError) as error:
            return (f"Earlier runs can't be read: {error}.",)
        self._checked = True
        return notes

    async def _remember(self, result: RunResult) -> tuple[str, ...]:
        if not result.step_logs:
            return ()
        ended: EndedRun = self._vault.redact(EndedRun(run_id=result.run_id, at=tell_time(), steps=result.step_logs))
        try:
            await self._context.change(lambda memory: remember_run(memory, ended, PLANNER_RULES))
        except SurehandError as error:
            return (f"What this run would remember could not be saved: {error}",)
        return ()

    def _write_end(self, beginning: Mapping[str, Any] | None, result: RunResult) -> None:
        """Write the whole file anew; of a run that another process began, on top of what that one wrote."""
        if beginning is None:
            if result.errors:  # nothing was done, so what is kept stays true
                return
            try:
                beginning = self._sessions.read(result.run_id)
            except FileNotFoundError:
                return
        self._sessions.write(result.run_id, self._vault.redact(describe_end(beginning, result)))
        self._sessions.prune()
        book = self._books.pop(result.run_id, None)
        if book and book.seen:
            self._write_seen(book, result)

    def _write_seen(self, book: SightingBook, result: RunResult) -> None:
        """Write what the steps of a flow saw; it is remembered of the flow if all went well."""
        seen = [replace(each, run_id=result.run_id) for each in self._vault.redact(book.seen)]
        self._flows.write_seen(result.run_id, seen)
        seen = [*(self._begun_flows.pop(book.path, []) if book.is_part else []), *seen]
        if result.outcome == "success":
            self._flows.write(replace(book, seen=seen), result.run_id)
        else:  # the rest of it may follow, once a person has said how
            self._begun_flows[book.path] = seen

    async def _try(self, work: Callable[[], object]) -> tuple[str, ...]:
        """Do something on the thread; what goes wrong becomes a note."""
        try:
            await self._run(work)
        except (SurehandError, OSError, TimeoutError) as error:
            return (f"This run could not be saved: {error}",)
        return ()

    async def _run(self, work: Callable[[], Result]) -> Result:
        return await self._thread.run(work, timeout_s=_LONGEST_S)


def describe_beginning(run: BegunRun) -> dict[str, Any]:
    """Return what is kept of a run before anything of it is done."""
    return {
        "run_id": run.run_id,
        "status": "running",
        "scope": run.scope,
        "began_at": tell_time(),
        "process": describe_process(),
        "request": _cut_each(to_data(run.request)),
        "plan": _cut_plan(to_data(run.plan)),
        "plan_digest": run.plan_digest,
    }


def describe_end(beginning: Mapping[str, Any], result: RunResult) -> dict[str, Any]:
    """Return what is kept of a run that has ended; reads the files that it made."""
    known = {
        "run_id": result.run_id,
        "status": "ended",
        "began_at": beginning.get("began_at", ""),
        "ended_at": tell_time(),
    }
    told = {name: _cut(to_data(getattr(result, name))) for name in _HEAD_PARTS}
    lists = {name: [_cut(to_data(each)) for each in getattr(result, name)] for name in _RESULT_LISTS}
    left = {name: beginning[name] for name in ("process", "request", "plan", "plan_digest") if name in beginning}
    if planner := {name: _cut(to_data(value)) for name, value in result.planner.items()}:
        left |= {"plan": _cut_plan(planner.pop("plan", {})), "planner": planner}
    return {
        **known,
        **told,
        **left,
        "step_logs": [_cut_step(to_data(log)) for log in result.step_logs],
        "intermediate_results": {
            action_id: _cut(to_data(output)) for action_id, output in result.intermediate_results.items()
        },
        **lists,
        "manifest": {**describe_program(digest_rules()), "files": describe_files(list_made(result))},
    }


def tell_time() -> str:
    """Return the time in UTC (ISO 8601); for people and for order, since clocks jump."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _cut_step(log: dict[str, Any]) -> dict[str, Any]:
    """Return a receipt whose parts each have a bearable size."""
    result: dict[str, Any] = log["result"]
    return {**log, "args": _cut(log["args"]), "result": _cut_each(result)}


def _cut_plan(plan: dict[str, Any]) -> dict[str, Any]:
    return {**plan, "nodes": [_cut_each(node) for node in plan.get("nodes", [])]}


def _cut_each(parts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _cut(value) for name, value in parts.items()}


def _cut(value: Any) -> Any:
    """Return a part of a run, or only its beginning where it is too large, with a note of how large it was."""
    if value is None or isinstance(value, int | float) or (isinstance(value, str) and len(value) < _BEGINNING):
        return value
    text = json.dumps(value, ensure_ascii=False)
    size = len(text.encode("utf-8", "backslashreplace"))
    if size <= LARGEST_PART:
        return value
    return {"cut": f"Only the beginning of {size} bytes was saved.", "size_bytes": size, "begins": text[:_BEGINNING]}
