"""Finding out after a crash whether an act on several files was carried out; what was done to some only is taken back."""

from collections.abc import Mapping
from typing import Any

from actuators.files.jobs.jobs import FileJob
from actuators.files.jobs.recovery import StateReader, say_done
from actuators.files.verbs.batch import NAMING, describe_batch, go_back
from core.results.tool_results import Finding


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
