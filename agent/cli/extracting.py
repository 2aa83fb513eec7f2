"""The command that reads records of pages and windows."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from agent.cli.declaring import command
from agent.cli.limits import NO_HOST_LIMITS, HostLimits
from agent.cli.options import (
    LOOK,
    OUTPUT,
    SEEING,
    Option,
    Place,
    Timeout,
)
from agent.cli.serving.planning import NO_TERMS, PlannerTerms

app = typer.Typer()

_EXAMPLES = (
    "surehand extract 127.0.0.1:8123/shop/catalogue --schema item.json\n"
    "surehand extract https://shop.example/list --schema item.json -o items.csv --next 'link \"Next\"' --pages 5"
)


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


@command(app, "extract", *_EXAMPLES.split("\n"), panel=SEEING)
def extract(wish: ExtractWish) -> int:
    """Read records of a JSON Schema from a page or window; each value has the line that it came from.

    Tables, lists, labels and headings are read by rules. What they don't say is left out and told, or asked of a model,
    from which only what stands on the page is taken.
    """
    from agent.cli.commands.extract import extract_records

    return extract_records(wish)
