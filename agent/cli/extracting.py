"""The command that reads records of pages and windows."""

import typer

from agent.cli.declaring import command
from agent.cli.options import (
    SEEING,
)
from agent.cli.planner_wishes import ExtractWish

app = typer.Typer()

_EXAMPLES = (
    "surehand extract 127.0.0.1:8123/shop/catalogue --schema item.json\n"
    "surehand extract https://shop.example/list --schema item.json -o items.csv --next 'link \"Next\"' --pages 5"
)


@command(app, "extract", *_EXAMPLES.split("\n"), panel=SEEING)
def extract(wish: ExtractWish) -> int:
    """Read records of a JSON Schema from a page or window; each value has the line that it came from.

    Tables, lists, labels and headings are read by rules. What they don't say is left out and told, or asked of a model,
    from which only what stands on the page is taken.
    """
    from agent.cli.commands.extract import extract_records

    return extract_records(wish)
