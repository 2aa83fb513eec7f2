"""The commands that read: records of pages and windows, the verbs, and the tools, also for models of others."""

from pathlib import Path
from typing import Annotated

import typer

from agent.cli.help_pages import CommandHelp
from agent.cli.options import (
    HERE,
    LIMITS,
    LOOK,
    MODELS,
    OUTPUT,
    AsJson,
    Headed,
    Hosts,
    Place,
    PolicyFile,
    Record,
    Replay,
    Timeout,
    Workspace,
)
from agent.offers.tool_formats import TOOL_FORMATS

app = typer.Typer()

_EXAMPLES = (
    "surehand extract 127.0.0.1:8123/shop/catalogue --schema item.json\n"
    "surehand extract https://shop.example/list --schema item.json -o items.csv --next 'link \"Next\"' --pages 5"
)


Schema = Annotated[
    Path,
    typer.Option(
        "--schema", metavar="FILE", help="JSON Schema of a record, or of a list of them.", rich_help_panel=LOOK
    ),
]
Part = Annotated[
    str,
    typer.Option("--scope", metavar="SELECTOR", help="Read this part only.", rich_help_panel=LOOK, show_default=False),
]
Following = Annotated[
    str,
    typer.Option(
        "--next", metavar="SELECTOR", help="What leads to the next page.", rich_help_panel=LOOK, show_default=False
    ),
]
Pages = Annotated[
    int | None,
    typer.Option("--pages", metavar="N", help="Read at most so many pages; 10 with --next.", rich_help_panel=LOOK),
]
Helper = Annotated[
    str,
    typer.Option(
        "--model",
        metavar="NAME",
        help="Ask this model of your settings for what no rule finds.",
        rich_help_panel=MODELS,
        show_default=False,
    ),
]
Records = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Write the records to FILE.json or FILE.csv.", rich_help_panel=OUTPUT
    ),
]
WithSources = Annotated[
    bool,
    typer.Option("--json", help="Write records, the line of each value and what is missing.", rich_help_panel=OUTPUT),
]
Explain = Annotated[
    bool,
    typer.Option("--explain", help="Show what leaves to the model, and what it answers.", rich_help_panel=OUTPUT),
]
Tokens = Annotated[
    int | None,
    typer.Option("--tokens", metavar="N", help="Use at most so many tokens of the model.", rich_help_panel=LIMITS),
]
RecordsOnly = Annotated[bool, typer.Option("--quiet", "-q", help="Tell nothing else.", rich_help_panel=OUTPUT)]


@app.command("extract", cls=CommandHelp, rich_help_panel="See what is there", epilog=_EXAMPLES)
def extract(
    what: Place,
    schema: Schema,
    scope: Part = "",
    following: Following = "",
    pages: Pages = None,
    model: Helper = "",
    replay: Replay = None,
    record: Record = None,
    output: Records = None,
    explain: Explain = False,
    as_json: WithSources = False,
    quiet: RecordsOnly = False,
    host: Hosts = None,
    policy: PolicyFile = None,
    tokens: Tokens = None,
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
    from agent.models.serving.wishes import ModelWish

    wish = ExtractWish(
        what=what,
        schema=schema,
        workspace=workspace,
        scope=scope,
        following=following,
        pages=pages,
        model=ModelWish(model, replay, record),
        limits=PolicyOptions(hosts=tuple(host or ()), policy=policy),
        tokens=tokens,
        timeout_s=timeout,
        explain=explain,
    )
    raise typer.Exit(extract_records(wish, Writing(output, headed, as_json=as_json, quiet=quiet)))


_LOOKING = "See what would be done"
_TOOL_EXAMPLES = (
    "surehand tools --json\nsurehand tools browser --format openai\nsurehand tools --door --format anthropic"
)

Domain = Annotated[
    str, typer.Argument(metavar="DOMAIN", help="Show only the verbs of this domain.", show_default=False)
]
Form = Annotated[
    str,
    typer.Option(
        "--format",
        metavar="FORMAT",
        help=f"Write them as a model takes them: {', '.join(TOOL_FORMATS)}.",
        rich_help_panel="Output",
        show_default=False,
    ),
]
Door = Annotated[
    bool,
    typer.Option("--door", help="The tools of surehand mcp, in place of one for each verb.", rich_help_panel="Output"),
]


@app.command(cls=CommandHelp, rich_help_panel=_LOOKING, epilog="surehand rules audio")
def rules(domain: Domain = "", as_json: AsJson = False) -> None:
    """List the verbs that goals and flows can use."""
    from agent.cli.commands.tables import print_rules

    raise typer.Exit(print_rules(domain, as_json=as_json))


@app.command(cls=CommandHelp, rich_help_panel=_LOOKING, epilog=_TOOL_EXAMPLES)
def tools(domain: Domain = "", form: Form = "", door: Door = False, as_json: AsJson = False) -> None:
    """List the tools behind the verbs, with their JSON Schemas."""
    from agent.cli.commands.tables import ToolWish, print_tools

    raise typer.Exit(print_tools(ToolWish(domain, form, door=door, as_json=as_json)))
