"""The command for records of pages and windows."""

from pathlib import Path
from typing import Annotated

import typer

from agent.cli.options import (
    HERE,
    LIMITS,
    LOOK,
    OUTPUT,
    Headed,
    Hosts,
    Place,
    PolicyFile,
    Quiet,
    Record,
    Replay,
    Timeout,
    Workspace,
)

EXAMPLES = (
    "surehand extract 127.0.0.1:8123/shop/catalogue --schema item.json\n"
    "surehand extract https://shop.example/list --schema item.json -o items.csv --next 'link \"Next\"' --pages 5"
)


def extract(
    what: Place,
    schema: Annotated[
        Path,
        typer.Option(
            "--schema", metavar="FILE", help="JSON Schema of a record, or of a list of them.", rich_help_panel=LOOK
        ),
    ],
    scope: Annotated[
        str | None, typer.Option("--scope", metavar="SELECTOR", help="Read this part only.", rich_help_panel=LOOK)
    ] = None,
    following: Annotated[
        str | None,
        typer.Option("--next", metavar="SELECTOR", help="What leads to the next page.", rich_help_panel=LOOK),
    ] = None,
    pages: Annotated[
        int | None,
        typer.Option("--pages", metavar="N", help="Read at most so many pages; 10 with --next.", rich_help_panel=LOOK),
    ] = None,
    model: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="NAME",
            help="Ask this model of your settings for what no rule finds.",
            rich_help_panel="Help of a model",
            show_default=False,
        ),
    ] = "",
    replay: Replay = None,
    record: Record = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write the records to FILE.json or FILE.csv.", rich_help_panel=OUTPUT
        ),
    ] = None,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", help="Write records, the line of each value and what is missing.", rich_help_panel=OUTPUT
        ),
    ] = False,
    quiet: Quiet = False,
    host: Hosts = None,
    policy: PolicyFile = None,
    tokens: Annotated[
        int | None,
        typer.Option("--tokens", metavar="N", help="Use at most so many tokens of the model.", rich_help_panel=LIMITS),
    ] = None,
    timeout: Timeout = None,
    headed: Headed = False,
    workspace: Workspace = HERE,
) -> None:
    """Read records of a JSON Schema from a page or window; each value has the line that it came from.

    Tables, lists, labels and headings are read by rules. What they don't say is left out and told, or asked of a model,
    from which only what stands on the page is taken.
    """
    from agent.cli.commands.extract import ExtractWish, Writing, extract_records
    from agent.cli.limits import PolicyOptions
    from agent.models.opening import ModelWish

    wish = ExtractWish(
        what=what,
        schema=schema,
        workspace=workspace,
        scope=scope or "",
        following=following or "",
        pages=pages,
        model=ModelWish(model, replay, record),
        limits=PolicyOptions(hosts=tuple(host or ()), policy=policy),
        tokens=tokens,
        timeout_s=timeout,
    )
    raise typer.Exit(extract_records(wish, Writing(output, headed, as_json=as_json, quiet=quiet)))
