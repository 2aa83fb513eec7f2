"""`surehand extract`: a page or window to records of a JSON Schema."""

import asyncio
import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, cast

from agent.cli.asking import check_new_file, check_timeout, check_workspace, find_address
from agent.cli.commands.explore import choose_planner_code
from agent.cli.declaring import command, make_group
from agent.cli.limits import NO_HOST_LIMITS, HostLimits
from agent.cli.options import LOOK, OUTPUT, SEEING, Option, Place, Timeout
from agent.cli.screen.output import is_at_terminal, write_error, write_json, write_notes
from agent.cli.serving.ordering import describe_policy
from agent.cli.serving.planning import NO_TERMS, PlannerPassage, PlannerTerms
from agent.planners.extract.shapes import read_shape
from agent.requests.planner_wishes import PlannerWish
from agent.service.orders import RunOrder, RunRecord
from agent.store.private_files import write_whole
from core.base.errors import ErrorInfo, InputError
from core.base.late_dataclasses import dataclass
from core.results.records import from_data

_USUAL_PAGES = 10
_MOST_TOLD = 10
_ENDINGS = (".json", ".csv")
_LARGEST_SCHEMA = 1024 * 1024
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
_BETWEEN = "; "


app = make_group()


@dataclass(frozen=True, slots=True)
class ExtractWish:
    """What is to be read, and where that goes."""

    what: Place
    schema: Annotated[Path, Option("--schema FILE", "JSON Schema of a record, or of a list of them.", LOOK)]
    scope: Annotated[str, Option("--scope SELECTOR", "Read this part only.", LOOK)] = ""
    following: Annotated[str, Option("--next SELECTOR", "What leads to the next page.", LOOK)] = ""
    pages: Annotated[int | None, Option("--pages N", "Read at most so many pages; 10 with --next.", LOOK)] = None
    terms: PlannerTerms = NO_TERMS
    limits: HostLimits = NO_HOST_LIMITS
    timeout_s: Timeout = None
    output: Annotated[
        Path | None, Option("--output -o FILE", "Write the records to FILE.json or FILE.csv.", OUTPUT)
    ] = None
    as_json: Annotated[bool, Option("--json", "Write records, the line of each value and what is missing.", OUTPUT)] = (
        False
    )
    quiet: Annotated[bool, Option("--quiet -q", "Tell nothing else.", OUTPUT)] = False


@command(
    app,
    "extract",
    "surehand extract 127.0.0.1:8123/shop/catalogue --schema item.json",
    "surehand extract https://shop.example/list --schema item.json -o items.csv --next 'link \"Next\"' --pages 5",
    panel=SEEING,
)
def extract(wish: ExtractWish) -> int:
    """Read records of a JSON Schema from a page or window; each value has the line that it came from.

    Tables, lists, labels and headings are read by rules. What they don't say is left out and told, or asked of a model,
    from which only what stands on the page is taken.
    """
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
        _check_records_place(wish.output)
    return _report(asyncio.run(PlannerPassage(wish.terms, asks=asks).carry_out(order)), wish)


def _read_parameters(wish: ExtractWish) -> dict[str, Any]:
    schema = _read_schema(wish.schema)
    read_shape(schema)
    address = find_address(wish.what)
    place = {"window": wish.what} if address is None else {"url": address}
    pages = wish.pages if wish.pages is not None else (_USUAL_PAGES if wish.following else 1)
    return {"schema": schema, **place, "scope": wish.scope, "next": wish.following, "pages": pages}


def _report(record: RunRecord, wish: ExtractWish) -> int:
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


def _read_schema(path: Path) -> Mapping[str, Any]:
    try:
        if path.stat().st_size > _LARGEST_SCHEMA:
            raise InputError(f"{path} is too large for a schema.", code="bad_schema")
        schema = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}.", code="file_unreadable") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {error}.", code="bad_schema") from error
    if not isinstance(schema, dict):
        raise InputError(f"{path} is not a JSON Schema: it is not an object.", code="bad_schema")
    return cast("Mapping[str, Any]", schema)


def _check_records_place(path: Path) -> None:
    if path.suffix.lower() not in _ENDINGS:
        hint = f"Name a file that ends in {' or '.join(_ENDINGS)}."
        raise InputError(f"In which form {path} is to be written is not said.", code="bad_usage", hint=hint)
    check_new_file(path)


def write_records(records: Any, path: Path) -> tuple[bytes, int]:
    """Return the content of a file with records, and how many texts in it had to be kept from being formulas."""
    if path.suffix.lower() == ".csv":
        return _write_table(records if isinstance(records, list) else [records])
    return f"{json.dumps(records, ensure_ascii=False, indent=2)}\n".encode("utf-8", "backslashreplace"), 0


def _write_table(records: Sequence[Mapping[str, Any]]) -> tuple[bytes, int]:
    rows = [_flatten(record, "") for record in records]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    guarded = sum(_is_formula(value) for row in rows for value in row.values())
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, restval="")
    writer.writeheader()
    writer.writerows({name: _write_cell(value) for name, value in row.items()} for row in rows)
    return text.getvalue().encode("utf-8", "backslashreplace"), guarded


def _flatten(record: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """Return a record whose inner records stand beside it as ``outer.inner``."""
    flat: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, Mapping):
            flat |= _flatten(cast("Mapping[str, Any]", value), f"{prefix}{name}.")
        else:
            flat[f"{prefix}{name}"] = value
    return flat


def _write_cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        parts = cast("list[Any]", value)
        is_plain = not any(isinstance(each, Mapping | list) for each in parts)
        return _BETWEEN.join(map(_write_cell, parts)) if is_plain else json.dumps(parts, ensure_ascii=False)
    return f"'{value}" if _is_formula(value) else str(value)


def _is_formula(value: Any) -> bool:
    """Tell whether a program for tables would run a text of a page as a formula."""
    return isinstance(value, str) and value.startswith(_FORMULAS)
