"""`surehand explore`: a model proposes steps towards a task; what may be done is done, and what worked is kept as a flow."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from agent.cli.asking import check_new_file, check_timeout, check_workspace
from agent.cli.declaring import command, make_group
from agent.cli.exits import APPROVAL_MISSING, BAD_INPUT, STEP_FAILED, STOPPED, SUCCEEDED
from agent.cli.limits import NO_HOST_LIMITS, HostLimits
from agent.cli.options import DOING, LIMITS, OUTPUT, TASK, AsJson, Option, Quiet, Timeout, Verbose
from agent.cli.screen.output import (
    MARKS,
    Detail,
    choose_detail,
    is_at_terminal,
    write_error,
    write_json,
    write_notes,
    write_result,
)
from agent.cli.serving.following import read_event
from agent.cli.serving.ordering import describe_policy
from agent.cli.serving.planning import NO_TERMS, PlannerPassage, PlannerTerms
from agent.reports.words import tell_duration
from agent.requests.planner_wishes import PlannerWish
from agent.service.orders import EventRecord, RunOrder, RunRecord
from agent.store.private_files import write_whole
from core.addresses.spelled_addresses import complete_address
from core.base.errors import ErrorInfo, InputError
from core.base.late_dataclasses import dataclass
from core.base.phrases import escape_text, quote_text
from core.results.events import Step
from core.results.records import from_data

_MOST_SAID = 500


app = make_group()


@dataclass(frozen=True, slots=True)
class ExploreWish:
    """What is wanted, where it is done, and what is shown and kept."""

    task: Annotated[str, Option("TASK", "What is wanted, in your words.", TASK)]
    url: Annotated[str, Option("[URL]", "Where it begins; none where it is done in windows.", TASK)] = ""
    windows: Annotated[
        tuple[str, ...],
        Option("--window TITLE", "Do it in this window; name again what it may open, such as a dialog.", TASK),
    ] = ()
    terms: PlannerTerms = NO_TERMS
    limits: HostLimits = NO_HOST_LIMITS
    rounds: Annotated[int, Option("--steps N", "Look and propose at most so often.", LIMITS)] = 20
    timeout_s: Timeout = None
    output: Annotated[
        Path | None, Option("--output -o FLOW", "Write a flow that does the same without a model.", OUTPUT)
    ] = None
    as_json: AsJson = False
    quiet: Quiet = False
    verbose: Verbose = False


@command(
    app,
    "explore",
    "surehand explore 'order two blue mugs' 127.0.0.1:8123/shop/ --model NAME -o order.yaml",
    "surehand explore 'find the opening hours' https://museum.example --model NAME --steps 5",
    "surehand explore 'write a note about the meeting' --window Mousepad --window 'Save As' --model NAME",
    panel=DOING,
)
def explore(wish: ExploreWish) -> int:
    """Let a model propose steps on pages or in windows, towards a task; you are asked before each that changes something.

    What it may propose is what people do by hand, at the host where it begins or in the windows that you name. What worked can be kept
    as a flow file.
    """
    progress = _Progress(choose_detail(quiet=wish.quiet, verbose=wish.verbose, as_json=wish.as_json))
    _check(wish)
    asks = is_at_terminal() and not wish.as_json
    passage = PlannerPassage(wish.terms, _write if wish.as_json else progress.take, asks)
    return _report(asyncio.run(passage.carry_out(_make_order(wish, asks=asks))), wish)


@dataclass(slots=True)
class _Progress:
    """Writes a line for each step that was done or failed; looks only where much is told."""

    detail: Detail
    _number: int = 0

    def take(self, record: EventRecord) -> None:
        """Show an event, if it is the end of a step that a person wants to know of."""
        event = read_event(record)
        if not isinstance(event, Step) or event.status == "started" or self.detail == "quiet":
            return
        is_look = event.status == "ok" and event.effect == "none"
        if is_look and self.detail != "verbose":
            return
        self._number += 1
        mark = MARKS[event.status][0]
        write_result(f"{self._number} {mark} {escape_text(event.description)} ({tell_duration(event.ms)})\n")
        if event.error:
            write_result(f"    {escape_text(event.error.message)}\n")


def _make_order(wish: ExploreWish, *, asks: bool) -> RunOrder:
    parameters = {
        "task": wish.task,
        "url": _find_address(wish),
        "windows": list(wish.windows),
        "rounds": wish.rounds,
        "hosts": list(wish.limits.hosts),
    }
    return RunOrder(
        planner=PlannerWish(capability="explore", parameters=parameters, tokens=wish.terms.tokens),
        model="" if wish.terms.is_own else wish.terms.model,
        policy=describe_policy(wish.limits.read_policy()),
        seconds=wish.timeout_s,
        attended=asks,
    )


def _check(wish: ExploreWish) -> None:
    if not wish.task.strip():
        raise InputError("The task is empty.", code="bad_usage")
    check_workspace(wish.terms.workspace)
    check_timeout(wish.timeout_s)
    if not wish.terms.wish:
        raise InputError("Nobody is there to propose anything.", code="bad_usage", hint="Name a model with --model.")
    if wish.output:
        check_new_file(wish.output)


def _find_address(wish: ExploreWish) -> str:
    """Return where it begins; empty where it is done in windows."""
    if bool(wish.url) == bool(wish.windows):
        text = "An exploration is done on pages or in windows."
        hint = "Name the address where it begins, or windows with --window."
        raise InputError(text, code="bad_usage", hint=hint)
    address = complete_address(wish.url) if wish.url else ""
    if address is None:
        raise InputError(f"{quote_text(wish.url)} is not an address.", hint="Write it with https://.")
    if not all(each.strip() for each in wish.windows):
        raise InputError("--window needs a title.", code="bad_usage")
    return address


def _write(record: EventRecord) -> None:
    write_json(record, indent=None)


def _report(record: RunRecord, wish: ExploreWish) -> int:
    told: Mapping[str, Any] = record["planner"]
    made = told["artifacts"]
    if wish.as_json:
        write_json(
            {
                "run_id": record["run_id"],
                "outcome": record["outcome"],
                **made,
                "metrics": told["metrics"],
                "errors": told["errors"],
                "diagnostics": record["diagnostics"],
            }
        )
    elif said := made.get("reply", ""):
        write_result(f"The model says: {quote_text(said, _MOST_SAID)}\n")
    for error in told["errors"]:
        write_error(from_data(ErrorInfo, error))
    write_notes(record["diagnostics"])
    if wish.output and (flow := made.get("flow", "")):
        write_whole(wish.output, flow.encode("utf-8"))
        write_notes([f"{wish.output} does the same without a model. Read it before you run it."])
    return choose_planner_code(record, [deed["code"] for deed in made.get("deeds", ())])


def choose_planner_code(record: RunRecord, codes: list[str]) -> int:
    """Return the exit code of a planner's run.

    Args:
        codes: Of what was refused or failed.
    """
    if record["outcome"] == "cancelled":
        return STOPPED
    if record["outcome"] == "success":
        return SUCCEEDED
    if any(code.startswith("approval_") for code in codes):
        return APPROVAL_MISSING
    return STEP_FAILED if record["step_logs"] else BAD_INPUT
