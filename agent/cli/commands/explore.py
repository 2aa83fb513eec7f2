"""`surehand explore`: a model proposes steps towards a task; what may be done is done, and what worked is kept as a flow."""

from collections.abc import Iterator, Mapping
from typing import Any

from agent.cli.asking import check_new_file, check_timeout, check_workspace
from agent.cli.exits import APPROVAL_MISSING, BAD_INPUT, STEP_FAILED, STOPPED, SUCCEEDED
from agent.cli.planner_wishes import ExploreWish, PlannerTerms
from agent.cli.screen.exploration import ExplorationProgress
from agent.cli.screen.output import show, write_error, write_json, write_notes, write_result
from agent.cli.screen.reports import choose_detail, is_at_terminal
from agent.cli.serving.opening import describe_planners
from agent.cli.serving.ordering import describe_policy
from agent.cli.serving.planning import PlannerPassage
from agent.cli.serving.watching import read_event
from agent.requests.planner_wishes import PlannerWish
from agent.service.orders import EventRecord, RunOrder, RunRecord
from agent.store.private_files import write_whole
from core.addresses.spelled_addresses import complete_address
from core.base.errors import ErrorInfo, InputError
from core.base.phrases import quote_text
from core.results.records import from_data

_MOST_SAID = 500


def explore_task(wish: ExploreWish) -> int:
    """Explore a task, tell what came of it, and return the exit code."""
    progress = ExplorationProgress(choose_detail(quiet=wish.quiet, verbose=wish.verbose, as_json=wish.as_json))

    def tell(record: EventRecord) -> None:
        if event := read_event(record):
            progress.show(event)

    _check(wish)
    asks = is_at_terminal() and not wish.as_json
    passage = PlannerPassage(wish.terms, _write if wish.as_json else tell, asks)
    return _report(passage.carry_out(make_order(wish, asks=asks)), wish)


def make_order(wish: ExploreWish, *, asks: bool) -> RunOrder:
    """Return the order.

    Raises:
        InputError: If the task's place is none.
    """
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


def work_off(capability: str, most: int | None, terms: PlannerTerms, *, as_json: bool) -> int:
    """Work the backlog off, tell what came of each item, and return the exit code."""
    check_workspace(terms.workspace)
    worked = PlannerPassage(terms, asks=is_at_terminal() and not as_json).work(capability, most)
    lines = [f"{each['outcome']:<9} {each['item']} ({each['capability']}) {each['why']}".rstrip() for each in worked]
    show(list(worked), lines or ["Nothing is pending for a planner."], as_json=as_json)
    return SUCCEEDED if all(each["outcome"] == "success" for each in worked) else STEP_FAILED


def list_planners(*, as_json: bool) -> int:
    """Print all planners, and return the exit code."""
    found = describe_planners()
    show(found, (line for each in found for line in _describe(each)), as_json=as_json)
    return SUCCEEDED


def _describe(planner: Mapping[str, Any]) -> Iterator[str]:
    within = "" if planner["can_be_asked"] else ", carried out within others"
    yield f"{planner['name']} ({', '.join(planner['capabilities'])}{within}): {planner['description']}"
    takes = [f"{each['name']}{'*' * each['is_required']}" for each in planner["inputs"]]
    yield from [f"  takes     {', '.join(takes)}"] if takes else []
    yield from [f"  settings  {', '.join(planner['settings'])}"] if planner["settings"] else []


def _check(wish: ExploreWish) -> None:
    """Check what nobody else does, before anything is started.

    Raises:
        InputError: If something is missing or makes no sense, or a file would be overwritten.
    """
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
    """Tell what came of it, write the flow, and return the exit code."""
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
