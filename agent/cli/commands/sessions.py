"""`surehand sessions`: the runs that are kept."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from agent.cli.asking import locate_kept
from agent.cli.declaring import command, make_group
from agent.cli.exits import SUCCEEDED
from agent.cli.options import HERE, AsJson, Full, Option, Run, Verbose, Workspace
from agent.cli.screen.output import MARKS, show, write_lines
from agent.cli.screen.outputs import list_output
from agent.store.journal.sqlite_journal import SqliteJournal
from agent.store.seals import WHY_FOREIGN
from agent.store.session_files import KeptRun, SessionFiles, tell_status
from core.base.errors import SurehandError
from core.base.phrases import cut_text, escape_text, fold_text

_WIDTH = 100
_LONG = 400
_FOREIGN = f"This may not be yours: {WHY_FOREIGN}. You can look at it, but any of it may be made up."

app = make_group("List earlier runs, or look at one.", "surehand sessions list")


@command(app, "list", "surehand sessions list")
def list_sessions(as_json: AsJson = False, workspace: Workspace = HERE) -> int:
    """List the saved runs of this folder, the latest first."""
    folder = locate_kept(workspace)
    runs = [_summarise(run) for run in SessionFiles(folder).list_runs()]
    notes = asyncio.run(_check_journal(folder))
    lines = list(map(_tell_summary, runs)) or ["No saved runs in this workspace."]
    show(runs, lines, as_json=as_json, notes=notes)
    return SUCCEEDED


def _tell_summary(run: Mapping[str, Any]) -> str:
    asked = cut_text(escape_text(run["asked"]), _WIDTH)
    return f"{run['run_id']}  {run['began_at'][:19]:19}Z  {run['status']:11}  {asked}"


@command(app, "show", "surehand sessions show last")
def show_session(
    which: Run, as_json: AsJson = False, verbose: Verbose = False, full: Full = False, workspace: Workspace = HERE
) -> int:
    """Show what was asked and done in a run, and what can be undone."""
    found = SessionFiles(locate_kept(workspace)).find(which)
    lines = (*((_FOREIGN,) if found.is_foreign else ()), *_describe(found, verbose=verbose, full=full))
    show({**found.document, "is_foreign": found.is_foreign}, lines, as_json=as_json)
    return SUCCEEDED


@command(app, "report", "surehand sessions report last", "surehand sessions report r3f -o order.html")
def report_session(
    which: Run,
    output: Annotated[Path | None, Option("--output -o FILE", "Where to, .html; report-RUN.html where absent.")] = None,
    workspace: Workspace = HERE,
) -> int:
    """Write what was asked and done in a run as one file for a browser, to look at, search and send."""
    from agent.reports.run_report import write_run_report
    from agent.reports.words import tell_size

    folder = locate_kept(workspace)
    run = SessionFiles(folder).find(which)
    path = output or Path(f"report-{run.run_id}.html")
    write_lines([f"{path}  {tell_size(write_run_report(run, folder, path))}"])
    return SUCCEEDED


async def _check_journal(folder: Path) -> tuple[str, ...]:
    journal = SqliteJournal(folder)
    try:
        return await journal.check()
    except SurehandError as error:
        return (str(error),)
    finally:
        await journal.close()


def _summarise(run: KeptRun) -> dict[str, Any]:
    document = run.document
    return {
        "run_id": run.run_id,
        "status": _tell_status(run),
        "began_at": document.get("began_at", ""),
        "ended_at": document.get("ended_at", ""),
        "asked": run.fault or _tell_request(document.get("request", {})),
        "reply": document.get("reply", ""),
        "steps": int(document.get("metrics", {}).get("actions", 0)),
    }


def _tell_status(run: KeptRun) -> str:
    return "damaged" if run.fault else "foreign" if run.is_foreign else tell_status(run.document)


def _tell_request(request: Mapping[str, Any]) -> str:
    """Return what was asked for; of very much only the beginning is kept, or was read."""
    if "utterance" in request:
        said = request["utterance"]
        return f"“{said['begins'] if isinstance(said, Mapping) else said}”"
    if "planner" in request:
        parameters = request.get("parameters", {})
        task = parameters.get("task") or parameters.get("url") or parameters.get("window") or ""
        return f"planner {request['planner']}{f': {task}' if task else ''}"
    goals = request.get("goals", ())
    named = (goal for goal in goals if isinstance(goal, Mapping) and {"domain", "verb"} <= goal.keys())
    told = (
        "very many goals"
        if isinstance(goals, Mapping)
        else ", ".join(f"{goal['domain']}.{goal['verb']}" for goal in named)
    )
    return f"flow {request['flow']}: {told}" if request.get("flow") else told


def _describe(run: KeptRun, *, verbose: bool, full: bool) -> Iterator[str]:
    document, status = run.document, _tell_status(run)
    yield f"{document['run_id']}: {status}"
    yield f"asked     {_tell_request(document.get('request', {}))}"
    yield f"began     {document.get('began_at', '')}"
    if status == "interrupted":
        yield f"          It was cut short. To continue: surehand resume {document['run_id']}"
    if "ended_at" in document:
        yield f"ended     {document['ended_at']}"
        yield f"reply     {document.get('reply', '')}"
    steps = document.get("step_logs") or document.get("plan", {}).get("nodes", ())
    names = {step["action_id"]: f"step {number}" for number, step in enumerate(steps, start=1)}
    yield from _describe_planner(document.get("planner", {}), names, full=full)
    yield "steps" if "step_logs" in document else "planned"
    for number, step in enumerate(steps, start=1):
        heading = f"{number:>{len(str(len(steps)))}}"
        yield from _describe_step(heading, step, verbose=verbose)
        if full:
            output = step.get("result", {}).get("output", {})
            yield from (f"{' ' * (len(heading) + 5)}{line}" for line in list_output(output, full=True))
    yield from _list_part("approvals", document.get("required_approvals"), lambda each: _tell_approval(each, names))
    yield from _list_part(
        "files", document.get("manifest", {}).get("files"), lambda each: _tell_made(each, verbose=verbose)
    )
    yield from _list_part("notes", document.get("diagnostics"), str)
    if made := document.get("manifest"):
        yield f"made by   {made['program']}, Python {made['python']}, {made['platform']}"


def _describe_planner(told: Mapping[str, Any], names: Mapping[str, str], *, full: bool) -> Iterator[str]:
    """Yield the steps of a run's planner, each with what was done for it; of a whole run what was asked and answered, too."""
    if not isinstance(steps := told.get("steps"), list):  # there is none, or it was too large to be saved
        return
    yield f"planner   {told['name']}: {told['outcome']}"
    for step in steps:
        did = ", ".join(names.get(each, each) for each in step["actions"])
        yield f"  {step['instance_id']}: {step['status']}{f' ({did})' if did else ''}"
    transcript = told.get("transcript")
    if full and isinstance(transcript, list):
        yield "transcript"
        yield from _describe_entries(transcript, "  ")


