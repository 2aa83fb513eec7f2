"""Finding out after a crash whether an act on several files was carried out; what was done to some only is taken back."""

from collections.abc import Mapping
from typing import Any

from actuators.files.findings import Look, say_done
from actuators.files.jobs import Job
from actuators.files.several import NAMING, go_back, tell_several
from core.results import Finding


def find_several(job: Job, verb: str, find_out: Look, args: Mapping[str, Any], facts: Mapping[str, Any]) -> Finding:
    """Compare what was foreseen of each file with what is there.

    Args:
        job: The job.
        verb: The verb.
        find_out: Compares one.
        args: What the verb was called with.
        facts: What was foreseen.
    """
    found: list[Finding] = []
    for path, each in zip(facts["paths"], facts["items"], strict=True):
        with job.part() as part:
            found.append(find_out(part, {**args, NAMING[verb]: path}, each))
    evidence = {"path": facts["path"], "items": [dict(each.evidence) for each in found]}
    if unknown := next((each for each in found if each.state == "unknown"), None):
        return Finding("unknown", {**evidence, "reason": unknown.evidence.get("reason", "")})
    done = [each.outcome for each in found if each.outcome is not None]
    if len(done) == len(found):
        return say_done(tell_several(job, facts["path"], done))
    go_back(job, done, "the program ended")
    return Finding("not_done", evidence)
