"""`surehand extract`: a page or window to records of a JSON Schema."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from agent.cli.asking import check_timeout, check_workspace
from agent.cli.commands.explore import choose_planner_code
from agent.cli.looks import LookWish
from agent.cli.planner_wishes import ExtractWish
from agent.cli.record_files import check_records_place, read_schema, write_records
from agent.cli.screen.output import write_error, write_json, write_notes
from agent.cli.screen.reports import is_at_terminal
from agent.cli.serving.ordering import describe_policy
from agent.cli.serving.planning import PlannerPassage
from agent.planners.extract.shapes import read_shape
from agent.requests.planner_wishes import PlannerWish
from agent.service.orders import RunOrder, RunRecord
from agent.store.private_files import write_whole
from core.base.errors import ErrorInfo, InputError
from core.results.records import from_data

_USUAL_PAGES = 10
_MOST_TOLD = 10


def extract_records(wish: ExtractWish) -> int:
    """Read the records, write them, and return the exit code."""
    check_workspace(wish.terms.workspace)
    check_timeout(wish.timeout_s)
    if wish.pages is not None and (wish.pages < 1 or not wish.following):
        raise InputError("--pages needs --next, and a number from 1.", code="bad_usage")
    asks = is_at_terminal()
    order = RunOrder(
        planner=PlannerWish(capability="extract", parameters=_read_parameters(wish), tokens=wish.terms.tokens),
        model="" if wish.terms.is_own else wish.terms.model,
        policy=describe_policy(wish.limits.read_policy()),
        seconds=wish.timeout_s,
        attended=asks,
    )
    if wish.output:
        check_records_place(wish.output)
    return _report(PlannerPassage(wish.terms, asks=asks).carry_out(order), wish)


def _read_parameters(wish: ExtractWish) -> dict[str, Any]:
    """Return what the planner is given.

    Raises:
        InputError: If the schema can't be used.
    """
    schema = read_schema(wish.schema)
    read_shape(schema)
    address = LookWish(wish.what, wish.terms.workspace).address
    place = {"window": wish.what} if address is None else {"url": address}
    pages = wish.pages if wish.pages is not None else (_USUAL_PAGES if wish.following else 1)
    return {"schema": schema, **place, "scope": wish.scope, "next": wish.following, "pages": pages}


def _report(record: RunRecord, wish: ExtractWish) -> int:
    """Write the records and what is to be known of them; return the exit code."""
    told: Mapping[str, Any] = record["planner"]
    made = told["artifacts"]
    for error in told["errors"]:
        write_error(from_data(ErrorInfo, error))
    records, notes = made.get("records"), record["diagnostics"]
    if wish.as_json:
        data = {name: made.get(name) for name in ("records", "sources", "missing", "origins")}
        more = {"notes": notes, "metrics": told["metrics"]}
        write_json({"run_id": record["run_id"], "outcome": record["outcome"], **data, **more})
    elif records and not wish.output:
        write_json(records)
    if wish.output and records:
        content, guarded = write_records(records, wish.output)
        write_whole(wish.output, content)
        if not wish.quiet:
            write_notes(_tell_file(records, wish.output, guarded))
    if not wish.quiet:
        write_notes([*notes, *_tell_missing(made.get("missing", ()), records)])
    return choose_planner_code(record, [each["code"] for each in told["errors"]])


def _tell_file(records: Any, path: Path, guarded: int) -> Iterator[str]:
    yield f"{len(records) if isinstance(records, list) else 1} records in {path}"
    if guarded:
        yield f"{guarded} texts begin like a formula; in {path} they stand behind an apostrophe."


def _tell_missing(missing: Sequence[Mapping[str, Any]], records: Any) -> Iterator[str]:
    """Yield what is missing, a line for each property and reason."""
    total = len(records) if isinstance(records, list) else 1
    counts = Counter((each["path"], each["why"] if not each["record"] else _shorten(each["why"])) for each in missing)
    for (path, why), count in counts.most_common(_MOST_TOLD):
        share = f" in {count} of {total} records" if isinstance(records, list) else ""
        yield f"“{path}” is missing{share}: {why}."
    if len(counts) > _MOST_TOLD:
        yield f"{len(counts) - _MOST_TOLD} more gaps; --json lists all."


def _shorten(why: str) -> str:
    """Return a reason without the text that it is about, so that like ones are told together."""
    return why.rsplit(": ", 1)[-1]