def _describe_entries(entries: Sequence[Mapping[str, Any]], indent: str) -> Iterator[str]:
    for entry in entries:
        read = " (read)" if entry["is_tainted"] else ""
        yield f"{indent}{entry['kind']}{read}: {cut_text(fold_text(str(entry['text'])), _LONG)}"
        yield from _describe_entries(entry["inner"], f"{indent}  ")


def _describe_step(number: str, step: Mapping[str, Any], *, verbose: bool) -> Iterator[str]:
    result = step.get("result", {})
    mark, _ = MARKS.get(result.get("status", ""), ("·", ""))
    told = f"  {number} {mark} {cut_text(str(step['description']), _WIDTH)}"
    below = " " * (len(number) + 5)
    if not verbose:
        yield f"{told} (not confirmed)" if result.get("effect") == "unverified" else told
    else:
        effect = f", {result['effect']}" if result.get("effect", "none") != "none" else ""
        ended = f"  [{result['status']}{effect}]" if result else ""
        yield f"{told}  {step['action_id']}{ended}"
    if error := result.get("error"):
        code = f" ({error.get('code', 'cut')})" if verbose else ""
        yield f"{below}{cut_text(str(error.get('message', error)), _WIDTH)}{code}"
    if undo := result.get("undo"):
        can = "surehand undo" if result.get("undo_record") else "by hand"
        yield f"{below}To undo ({can}): {cut_text(str(undo), _WIDTH)}"


def _tell_approval(approval: Mapping[str, Any], names: Mapping[str, str]) -> str:
    approved = approval.get("approved")
    answer = "not asked" if approved is None else "yes" if approved else "no"
    action_id = str(approval.get("action_id", ""))
    return f"{names.get(action_id, action_id)}, {approval.get('approval', '')}: {answer}"


def _tell_made(file: Mapping[str, Any], *, verbose: bool) -> str:
    digest = f"  sha256 {file['sha256']}" if verbose else ""
    return f"{file['path']}  {file['size_bytes']} bytes{digest}"


def _list_part(title: str, entries: Any, describe: Any) -> Iterator[str]:
    if entries:
        yield title
        yield from (f"  {describe(entry)}" for entry in entries)
