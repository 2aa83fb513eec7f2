"""What all tools of the file family have in common: a change is planned, shown, carried out and found again by one plan.

An act on several files does each as it would be done alone, and all of them or none: if one fails, those in front of it are
taken back by their own records.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from actuators.files.jobs.jobs import FileJob, JobRunner, PlannedChange, check_before
from actuators.files.jobs.matches import find_base, find_matches, names_several
from actuators.files.jobs.recovery import BegunAct, StateReader, look, say_done
from actuators.files.jobs.states import refuse_type
from actuators.files.verbs.undo import fold_records, take_back_records
from core.base.errors import FileError, SurehandError, UnknownOutcomeError
from core.base.phrases import escape_text
from core.results.tool_results import Finding, ToolOutcome
from core.tools.ports import ActionContext, Toolset
from core.tools.previews import Preview

_NAMING: Mapping[str, str] = {"copy": "source", "move": "source", "delete": "name", "unzip": "source"}
"""The param of a verb that may name several."""

_READING = frozenset(["copy", "unzip"])
_ADDED = ("files", "size_bytes")
_JOINED = ("entries", "created")
_MOST_TOLD = 3


class FileToolset(Toolset):
    """Tools on files and folders. Paths are absolute: the planner has resolved and judged them."""

    domain = "file"
    intent = "file_operation"
    capability = "files"

    def __init__(self, runner: JobRunner) -> None:
        self._runner = runner


class FileChangingTools(FileToolset):
    """Tools that change files, by plans, and what tells after a crash whether one was carried out."""

    plans: ClassVar[Mapping[str, Callable[..., PlannedChange]]]
    findings: ClassVar[Mapping[str, StateReader]]

    async def preview(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Preview | None:
        """Say what a verb would change."""

        def show(job: FileJob) -> Preview:
            change = self._plan(job, verb, args)
            return Preview(change.operation, change.diff, change.before)

        return await self._runner.run(context, show)

    async def predict(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the facts that tell, after a crash, whether a verb was carried out; refuse what is not as shown."""
        return await self._runner.run(context, lambda job: self._plan_as_shown(job, context, verb, args).predict())

    async def reconcile(
        self, verb: str, context: ActionContext, args: Mapping[str, Any], facts: Mapping[str, Any]
    ) -> Finding:
        """Compare what was foreseen with one file, or with each of several."""
        reader = self.findings[verb]
        if "items" in facts:
            reader = partial(_find_several, _NAMING[verb], reader)
        return await self._runner.run(context, partial(look, reader=reader, args=args, facts=facts))

    async def _change(self, context: ActionContext, verb: str, **args: Any) -> ToolOutcome:
        def act(job: FileJob) -> ToolOutcome:
            change = self._plan_as_shown(job, context, verb, args)
            job.check()
            return change.carry_out()

        return await self._runner.run(context, act)

    def _plan_as_shown(self, job: FileJob, context: ActionContext, verb: str, args: Mapping[str, Any]) -> PlannedChange:
        change = self._plan(job, verb, args)
        if context.preview is not None:
            check_before(context.preview.before, change.before)
        return change

    def _plan(self, job: FileJob, verb: str, args: Mapping[str, Any]) -> PlannedChange:
        if verb in _NAMING and names_several(args[_NAMING[verb]]):
            return _plan_several(job, verb, self.plans[verb], args)
        return self.plans[verb](job, **args)


def _plan_several(
    job: FileJob, verb: str, plan: Callable[..., PlannedChange], args: Mapping[str, Any]
) -> PlannedChange:
    """Plan what a verb does to each of several files; refuse it if one can't be done, or two use one place."""
    asked = args[_NAMING[verb]]
    if destination := args.get("destination"):
        _require_folder(job, destination)
    paths = find_matches(job, asked, wanted=args.get("object_type", "file"), writing=verb not in _READING)
    where = destination or find_base(job, asked if isinstance(asked, str) else asked[0])
    plans = [partial(plan, **{**args, _NAMING[verb]: path}) for path in paths]
    changes: list[PlannedChange] = []
    before: dict[str, str] = {}
    for each in plans:
        with job.part() as part:
            change = each(part)
        if twin := next((path for path in change.before if path in before), None):
            raise FileError(
                f"Two of the files would both use “{escape_text(twin)}”.",
                code="already_exists",
                hint="Do them one by one, with different names.",
                evidence={"path": twin},
            )
        before |= change.before
        changes.append(change)
    return PlannedChange(
        operation={"kind": verb, "items": [each.operation for each in changes], "count": len(changes), "path": where},
        before=before,
        carry_out=partial(_carry_out, job, where, plans, [each.before for each in changes]),
        predict=lambda: {"path": where, "paths": paths, "items": _foresee(job, plans)},
    )


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


def _foresee(job: FileJob, plans: Sequence[Callable[[FileJob], PlannedChange]]) -> list[Mapping[str, Any]]:
    facts: list[Mapping[str, Any]] = []
    for plan in plans:
        with job.part() as part:
            facts.append(plan(part).predict())
    return facts


def _carry_out(
    job: FileJob,
    where: str,
    plans: Sequence[Callable[[FileJob], PlannedChange]],
    states: Sequence[Mapping[str, str]],
) -> ToolOutcome:
    done: list[ToolOutcome] = []
    try:
        for plan, before in zip(plans, states, strict=True):
            job.check()
            with job.part() as part:
                change = plan(part)
                check_before(before, change.before, "it was looked at")
                done.append(change.carry_out())
    except BaseException as error:
        _go_back(job, done, str(error))
        raise
    job.settle()
    return _describe_several(job, where, done)


def _go_back(job: FileJob, done: Sequence[ToolOutcome], why: str) -> None:
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


def _describe_several(job: FileJob, where: str, done: Sequence[ToolOutcome]) -> ToolOutcome:
    output: dict[str, Any] = {"count": len(done)}
    output |= {name: sum(each.output[name] for each in done) for name in _ADDED if name in done[0].output}
    output |= {
        name: [entry for each in done for entry in each.output[name]] for name in _JOINED if name in done[0].output
    }
    told = "; ".join(each.undo for each in done[:_MOST_TOLD])
    rest = f"; and {len(done) - _MOST_TOLD} more like this" if len(done) > _MOST_TOLD else ""
    evidence = {"resolved": where, "items": [dict(each.evidence) for each in done]}
    return job.confirm(where, output, evidence, (told + rest, fold_records([each.undo_record for each in done])))


def _find_several(param: str, reader: StateReader, act: BegunAct) -> Finding:
    job, facts = act.job, act.facts
    found: list[Finding] = []
    for path, each in zip(facts["paths"], facts["items"], strict=True):
        with job.part() as part:
            found.append(look(part, reader, {**facts, param: path}, each))
    evidence = {"path": facts["path"], "items": [dict(each.evidence) for each in found]}
    if unknown := next((each for each in found if each.state == "unknown"), None):
        return Finding("unknown", {**evidence, "reason": unknown.evidence.get("reason", "")})
    done = [each.outcome for each in found if each.outcome is not None]
    if len(done) == len(found):
        return say_done(_describe_several(job, facts["path"], done))
    _go_back(job, done, "the program ended")
    return Finding("not_done", evidence)
