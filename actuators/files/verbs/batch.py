"""One act on several files: each is done as it would be done alone, and all of them or none.

If one fails, those in front of it are taken back by their own records.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from actuators.files.jobs.jobs import FileJob, PlannedChange, check_before
from actuators.files.jobs.matches import find_base, find_matches
from actuators.files.jobs.outcomes import confirm
from actuators.files.jobs.states import refuse_type
from actuators.files.verbs.undo import fold_records, take_back_records
from core.base.errors import FileError, SurehandError, UnknownOutcomeError
from core.base.phrases import escape_text
from core.results.tool_results import ToolOutcome

Plan = Callable[..., PlannedChange]

NAMING: Mapping[str, str] = {"copy": "source", "move": "source", "delete": "name", "unzip": "source"}
"""The param of a verb that may name several."""

_READING = frozenset(["copy", "unzip"])
_ADDED = ("files", "size_bytes")
_JOINED = ("entries", "created")
_MOST_TOLD = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What is done to several files; it is told by the destination, or else the folder that they are in."""

    plan: Plan
    param: str
    args: Mapping[str, Any]
    paths: Sequence[str]
    where: str

    def list_args(self) -> Iterator[dict[str, Any]]:
        """Yield the params for each."""
        yield from ({**self.args, self.param: path} for path in self.paths)


def plan_batch(job: FileJob, verb: str, plan: Plan, args: Mapping[str, Any]) -> PlannedChange:
    """Plan what a verb does to each of several files.

    Raises:
        FileError: If one of them can't be done, or two would go to the same place.
    """
    several = _find_several(job, verb, plan, args)
    operations: list[Mapping[str, Any]] = []
    states: list[Mapping[str, str]] = []
    before: dict[str, str] = {}
    for each in several.list_args():
        with job.part() as part:
            change = plan(part, **each)
        if twin := next((path for path in change.before if path in before), None):
            raise _refuse_twins(twin)
        before |= change.before
        operations.append(change.operation)
        states.append(change.before)
    return PlannedChange(
        operation={"kind": verb, "items": operations, "count": len(operations), "path": several.where},
        before=before,
        carry_out=partial(_carry_out, job, several, states),
        predict=partial(_foresee, job, several),
    )


def _find_several(job: FileJob, verb: str, plan: Plan, args: Mapping[str, Any]) -> Batch:
    asked = args[NAMING[verb]]
    if destination := args.get("destination"):
        _require_folder(job, destination)
    wanted = args.get("object_type", "file")
    paths = find_matches(job, asked, wanted=wanted, writing=verb not in _READING)
    where = destination or find_base(job, asked if isinstance(asked, str) else asked[0])
    return Batch(plan=plan, param=NAMING[verb], args=args, paths=paths, where=where)


def _require_folder(job: FileJob, path: str) -> None:
    """Refuse a destination of several that isn't there: the first would take its name."""
    with job.part() as part:
        state = part.find(path).state()
    if state is None:
        raise FileError(
            f"The folder “{escape_text(path)}” does not exist, and several files need a folder.",
            code="not_found",
            hint="Create the folder first, with file.create.",
            evidence={"path": path, "missing": path},
        )
    if state.kind != "folder":
        raise refuse_type(path, state, "a folder, because several files need one")


def _refuse_twins(path: str) -> FileError:
    return FileError(
        f"Two of the files would both use “{escape_text(path)}”.",
        code="already_exists",
        hint="Do them one by one, with different names.",
        evidence={"path": path},
    )


def _foresee(job: FileJob, several: Batch) -> dict[str, Any]:
    facts: list[Mapping[str, Any]] = []
    for each in several.list_args():
        with job.part() as part:
            facts.append(several.plan(part, **each).predict())
    return {"path": several.where, "paths": list(several.paths), "items": facts}


def _carry_out(job: FileJob, several: Batch, states: Sequence[Mapping[str, str]]) -> ToolOutcome:
    done: list[ToolOutcome] = []
    try:
        for each, before in zip(several.list_args(), states, strict=True):
            job.check()
            with job.part() as part:
                change = several.plan(part, **each)
                check_before(before, change.before, "it was looked at")
                done.append(change.carry_out())
    except BaseException as error:
        go_back(job, done, str(error))
        raise
    job.settle()
    return describe_batch(job, several.where, done)


def go_back(job: FileJob, done: Sequence[ToolOutcome], why: str) -> None:
    """Take back what was done to some of several files, for it can't be done to all; what stays, an UnknownOutcomeError says."""
    records = [each.undo_record for each in done if each.undo_record]
    try:
        if len(records) < len(done):
            raise FileError("a part of it can't be undone")
        with job.part() as part:
            part.settle()  # nothing may stop it on its way back
            take_back_records(part, records)
    except (SurehandError, OSError) as error:
        raise UnknownOutcomeError(
            f"{len(done)} of several files were changed, the others were not ({why}), and the undo failed: {error}.",
            hint="Check each of them.",
            evidence={"done": [dict(each.evidence) for each in done], "failed": why},
        ) from error


def describe_batch(job: FileJob, where: str, done: Sequence[ToolOutcome]) -> ToolOutcome:
    """Return the outcome of an act on several files, in their order."""
    output: dict[str, Any] = {"count": len(done)}
    for name in _ADDED:
        if name in done[0].output:
            output[name] = sum(each.output[name] for each in done)
    for name in _JOINED:
        if name in done[0].output:
            output[name] = [entry for each in done for entry in each.output[name]]
    told = [each.undo for each in done[:_MOST_TOLD]]
    rest = f"; and {len(done) - _MOST_TOLD} more like this" if len(done) > _MOST_TOLD else ""
    evidence = {"resolved": where, "items": [dict(each.evidence) for each in done]}
    record = fold_records([each.undo_record for each in done])
    return confirm(job, where, output, evidence, ("; ".join(told) + rest, record))
