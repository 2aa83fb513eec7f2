"""What all tools of the file family have in common."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

from actuators.files.jobs.jobs import FileJob, JobRunner, PlannedChange
from actuators.files.jobs.matches import names_several
from actuators.files.jobs.recovery import StateReader, look, say_done
from actuators.files.verbs.batch import NAMING, describe_batch, go_back, plan_batch
from core.results.tool_results import Finding, ToolOutcome
from core.tools.ports import ActionContext, Toolset
from core.tools.previews import Preview


class FileToolset(Toolset):
    """Tools on files and folders. Paths are absolute: the planner has resolved and judged them."""

    domain = "file"
    intent = "file_operation"
    capability = "files"

    def __init__(self, runner: JobRunner) -> None:
        self._runner = runner


class FileChangingTools(FileToolset):
    """Tools that change files: each change is planned, shown, carried out and found again by the same plan.

    Attributes:
        plans: What a verb would change, by its params.
        findings: By verb, what tells after a crash whether it was carried out.
    """

    plans: ClassVar[Mapping[str, Callable[..., PlannedChange]]]
    findings: ClassVar[Mapping[str, StateReader]]

    async def preview(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Preview | None:
        """Say what a verb would change."""
        return await self._runner.preview(context, partial(self._plan, verb=verb, args=args))

    async def predict(self, verb: str, context: ActionContext, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the facts that tell, after a crash, whether a verb was carried out."""
        return await self._runner.predict(context, partial(self._plan, verb=verb, args=args))

    async def reconcile(
        self, verb: str, context: ActionContext, args: Mapping[str, Any], facts: Mapping[str, Any]
    ) -> Finding:
        """Compare what was foreseen with one file, or with each of several."""
        reader = self.findings[verb]
        reconcile = partial(find_several, verb, reader) if "items" in facts else reader
        return await self._runner.run(context, partial(look, reconcile=reconcile, args=args, facts=facts))

    async def _change(self, context: ActionContext, verb: str, **args: Any) -> ToolOutcome:
        return await self._runner.change(context, partial(self._plan, verb=verb, args=args))

    def _plan(self, job: FileJob, verb: str, args: Mapping[str, Any]) -> PlannedChange:
        if verb in NAMING and names_several(args[NAMING[verb]]):
            return plan_batch(job, verb, self.plans[verb], args)
        return self.plans[verb](job, **args)


def find_several(
    verb: str, reconcile: StateReader, job: FileJob, args: Mapping[str, Any], facts: Mapping[str, Any]
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
