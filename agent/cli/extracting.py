"""The commands that read: records of pages and windows, the verbs, and the tools, also for models of others."""

from pathlib import Path
from typing import Annotated

import typer

from agent.cli.declaring import command
from agent.cli.limits import NO_HOST_LIMITS, HostLimits
from agent.cli.options import (
    HERE,
    LIMITS,
    LOOK,
    LOOKING,
    MODELS,
    OUTPUT,
    SEEING,
    AsJson,
    Headed,
    Option,
    Place,
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


Schema = Annotated[Path, Option("--schema FILE", "JSON Schema of a record, or of a list of them.", LOOK)]
Part = Annotated[str, Option("--scope SELECTOR", "Read this part only.", LOOK)]
Following = Annotated[str, Option("--next SELECTOR", "What leads to the next page.", LOOK)]
Pages = Annotated[int | None, Option("--pages N", "Read at most so many pages; 10 with --next.", LOOK)]
Helper = Annotated[str, Option("--model NAME", "Ask this model of your settings for what no rule finds.", MODELS)]
Records = Annotated[Path | None, Option("--output -o FILE", "Write the records to FILE.json or FILE.csv.", OUTPUT)]
WithSources = Annotated[bool, Option("--json", "Write records, the line of each value and what is missing.", OUTPUT)]
Explain = Annotated[bool, Option("--explain", "Show what leaves to the model, and what it answers.", OUTPUT)]
Tokens = Annotated[int | None, Option("--tokens N", "Use at most so many tokens of the model.", LIMITS)]
RecordsOnly = Annotated[bool, Option("--quiet -q", "Tell nothing else.", OUTPUT)]


@command(app, "extract", *_EXAMPLES.split("\n"), panel=SEEING)
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
    limits: HostLimits = NO_HOST_LIMITS,
    tokens: Tokens = None,
    timeout: Timeout = None,
    headed: Headed = False,
    workspace: Workspace = HERE,
) -> int:
    """Read records of a JSON Schema from a page or window; each value has the line that it came from.

    Tables, lists, labels and headings are read by rules. What they don't say is left out and told, or asked of a model,
    from which only what stands on the page is taken.
    """
    from agent.cli.commands.extract import ExtractWish, Writing, extract_records
    from agent.models.serving.wishes import ModelWish

    wish = ExtractWish(
        what=what,
        schema=schema,
        workspace=workspace,
        scope=scope,
        following=following,
        pages=pages,
        model=ModelWish(model, replay, record),
        limits=limits,
        tokens=tokens,
        timeout_s=timeout,
        explain=explain,
    )
    return extract_records(wish, Writing(output, headed, as_json=as_json, quiet=quiet))


_TOOL_EXAMPLES = (
    "surehand tools --json\nsurehand tools browser --format openai\nsurehand tools --door --format anthropic"
)

Domain = Annotated[str, Option("DOMAIN", "Show only the verbs of this domain.")]
Form = Annotated[
    str, Option("--format FORMAT", f"Write them as a model takes them: {', '.join(TOOL_FORMATS)}.", OUTPUT)
]
Door = Annotated[bool, Option("--door", "The tools of surehand mcp, in place of one for each verb.", OUTPUT)]


@command(app, "rules", "surehand rules audio", panel=LOOKING)
def rules(domain: Domain = "", as_json: AsJson = False) -> int:
    """List the verbs that goals and flows can use."""
    from agent.cli.commands.tables import print_rules

    return print_rules(domain, as_json=as_json)


@command(app, "tools", *_TOOL_EXAMPLES.split("\n"), panel=LOOKING)
def tools(domain: Domain = "", form: Form = "", door: Door = False, as_json: AsJson = False) -> int:
    """List the tools behind the verbs, with their JSON Schemas."""
    from agent.cli.commands.tables import ToolWish, print_tools

    return print_tools(ToolWish(domain, form, door=door, as_json=as_json))
